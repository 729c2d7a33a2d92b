#include "denseval/aggregate.h"

#include <string.h>

#include "core/exp.h"

enum { STORED_WEIGHTS = 256 }; /* k has no limit and nothing can be allocated here: later weights are computed twice */

/* What a neighbour weighs before the division by the sum. A neighbour that a masked search did not find has id -1. */
static double raw_weight(int64_t id, double cosine, double largest, double beta) {
    return id < 0 ? 0.0 : dv_exp_nonpositive((cosine - largest) / beta);
}

static uint32_t total_of(const uint16_t *counts, size_t n_classes) {
    _Static_assert((uint64_t)UINT16_MAX * DV_MIXED <= UINT32_MAX, "the counts of a row are summed in 32 bits");
    uint32_t total = 0;
    for (size_t c = 0; c < n_classes; c++) total += counts[c];
    return total;
}

/* soft += weight * share of each class. Most classes of a row are empty, and adding 0 changes nothing, so counts are
 * looked at four at a time. */
static void add_row(const uint16_t *restrict counts, size_t n_classes, double weight, double *restrict soft) {
    const uint32_t total = total_of(counts, n_classes);
    if (total == 0) return;
    size_t c = 0;
    for (; c + 4 <= n_classes; c += 4) {
        uint64_t four;
        memcpy(&four, counts + c, sizeof four);
        if (four == 0) continue;
        for (size_t i = c; i < c + 4; i++) soft[i] += weight * ((double)counts[i] / (double)total);
    }
    for (; c < n_classes; c++) soft[c] += weight * ((double)counts[c] / (double)total);
}

static uint16_t pure_class(const double *soft, size_t n_classes) {
    size_t n_present = 0, last = 0;
    for (size_t c = 0; c < n_classes; c++)
        if (soft[c] > 0.0) {
            n_present++;
            last = c;
        }
    return n_present == 1 ? (uint16_t)last : (uint16_t)DV_MIXED;
}

static void aggregate_patch(const int64_t *ids, const double *cosines, size_t k, double beta, const uint16_t *counts,
                            size_t n_classes, double *soft) {
    double stored[STORED_WEIGHTS];
    double sum = 0.0;
    for (size_t j = 0; j < k; j++) {
        const double weight = raw_weight(ids[j], cosines[j], cosines[0], beta);
        if (j < STORED_WEIGHTS) stored[j] = weight;
        sum += weight;
    }
    memset(soft, 0, n_classes * sizeof *soft);
    for (size_t j = 0; j < k; j++) {
        if (ids[j] < 0) continue;
        const double weight = j < STORED_WEIGHTS ? stored[j] : raw_weight(ids[j], cosines[j], cosines[0], beta);
        add_row(counts + (size_t)ids[j] * n_classes, n_classes, weight / sum, soft);
    }
}

void dv_aggregate(const int64_t *ids, const double *cosines, size_t n, size_t k, double beta, const uint16_t *counts,
                  size_t n_classes, double *soft, uint16_t *pure) {
    for (size_t patch = 0; patch < n; patch++) {
        double *labels = soft + patch * n_classes;
        aggregate_patch(ids + patch * k, cosines + patch * k, k, beta, counts, n_classes, labels);
        pure[patch] = pure_class(labels, n_classes);
    }
}
