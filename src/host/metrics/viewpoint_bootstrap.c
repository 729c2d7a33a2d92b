#include "denseval/viewpoint_bootstrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "denseval/random.h"
#include "metrics/absent.h"
#include "metrics/resampling.h"
#include "metrics/viewpoint_bootstrap.h"

#define MOST_DIFFERENCE 1e-9 /* of a cell's mIoU and that of its counts: what a score loses on its way through text */

/* ---- Drawing ------------------------------------------------------------------------------------------------------
 */

typedef struct drawing {
    const dv_object_counts *counts;
    const dv_viewpoint_bootstrap_options *options;
    dv_resampled *values;
    size_t *order;     /* [n_objects]: objects by rising id */
    uint64_t *weights; /* [n_threads, n_objects]: how often each was drawn */
    uint64_t *sums;    /* [n_threads, DV_COUNT_PARTS, n_classes] */
} drawing;

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

/* sum[c] += weight * object[c] */
static void add_weighted(const uint64_t *restrict object, uint64_t weight, size_t n_classes, uint64_t *restrict sum) {
    for (size_t c = 0; c < n_classes; c++) sum[c] += weight * object[c];
}

static void sum_cell(const dv_object_counts *counts, size_t cell, const uint64_t *weights, uint64_t *sums) {
    const uint64_t *const parts[DV_COUNT_PARTS] = {counts->intersections, counts->unions, counts->truths};
    const size_t n = counts->n_classes;
    memset(sums, 0, DV_COUNT_PARTS * n * sizeof *sums);
    for (size_t object = 0; object < counts->n_objects; object++) {
        if (weights[object] == 0) continue;
        const size_t at = (cell * counts->n_objects + object) * n;
        for (size_t part = 0; part < DV_COUNT_PARTS; part++)
            add_weighted(parts[part] + at, weights[object], n, sums + part * n);
    }
}

/* Integer sums over the drawn objects, then doubles in class order: no bit depends on who computes it. */
static dv_status draw(void *context, size_t resample, size_t worker) {
    const drawing *d = context;
    const dv_object_counts *counts = d->counts;
    const dv_viewpoint_bootstrap_options *o = d->options;
    uint64_t *weights = d->weights + worker * counts->n_objects;
    uint64_t *sums = d->sums + worker * DV_COUNT_PARTS * counts->n_classes;
    DV_TRY(dv_check_interrupted());
    memset(weights, 0, counts->n_objects * sizeof *weights);
    for (size_t i = 0; i < counts->n_objects; i++)
        weights[d->order[dv_random_below(o->seed, resample, i, counts->n_objects)]]++;
    for (size_t cell = 0; cell < counts->n_cells; cell++) {
        if (!d->values->usable[cell]) continue;
        const size_t at = cell * d->values->n_resamples + resample;
        sum_cell(counts, cell, weights, sums);
        d->values->miou[at] = dv_counts_miou(sums, counts->n_classes, 0, o->absent, o->excluded);
        d->values->miou_objects[at] = dv_counts_miou(sums, counts->n_classes, 1, o->absent, o->excluded);
    }
    return DV_OK;
}

/* ---- Checking -----------------------------------------------------------------------------------------------------
 */

static bool is_close(double a, double b) {
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : fabs(a - b) <= MOST_DIFFERENCE;
}

/* Every object once must give the score that the cell has, else the counts are those of something else. */
static dv_status check_cell(const drawing *d, const dv_cell *cell, size_t index) {
    const dv_viewpoint_bootstrap_options *o = d->options;
    for (size_t i = 0; i < d->counts->n_objects; i++) d->weights[i] = 1;
    sum_cell(d->counts, index, d->weights, d->sums);
    const double miou = dv_counts_miou(d->sums, d->counts->n_classes, 0, o->absent, o->excluded);
    d->values->usable[index] = is_close(miou, cell->miou);
    if (d->values->usable[index] || cell->relabel) return DV_OK;
    return dv_fail(DV_E_DATA, "object counts: encoder \"%.100s\", bin %d, mIoU %.17g: must be %.17g, that of its cell",
                   cell->encoder, (int)cell->bin, miou, cell->miou);
}

static dv_status check(const dv_cells *cells, const dv_object_counts *counts,
                       const dv_viewpoint_bootstrap_options *options) {
    DV_TRY(dv_absent_check(options->absent));
    if (options->n_resamples == 0) return dv_fail(DV_E_ARG, "a bootstrap of 0 resamples");
    if (counts->n_cells != cells->n || counts->n_classes != cells->n_classes)
        return dv_fail(DV_E_DATA, "object counts: %zu cells of %zu classes: must be %zu of %zu, those of the results",
                       counts->n_cells, counts->n_classes, cells->n, cells->n_classes);
    return DV_OK;
}

/* ---- All ----------------------------------------------------------------------------------------------------------
 */

static dv_status allocate(drawing *d, size_t n_threads) {
    dv_resampled *values = d->values;
    const dv_object_counts *counts = d->counts;
    size_t n;
    DV_TRY(dv_mul_size(counts->n_cells, values->n_resamples, "resampled mIoU", &n));
    DV_TRY(dv_alloc(n, sizeof *values->miou, "resampled mIoU", &values->miou));
    DV_TRY(dv_alloc(n, sizeof *values->miou_objects, "resampled mIoU", &values->miou_objects));
    for (size_t i = 0; i < n; i++) values->miou[i] = values->miou_objects[i] = NAN;
    DV_TRY(dv_alloc(counts->n_cells, sizeof *values->usable, "cells of a bootstrap", &values->usable));
    DV_TRY(dv_alloc(counts->n_objects, sizeof *d->order, "objects", &d->order));
    DV_TRY(dv_mul_size(counts->n_objects, n_threads, "drawn objects", &n));
    DV_TRY(dv_alloc(n, sizeof *d->weights, "drawn objects", &d->weights));
    DV_TRY(dv_mul_size(counts->n_classes, DV_COUNT_PARTS * n_threads, "sums of a resample", &n));
    return dv_alloc(n, sizeof *d->sums, "sums of a resample", &d->sums);
}

static dv_status resample(drawing *d, const dv_cells *cells, dv_pool *pool) {
    DV_TRY(allocate(d, dv_pool_threads(pool)));
    DV_TRY(order_objects(d->counts, d->order));
    for (size_t i = 0; i < cells->n; i++) DV_TRY(check_cell(d, &cells->cells[i], i));
    return d->counts->n_objects ? dv_pool_run(pool, d->values->n_resamples, draw, d) : DV_OK;
}

dv_status dv_viewpoint_bootstrap_compute(const dv_analysis *analysis, const dv_object_counts *counts,
                                         const dv_viewpoint_bootstrap_options *options, dv_viewpoint_bootstrap *out) {
    *out = (dv_viewpoint_bootstrap){0};
    DV_TRY(check(analysis->cells, counts, options));
    dv_pool *pool;
    DV_TRY(
        dv_pool_create(options->n_threads < options->n_resamples ? options->n_threads : options->n_resamples, &pool));
    dv_resampled values = {.n_resamples = options->n_resamples};
    drawing d = {.counts = counts, .options = options, .values = &values};
    dv_status status = resample(&d, analysis->cells, pool);
    out->n_objects = counts->n_objects;
    if (status == DV_OK) status = dv_viewpoint_summarise(analysis, &values, out);
    if (status != DV_OK) dv_viewpoint_bootstrap_clear(out);
    dv_pool_free(pool);
    free(d.order);
    free(d.weights);
    free(d.sums);
    free(values.miou);
    free(values.miou_objects);
    free(values.usable);
    return status;
}
