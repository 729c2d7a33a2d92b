/* bootstrap.h: percentile intervals of mIoU from resampled images. */
#ifndef DENSEVAL_BOOTSTRAP_H
#define DENSEVAL_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/labels.h"
#include "denseval/status.h"

DV_C_BEGIN

typedef struct dv_interval {
    double low, high;   /* 2.5th and 97.5th percentile, linear between order statistics; NaN where nothing counts */
    size_t n_resamples; /* resamples that had a value */
} dv_interval;

/* 95 % interval of mIoU (without relabelling) over images drawn with replacement. Draw i of resample b is
 * dv_random_below(seed, b, i, n_images): the same for every thread count.
 * intersections, unions, truths  u64 [n_images, n_classes]: TP, TP + FP + FN and truth pixels of each image
 * excluded   bool [n_classes] or NULL
 * n_threads  0 means 1
 * *out       NaN and 0 resamples where n_images or n_resamples is 0, and on failure
 * Source: Efron, Tibshirani, An Introduction to the Bootstrap, 1993, ch. 13. Fails with DV_E_ARG, DV_E_NOMEM,
 * DV_E_INTERRUPTED. */
DV_MUST_USE dv_status dv_bootstrap_miou(const uint64_t *intersections, const uint64_t *unions, const uint64_t *truths,
                                        size_t n_images, size_t n_classes, dv_absent absent, const bool *excluded,
                                        size_t n_resamples, uint64_t seed, size_t n_threads, dv_interval *out);

DV_C_END
#endif
