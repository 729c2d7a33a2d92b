#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "differential/corpus.h"
#include "search/bound.h"
#include "search/score.h"
#include "search/unit.h"

static const dv_dtype dtypes[4] = {DV_F16, DV_BF16, DV_F32, DV_F64};
static uint64_t seed;

static void score_rows(const dv_rows *rows, const dv_rows *queries, dv_simd simd, double *scores) {
    dv_pool *pool;
    dv_scored_rows scored;
    assert_int_equal(dv_pool_create(2, &pool), DV_OK);
    assert_int_equal(dv_scored_rows_create(rows, simd, pool, NULL, &scored), DV_OK);
    double *values = calloc(dv_prepared_size(rows->dim), sizeof *values);
    assert_non_null(values);
    for (size_t q = 0; q < queries->n_rows; q++) {
        const double norm = dv_prepare_row(dv_row_at(queries, q), queries->dtype, queries->dim, simd, values, NULL);
        for (size_t r = 0; r < rows->n_rows; r++) scores[q * rows->n_rows + r] = dv_score(&scored, r, values, norm);
    }
    free(values);
    dv_scored_rows_free(&scored);
    dv_pool_free(pool);
}

/* In 64-bit mantissas, scaled: an error of 2^-64 a step, far below the bound that is tested. */
static long double oracle(const double *q, const double *x, size_t dim) {
    long double dot = 0, qq = 0, xx = 0, q_most = 0, x_most = 0;
    for (size_t i = 0; i < dim; i++) {
        q_most = fmaxl(q_most, fabsl((long double)q[i]));
        x_most = fmaxl(x_most, fabsl((long double)x[i]));
    }
    if (q_most == 0 || x_most == 0) return 0;
    for (size_t i = 0; i < dim; i++) {
        const long double a = q[i] / q_most, b = x[i] / x_most;
        dot += a * b, qq += a * a, xx += b * b;
    }
    return dot / (sqrtl(qq) * sqrtl(xx));
}

static void scores_lie_within_eta_of_the_truth(void **state) {
    (void)state;
    const size_t dims[] = {1, 7, 16, 17, 64, 472, 2048};
    enum { N = 12 };
    double scores[N * N], portable[N * N], *q = calloc(2048, sizeof *q), *x = calloc(2048, sizeof *x);
    assert_true(q && x);
    for (int kind = 0; kind < CORPUS_N_KINDS; kind++)
        for (size_t d = 0; d < 7 * 4; d++) {
            const size_t dim = dims[d / 4];
            corpus c;
            corpus_create((corpus_kind)kind, dtypes[d % 4], N, N, dim, seed + d, &c);
            score_rows(&c.bank.rows, &c.queries.rows, DV_SIMD_PORTABLE, portable);
            for (dv_simd simd = DV_SIMD_PORTABLE; simd <= dv_simd_best(); simd++) {
                score_rows(&c.bank.rows, &c.queries.rows, simd, scores);
                assert_memory_equal(scores, portable, sizeof scores); /* all families, to the bit */
            }
            for (size_t i = 0; i < (size_t)N * N; i++) {
                dv_widen_f64(dv_row_at(&c.queries.rows, i / N), dtypes[d % 4], q, dim);
                dv_widen_f64(dv_row_at(&c.bank.rows, i % N), dtypes[d % 4], x, dim);
                const long double error = fabsl((long double)scores[i] - oracle(q, x, dim));
                if (!(error <= (long double)(dim + 64) * 0x1p-53L))
                    fail_msg("%s, %s, dim %zu: error %Lg", corpus_kind_name((corpus_kind)kind),
                             dv_dtype_name(dtypes[d % 4]), dim, error);
            }
            corpus_free(&c);
        }
    free(q);
    free(x);
}

static void scores_are_known_for_small_numbers(void **state) {
    (void)state;
    const float rows[8] = {3, 4, -6, -8, 0, 0, -4, 3}, query[2] = {6, 8};
    const dv_rows bank = {rows, DV_F32, 4, 2}, queries = {query, DV_F32, 1, 2};
    const double expected[4] = {1.0, -1.0, 0.0, 0.0}; /* a zero row and an orthogonal one: +0, to the bit */
    double scores[4];
    for (dv_simd simd = DV_SIMD_PORTABLE; simd <= dv_simd_best(); simd++) {
        score_rows(&bank, &queries, simd, scores);
        assert_memory_equal(scores, expected, sizeof expected);
    }
}

static void extreme_doubles_neither_overflow_nor_vanish(void **state) {
    (void)state;
    const double rows[6] = {DBL_MAX, DBL_MAX, DBL_TRUE_MIN, -DBL_TRUE_MIN, DBL_MAX, DBL_TRUE_MIN};
    const dv_rows bank = {rows, DV_F64, 3, 2};
    double scores[9];
    for (dv_simd simd = DV_SIMD_PORTABLE; simd <= dv_simd_best(); simd++) {
        score_rows(&bank, &bank, simd, scores);
        assert_true(fabs(scores[0] - 1.0) < 1e-15 && scores[1] == 0.0 && fabs(scores[2] - sqrt(0.5)) < 1e-15);
        assert_true(fabs(scores[4] - 1.0) < 1e-15 && fabs(scores[5] - sqrt(0.5)) < 1e-15 && scores[8] == 1.0);
        assert_true(scores[0] <= 1.0 && scores[4] <= 1.0);
    }
}

static void clamping_and_zero_norms(void **state) {
    (void)state;
    assert_true(dv_cosine(1.0 + 0x1p-52, 1.0, 1.0) == 1.0);
    assert_true(dv_cosine(-1.5, 1.0, 1.0) == -1.0);
    assert_true(dv_cosine(5.0, 0.0, 2.0) == 0.0 && dv_cosine(5.0, 2.0, 0.0) == 0.0);
    assert_false(signbit(dv_cosine(-0.0, 1.0, 1.0)));
}

static void rows_that_are_not_finite_are_named(void **state) {
    (void)state;
    dv_pool *pool;
    assert_int_equal(dv_pool_create(1, &pool), DV_OK);
    for (size_t d = 2; d < 4; d++)
        for (int kind = 0; kind < 3; kind++) {
            const double numbers[6] = {1, 2, 3, 4, kind == 0 ? NAN : kind == 1 ? INFINITY : -INFINITY, 1};
            double store[6];
            corpus_store(numbers, 6, dtypes[d], store);
            const dv_rows rows = {store, dtypes[d], 3, 2};
            dv_scored_rows scored;
            assert_int_equal(dv_scored_rows_create(&rows, dv_simd_best(), pool, NULL, &scored), DV_E_ARG);
            assert_string_equal(dv_last_error(), "row 2: features must be finite");
            assert_null(scored.norms);
        }
    dv_pool_free(pool);
}

/* KNN-07: 64-bit offsets. Nothing is read. */
static void far_rows_are_addressed_in_64_bits(void **state) {
    (void)state;
    static const char base[1];
    const dv_rows rows = {base, DV_F16, 3000000, 768};
    const uintptr_t far_row = (uintptr_t)dv_row_at(&rows, 2800000);
    assert_true(far_row - (uintptr_t)base == 2 * UINT64_C(2150400000));
}

/* The bound that all exactness rests on, against sums in the worst order: one after the other. */
static void float_products_of_unit_rows_stay_within_the_bound(void **state) {
    (void)state;
    const size_t dims[] = {1, 16, 472, 5000};
    enum { N = 12 };
    double scores[N * N], *values = calloc(5008, sizeof *values);
    float *q = calloc(5000, sizeof *q), *x = calloc(5000, sizeof *x);
    assert_true(values && q && x);
    for (int kind = 0; kind < CORPUS_N_KINDS; kind++)
        for (size_t d = 0; d < 4 * 4; d++) {
            const size_t dim = dims[d / 4];
            corpus c;
            corpus_create((corpus_kind)kind, dtypes[d % 4], N, N, dim, seed + d, &c);
            score_rows(&c.bank.rows, &c.queries.rows, dv_simd_best(), scores);
            for (size_t i = 0; i < (size_t)N * N; i++) {
                double norm =
                    dv_prepare_row(dv_row_at(&c.queries.rows, i / N), dtypes[d % 4], dim, dv_simd_best(), values, NULL);
                dv_unit_row(values, norm, dim, q);
                norm = dv_prepare_row(dv_row_at(&c.bank.rows, i % N), dtypes[d % 4], dim, dv_simd_best(), values, NULL);
                dv_unit_row(values, norm, dim, x);
                float sum = 0.0F;
                for (size_t j = 0; j < dim; j++) sum += q[j] * x[j];
                assert_true(fabs((double)sum - scores[i]) <= dv_bound_f32(dim));
            }
            corpus_free(&c);
        }
    free(values);
    free(q);
    free(x);
}

int main(void) {
    seed = corpus_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_lie_within_eta_of_the_truth),
        cmocka_unit_test(scores_are_known_for_small_numbers),
        cmocka_unit_test(extreme_doubles_neither_overflow_nor_vanish),
        cmocka_unit_test(clamping_and_zero_norms),
        cmocka_unit_test(rows_that_are_not_finite_are_named),
        cmocka_unit_test(far_rows_are_addressed_in_64_bits),
        cmocka_unit_test(float_products_of_unit_rows_stay_within_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
