/* viewpoint_summary.c: intervals, shares of breaking points and of wins, from the scores of every resample. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "metrics/resampling.h"
#include "metrics/viewpoint_bootstrap.h"

static void clear_curve(dv_curve_resampling *curve) {
    free(curve->normalised);
    free(curve->steps);
    free(curve->breaks[DV_STEPS_VALIDATION]);
    free(curve->breaks[DV_STEPS_ALL]);
}

void dv_viewpoint_bootstrap_clear(dv_viewpoint_bootstrap *bootstrap) {
    if (bootstrap->curves)
        for (size_t i = 0; i < bootstrap->n_curves; i++) clear_curve(&bootstrap->curves[i]);
    free(bootstrap->curves);
    free(bootstrap->miou);
    free(bootstrap->miou_objects);
    free(bootstrap->runs);
    free(bootstrap->pairs);
    *bootstrap = (dv_viewpoint_bootstrap){0};
}

/* ---- Cells --------------------------------------------------------------------------------------------------------
 */

static dv_status summarise_cells(const dv_viewpoint_draws *in, const dv_viewpoint_scores *values, double *scratch,
                                 dv_viewpoint_bootstrap *out) {
    const size_t n = in->n_resamples, n_cells = in->n_cells;
    out->n_cells = n_cells;
    DV_TRY(dv_alloc(n_cells, sizeof *out->miou, "intervals of cells", &out->miou));
    DV_TRY(dv_alloc(n_cells, sizeof *out->miou_objects, "intervals of cells", &out->miou_objects));
    for (size_t i = 0; i < n_cells; i++) {
        memcpy(scratch, values->miou + i * n, n * sizeof *scratch);
        out->miou[i] = dv_interval_of(scratch, n);
        memcpy(scratch, values->miou_objects + i * n, n * sizeof *scratch);
        out->miou_objects[i] = dv_interval_of(scratch, n);
        out->n_without += !in->usable[i];
    }
    return DV_OK;
}

/* ---- Runs and pairs of them ---------------------------------------------------------------------------------------
 */

static bool is_reference(const dv_analysis_run *run, int32_t bin) {
    for (size_t i = 0; i < run->n_reference_bins; i++)
        if (run->reference_bins[i] == bin) return true;
    return false;
}

/* Does this bin enter the mean of Experiment A? */
static bool is_scored(const dv_analysis *analysis, const dv_analysis_run *run, size_t bin) {
    const dv_cell *cell = run->cells[bin];
    return cell && !isnan(cell->miou_objects) && !is_reference(run, analysis->bins[bin]);
}

/* means  f64 [n_resamples]: NaN where one of the bins has no value, or none is scored */
static void run_means(const dv_analysis *analysis, const dv_viewpoint_scores *values, size_t n,
                      const dv_analysis_run *run, double *means) {
    for (size_t b = 0; b < n; b++) means[b] = 0.0;
    for (size_t i = 0; i < analysis->n_bins; i++) {
        if (!is_scored(analysis, run, i)) continue;
        const double *scores = values->miou_objects + (size_t)(run->cells[i] - analysis->cells->cells) * n;
        for (size_t b = 0; b < n; b++) means[b] += scores[b];
    }
    for (size_t b = 0; b < n; b++) means[b] = run->n_scored ? means[b] / (double)run->n_scored : (double)NAN;
}

static bool are_a_pair(const dv_analysis_run *a, const dv_analysis_run *b) {
    return strcmp(a->encoder, b->encoder) != 0 && a->memory == b->memory && a->per_image == b->per_image &&
           a->n_reference_bins == b->n_reference_bins &&
           memcmp(a->reference_bins, b->reference_bins, a->n_reference_bins * sizeof *a->reference_bins) == 0;
}

static bool score_the_same_bins(const dv_analysis *analysis, const dv_analysis_run *a, const dv_analysis_run *b) {
    for (size_t i = 0; i < analysis->n_bins; i++)
        if (is_scored(analysis, a, i) != is_scored(analysis, b, i)) return false;
    return a->n_scored > 0;
}

static dv_run_pair compare(const dv_analysis *analysis, const double *means, size_t n, size_t a, size_t b) {
    dv_run_pair pair = {.a = a, .b = b, .above = NAN, .equal = NAN};
    size_t n_above = 0, n_equal = 0;
    if (!score_the_same_bins(analysis, &analysis->runs[a], &analysis->runs[b])) return pair;
    for (size_t i = 0; i < n; i++) {
        const double left = means[a * n + i], right = means[b * n + i];
        if (isnan(left) || isnan(right)) continue;
        pair.n_resamples++;
        n_above += left > right;
        n_equal += left == right;
    }
    if (pair.n_resamples == 0) return pair;
    pair.above = (double)n_above / (double)pair.n_resamples;
    pair.equal = (double)n_equal / (double)pair.n_resamples;
    return pair;
}

static dv_status compare_runs(const dv_analysis *analysis, const double *means, size_t n, dv_viewpoint_bootstrap *out) {
    size_t n_pairs = 0;
    for (size_t a = 0; a < analysis->n_runs; a++)
        for (size_t b = a + 1; b < analysis->n_runs; b++) n_pairs += are_a_pair(&analysis->runs[a], &analysis->runs[b]);
    DV_TRY(dv_alloc(n_pairs, sizeof *out->pairs, "pairs of runs", &out->pairs));
    for (size_t a = 0; a < analysis->n_runs; a++)
        for (size_t b = a + 1; b < analysis->n_runs; b++)
            if (are_a_pair(&analysis->runs[a], &analysis->runs[b]))
                out->pairs[out->n_pairs++] = compare(analysis, means, n, a, b);
    return DV_OK;
}

static dv_status summarise_runs(const dv_analysis *analysis, const dv_viewpoint_scores *values, size_t n,
                                double *scratch, dv_viewpoint_bootstrap *out) {
    double *means;
    size_t n_means;
    DV_TRY(dv_mul_size(analysis->n_runs, n, "means of runs", &n_means));
    DV_TRY(dv_alloc(n_means, sizeof *means, "means of runs", &means));
    dv_status status = dv_alloc(analysis->n_runs, sizeof *out->runs, "intervals of runs", &out->runs);
    if (status == DV_OK) {
        out->n_runs = analysis->n_runs;
        for (size_t i = 0; i < analysis->n_runs; i++) {
            run_means(analysis, values, n, &analysis->runs[i], means + i * n);
            memcpy(scratch, means + i * n, n * sizeof *scratch);
            out->runs[i] = dv_interval_of(scratch, n);
        }
        status = compare_runs(analysis, means, n, out);
    }
    free(means);
    return status;
}

/* ---- Curves -------------------------------------------------------------------------------------------------------
 */

static dv_status allocate_curve(size_t n, dv_curve_resampling *out) {
    out->n = n;
    DV_TRY(dv_alloc(n, sizeof *out->normalised, "intervals of a curve", &out->normalised));
    DV_TRY(dv_alloc(n, sizeof *out->steps, "intervals of steps", &out->steps));
    DV_TRY(dv_alloc(n, sizeof(double), "breaking points", &out->breaks[DV_STEPS_VALIDATION]));
    return dv_alloc(n, sizeof(double), "breaking points", &out->breaks[DV_STEPS_ALL]);
}

/* How often each bin of a curve is the breaking point.
 * reference  f64 [n_resamples]: the normalised curve in its reference bin; NaN: there is no curve */
static void count_breaks(const double *reference, const int32_t *breaks, size_t n_resamples, dv_steps rule,
                         dv_curve_resampling *out) {
    for (size_t b = 0; b < n_resamples; b++) {
        if (isnan(reference[b])) continue;
        if (breaks[b] < 0)
            out->never[rule] += 1.0;
        else
            out->breaks[rule][breaks[b]] += 1.0;
    }
}

/* Counts become shares. */
static void divide(dv_curve_resampling *out) {
    for (int rule = DV_STEPS_VALIDATION; rule <= DV_STEPS_ALL; rule++) {
        const double n = out->n_resamples ? (double)out->n_resamples : (double)NAN;
        for (size_t i = 0; i < out->n; i++) out->breaks[rule][i] /= n;
        out->never[rule] /= n;
    }
}

static dv_status summarise_curve(const dv_viewpoint_draws *in, const dv_viewpoint_scores *values, size_t curve,
                                 dv_curve_resampling *out) {
    const size_t first = in->curve_starts[curve], n = in->n_resamples;
    double *const normalised = values->normalised + first * n, *const steps = values->steps + first * n;
    DV_TRY(allocate_curve(in->curve_starts[curve + 1] - first, out));
    for (size_t b = 0; b < n; b++) out->n_resamples += !isnan(normalised[b]);
    for (int rule = DV_STEPS_VALIDATION; rule <= DV_STEPS_ALL; rule++)
        count_breaks(normalised, values->breaks[rule] + curve * n, n, (dv_steps)rule, out);
    divide(out);
    for (size_t i = 0; i < out->n; i++) out->normalised[i] = dv_interval_of(normalised + i * n, n);
    for (size_t i = 0; i + 1 < out->n; i++) out->steps[i] = dv_interval_of(steps + i * n, n);
    return DV_OK;
}

dv_status dv_viewpoint_summarise(const dv_analysis *analysis, const dv_viewpoint_draws *in,
                                 const dv_viewpoint_scores *values, dv_viewpoint_bootstrap *out) {
    const size_t n = in->n_resamples;
    double *scratch;
    out->n_resamples = n;
    DV_TRY(dv_alloc(n, sizeof *scratch, "resampled scores", &scratch));
    dv_status status = summarise_cells(in, values, scratch, out);
    if (status == DV_OK) status = summarise_runs(analysis, values, n, scratch, out);
    free(scratch);
    DV_TRY(status);
    DV_TRY(dv_alloc(in->n_curves, sizeof *out->curves, "resampled curves", &out->curves));
    out->n_curves = in->n_curves;
    for (size_t i = 0; i < in->n_curves; i++) DV_TRY(summarise_curve(in, values, i, &out->curves[i]));
    return DV_OK;
}
