#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "app/bench_data.h"

enum { ROWS = 3000, QUERIES = 6, DIM = 64 };
static const dv_bench_base no_base = {0};

static dv_bench_shape shape_of(dv_bench_kind kind) {
    return (dv_bench_shape){
        .kind = kind, .n_rows = ROWS, .n_queries = QUERIES, .dim = DIM, .dtype = DV_F32, .seed = 42};
}

static const float *row_of(const dv_rows *rows, size_t row) {
    return (const float *)rows->data + row * DIM;
}

static double cosine(const float *a, const float *b) {
    double ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < DIM; i++) {
        ab += (double)a[i] * b[i];
        aa += (double)a[i] * a[i];
        bb += (double)b[i] * b[i];
    }
    return ab / sqrt(aa * bb);
}

/* Bits of binary16 and bfloat16 by hand: 1, the largest, ties to even on both sides, the least subnormal, too large. */
static void narrowing_rounds_to_nearest_even(void **state) {
    (void)state;
    const float values[] = {1, -65504, 2049, 2051, 0x1p-24f, 0x1p-25f, 1e6f, 0};
    const uint16_t half[] = {0x3c00, 0xfbff, 0x6800, 0x6802, 0x0001, 0x0000, 0x7bff, 0};
    uint16_t found[8];
    dv_bench_narrow(values, DV_F16, found, 8);
    assert_memory_equal(found, half, sizeof half);
    const float wide[] = {1, -2, 257, 259, 3.4e38f};
    const uint16_t bfloat[] = {0x3f80, 0xc000, 0x4380, 0x4382, 0x7f7f};
    dv_bench_narrow(wide, DV_BF16, found, 5);
    assert_memory_equal(found, bfloat, sizeof bfloat);
}

/* Also across numbers of threads, and a small bank begins a large one. */
static void the_same_seed_makes_the_same_rows(void **state) {
    (void)state;
    for (int kind = DV_BENCH_RANDOM; kind < DV_BENCH_KINDS; kind++) {
        dv_bench_data first, second;
        dv_bench_shape shape = shape_of((dv_bench_kind)kind);
        assert_int_equal(dv_bench_data_make(&shape, &no_base, 1, &first), DV_OK);
        shape.n_rows = 100;
        assert_int_equal(dv_bench_data_make(&shape, &no_base, 3, &second), DV_OK);
        assert_memory_equal(first.bank.data, second.bank.data, 100 * DIM * sizeof(float));
        assert_memory_equal(first.queries.data, second.queries.data, QUERIES * DIM * sizeof(float));
        assert_memory_not_equal(first.bank.data, first.queries.data, DIM * sizeof(float));
        dv_bench_data_clear(&first);
        shape.seed = 43;
        assert_int_equal(dv_bench_data_make(&shape, &no_base, 1, &first), DV_OK);
        assert_memory_not_equal(first.bank.data, second.bank.data, DIM * sizeof(float));
        dv_bench_data_clear(&first);
        dv_bench_data_clear(&second);
    }
}

/* Noise of 0.001 of the norm on both: 1 - 1e-6; the noise of other originals is nothing beside 64 normal numbers. */
static void near_duplicates_share_a_thousand_originals(void **state) {
    (void)state;
    dv_bench_data data;
    const dv_bench_shape shape = shape_of(DV_BENCH_NEAR_DUPLICATE);
    assert_int_equal(dv_bench_data_make(&shape, &no_base, 2, &data), DV_OK);
    assert_true(cosine(row_of(&data.bank, 7), row_of(&data.bank, 1007)) > 1 - 1e-5);
    assert_true(cosine(row_of(&data.bank, 7), row_of(&data.bank, 1007)) < 1);
    assert_true(cosine(row_of(&data.bank, 2), row_of(&data.queries, 2)) > 1 - 1e-5);
    assert_true(cosine(row_of(&data.bank, 7), row_of(&data.bank, 8)) < 0.9);
    dv_bench_data_clear(&data);
}

/* Four of 64 channels 20 times as strong: their rms is 20, and 10 times the row's is what nothing exceeds. */
static void clipped_rows_have_four_strong_channels(void **state) {
    (void)state;
    dv_bench_data data;
    const dv_bench_shape shape = shape_of(DV_BENCH_CLIPPED);
    size_t n_strong = 0;
    assert_int_equal(dv_bench_data_make(&shape, &no_base, 2, &data), DV_OK);
    for (size_t row = 0; row < 100; row++) {
        const float *const values = row_of(&data.bank, row);
        for (size_t i = 0; i < DIM; i++) n_strong += fabsf(values[i]) > 6; /* no normal number here is above 3.5 */
    }
    assert_in_range(n_strong, 200, 400);
    dv_bench_data_clear(&data);
}

static void adversarial_rows_take_turns(void **state) {
    (void)state;
    dv_bench_data data;
    const dv_bench_shape shape = shape_of(DV_BENCH_ADVERSARIAL);
    assert_int_equal(dv_bench_data_make(&shape, &no_base, 2, &data), DV_OK);
    const float *const positive = row_of(&data.bank, 3), *const spike = row_of(&data.bank, 4);
    for (size_t i = 0; i < DIM; i++) {
        assert_true(positive[i] >= 0);
        assert_true(i == 1 ? spike[i] > 0.9f : fabsf(spike[i]) < 0.1f);
    }
    dv_bench_data_clear(&data);
}

/* Two base rows in a bank of five: 0 1, then both with noise of a fifth of the norm, cosine 1 / sqrt(1.04) = 0.98. */
static void real_rows_are_tiled_up_with_noise(void **state) {
    (void)state;
    dv_bench_data data;
    float bank[2 * DIM], queries[DIM];
    for (size_t i = 0; i < 2 * (size_t)DIM; i++) bank[i] = (float)(i % 7) + (i < DIM ? 0 : (float)(i % 3));
    for (size_t i = 0; i < DIM; i++) queries[i] = (float)(i % 5);
    const dv_bench_base base = {.bank = bank, .queries = queries, .n_bank = 2, .n_queries = 1, .dim = DIM};
    dv_bench_shape shape = shape_of(DV_BENCH_REAL);
    shape.n_rows = 5;
    assert_int_equal(dv_bench_data_make(&shape, &base, 2, &data), DV_OK);
    assert_memory_equal(data.bank.data, bank, sizeof bank);
    assert_memory_equal(data.queries.data, queries, sizeof queries);
    assert_float_equal(cosine(row_of(&data.bank, 0), row_of(&data.bank, 2)), 0.98, 0.01);
    assert_float_equal(cosine(row_of(&data.bank, 1), row_of(&data.bank, 3)), 0.98, 0.01);
    assert_memory_not_equal(row_of(&data.bank, 2), row_of(&data.bank, 4), DIM * sizeof(float));
    dv_bench_data_clear(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrowing_rounds_to_nearest_even),
        cmocka_unit_test(the_same_seed_makes_the_same_rows),
        cmocka_unit_test(near_duplicates_share_a_thousand_originals),
        cmocka_unit_test(clipped_rows_have_four_strong_channels),
        cmocka_unit_test(adversarial_rows_take_turns),
        cmocka_unit_test(real_rows_are_tiled_up_with_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
