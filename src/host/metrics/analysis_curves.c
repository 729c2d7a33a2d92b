/* analysis_curves.c: Experiment B: normalised curves, steps, breaking points, and the curves of each class. */
#include <math.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "metrics/analysis_parts.h"

void dv_analysis_curve_clear(dv_analysis_curve *curve) {
    free(curve->bins);
    free(curve->miou);
    free(curve->normalised);
    free(curve->steps);
    free(curve->missing);
    free(curve->class_iou);
    free(curve->class_normalised);
    free(curve->class_difference);
}

/* The reference bin, and the bins above it. */
static dv_status find_curve_bins(const dv_analysis *analysis, dv_analysis_curve *curve) {
    const int32_t reference = analysis->runs[curve->run].reference_bins[0];
    DV_TRY(dv_alloc(analysis->n_bins + 1, sizeof *curve->bins, "bins of a curve", &curve->bins));
    curve->bins[curve->n++] = reference;
    for (size_t i = 0; i < analysis->n_bins; i++)
        if (analysis->bins[i] > reference) curve->bins[curve->n++] = analysis->bins[i];
    return DV_OK;
}

static dv_status allocate(const dv_analysis *analysis, dv_analysis_curve *curve) {
    size_t n_values;
    DV_TRY(dv_mul_size(analysis->cells->n_classes, curve->n, "curves of classes", &n_values));
    DV_TRY(dv_alloc(curve->n, sizeof(double), "a curve", &curve->miou));
    DV_TRY(dv_alloc(curve->n, sizeof(double), "a curve", &curve->normalised));
    DV_TRY(dv_alloc(curve->n, sizeof(double), "steps of a curve", &curve->steps));
    DV_TRY(dv_alloc(curve->n, sizeof *curve->missing, "missing bins", &curve->missing));
    DV_TRY(dv_alloc(n_values, sizeof(double), "curves of classes", &curve->class_iou));
    DV_TRY(dv_alloc(n_values, sizeof(double), "curves of classes", &curve->class_normalised));
    return dv_alloc(n_values, sizeof(double), "curves of classes", &curve->class_difference);
}

static dv_breaking_point point_behind(const dv_analysis_curve *curve, size_t step) {
    if (step == SIZE_MAX) return (dv_breaking_point){.step = NAN};
    return (dv_breaking_point){.found = true, .bin = curve->bins[step + 1], .step = curve->steps[step]};
}

static void read_values(const dv_analysis *analysis, dv_analysis_curve *curve) {
    const size_t n_classes = analysis->cells->n_classes;
    const dv_analysis_run *const run = &analysis->runs[curve->run];
    for (size_t i = 0; i < curve->n; i++) {
        const size_t place = dv_analysis_place(analysis, curve->bins[i]);
        const dv_cell *const cell = place == SIZE_MAX ? NULL : run->cells[place];
        curve->miou[i] = cell ? cell->miou : NAN;
        if (isnan(curve->miou[i])) curve->missing[curve->n_missing++] = curve->bins[i];
        for (size_t c = 0; c < n_classes; c++) curve->class_iou[c * curve->n + i] = cell ? cell->iou[c] : NAN;
    }
}

static void compare_classes(const dv_analysis *analysis, dv_analysis_curve *curve) {
    const size_t n = curve->n;
    for (size_t c = 0; c < analysis->cells->n_classes; c++) {
        dv_curve_normalise(curve->class_iou + c * n, n, curve->class_normalised + c * n);
        for (size_t i = 0; i < n; i++)
            curve->class_difference[c * n + i] = curve->class_normalised[c * n + i] - curve->normalised[i];
    }
}

static dv_status make_curve(dv_analysis *analysis, size_t run) {
    dv_analysis_curve *const curve = &analysis->curves[analysis->n_curves++];
    *curve = (dv_analysis_curve){.run = run};
    DV_TRY(find_curve_bins(analysis, curve));
    DV_TRY(allocate(analysis, curve));
    read_values(analysis, curve);
    dv_curve_normalise(curve->miou, curve->n, curve->normalised);
    dv_curve_steps(curve->normalised, curve->n, curve->steps);
    for (int tested = DV_STEPS_VALIDATION; tested <= DV_STEPS_ALL; tested++) {
        const dv_steps rule = (dv_steps)tested;
        curve->breaking[tested] =
            point_behind(curve, dv_curve_break(curve->steps, curve->n - 1, rule, analysis->threshold));
        curve->steepest[tested] = point_behind(curve, dv_curve_steepest(curve->steps, curve->n - 1, rule));
    }
    compare_classes(analysis, curve);
    return DV_OK;
}

dv_status dv_analysis_find_curves(dv_analysis *analysis) {
    DV_TRY(dv_alloc(analysis->n_runs, sizeof *analysis->curves, "curves", &analysis->curves));
    for (size_t run = 0; run < analysis->n_runs; run++)
        if (analysis->runs[run].n_reference_bins == 1) DV_TRY(make_curve(analysis, run));
    return DV_OK;
}
