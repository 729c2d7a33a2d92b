/* json_bootstrap.h: resampled objects in the JSON of a viewpoint analysis. */
#ifndef DV_REPORT_JSON_BOOTSTRAP_H
#define DV_REPORT_JSON_BOOTSTRAP_H

#include <jansson.h>

#include "denseval/viewpoint_bootstrap.h"

/* Put the intervals of a run, a cell, a curve (indices into those of the analysis) into `object`. */
void dv_report_run_intervals(dv_report *report, json_t *object, const dv_viewpoint_bootstrap *bootstrap, size_t run);
void dv_report_cell_intervals(dv_report *report, json_t *object, const dv_viewpoint_bootstrap *bootstrap, size_t cell);
void dv_report_curve_intervals(dv_report *report, json_t *object, const dv_viewpoint_bootstrap *bootstrap, size_t c);

/* `bootstrap` and `pairs`. */
void dv_report_bootstrap(dv_report *report, const dv_analysis *analysis, const dv_viewpoint_bootstrap *bootstrap);

#endif
