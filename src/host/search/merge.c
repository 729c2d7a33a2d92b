#include "search/merge.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

struct dv_merge {
    size_t n, k;
    int64_t *ids;       /* i64 [n, k] */
    double *cosines;    /* f64 [n, k] */
    dv_neighbour *list; /* [k], the list in the making */
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
    if (status == DV_OK) status = dv_alloc(k, sizeof *made->list, "merged list", &made->list);
    if (status != DV_OK) {
        dv_merge_free(made);
        return status;
    }
    dv_merge_clear(made, n);
    *out = made;
    return DV_OK;
}

void dv_merge_free(dv_merge *merge) {
    if (!merge) return;
    free(merge->ids);
    free(merge->cosines);
    free(merge->list);
    free(merge);
}

/* Entry `at` of a list of k, moved by first_row; "no row" past its end. */
static dv_neighbour entry(const int64_t *ids, const double *cosines, size_t k, size_t at, int64_t first_row) {
    if (at >= k || ids[at] < 0) return (dv_neighbour){DV_NO_COSINE, DV_NO_ROW};
    return (dv_neighbour){cosines[at], ids[at] + first_row};
}

static void merge_query(dv_merge *merge, size_t query, const int64_t *ids, const double *cosines, size_t k_part,
                        int64_t first_row, dv_neighbour *list) {
    int64_t *own_ids = merge->ids + query * merge->k;
    double *own_cosines = merge->cosines + query * merge->k;
    const dv_neighbour best = entry(ids, cosines, k_part, 0, first_row);
    const dv_neighbour last = entry(own_ids, own_cosines, merge->k, merge->k - 1, 0);
    if (best.row < 0 || (last.row >= 0 && dv_neighbour_before(last, best))) return; /* nothing comes in */
    size_t from_own = 0, from_part = 0;
    for (size_t i = 0; i < merge->k; i++) {
        const dv_neighbour own = entry(own_ids, own_cosines, merge->k, from_own, 0);
        const dv_neighbour part = entry(ids, cosines, k_part, from_part, first_row);
        const bool take_part = part.row >= 0 && (own.row < 0 || dv_neighbour_before(part, own));
        list[i] = take_part ? part : own;
        if (take_part)
            from_part++;
        else
            from_own++;
    }
    for (size_t i = 0; i < merge->k; i++) {
        own_ids[i] = list[i].row;
        own_cosines[i] = list[i].cosine;
    }
}

void dv_merge_add(dv_merge *merge, const int64_t *ids, const double *cosines, size_t k_part, int64_t first_row) {
    for (size_t query = 0; query < merge->n; query++)
        merge_query(merge, query, ids + query * k_part, cosines + query * k_part, k_part, first_row, merge->list);
}

void dv_merge_add_queries(dv_merge *merge, size_t first, size_t n, const int64_t *ids, const double *cosines,
                          size_t k_part, dv_neighbour *list) {
    for (size_t i = 0; i < n; i++)
        merge_query(merge, first + i, ids + i * k_part, cosines + i * k_part, k_part, 0, list);
}

double dv_merge_least(const dv_merge *merge, size_t query) {
    return merge->cosines[query * merge->k + merge->k - 1];
}

void dv_merge_clear(dv_merge *merge, size_t n) {
    for (size_t i = 0; i < n * merge->k; i++) {
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
