#include "denseval/analysis.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/log.h"
#include "core/memory.h"
#include "metrics/analysis_parts.h"

static int compare_bins(const void *a, const void *b) {
    const int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

static bool rises(const int32_t *bins, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (bins[i] <= bins[i - 1]) return false;
    return true;
}

/* The distance of a regular grid through rising bins, some of which are not there; 0: there is none. */
static int64_t grid_distance(const int32_t *bins, size_t n) {
    int64_t least = 0;
    for (size_t i = 1; i < n; i++) {
        const int64_t distance = (int64_t)bins[i] - bins[i - 1];
        if (least == 0 || distance < least) least = distance;
    }
    for (size_t i = 1; i < n && least; i++)
        if (((int64_t)bins[i] - bins[i - 1]) % least != 0) least = 0;
    return least;
}

/* A run that lacks a bin that all runs lack shows only as a hole in the grid. Bins far from all others make no grid. */
static dv_status fill_grid(int32_t **bins, size_t *n_bins) {
    enum { MAX_HOLES_A_BIN = 8 };
    const int64_t distance = grid_distance(*bins, *n_bins);
    if (distance == 0) return DV_OK;
    const int64_t first = (*bins)[0], n_grid = ((*bins)[*n_bins - 1] - first) / distance + 1;
    if (n_grid > (int64_t)(*n_bins * MAX_HOLES_A_BIN)) return DV_OK;
    int32_t *grid;
    DV_TRY(dv_alloc((size_t)n_grid, sizeof *grid, "bins", &grid));
    for (int64_t i = 0; i < n_grid; i++) grid[i] = (int32_t)(first + i * distance);
    free(*bins);
    *bins = grid;
    *n_bins = (size_t)n_grid;
    return DV_OK;
}

static dv_status find_bins(const dv_cells *cells, const dv_analysis_options *options, dv_analysis *made) {
    const bool given = options->bins != NULL;
    const size_t n_most = given ? options->n_bins : cells->n;
    DV_TRY(dv_alloc(n_most, sizeof *made->bins, "bins", &made->bins));
    for (size_t i = 0; i < n_most; i++) made->bins[i] = given ? options->bins[i] : cells->cells[i].bin;
    made->n_bins = n_most;
    if (given) return rises(made->bins, n_most) ? DV_OK : dv_fail(DV_E_ARG, "bins: must rise");
    size_t n = 0;
    if (n_most > 1) qsort(made->bins, n_most, sizeof *made->bins, compare_bins);
    for (size_t i = 0; i < n_most; i++)
        if (n == 0 || made->bins[i] != made->bins[n - 1]) made->bins[n++] = made->bins[i];
    made->n_bins = n;
    return fill_grid(&made->bins, &made->n_bins);
}

size_t dv_analysis_place(const dv_analysis *analysis, int32_t bin) {
    const int32_t *const found =
        analysis->n_bins ? bsearch(&bin, analysis->bins, analysis->n_bins, sizeof bin, compare_bins) : NULL;
    return found ? (size_t)(found - analysis->bins) : SIZE_MAX;
}

/* Warns of a bin that a run lacks; the first ones in full. */
static void warn(const dv_analysis_run *run, int32_t bin, const char *what, size_t *n) {
    enum { LISTED = 20 };
    if (++*n <= LISTED)
        dv_log(DV_LOG_WARNING, "encoder %s, memory %llu, %s: bin %ld is missing%s", run->encoder,
               (unsigned long long)run->memory, run->difficulty, (long)bin, what);
    else if (*n == LISTED + 1)
        dv_log(DV_LOG_WARNING, "more bins are missing: missing_bins in the JSON lists them");
}

/* A curve's other bins are those of its run. */
static void warn_of_missing(const dv_analysis *analysis) {
    size_t n = 0;
    for (size_t i = 0; i < analysis->n_runs; i++)
        for (size_t m = 0; m < analysis->runs[i].n_missing; m++)
            warn(&analysis->runs[i], analysis->runs[i].missing[m], "", &n);
    for (size_t i = 0; i < analysis->n_curves; i++) {
        const dv_analysis_curve *const curve = &analysis->curves[i];
        if (curve->n_missing && curve->missing[0] == curve->bins[0])
            warn(&analysis->runs[curve->run], curve->bins[0], ": without the reference bin there is no curve", &n);
    }
}

dv_status dv_analysis_compute(const dv_cells *cells, const dv_analysis_options *options, dv_analysis *out) {
    dv_analysis made = {.cells = cells, .steps = options->steps, .threshold = options->threshold};
    *out = (dv_analysis){0};
    if (!(options->threshold > 0)) return dv_fail(DV_E_ARG, "threshold %g: must be above 0", options->threshold);
    dv_status status = find_bins(cells, options, &made);
    if (status == DV_OK) status = dv_analysis_find_runs(&made);
    if (status == DV_OK) status = dv_analysis_score_runs(&made);
    if (status == DV_OK) status = dv_analysis_find_curves(&made);
    if (status == DV_OK) status = dv_analysis_find_gains(&made);
    if (status == DV_OK) warn_of_missing(&made);
    if (status == DV_OK)
        *out = made;
    else
        dv_analysis_clear(&made);
    return status;
}

void dv_analysis_clear(dv_analysis *analysis) {
    for (size_t i = 0; i < analysis->n_runs; i++) {
        free(analysis->runs[i].difficulty);
        free(analysis->runs[i].cells);
        free(analysis->runs[i].missing);
    }
    for (size_t i = 0; i < analysis->n_curves; i++) dv_analysis_curve_clear(&analysis->curves[i]);
    free(analysis->bins);
    free(analysis->runs);
    free(analysis->curves);
    free(analysis->gains);
    free(analysis->encoder_gains);
    free(analysis->difficulty_gains);
    *analysis = (dv_analysis){0};
}
