#include "denseval/bootstrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "denseval/random.h"
#include "metrics/absent.h"
#include "metrics/resampling.h"

typedef struct resampling {
    const uint64_t *parts[DV_COUNT_PARTS]; /* each [n_images, n_classes] */
    size_t n_images, n_classes;
    dv_absent absent;
    const bool *excluded;
    uint64_t seed;
    uint64_t *sums; /* [n_threads, DV_COUNT_PARTS, n_classes], scratch of each worker */
    double *mious;  /* [n_resamples] */
} resampling;

static void add_image(const uint64_t *restrict image, size_t n_classes, uint64_t *restrict sum) {
    for (size_t c = 0; c < n_classes; c++) sum[c] += image[c];
}

/* Integer sums over the drawn images, then doubles in class order: no bit depends on who computes it. */
static dv_status resample(void *context, size_t task, size_t worker) {
    const resampling *r = context;
    const size_t n = r->n_classes;
    DV_TRY(dv_check_interrupted());
    uint64_t *sums = r->sums + worker * DV_COUNT_PARTS * n;
    memset(sums, 0, DV_COUNT_PARTS * n * sizeof *sums);
    for (size_t i = 0; i < r->n_images; i++) {
        const size_t image = (size_t)dv_random_below(r->seed, task, i, r->n_images);
        for (size_t part = 0; part < DV_COUNT_PARTS; part++) add_image(r->parts[part] + image * n, n, sums + part * n);
    }
    r->mious[task] = dv_counts_miou(sums, n, 0, r->absent, r->excluded);
    return DV_OK;
}

static dv_status run(resampling *r, size_t n_resamples, dv_pool *pool) {
    size_t n_sums;
    DV_TRY(dv_mul_size(r->n_classes, DV_COUNT_PARTS * dv_pool_threads(pool), "sums of a resample", &n_sums));
    DV_TRY(dv_alloc(n_sums, sizeof *r->sums, "sums of a resample", &r->sums));
    DV_TRY(dv_alloc(n_resamples, sizeof *r->mious, "mIoU of each resample", &r->mious));
    return dv_pool_run(pool, n_resamples, resample, r);
}

dv_status dv_bootstrap_miou(const uint64_t *intersections, const uint64_t *unions, const uint64_t *truths,
                            size_t n_images, size_t n_classes, dv_absent absent, const bool *excluded,
                            size_t n_resamples, uint64_t seed, size_t n_threads, dv_interval *out) {
    *out = (dv_interval){.low = NAN, .high = NAN};
    DV_TRY(dv_absent_check(absent));
    if (n_images == 0 || n_resamples == 0) return DV_OK; /* nothing to draw from, or nothing asked for */
    resampling r = {.parts = {intersections, unions, truths},
                    .n_images = n_images,
                    .n_classes = n_classes,
                    .absent = absent,
                    .excluded = excluded,
                    .seed = seed};
    dv_pool *pool;
    DV_TRY(dv_pool_create(n_threads < n_resamples ? n_threads : n_resamples, &pool));
    const dv_status status = run(&r, n_resamples, pool);
    if (status == DV_OK) *out = dv_interval_of(r.mious, n_resamples);
    dv_pool_free(pool);
    free(r.sums);
    free(r.mious);
    return status;
}
