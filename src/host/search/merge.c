#include "search/merge.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/topk.h"

struct dv_merge {
    size_t n, k;
    int64_t *ids;    /* i64 [n, k] */
    double *cosines; /* f64 [n, k] */
    double *least;   /* f64 [n], the last of each: side by side, since most lists are refused by it */
};

dv_status dv_merge_create(size_t n, size_t k, dv_merge **out) {
    *out = NULL;
    size_t n_places;
    DV_TRY(dv_mul_size(n, k, "merged neighbours", &n_places));
    dv_merge *made;
    DV_TRY(dv_alloc(1, sizeof *made, "merge", &made));
    made->n = n;
    made->k = k;
    dv_status status = dv_alloc(n_places, sizeof *made->ids, "merged ids", &made->ids);
    if (status == DV_OK) status = dv_alloc(n_places, sizeof *made->cosines, "merged cosines", &made->cosines);
    if (status == DV_OK) status = dv_alloc(n, sizeof *made->least, "merged cosines", &made->least);
    if (status != DV_OK) {
        dv_merge_free(made);
        return status;
    }
    dv_merge_clear(made, 0, n);
    *out = made;
    return DV_OK;
}

void dv_merge_free(dv_merge *merge) {
    if (!merge) return;
    free(merge->ids);
    free(merge->cosines);
    free(merge->least);
    free(merge);
}

void dv_merge_resume(dv_merge *merge, size_t n, const int64_t *ids, const double *cosines) {
    memcpy(merge->ids, ids, n * merge->k * sizeof *ids);
    memcpy(merge->cosines, cosines, n * merge->k * sizeof *cosines);
    for (size_t query = 0; query < n; query++) merge->least[query] = cosines[query * merge->k + merge->k - 1];
}

/* Does entry `at` of the part's list come before an entry of our own? An empty place is behind everything. */
static bool comes_first(const int64_t *ids, const double *cosines, size_t at, int64_t first_row, dv_neighbour own) {
    const dv_neighbour part = {cosines[at], ids[at] + first_row};
    return own.row < 0 || dv_neighbour_before(part, own);
}

static void merge_query(dv_merge *merge, size_t query, const int64_t *ids, const double *cosines, size_t k_part,
                        int64_t first_row) {
    const size_t k = merge->k;
    if (cosines[0] < merge->least[query]) return;
    int64_t *own_ids = merge->ids + query * k;
    double *own_cosines = merge->cosines + query * k;
    /* The part's entry n comes in where it is before the last of ours that n entries before it leave in. */
    size_t n = 0;
    while (n < k && n < k_part && ids[n] >= 0) {
        const dv_neighbour displaced = {own_cosines[k - 1 - n], own_ids[k - 1 - n]};
        if (!comes_first(ids, cosines, n, first_row, displaced)) break;
        n++;
    }
    for (size_t to = k, own = k - n; n > 0;) { /* from the back, so that nothing is overwritten */
        to--;
        if (own > 0 &&
            comes_first(ids, cosines, n - 1, first_row, (dv_neighbour){own_cosines[own - 1], own_ids[own - 1]})) {
            own--;
            own_ids[to] = own_ids[own];
            own_cosines[to] = own_cosines[own];
        } else {
            n--;
            own_ids[to] = ids[n] + first_row;
            own_cosines[to] = cosines[n];
        }
    }
    merge->least[query] = own_cosines[k - 1];
}

void dv_merge_add(dv_merge *merge, const int64_t *ids, const double *cosines, size_t k_part, int64_t first_row) {
    for (size_t query = 0; query < merge->n; query++)
        merge_query(merge, query, ids + query * k_part, cosines + query * k_part, k_part, first_row);
}

void dv_merge_add_queries(dv_merge *merge, size_t first, size_t n, const int64_t *ids, const double *cosines,
                          size_t k_part) {
    for (size_t i = 0; i < n; i++) merge_query(merge, first + i, ids + i * k_part, cosines + i * k_part, k_part, 0);
}

double dv_merge_least(const dv_merge *merge, size_t query) {
    return merge->least[query];
}

void dv_merge_clear(dv_merge *merge, size_t first, size_t n) {
    for (size_t query = first; query < first + n; query++) merge->least[query] = DV_NO_COSINE;
    for (size_t i = first * merge->k; i < (first + n) * merge->k; i++) {
        merge->ids[i] = DV_NO_ROW;
        merge->cosines[i] = DV_NO_COSINE;
    }
}

const int64_t *dv_merge_ids(const dv_merge *merge) {
    return merge->ids;
}

const double *dv_merge_cosines(const dv_merge *merge) {
    return merge->cosines;
}
