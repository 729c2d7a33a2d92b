#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "differential/corpus.h"
#include "search/score.h"

enum { MAX_DIM = 500 };
static const dv_dtype dtypes[4] = {DV_F16, DV_BF16, DV_F32, DV_F64};
static uint64_t seed;

/* The written order, one statement a rounding. */
static double by_the_book(const double *query, const double *row, size_t dim) {
    double p[16] = {0};
    for (size_t i = 0; i < dim; i++) {
        const double product = query[i] * row[i];
        p[i % 16] = p[i % 16] + product;
    }
    for (int o = 8; o > 0; o /= 2)
        for (int l = 0; l < o; l++) p[l] = p[l] + p[l + o];
    return p[0];
}

static void every_family_gives_the_bits_of_the_written_order(void **state) {
    (void)state;
    corpus_random random = {seed};
    double numbers[MAX_DIM], query[512], wide[MAX_DIM], store[MAX_DIM + 1];
    for (size_t round = 0; round < 400; round++) {
        const size_t dim = round < 70 ? round + 1 : 1 + corpus_below(&random, MAX_DIM);
        const dv_dtype dtype = dtypes[round % 4];
        const int spread = dtype == DV_F16 ? 8 : dtype == DV_F64 ? 400 : 60;
        memset(query, 0, sizeof query);
        for (size_t i = 0; i < dim; i++) {
            numbers[i] = ldexp(corpus_unit(&random), (int)corpus_below(&random, (size_t)spread) - spread / 2);
            query[i] = ldexp(corpus_unit(&random), (int)corpus_below(&random, 20) - 10);
        }
        char *row = (char *)store + (round % 3 == 0 ? dv_dtype_size(dtype) : 0); /* rows need not be aligned to more */
        corpus_store(numbers, dim, dtype, row);
        dv_widen_f64(row, dtype, wide, dim);
        const double expected = by_the_book(query, wide, dim);
        for (dv_simd simd = DV_SIMD_PORTABLE; simd <= dv_simd_best(); simd++) {
            const double dot = dv_dot_kernel_for(dtype, simd)(query, row, dim, (dv_scale){1.0, 1.0});
            if (memcmp(&dot, &expected, sizeof dot) != 0)
                fail_msg("%s, %s, dim %zu: %a, expected %a", dv_simd_name(simd), dv_dtype_name(dtype), dim, dot,
                         expected);
        }
    }
}

static void partials_are_summed_lane_by_lane(void **state) {
    (void)state;
    /* 2^53 in lane 0, 1 in lane 8 and, as element 16, in lane 0: lane 0 first takes 2^53 + 1 = 2^53 (even), then + 1 of
     * lane 8 is lost as well; another order would give 2^53 + 2. */
    double query[32] = {0}, row[17] = {0};
    for (int i = 0; i < 17; i++) query[i] = 1.0;
    row[0] = 0x1p53;
    row[8] = row[16] = 1.0;
    for (dv_simd simd = DV_SIMD_PORTABLE; simd <= dv_simd_best(); simd++)
        assert_true(dv_dot_kernel_for(DV_F64, simd)(query, row, 17, (dv_scale){1.0, 1.0}) == 0x1p53);
}

static void products_of_f64_are_not_fused(void **state) {
    (void)state;
    /* (1 + 2^-52)^2 rounds to 1 + 2^-51; fused with -1 it would keep 2^-104. */
    double query[32] = {0}, row[17] = {0};
    query[0] = 1.0, query[16] = 1.0 + 0x1p-52;
    row[0] = -1.0, row[16] = 1.0 + 0x1p-52;
    for (dv_simd simd = DV_SIMD_PORTABLE; simd <= dv_simd_best(); simd++)
        assert_true(dv_dot_kernel_for(DV_F64, simd)(query, row, 17, (dv_scale){1.0, 1.0}) == 0x1p-51);
}

static void scales_reach_both_ends_of_the_doubles(void **state) {
    (void)state;
    int exponent;
    (void)frexp(DBL_TRUE_MIN, &exponent);
    assert_int_equal(exponent, -1073);
    dv_scale scale = dv_scale_down(exponent);
    assert_true(DBL_TRUE_MIN * scale.first * scale.second == 0.5);
    (void)frexp(DBL_MAX, &exponent);
    assert_int_equal(exponent, 1024);
    scale = dv_scale_down(exponent);
    assert_true(DBL_MAX * scale.first * scale.second == 1.0 - 0x1p-53);
    scale = dv_scale_down(0);
    assert_true(scale.first == 1.0 && scale.second == 1.0);
}

static void four_rows_at_once_give_the_bits_of_single_ones(void **state) {
    (void)state;
    corpus_random random = {seed};
    for (size_t dim = 1; dim < 70; dim += 3)
        for (size_t d = 0; d < 4; d++) {
            double query[80] = {0}, values[70], rows[4][70], dots[4];
            const void *starts[4];
            dv_scale scales[4];
            for (size_t i = 0; i < dim; i++) query[i] = corpus_unit(&random);
            for (size_t r = 0; r < 4; r++) {
                for (size_t i = 0; i < dim; i++) values[i] = corpus_unit(&random);
                corpus_store(values, dim, dtypes[d], rows[r]);
                starts[r] = rows[r];
                scales[r] = dv_scale_down(dtypes[d] == DV_F64 ? (int)r * 3 - 4 : 0);
            }
            for (dv_simd simd = DV_SIMD_PORTABLE; simd <= dv_simd_best(); simd++) {
                dv_dots_kernel_for(dtypes[d], simd)(query, starts, dim, scales, dots);
                for (size_t r = 0; r < 4; r++) {
                    const double single = dv_dot_kernel_for(dtypes[d], simd)(query, rows[r], dim, scales[r]);
                    assert_memory_equal(&dots[r], &single, sizeof single);
                }
            }
        }
}

static void families_that_are_not_there_have_no_kernel(void **state) {
    (void)state;
    assert_null(dv_dot_kernel_for((dv_dtype)0, DV_SIMD_PORTABLE));
    assert_null(dv_dot_kernel_for((dv_dtype)5, dv_simd_best()));
    if (dv_simd_best() < DV_SIMD_AVX512) assert_null(dv_dot_kernel_for(DV_F32, DV_SIMD_AVX512));
    assert_string_equal(dv_simd_name(DV_SIMD_PORTABLE), "portable");
    assert_string_equal(dv_simd_name(DV_SIMD_AVX2), "avx2");
    assert_string_equal(dv_simd_name(DV_SIMD_AVX512), "avx512");
}

int main(void) {
    seed = corpus_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_gives_the_bits_of_the_written_order),
        cmocka_unit_test(partials_are_summed_lane_by_lane),
        cmocka_unit_test(products_of_f64_are_not_fused),
        cmocka_unit_test(scales_reach_both_ends_of_the_doubles),
        cmocka_unit_test(four_rows_at_once_give_the_bits_of_single_ones),
        cmocka_unit_test(families_that_are_not_there_have_no_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
