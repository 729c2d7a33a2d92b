/* Norms against those of the host, bit by bit; codes against what they stand for: distances that are no smaller than
 * the true ones and no larger than codes of 8 bits leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "search/score.h"
#include "simt/search_memory.h"

/* Every row prepared by the host: f64 [n, prepared size]. */
static double *prepared(const dv_rows *rows, double *norms, int32_t *exponents) {
    const size_t padded = dv_prepared_size(rows->dim);
    double *const values = checked(malloc(rows->n_rows * padded * sizeof *values));
    for (size_t i = 0; i < rows->n_rows; i++)
        norms[i] = dv_prepare_row(dv_row_at(rows, i), rows->dtype, rows->dim, DV_SIMD_PORTABLE, values + i * padded,
                                  exponents + i);
    return values;
}

/* |t - scale * codes| of a row with elements t = values / norm, in 64-bit mantissas. */
static long double distance(const double *values, double norm, size_t dim, float scale, const int8_t *codes) {
    long double sum = 0, squares = 0;
    for (size_t i = 0; i < dim; i++) squares += (long double)values[i] * values[i];
    for (size_t i = 0; i < dim; i++) {
        const long double t = norm > 0 ? values[i] / sqrtl(squares) : 0;
        sum += (t - (long double)scale * codes[i]) * (t - (long double)scale * codes[i]);
    }
    return sqrtl(sum);
}

static void expect_measures_of_the_host(const corpus *set) {
    const dv_rows *rows = &set->bank.rows;
    double *const norms = checked(malloc(rows->n_rows * sizeof *norms));
    int32_t *const exponents = checked(malloc(rows->n_rows * sizeof *exponents));
    double *const values = prepared(rows, norms, exponents);
    rows_there there = rows_to_device(rows);
    expect_on_device(there.measured.norms, norms, rows->n_rows * sizeof *norms);
    if (there.measured.exponents)
        expect_on_device(there.measured.exponents, exponents, rows->n_rows * sizeof *exponents);
    float *const found = on_host(there.peaks, rows->n_rows * sizeof *found);
    for (size_t i = 0; i < rows->n_rows; i++) {
        double largest = 0;
        for (size_t j = 0; j < rows->dim; j++)
            largest = fmax(largest, fabs(values[i * dv_prepared_size(rows->dim) + j]));
        assert_true(found[i] == (norms[i] > 0 ? (float)(largest / norms[i]) : 0.0F));
    }
    free_rows(&there);
    free(found);
    free(norms);
    free(exponents);
    free(values);
}

/* A bank of two tiles whose rows stand in falling order, the last places empty. */
static void expect_bank_codes(const corpus *set) {
    const dv_rows *rows = &set->bank.rows;
    const size_t n = rows->n_rows, padded = dv_prepared_size(rows->dim), dim_padded = rounded_up(rows->dim, 64);
    double *const norms = checked(malloc(n * sizeof *norms));
    int32_t *const exponents = checked(malloc(n * sizeof *exponents));
    double *const values = prepared(rows, norms, exponents);
    const size_t n_places = 2 * DV_CODED_TILE;
    assert_true(n > DV_CODED_TILE && n < n_places);
    int32_t *const order = checked(malloc(n_places * sizeof *order));
    for (size_t i = 0; i < n_places; i++) order[i] = i < n ? (int32_t)(n - 1 - i) : -1;
    const float scales[2] = {1.0F / 127, 0.004F};
    rows_there there = rows_to_device(rows);
    dv_bank_codes codes = {.codes = on_device(NULL, n_places * dim_padded),
                           .rows = on_device(order, n_places * sizeof *order),
                           .scales = on_device(scales, sizeof scales),
                           .slacks = on_device(NULL, sizeof scales),
                           .n_tiles = 2,
                           .dim_padded = (int64_t)dim_padded};
    assert_int_equal(dv_launch_encode_bank(&there.measured, &codes, NULL), cudaSuccess);
    int8_t *const found = on_host(codes.codes, n_places * dim_padded);
    float *const slacks = on_host(codes.slacks, sizeof scales);
    long double largest[2] = {0, 0};
    for (size_t i = 0; i < n_places; i++) {
        const int8_t *const of_row = found + i * dim_padded;
        for (size_t j = i < n ? rows->dim : 0; j < dim_padded; j++) assert_int_equal(of_row[j], 0);
        if (i >= n) continue;
        const size_t row = (size_t)order[i], tile = i / DV_CODED_TILE;
        const long double left = distance(values + row * padded, norms[row], rows->dim, scales[tile], of_row);
        largest[tile] = left > largest[tile] ? left : largest[tile];
    }
    for (size_t tile = 0; tile < 2; tile++) {
        assert_true((long double)slacks[tile] >= largest[tile]);
        assert_true((long double)slacks[tile] <= largest[tile] + 1e-7L); /* a float, and 2^-38 */
    }
    free_on_device(codes.codes, codes.rows, codes.scales, codes.slacks);
    free_rows(&there);
    free(found);
    free(slacks);
    free(order);
    free(norms);
    free(exponents);
    free(values);
}

static void expect_query_codes(const corpus *set) {
    const dv_rows *rows = &set->bank.rows;
    const size_t n = rows->n_rows, dim = rows->dim, padded = dv_prepared_size(dim), dim_padded = rounded_up(dim, 64);
    const size_t n_padded = rounded_up(n, DV_CODED_QUERIES);
    double *const norms = checked(malloc(n * sizeof *norms));
    int32_t *const exponents = checked(malloc(n * sizeof *exponents));
    double *const values = prepared(rows, norms, exponents);
    queries_there there = queries_to_device(rows, NULL, dim_padded);
    const dv_query_codes codes = there.codes;
    double *const wide = on_host(there.prepared.values, n * dim * sizeof *wide);
    int8_t *const found = on_host(codes.codes, n_padded * dim_padded);
    float *const scales = on_host(codes.scales, n_padded * sizeof(float));
    float *const reaches = on_host(codes.reaches, n_padded * sizeof(float));
    float *const rests = on_host(codes.rests, n_padded * sizeof(float));
    for (size_t i = 0; i < n_padded; i++) {
        const int8_t *const own = found + i * dim_padded;
        for (size_t j = i < n ? dim : 0; j < dim_padded; j++) assert_int_equal(own[j], 0);
        if (i >= n) continue;
        assert_memory_equal(wide + i * dim, values + i * padded, dim * sizeof *wide);
        const long double left = distance(values + i * padded, norms[i], dim, scales[i], own);
        long double length = 0;
        for (size_t j = 0; j < dim; j++) length += (long double)own[j] * own[j];
        length = sqrtl(length) * scales[i];
        assert_true(rests[i] >= left && rests[i] <= left + 1e-7L);
        assert_true(reaches[i] >= length && reaches[i] <= length + 1e-6L);
        /* Nearest codes: no element is farther than half a step, and a float's rounding of the scale. */
        if (norms[i] > 0) assert_true(left <= 0.5001L * scales[i] * sqrtl((long double)dim));
    }
    free_queries(&there);
    free(wide);
    free(found);
    free(scales);
    free(reaches);
    free(rests);
    free(norms);
    free(exponents);
    free(values);
}

static void with_every_set(size_t n_rows, size_t dim, void (*expect)(const corpus *set)) {
    for (uint64_t seed = 0; seed < simt_n_seeds(); seed++) {
        simt_set_seed(seed);
        for (size_t kind = seed % 3; kind < CORPUS_N_KINDS; kind += 3) {
            corpus set;
            corpus_create((corpus_kind)kind, dtypes[(seed + kind / 3) % 4], n_rows, 1, dim, seed, &set);
            expect(&set);
            corpus_free(&set);
            assert_int_equal(simt_n_alive(), 0);
        }
    }
}

static void norms_have_the_bits_of_the_host(void **state) {
    (void)state;
    with_every_set(33, 37, expect_measures_of_the_host);
    with_every_set(5, 1, expect_measures_of_the_host);
    with_every_set(2, 129, expect_measures_of_the_host);
}

static void slacks_of_a_tile_hold_for_its_rows(void **state) {
    (void)state;
    with_every_set(300, 20, expect_bank_codes);
}

static void codes_of_queries_are_near_and_measured(void **state) {
    (void)state;
    with_every_set(130, 19, expect_query_codes);
    with_every_set(3, 128, expect_query_codes);
}

/* As the host, which names the row by its norm. */
static void norm_of_what_is_not_finite_is_not_finite(void **state) {
    (void)state;
    const double bad[4] = {INFINITY, -INFINITY, NAN, -NAN};
    for (size_t d = 0; d < 4; d++) {
        double numbers[4 * 20];
        unsigned char store[sizeof numbers];
        for (size_t i = 0; i < 80; i++) numbers[i] = (double)i;
        for (size_t i = 0; i < 4; i++) numbers[i * 20 + 5 * i] = bad[i];
        for (size_t i = 0; i < 80; i++)
            if (dtypes[d] == DV_F64)
                memcpy(store + 8 * i, &numbers[i], 8);
            else if (dtypes[d] == DV_F32)
                memcpy(store + 4 * i, &(float){(float)numbers[i]}, 4);
            else
                memcpy(store + 2 * i,
                       &(uint16_t){isfinite(numbers[i])  ? (uint16_t)i
                                   : isnan(numbers[i])   ? 0x7fff
                                   : dtypes[d] == DV_F16 ? 0x7c00
                                                         : 0x7f80},
                       2);
        const dv_rows rows = {store, dtypes[d], 4, 20};
        rows_there there = rows_to_device(&rows);
        double *const norms = on_host(there.measured.norms, 4 * sizeof *norms);
        for (size_t i = 0; i < 4; i++) assert_false(isfinite(norms[i]));
        free(norms);
        free_rows(&there);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(norms_have_the_bits_of_the_host),
        cmocka_unit_test(slacks_of_a_tile_hold_for_its_rows),
        cmocka_unit_test(codes_of_queries_are_near_and_measured),
        cmocka_unit_test(norm_of_what_is_not_finite_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
