#include "search/candidates.h"

#include <float.h>
#include <math.h>

#include "search/bound.h"
#include "search/topk.h"

enum { ROOM_A_NEIGHBOUR = 4, ROOM_BESIDE = 1024 };

size_t dv_candidates_capacity(size_t k, size_t n_rows) {
    if (k >= n_rows / ROOM_A_NEIGHBOUR) return n_rows;
    const size_t wanted = ROOM_A_NEIGHBOUR * k + ROOM_BESIDE;
    return wanted < n_rows ? wanted : n_rows;
}

dv_candidates dv_candidates_begin(float *scores, int32_t *rows, size_t capacity, size_t k, double bound) {
    return (dv_candidates){
        .scores = scores, .rows = rows, .capacity = capacity, .k = k, .bound = bound, .threshold = -FLT_MAX};
}

void dv_candidates_raise(dv_candidates *list, float value) {
    const float threshold = dv_bound_threshold(value, list->bound);
    if (threshold > list->threshold) list->threshold = threshold;
}

void dv_candidates_tighten(dv_candidates *list) {
    if (list->n < list->k) return;
    dv_candidates_raise(list, dv_kth_largest(list->scores, list->n, list->k));
    size_t kept = 0;
    for (size_t i = 0; i < list->n; i++) { /* without a branch: what stays is overwritten by nothing but itself */
        const float score = list->scores[i];
        list->scores[kept] = score;
        list->rows[kept] = list->rows[i];
        kept += score >= list->threshold;
    }
    list->n = kept;
}

void dv_candidates_push(dv_candidates *list, float score, int32_t row) {
    if (list->n == list->capacity) {
        dv_candidates_tighten(list);
        if (4 * list->n > 3 * list->capacity) { /* else it would be tightened again and again */
            list->overflowed = true;
            list->n = 0;
            list->threshold = INFINITY;
        }
        if (score < list->threshold) return;
    }
    list->scores[list->n] = score;
    list->rows[list->n] = row;
    list->n++;
}
