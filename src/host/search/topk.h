/* topk.h: the k best neighbours in one total order: cosine falling, then row rising, NaN last. */
#ifndef DV_SEARCH_TOPK_H
#define DV_SEARCH_TOPK_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dv_neighbour {
    double cosine;
    int64_t row;
} dv_neighbour;

/* What fills a list where a query sees fewer than k rows. */
#define DV_NO_ROW (-1)
#define DV_NO_COSINE (-2.0)

/* Does a come before b? Rows differ, so one of two always does. */
static inline bool dv_neighbour_before(dv_neighbour a, dv_neighbour b) {
    if (a.cosine > b.cosine) return true;
    if (a.cosine < b.cosine) return false;
    if (isnan(a.cosine) != isnan(b.cosine)) return isnan(b.cosine);
    return a.row < b.row;
}

/* A heap of at most k neighbours, the worst at the root. What it keeps does not depend on the order of offers. */
typedef struct dv_topk {
    dv_neighbour *heap; /* [k]; the owner's */
    size_t k, n;
    double least; /* offers below it are not taken */
} dv_topk;

/* An empty heap in the memory `heap` [k], borrowed until the list is written; k >= 1. */
dv_topk dv_topk_begin(dv_neighbour *heap, size_t k, double least);

void dv_topk_offer(dv_topk *best, double cosine, int64_t row);

/* Writes the list, best first, filled up with DV_NO_ROW and DV_NO_COSINE, and empties the heap.
 * ids i64 [k], cosines f64 [k] */
void dv_topk_write(dv_topk *best, int64_t *ids, double *cosines);

/* The k-th largest of n floats, 1 <= k <= n; -0 counts as below +0, NaN as above all. Leaves the values as they are. */
float dv_kth_largest(const float *values, size_t n, size_t k);

#endif
