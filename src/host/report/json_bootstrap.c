/* json_bootstrap.c: resampled objects in the JSON of a viewpoint analysis. */
#include "report/json_bootstrap.h"

#include "report/json_report.h"

static json_t *interval_object(dv_report *report, const dv_interval *interval) {
    json_t *const object = json_object();
    dv_report_set(report, object, "low", dv_json_real(interval->low));
    dv_report_set(report, object, "high", dv_json_real(interval->high));
    dv_report_set(report, object, "resamples", dv_json_count(interval->n_resamples));
    return object;
}

static json_t *interval_list(dv_report *report, const dv_interval *intervals, size_t n) {
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) dv_report_append(report, list, interval_object(report, &intervals[i]));
    return list;
}

static json_t *real_list(dv_report *report, const double *values, size_t n) {
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) dv_report_append(report, list, dv_json_real(values[i]));
    return list;
}

void dv_report_run_intervals(dv_report *report, json_t *object, const dv_viewpoint_bootstrap *bootstrap, size_t run) {
    dv_report_set(report, object, "miou_interval_95", interval_object(report, &bootstrap->runs[run]));
}

void dv_report_cell_intervals(dv_report *report, json_t *object, const dv_viewpoint_bootstrap *bootstrap, size_t cell) {
    dv_report_set(report, object, "miou_interval_95", interval_object(report, &bootstrap->miou[cell]));
    dv_report_set(report, object, "miou_objects_interval_95", interval_object(report, &bootstrap->miou_objects[cell]));
}

void dv_report_curve_intervals(dv_report *report, json_t *object, const dv_viewpoint_bootstrap *bootstrap, size_t c) {
    const dv_curve_resampling *const curve = &bootstrap->curves[c];
    dv_report_set(report, object, "normalised_intervals_95", interval_list(report, curve->normalised, curve->n));
    dv_report_set(report, object, "step_intervals_95", interval_list(report, curve->steps, curve->n - 1));
    dv_report_set(report, object, "breaking_shares_all", real_list(report, curve->breaks[DV_STEPS_ALL], curve->n));
    dv_report_set(report, object, "breaking_shares_validation",
                  real_list(report, curve->breaks[DV_STEPS_VALIDATION], curve->n));
    dv_report_set(report, object, "never_breaks_all", dv_json_real(curve->never[DV_STEPS_ALL]));
    dv_report_set(report, object, "never_breaks_validation", dv_json_real(curve->never[DV_STEPS_VALIDATION]));
}

void dv_report_bootstrap(dv_report *report, const dv_analysis *analysis, const dv_viewpoint_bootstrap *bootstrap) {
    json_t *const summary = json_object(), *const pairs = json_array();
    dv_report_set(report, summary, "resamples", dv_json_count(bootstrap->n_resamples));
    dv_report_set(report, summary, "objects", dv_json_count(bootstrap->n_objects));
    dv_report_set(report, summary, "cells_without_intervals", dv_json_count(bootstrap->n_without));
    for (size_t i = 0; i < bootstrap->n_pairs; i++) {
        const dv_run_pair *const pair = &bootstrap->pairs[i];
        const dv_analysis_run *const run = &analysis->runs[pair->a];
        json_t *const object = json_object();
        dv_report_set(report, object, "a", dv_json_text(run->encoder));
        dv_report_set(report, object, "b", dv_json_text(analysis->runs[pair->b].encoder));
        dv_report_set(report, object, "memory", run->memory ? dv_json_count(run->memory) : json_null());
        if (run->per_image) dv_report_set(report, object, "memory_kind", json_string("per_image"));
        dv_report_set(report, object, "difficulty", dv_json_text(run->difficulty));
        dv_report_set(report, object, "a_above_b", dv_json_real(pair->above));
        dv_report_set(report, object, "equal", dv_json_real(pair->equal));
        dv_report_set(report, object, "resamples", dv_json_count(pair->n_resamples));
        dv_report_append(report, pairs, object);
    }
    dv_report_top(report, "bootstrap", summary);
    dv_report_top(report, "pairs", pairs);
}
