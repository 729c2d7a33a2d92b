#include "report/plot_analysis.h"

#include "core/check.h"
#include "core/log.h"

enum { REASON_SIZE = 512 };

typedef dv_status (*kind)(const dv_plot_grid *grid);

static dv_status draw_all(const dv_plot_grid *grid) {
    static const kind kinds[] = {dv_plot_absolute, dv_plot_normalised, dv_plot_difficulty, dv_plot_memory,
                                 dv_plot_classes,  dv_plot_provenance, dv_plot_breaking,   dv_plot_wins};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) DV_TRY(kinds[i](grid));
    return DV_OK;
}

static dv_status warn(const char *why) {
    dv_log(DV_LOG_WARNING, "no plots: %s", why);
    return DV_OK;
}

dv_status dv_plot_analysis(const dv_analysis *analysis, const dv_viewpoint_bootstrap *bootstrap, bool required,
                           const char *folder) {
    char why[REASON_SIZE];
    dv_plot_grid grid;
    if (!required && !dv_plot_usable(why, sizeof why)) return warn(why);
    DV_TRY(dv_plot_grid_create(analysis, bootstrap, folder, &grid));
    const dv_status status = draw_all(&grid);
    dv_plot_grid_clear(&grid);
    return status == DV_E_BACKEND && !required ? warn(dv_last_error()) : status;
}
