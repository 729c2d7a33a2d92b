/* Cosines of candidates against dv_score of the host, bit by bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "search/score.h"
#include "simt/search_memory.h"

enum { N_ROWS = 70, N_QUERIES = 5, CAPACITY = 40, STRIDE = 43 };

/* The canonical cosine of every query and row. */
static void score_all(const corpus *set, double *cosines) {
    dv_pool *pool;
    assert_int_equal(dv_pool_create(1, &pool), DV_OK);
    dv_scored_rows scored;
    assert_int_equal(dv_scored_rows_create(&set->bank.rows, DV_SIMD_PORTABLE, pool, NULL, &scored), DV_OK);
    double *const values = checked(malloc(dv_prepared_size(set->bank.rows.dim) * sizeof *values));
    for (size_t query = 0; query < N_QUERIES; query++) {
        const dv_rows *rows = &set->queries.rows;
        const double norm =
            dv_prepare_row(dv_row_at(rows, query), rows->dtype, rows->dim, DV_SIMD_PORTABLE, values, NULL);
        for (size_t row = 0; row < N_ROWS; row++) cosines[query * N_ROWS + row] = dv_score(&scored, row, values, norm);
    }
    free(values);
    dv_scored_rows_free(&scored);
    dv_pool_free(pool);
}

static dv_scored_lists new_lists(size_t n, size_t stride) {
    return (dv_scored_lists){on_device(NULL, n * stride * sizeof(int64_t)),
                             on_device(NULL, n * stride * sizeof(double)), (int64_t)stride};
}

static void expect_list(const dv_scored_lists *lists, size_t list, const int64_t *ids, const double *cosines,
                        size_t n) {
    expect_on_device(lists->ids + list * (size_t)lists->stride, ids, n * sizeof *ids);
    expect_on_device(lists->cosines + list * (size_t)lists->stride, cosines, n * sizeof *cosines);
}

/* Lists of 0, 1, some, all and too many hits, at positions that stand for rows in another order. */
static void expect_scores_of_hits(const rows_there *bank, const queries_there *queries, const double *cosines) {
    const uint32_t counts[N_QUERIES] = {0, 1, 17, CAPACITY, CAPACITY + 9};
    int32_t rows[N_ROWS];
    dv_hit hits[N_QUERIES * CAPACITY];
    for (int i = 0; i < N_ROWS; i++) rows[i] = (i * 11 + 3) % N_ROWS;
    for (uint32_t i = 0; i < N_QUERIES * CAPACITY; i++) hits[i] = (dv_hit){i * 7 % N_ROWS, 0};
    int32_t *const order = on_device(rows, sizeof rows);
    const dv_hit_lists there = {on_device(hits, sizeof hits), on_device(counts, sizeof counts), CAPACITY};
    const dv_scored_lists lists = new_lists(N_QUERIES, STRIDE);
    unsigned long long *const n_scored = on_device(&(unsigned long long){100}, sizeof *n_scored);
    assert_int_equal(
        dv_launch_score_hits(&bank->measured, &queries->prepared, N_QUERIES, &there, order, &lists, n_scored, NULL),
        cudaSuccess);
    expect_on_device(n_scored, &(unsigned long long){100 + 0 + 1 + 17 + 2 * CAPACITY}, sizeof *n_scored);
    for (size_t query = 0; query < N_QUERIES; query++) {
        const size_t n = counts[query] < CAPACITY ? counts[query] : CAPACITY;
        int64_t ids[CAPACITY];
        double expected[CAPACITY];
        for (size_t i = 0; i < n; i++) {
            ids[i] = rows[hits[query * CAPACITY + i].position];
            expected[i] = cosines[query * N_ROWS + (size_t)ids[i]];
        }
        if (n > 0) expect_list(&lists, query, ids, expected, n);
    }
    free_on_device(order, n_scored, there.hits, there.counts, lists.ids, lists.cosines);
}

/* Some rows for two of the queries, each of which hides a group. */
static void expect_scores_of_rows(const corpus *set, const rows_there *bank, const queries_there *queries,
                                  const double *cosines) {
    enum { FIRST = 20, N = 37 };
    const uint32_t chosen[2] = {4, 1};
    uint32_t *const chosen_there = on_device(chosen, sizeof chosen);
    int32_t *const group = on_device(set->bank_group, N_ROWS * sizeof *group);
    const dv_scored_lists lists = new_lists(2, STRIDE);
    for (int masked = 0; masked < 2; masked++) {
        assert_int_equal(dv_launch_score_rows(&bank->measured, &queries->prepared, chosen_there, 2,
                                              masked ? group : NULL, masked ? queries->codes.hidden : NULL, FIRST, N,
                                              &lists, NULL),
                         cudaSuccess);
        for (size_t list = 0; list < 2; list++) {
            const int32_t hidden = masked ? set->query_group[chosen[list]] : -1;
            int64_t ids[N];
            for (size_t i = 0; i < N; i++)
                ids[i] = hidden != -1 && set->bank_group[FIRST + i] == hidden ? -1 : (int64_t)(FIRST + i);
            expect_list(&lists, list, ids, cosines + chosen[list] * N_ROWS + FIRST, N);
        }
    }
    free_on_device(chosen_there, group, lists.ids, lists.cosines);
}

static void expect_bits_of_the_host(corpus_kind kind, dv_dtype dtype, dv_dtype of_queries, size_t dim, uint64_t seed) {
    corpus set, other;
    corpus_create(kind, dtype, N_ROWS, N_QUERIES, dim, seed, &set);
    corpus_create(kind, of_queries, N_ROWS, N_QUERIES, dim, seed, &other); /* queries may have another format */
    set.queries.rows = other.queries.rows;
    double cosines[N_QUERIES * N_ROWS];
    score_all(&set, cosines);
    rows_there bank = rows_to_device(&set.bank.rows);
    queries_there queries = queries_to_device(&set.queries.rows, set.query_group, rounded_up(dim, 64));
    expect_scores_of_hits(&bank, &queries, cosines);
    expect_scores_of_rows(&set, &bank, &queries, cosines);
    free_rows(&bank);
    free_queries(&queries);
    corpus_free(&set);
    corpus_free(&other);
    assert_int_equal(simt_n_alive(), 0);
}

static void scores_have_the_bits_of_the_host(void **state) {
    (void)state;
    const size_t dims[4] = {1, 15, 33, 160};
    for (uint64_t seed = 0; seed < simt_n_seeds(); seed++) {
        simt_set_seed(seed);
        for (size_t kind = 0; kind < CORPUS_N_KINDS; kind++) {
            const dv_dtype dtype = dtypes[(seed + kind) % 4], of_queries = dtypes[(seed / 4 + kind) % 4];
            expect_bits_of_the_host((corpus_kind)kind, dtype, of_queries, dims[(seed + kind / 4) % 4], seed);
        }
    }
}

static void unknown_format_is_an_error(void **state) {
    (void)state;
    const dv_measured_rows rows = {.rows = {NULL, (dv_dtype)9, 1, 1}};
    const dv_prepared_queries queries = {NULL, NULL};
    const dv_hit_lists hits = {NULL, NULL, 1};
    const dv_scored_lists lists = {NULL, NULL, 1};
    assert_int_equal(dv_launch_measure(&rows, NULL, NULL), cudaErrorInvalidValue);
    assert_int_equal(dv_launch_score_hits(&rows, &queries, 1, &hits, NULL, &lists, NULL, NULL), cudaErrorInvalidValue);
    assert_int_equal(dv_launch_score_rows(&rows, &queries, NULL, 1, NULL, NULL, 0, 1, &lists, NULL),
                     cudaErrorInvalidValue);
    assert_int_equal(dv_launch_score_hits(&rows, &queries, 0, &hits, NULL, &lists, NULL, NULL), cudaSuccess);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_have_the_bits_of_the_host),
        cmocka_unit_test(unknown_format_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
