#include "bank/sampling.h"

#include <stdlib.h>
#include <string.h>

void dv_patch_weights(const uint16_t *restrict counts, size_t n_patches, size_t n_classes, uint32_t *restrict frequency,
                      double *restrict weights) {
    memset(frequency, 0, n_classes * sizeof *frequency);
    for (size_t patch = 0; patch < n_patches; patch++)
        for (size_t c = 0; c < n_classes; c++) frequency[c] += counts[patch * n_classes + c] > 0;
    for (size_t patch = 0; patch < n_patches; patch++) {
        uint64_t sum = 0;
        for (size_t c = 0; c < n_classes; c++)
            if (counts[patch * n_classes + c]) sum += frequency[c];
        weights[patch] = (double)sum;
    }
}

/* A total order, so that an unstable sort has one result only. */
static int compare_scored(const void *left, const void *right) {
    const dv_scored_patch *a = left, *b = right;
    if (a->score != b->score) return a->score < b->score ? -1 : 1;
    return a->patch < b->patch ? -1 : a->patch > b->patch;
}

size_t dv_order_patches(const double *weights, const double *uniforms, size_t n_patches, dv_scored_patch *scored) {
    size_t n = 0;
    for (size_t patch = 0; patch < n_patches; patch++)
        if (weights[patch] > 0)
            scored[n++] = (dv_scored_patch){uniforms ? weights[patch] * uniforms[patch] : 0.0, (int32_t)patch};
    if (uniforms) qsort(scored, n, sizeof *scored, compare_scored);
    return n;
}
