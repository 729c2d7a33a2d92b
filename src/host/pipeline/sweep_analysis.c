#include "pipeline/sweep_analysis.h"

#include <math.h>
#include <stdbool.h>

#include "core/check.h"
#include "denseval/device.h"
#include "denseval/sweep_merge.h"
#include "denseval/viewpoint_bootstrap.h"

static bool has_a_score(const dv_cells *cells) {
    for (size_t i = 0; i < cells->n; i++)
        if (!isnan(cells->cells[i].miou)) return true;
    return false;
}

static dv_status resample(const dv_sweep_analysis *wanted, const dv_analysis *analysis, dv_viewpoint_bootstrap *out) {
    /* One GPU resamples; others may be those of other ranks. */
    const dv_device_options opened = {.n_threads = wanted->n_threads, .n_gpus = 1, .account = wanted->account};
    dv_viewpoint_bootstrap_options options = {.absent = wanted->absent,
                                              .n_resamples = wanted->n_resamples,
                                              .seed = wanted->seed,
                                              .n_threads = wanted->n_threads};
    if (wanted->n_resamples == 0) return DV_OK;
    if (wanted->counts->n_cells == 0)
        return dv_fail(DV_E_MISSING, "intervals are made of the counts of the objects: no %s", DV_SWEEP_COUNTS);
    if (wanted->backend) DV_TRY(dv_device_open(wanted->backend, &opened, &options.device));
    const dv_status status = dv_viewpoint_bootstrap_compute(analysis, wanted->counts, &options, out);
    if (options.device) options.device->ops->close(options.device);
    return status;
}

dv_status dv_sweep_analysis_write(const dv_sweep_analysis *wanted, const char *folder, char **tables) {
    const dv_analysis_options options = {.steps = DV_STEPS_VALIDATION, .threshold = 0.1};
    dv_viewpoint_bootstrap bootstrap = {0};
    const dv_analysis_extras extras = {.bootstrap = wanted->n_resamples ? &bootstrap : NULL};
    dv_analysis analysis = {0};
    if (!has_a_score(wanted->cells)) return DV_OK; /* as --allow-empty asks for */
    dv_status status = dv_analysis_compute(wanted->cells, &options, &analysis);
    if (status == DV_OK) status = resample(wanted, &analysis, &bootstrap);
    if (status == DV_OK) status = dv_analysis_write(folder, &analysis, &extras, wanted->plots, wanted->report);
    if (status == DV_OK) status = dv_analysis_table(&analysis, tables);
    dv_viewpoint_bootstrap_clear(&bootstrap);
    dv_analysis_clear(&analysis);
    return status;
}
