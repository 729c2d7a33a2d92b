/* The pieces of the float filter: bound, threshold, candidates, scan of a score tile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "differential/corpus.h"
#include "search/blas.h"
#include "search/bound.h"
#include "search/tile_scan.h"
#include "search/topk.h"

static uint64_t seed;

static void bound_covers_the_terms_of_its_derivation(void **state) {
    (void)state;
    /* d = 472: at least (d + 1) 2^-24 of summation and 2 * 2^-24 of rounding the rows; little more. */
    const double least = 475 * 0x1p-24;
    assert_true(dv_bound_f32(472) > least && dv_bound_f32(472) < least * 1.001);
    assert_true(dv_bound_f32(1) >= 4 * 0x1p-24);
    for (size_t d = 1; d < 65536; d *= 2) assert_true(dv_bound_f32(2 * d) > dv_bound_f32(d));
    assert_true(dv_bound_f32(65536) < 0.01);
    assert_true(dv_bound_f32((size_t)1 << 23) == 4.0 && dv_bound_f32(SIZE_MAX) == 4.0);
}

static void threshold_is_the_largest_float_that_is_low_enough(void **state) {
    (void)state;
    corpus_random random = {seed};
    for (int i = 0; i < 1000; i++) {
        const float value = (float)corpus_unit(&random);
        const double bound = dv_bound_f32(1 + corpus_below(&random, 5000)), limit = (double)value - 2 * bound;
        const float threshold = dv_bound_threshold(value, bound);
        assert_true((double)threshold <= limit);
        assert_true((double)nextafterf(threshold, INFINITY) > limit);
    }
}

static void next_finds_equal_scores_in_every_family(void **state) {
    (void)state;
    float scores[300];
    for (dv_simd simd = DV_SIMD_PORTABLE; simd <= dv_simd_best(); simd++) {
        const dv_next_kernel next = dv_next_kernel_for(simd);
        for (size_t n = 1; n < 300; n += 7)
            for (size_t hit = 0; hit < n; hit += 1 + n / 9) {
                for (size_t i = 0; i < 300; i++) scores[i] = i < n ? 0.25F : 0.9F; /* past the end: never seen */
                scores[hit] = 0.5F;
                assert_int_equal(next(scores, 0, n, 0.5F), hit);
                assert_int_equal(next(scores, hit, n, 0.5F), hit);
                assert_int_equal(next(scores, hit + 1, n, 0.5F), n);
                assert_int_equal(next(scores, 0, n, nextafterf(0.5F, 1.0F)), n);
            }
        scores[0] = -INFINITY;
        assert_int_equal(next(scores, 0, 1, -FLT_MAX), 1); /* hidden rows never pass */
        assert_int_equal(next(scores, 0, 0, -FLT_MAX), 0);
    }
}

static void full_list_is_tightened_or_gives_up(void **state) {
    (void)state;
    float scores[8];
    int32_t rows[8];
    dv_candidates list = dv_candidates_begin(scores, rows, 8, 2, 0x1p-10);
    for (int i = 0; i < 9; i++) dv_candidates_push(&list, (float)i * 0.1F, i);
    /* the ninth found it full: 0.6 and 0.7 were the best two, so what is below 0.6 - 2^-9 went */
    assert_int_equal(list.n, 3);
    assert_false(list.overflowed);
    for (int i = 0; i < 3; i++) assert_int_equal(rows[i], 6 + i);
    assert_true(list.threshold <= 0.6F - 0x1p-9F && list.threshold > 0.598F);
    list = dv_candidates_begin(scores, rows, 8, 2, 0x1p-10);
    for (int i = 0; i < 9; i++) dv_candidates_push(&list, 0.5F, i);
    assert_true(list.overflowed && list.n == 0 && list.threshold == INFINITY);
    dv_candidates_push(&list, 1.0F, 9); /* room again, but nothing is asked for any more */
    assert_true(list.overflowed);
}

static void capacity_never_passes_the_rows(void **state) {
    (void)state;
    assert_int_equal(dv_candidates_capacity(30, 1000000), 4 * 30 + 1024);
    assert_int_equal(dv_candidates_capacity(30, 100), 100);
    assert_int_equal(dv_candidates_capacity(100, 100), 100);
    assert_int_equal(dv_candidates_capacity(SIZE_MAX / 2, SIZE_MAX - 1), SIZE_MAX - 1);
}

/* Whatever the tiles, every row of at least t - 2 E is kept, t the k-th best of all. */
static void no_row_within_the_bound_is_lost(void **state) {
    (void)state;
    enum { N = 6000, K = 30, CAPACITY = 1144 };
    static float scores[N], maxima[N], kept_scores[CAPACITY], sorted[N];
    static int32_t kept_rows[CAPACITY], group[N];
    corpus_random random = {seed};
    const double bound = 1e-4;
    for (int round = 0; round < 40; round++) {
        for (size_t i = 0; i < N; i++) {
            scores[i] = (float)corpus_unit(&random);
            group[i] = (int32_t)corpus_below(&random, 3);
        }
        if (round % 2) dv_hide_scores(scores, group, 1, N);
        const size_t tile = round % 5 == 0 ? N : 1 + corpus_below(&random, 2000);
        dv_candidates list = dv_candidates_begin(kept_scores, kept_rows, CAPACITY, K, bound);
        for (size_t first = 0; first < N; first += tile)
            dv_scan_scores(&list, scores + first, N - first < tile ? N - first : tile, (int32_t)first,
                           dv_next_kernel_for((dv_simd)(round % ((int)dv_simd_best() + 1))), maxima);
        dv_candidates_tighten(&list);
        assert_false(list.overflowed);
        memcpy(sorted, scores, sizeof sorted);
        const float limit = dv_bound_threshold(dv_kth_largest(sorted, N, K), bound);
        size_t n_expected = 0;
        for (size_t i = 0; i < N; i++) {
            if (scores[i] < limit) continue;
            assert_true(n_expected < list.n && kept_rows[n_expected] == (int32_t)i &&
                        kept_scores[n_expected] == scores[i]);
            n_expected++;
        }
        assert_int_equal(list.n, n_expected);
    }
}

static void fewer_visible_rows_than_k_are_all_kept(void **state) {
    (void)state;
    float scores[200], maxima[200], kept_scores[200];
    int32_t kept_rows[200], group[200];
    for (int i = 0; i < 200; i++) scores[i] = (float)i / 200.0F, group[i] = i < 5 ? 0 : 9;
    dv_hide_scores(scores, group, 9, 200);
    dv_candidates list = dv_candidates_begin(kept_scores, kept_rows, 200, 30, 1e-4);
    dv_scan_scores(&list, scores, 200, 1000, dv_next_kernel_for(dv_simd_best()), maxima);
    assert_int_equal(list.n, 5);
    for (int i = 0; i < 5; i++) assert_int_equal(kept_rows[i], 1000 + i);
}

static void products_are_queries_times_rows(void **state) {
    (void)state;
    const float queries[4] = {1, 2, 3, 4}, rows[6] = {1, 0, 0, 1, 10, 100};
    const float expected[6] = {1, 2, 210, 3, 4, 430};
    float scores[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    dv_blas_single_thread();
    dv_blas_scores(queries, 2, rows, 3, 2, scores);
    assert_memory_equal(scores, expected, sizeof expected);
    assert_true(strlen(dv_blas_core()) > 0);
}

int main(void) {
    seed = corpus_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bound_covers_the_terms_of_its_derivation),
        cmocka_unit_test(threshold_is_the_largest_float_that_is_low_enough),
        cmocka_unit_test(next_finds_equal_scores_in_every_family),
        cmocka_unit_test(full_list_is_tightened_or_gives_up),
        cmocka_unit_test(capacity_never_passes_the_rows),
        cmocka_unit_test(no_row_within_the_bound_is_lost),
        cmocka_unit_test(fewer_visible_rows_than_k_are_all_kept),
        cmocka_unit_test(products_are_queries_times_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
