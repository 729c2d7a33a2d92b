#include "denseval/mask_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

static dv_status reserve(size_t n, size_t size, size_t *capacity, void **memory) {
    if (n <= *capacity) return DV_OK;
    free(*memory);
    *memory = NULL;
    *capacity = 0;
    DV_TRY(dv_alloc(n, size, "counts of masks", memory));
    *capacity = n;
    return DV_OK;
}

dv_status dv_mask_counts_reserve(dv_mask_counts *counts, size_t n_truth, size_t n_pred, size_t n_pairs) {
    counts->n_truth = counts->n_pred = counts->n_pairs = 0;
    void *truth = counts->truth, *pred = counts->pred, *pairs = counts->pairs;
    dv_status status = reserve(n_truth, sizeof *counts->truth, &counts->truth_capacity, &truth);
    if (status == DV_OK) status = reserve(n_pred, sizeof *counts->pred, &counts->pred_capacity, &pred);
    if (status == DV_OK) status = reserve(n_pairs, sizeof *counts->pairs, &counts->pair_capacity, &pairs);
    counts->truth = truth;
    counts->pred = pred;
    counts->pairs = pairs;
    return status;
}

void dv_mask_counts_clear(dv_mask_counts *counts) {
    free(counts->truth);
    free(counts->pred);
    free(counts->pairs);
    memset(counts, 0, sizeof *counts);
}

uint32_t dv_mask_radius(double bound, size_t height, size_t width) {
    const double h = (double)height, w = (double)width;
    return (uint32_t)ceil(bound * sqrt(h * h + w * w));
}
