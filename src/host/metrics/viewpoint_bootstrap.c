#include "denseval/viewpoint_bootstrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "denseval/device.h"
#include "metrics/absent.h"
#include "metrics/analysis_parts.h"
#include "metrics/resampling.h"
#include "metrics/viewpoint_bootstrap.h"
#include "metrics/viewpoint_resample.h"

#define MOST_DIFFERENCE 1e-9 /* of a cell's mIoU and that of its counts: what a score loses on its way through text */

/* What is drawn from, made of an analysis and its counts, and the scores that come of it. The arrays that `in` and
 * `out` point to and that are no part of the counts or the options are owned. */
typedef struct resampling {
    dv_viewpoint_draws in;
    dv_viewpoint_scores out;
    bool *usable;
    size_t *order, *curve_starts;
    int64_t *curve_cells;
} resampling;

static void release(resampling *r) {
    free(r->usable);
    free(r->order);
    free(r->curve_starts);
    free(r->curve_cells);
    free(r->out.miou);
    free(r->out.miou_objects);
    free(r->out.normalised);
    free(r->out.steps);
    free(r->out.breaks[DV_STEPS_VALIDATION]);
    free(r->out.breaks[DV_STEPS_ALL]);
}

/* ---- What is drawn from -------------------------------------------------------------------------------------------
 */

static int compare_texts(const void *a, const void *b) {
    return strcmp(**(char *const *const *)a, **(char *const *const *)b);
}

/* order[i]: the object with the i-th lowest id. */
static dv_status order_objects(const dv_object_counts *counts, size_t *order) {
    char *const **ids;
    DV_TRY(dv_alloc(counts->n_objects, sizeof *ids, "object ids", &ids));
    for (size_t i = 0; i < counts->n_objects; i++) ids[i] = &counts->object_ids[i];
    if (counts->n_objects > 1) qsort(ids, counts->n_objects, sizeof *ids, compare_texts);
    for (size_t i = 0; i < counts->n_objects; i++) order[i] = (size_t)(ids[i] - counts->object_ids);
    free(ids);
    return DV_OK;
}

static int64_t cell_of(const dv_analysis *analysis, const dv_analysis_curve *curve, size_t i) {
    const size_t place = dv_analysis_place(analysis, curve->bins[i]);
    const dv_cell *cell = place == SIZE_MAX ? NULL : analysis->runs[curve->run].cells[place];
    return cell ? (int64_t)(cell - analysis->cells->cells) : -1;
}

/* The cells of all curves, one curve behind the other. */
static dv_status list_curves(const dv_analysis *analysis, resampling *r) {
    size_t n_points = 0;
    DV_TRY(dv_alloc(analysis->n_curves + 1, sizeof *r->curve_starts, "resampled curves", &r->curve_starts));
    for (size_t c = 0; c < analysis->n_curves; c++) r->curve_starts[c + 1] = n_points += analysis->curves[c].n;
    DV_TRY(dv_alloc(n_points, sizeof *r->curve_cells, "resampled curves", &r->curve_cells));
    for (size_t c = 0; c < analysis->n_curves; c++)
        for (size_t i = 0; i < analysis->curves[c].n; i++)
            r->curve_cells[r->curve_starts[c] + i] = cell_of(analysis, &analysis->curves[c], i);
    r->in.n_curves = analysis->n_curves;
    r->in.n_points = n_points;
    r->in.threshold = analysis->threshold;
    r->in.curve_starts = r->curve_starts;
    r->in.curve_cells = r->curve_cells;
    return DV_OK;
}

static dv_status allocate_scores(resampling *r) {
    const dv_viewpoint_draws *in = &r->in;
    dv_viewpoint_scores *out = &r->out;
    size_t n;
    DV_TRY(dv_mul_size(in->n_cells, in->n_resamples, "resampled mIoU", &n));
    DV_TRY(dv_alloc(n, sizeof *out->miou, "resampled mIoU", &out->miou));
    DV_TRY(dv_alloc(n, sizeof *out->miou_objects, "resampled mIoU", &out->miou_objects));
    DV_TRY(dv_mul_size(in->n_points, in->n_resamples, "resampled curves", &n));
    DV_TRY(dv_alloc(n, sizeof *out->normalised, "resampled curves", &out->normalised));
    DV_TRY(dv_alloc(n, sizeof *out->steps, "resampled curves", &out->steps));
    DV_TRY(dv_mul_size(in->n_curves, in->n_resamples, "breaking points", &n));
    for (int rule = DV_STEPS_VALIDATION; rule <= DV_STEPS_ALL; rule++)
        DV_TRY(dv_alloc(n, sizeof *out->breaks[rule], "breaking points", &out->breaks[rule]));
    return DV_OK;
}

static dv_viewpoint_draws draws_of(const dv_object_counts *counts, dv_absent absent, const bool *excluded) {
    return (dv_viewpoint_draws){.n_cells = counts->n_cells,
                                .n_objects = counts->n_objects,
                                .n_classes = counts->n_classes,
                                .intersections = counts->intersections,
                                .unions = counts->unions,
                                .truths = counts->truths,
                                .excluded = excluded,
                                .absent = absent};
}

static dv_status prepare(const dv_analysis *analysis, const dv_object_counts *counts,
                         const dv_viewpoint_bootstrap_options *options, resampling *r) {
    r->in = draws_of(counts, options->absent, options->excluded);
    r->in.seed = options->seed;
    r->in.n_resamples = options->n_resamples;
    DV_TRY(dv_alloc(counts->n_cells, sizeof *r->usable, "cells of a bootstrap", &r->usable));
    DV_TRY(dv_alloc(counts->n_objects, sizeof *r->order, "objects", &r->order));
    DV_TRY(order_objects(counts, r->order));
    r->in.usable = r->usable;
    r->in.order = r->order;
    DV_TRY(list_curves(analysis, r));
    return allocate_scores(r);
}

/* ---- Checking -----------------------------------------------------------------------------------------------------
 */

static bool is_close(double a, double b) {
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : fabs(a - b) <= MOST_DIFFERENCE;
}

/* Every object once must give the score that the cell has, else the counts are those of something else.
 * weights  u64 [n_objects], all 1; sums: scratch of dv_viewpoint_sum_cell; usable: NULL, or [n_cells], written */
static dv_status check_cell(const dv_viewpoint_draws *in, const dv_cell *cell, size_t index, const uint64_t *weights,
                            uint64_t *sums, bool *usable) {
    dv_viewpoint_sum_cell(in, index, weights, sums);
    const double miou = dv_counts_miou(sums, in->n_classes, 0, in->absent, in->excluded);
    const bool same = is_close(miou, cell->miou);
    if (usable) usable[index] = same;
    if (same || cell->relabel) return DV_OK;
    return dv_fail(DV_E_DATA, "object counts: encoder \"%.100s\", bin %d, mIoU %.17g: must be %.17g, that of its cell",
                   cell->encoder, (int)cell->bin, miou, cell->miou);
}

/* cells: [n_cells] */
static dv_status check_cells(const dv_viewpoint_draws *in, const dv_cell *cells, bool *usable) {
    uint64_t *weights = NULL, *sums = NULL;
    dv_status status = dv_alloc(in->n_objects, sizeof *weights, "objects", &weights);
    if (status == DV_OK) status = dv_alloc(in->n_classes, DV_COUNT_PARTS * sizeof *sums, "sums of a resample", &sums);
    for (size_t i = 0; status == DV_OK && i < in->n_objects; i++) weights[i] = 1;
    for (size_t i = 0; status == DV_OK && i < in->n_cells; i++)
        status = check_cell(in, &cells[i], i, weights, sums, usable);
    free(weights);
    free(sums);
    return status;
}

static dv_status other_shape(const dv_cells *cells, const dv_object_counts *counts) {
    return dv_fail(DV_E_DATA, "object counts: %zu cells of %zu classes: must be %zu of %zu, those of the results",
                   counts->n_cells, counts->n_classes, cells->n, cells->n_classes);
}

dv_status dv_viewpoint_counts_check(const dv_cells *cells, size_t first, const dv_object_counts *counts,
                                    dv_absent absent, const bool *excluded) {
    const dv_viewpoint_draws in = draws_of(counts, absent, excluded);
    if (first > cells->n || counts->n_cells > cells->n - first || counts->n_classes != cells->n_classes)
        return other_shape(cells, counts);
    return check_cells(&in, cells->cells + first, NULL);
}

static dv_status check(const dv_cells *cells, const dv_object_counts *counts,
                       const dv_viewpoint_bootstrap_options *options) {
    DV_TRY(dv_absent_check(options->absent));
    if (options->n_resamples == 0) return dv_fail(DV_E_ARG, "a bootstrap of 0 resamples");
    if (counts->n_cells != cells->n || counts->n_classes != cells->n_classes) return other_shape(cells, counts);
    return DV_OK;
}

/* ---- All ----------------------------------------------------------------------------------------------------------
 */

static dv_status draw_on_host(const resampling *r, size_t n_threads) {
    dv_pool *pool;
    DV_TRY(dv_pool_create(n_threads < r->in.n_resamples ? n_threads : r->in.n_resamples, &pool));
    const dv_status status = dv_viewpoint_resample(pool, &r->in, &r->out);
    dv_pool_free(pool);
    return status;
}

static dv_status draw(const resampling *r, const dv_viewpoint_bootstrap_options *options) {
    dv_device *const device = options->device;
    return device ? device->ops->resample(device, &r->in, &r->out) : draw_on_host(r, options->n_threads);
}

dv_status dv_viewpoint_bootstrap_compute(const dv_analysis *analysis, const dv_object_counts *counts,
                                         const dv_viewpoint_bootstrap_options *options, dv_viewpoint_bootstrap *out) {
    *out = (dv_viewpoint_bootstrap){0};
    DV_TRY(check(analysis->cells, counts, options));
    resampling r = {0};
    dv_status status = prepare(analysis, counts, options, &r);
    if (status == DV_OK) status = check_cells(&r.in, analysis->cells->cells, r.usable);
    if (status == DV_OK) status = draw(&r, options);
    out->n_objects = counts->n_objects;
    if (status == DV_OK) status = dv_viewpoint_summarise(analysis, &r.in, &r.out, out);
    if (status != DV_OK) dv_viewpoint_bootstrap_clear(out);
    release(&r);
    return status;
}
