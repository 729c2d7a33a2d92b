/* search_answers.h: what a search must find, by the scan in double that the reference device makes. Include it after
 * cmocka. */
#ifndef SIMT_SEARCH_ANSWERS_H
#define SIMT_SEARCH_ANSWERS_H

#include <string.h>

#include "denseval/device.h"
#include "search/exact_scan.h"
#include "search/query_limits.h"
#include "simt/device_memory.h"

static inline void assert_ok(dv_status status) {
    if (status != DV_OK) fail_msg("%s: %s", dv_status_name(status), dv_last_error());
}

typedef struct answers {
    int64_t *ids;
    double *cosines;
} answers;

static inline void free_answers(answers *old) {
    free(old->ids);
    free(old->cosines);
}

static inline answers room_for(size_t n) {
    return (answers){checked(malloc(n * sizeof(int64_t))), checked(malloc(n * sizeof(double)))};
}

static inline answers expected_answers(const dv_bank_rows *bank, const dv_queries *queries, size_t k) {
    const dv_rows *rows = &queries->rows;
    const answers made = room_for(rows->n_rows * k);
    dv_pool *pool;
    dv_scored_rows scored;
    assert_int_equal(dv_pool_create(1, &pool), DV_OK);
    assert_int_equal(dv_scored_rows_create(&bank->rows, DV_SIMD_PORTABLE, pool, NULL, &scored), DV_OK);
    double *const values = checked(malloc(dv_prepared_size(rows->dim) * sizeof *values));
    dv_neighbour *const heap = checked(malloc(k * sizeof *heap));
    for (size_t q = 0; q < rows->n_rows; q++) {
        const double norm = dv_prepare_row(dv_row_at(rows, q), rows->dtype, rows->dim, DV_SIMD_PORTABLE, values, NULL);
        dv_topk best = dv_topk_begin(heap, k, dv_query_least(queries, q));
        (void)dv_exact_scan(&scored, bank->group, dv_query_hidden(queries, q), values, norm, &best);
        dv_topk_write(&best, made.ids + q * k, made.cosines + q * k);
    }
    free(heap);
    free(values);
    dv_scored_rows_free(&scored);
    dv_pool_free(pool);
    return made;
}

/* ids, cosines  device memory, n places, k a query */
static inline void expect_answers(const answers *expected, const int64_t *ids, const double *cosines, size_t n,
                                  size_t k) {
    answers found = room_for(n);
    assert_int_equal(cudaMemcpy(found.ids, ids, n * sizeof *ids, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(cudaMemcpy(found.cosines, cosines, n * sizeof *cosines, cudaMemcpyDeviceToHost), cudaSuccess);
    for (size_t i = 0; i < n; i++)
        if (found.ids[i] != expected->ids[i])
            fail_msg("query %zu, place %zu: row %d at %a, expected %d at %a", i / k, i % k, (int)found.ids[i],
                     found.cosines[i], (int)expected->ids[i], expected->cosines[i]);
    assert_memory_equal(found.cosines, expected->cosines, n * sizeof *found.cosines);
    free_answers(&found);
}

#endif
