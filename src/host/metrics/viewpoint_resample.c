#include "metrics/viewpoint_resample.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/curve.h"
#include "core/memory.h"
#include "core/philox.h"
#include "metrics/resampling.h"

typedef struct drawing {
    const dv_viewpoint_draws *in;
    const dv_viewpoint_scores *out;
    uint64_t *weights; /* [n_threads, n_objects]: how often each was drawn */
    uint64_t *sums;    /* [n_threads, DV_COUNT_PARTS, n_classes] */
} drawing;

/* sum[c] += weight * object[c] */
static void add_weighted(const uint64_t *restrict object, uint64_t weight, size_t n_classes, uint64_t *restrict sum) {
    for (size_t c = 0; c < n_classes; c++) sum[c] += weight * object[c];
}

void dv_viewpoint_sum_cell(const dv_viewpoint_draws *in, size_t cell, const uint64_t *weights, uint64_t *sums) {
    const uint64_t *const parts[DV_COUNT_PARTS] = {in->intersections, in->unions, in->truths};
    const size_t n = in->n_classes;
    memset(sums, 0, DV_COUNT_PARTS * n * sizeof *sums);
    for (size_t object = 0; object < in->n_objects; object++) {
        if (weights[object] == 0) continue;
        const size_t at = (cell * in->n_objects + object) * n;
        for (size_t part = 0; part < DV_COUNT_PARTS; part++)
            add_weighted(parts[part] + at, weights[object], n, sums + part * n);
    }
}

static void draw_weights(const dv_viewpoint_draws *in, size_t resample, uint64_t *weights) {
    const size_t n = in->n_objects;
    if (n > 0) memset(weights, 0, n * sizeof *weights);
    for (size_t i = 0; i < n; i++) weights[in->order[dv_philox_below(in->seed, in->first_resample + resample, i, n)]]++;
}

/* Integer sums over the drawn objects, then doubles in class order: no bit depends on who computes it. */
static void score_cell(const drawing *d, size_t cell, size_t resample, const uint64_t *weights, uint64_t *sums) {
    const dv_viewpoint_draws *in = d->in;
    const size_t at = cell * in->n_resamples + resample;
    d->out->miou[at] = d->out->miou_objects[at] = dv_no_value();
    if (!in->usable[cell] || in->n_objects == 0) return;
    dv_viewpoint_sum_cell(in, cell, weights, sums);
    d->out->miou[at] = dv_counts_miou(sums, in->n_classes, 0, in->absent, in->excluded);
    d->out->miou_objects[at] = dv_counts_miou(sums, in->n_classes, 1, in->absent, in->excluded);
}

static dv_status draw(void *context, size_t resample, size_t worker) {
    const drawing *d = context;
    const dv_viewpoint_draws *in = d->in;
    uint64_t *weights = d->weights + worker * in->n_objects;
    uint64_t *sums = d->sums + worker * DV_COUNT_PARTS * in->n_classes;
    DV_TRY(dv_check_interrupted());
    draw_weights(in, resample, weights);
    for (size_t cell = 0; cell < in->n_cells; cell++) score_cell(d, cell, resample, weights, sums);
    for (size_t curve = 0; curve < in->n_curves; curve++) dv_curve_of_resample(in, d->out, curve, resample);
    return DV_OK;
}

static dv_status allocate(drawing *d, size_t n_threads) {
    size_t n;
    DV_TRY(dv_mul_size(d->in->n_objects, n_threads, "drawn objects", &n));
    DV_TRY(dv_alloc(n, sizeof *d->weights, "drawn objects", &d->weights));
    DV_TRY(dv_mul_size(d->in->n_classes, DV_COUNT_PARTS * n_threads, "sums of a resample", &n));
    return dv_alloc(n, sizeof *d->sums, "sums of a resample", &d->sums);
}

dv_status dv_viewpoint_resample(dv_pool *pool, const dv_viewpoint_draws *in, const dv_viewpoint_scores *out) {
    drawing d = {.in = in, .out = out};
    dv_status status = allocate(&d, dv_pool_threads(pool));
    if (status == DV_OK) status = dv_pool_run(pool, in->n_resamples, draw, &d);
    free(d.weights);
    free(d.sums);
    return status;
}
