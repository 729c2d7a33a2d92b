/* sweep_files.h: the result files of a sweep. */
#ifndef DV_PIPELINE_SWEEP_FILES_H
#define DV_PIPELINE_SWEEP_FILES_H

#include "denseval/sweep.h"

/* What a result is of; borrowed for the call. */
typedef struct dv_sweep_source {
    const dv_sweep_config *config;
    const dv_sweep_options *options;
    const dv_sweep_inputs *inputs;
} dv_sweep_source;

/* What results.json holds: settings, inputs, cells. *out: the caller's until dv_report_free. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_sweep_report(const dv_sweep_source *source, const dv_cells *cells, dv_report **out);

/* The same without cells, as results.json begins. */
DV_MUST_USE dv_status dv_sweep_report_head(const dv_sweep_source *source, dv_report **out);

/* Writes all files of a result but resources.json into an empty folder, and fills result->tables. Fails with DV_E_IO,
 * DV_E_NOMEM, as dv_analysis_write. */
DV_MUST_USE dv_status dv_sweep_files_write(const dv_sweep_source *source, const char *folder, dv_sweep_result *result);

/* resources.json: what may differ from run to run stands there alone. */
DV_MUST_USE dv_status dv_sweep_resources_write(const dv_sweep_options *options, const char *folder,
                                               const dv_sweep_result *result);

#endif
