/* Codes of a bank: the order of rows, the layout that kernels read, and that every bound holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "differential/corpus.h"
#include "search/codes.h"
#include "search/quantise.h"

static const dv_dtype dtypes[4] = {DV_F16, DV_BF16, DV_F32, DV_F64};
static uint64_t seed;

typedef struct coded {
    dv_pool *pool;
    dv_scored_rows scored;
    float *peaks;
    dv_codes codes;
} coded;

/* mu: f64 [dim], the centre; NULL: none */
static void code_about(const dv_rows *rows, const int32_t *group, const double *mu, size_t tile_rows, coded *out) {
    dv_centre centre = {0};
    out->peaks = calloc(rows->n_rows, sizeof *out->peaks);
    assert_non_null(out->peaks);
    assert_int_equal(dv_pool_create(2, &out->pool), DV_OK);
    assert_int_equal(dv_scored_rows_create(rows, dv_simd_best(), out->pool, out->peaks, &out->scored), DV_OK);
    if (mu) assert_int_equal(dv_centre_about((dv_row_source){&out->scored, NULL}, (dv_row_set){0}, mu, &centre), DV_OK);
    assert_int_equal(dv_codes_create((dv_row_source){&out->scored, NULL}, (dv_row_set){0}, group, out->peaks, centre,
                                     tile_rows, out->pool, &out->codes),
                     DV_OK);
}

static void code(const dv_rows *rows, const int32_t *group, size_t tile_rows, coded *out) {
    code_about(rows, group, NULL, tile_rows, out);
}

static void coded_free(coded *c) {
    dv_codes_free(&c->codes);
    dv_scored_rows_free(&c->scored);
    dv_pool_free(c->pool);
    free(c->peaks);
}

/* Code `i` of the row at a position, by the layout that scan.h tells of. */
static int code_at(const dv_codes *c, size_t position, size_t i) {
    const dv_code_tile tile = dv_codes_tile(c, position / c->tile_rows);
    const size_t in_tile = position % c->tile_rows, group = in_tile / 16, lane = in_tile % 16;
    return tile.codes[group * 16 * c->dim_padded + i / 4 * 64 + lane * 4 + i % 4];
}

/* |x - scale * codes| of the unit row at a position, in 64-bit mantissas. */
static long double distance(const coded *c, size_t position) {
    const dv_rows *rows = &c->scored.rows;
    double values[512];
    dv_scaled_row(&c->scored, (size_t)c->codes.rows[position], values);
    long double squares = 0, left = 0;
    for (size_t i = 0; i < rows->dim; i++) squares += (long double)values[i] * values[i];
    for (size_t i = 0; i < rows->dim; i++) {
        const long double x = squares > 0 ? values[i] / sqrtl(squares) : 0;
        const long double rest =
            x - (long double)c->codes.scales[position / c->codes.tile_rows] * code_at(&c->codes, position, i);
        left += rest * rest;
    }
    return sqrtl(left);
}

static void every_row_lies_within_the_bound_of_its_tile(void **state) {
    (void)state;
    const size_t dims[] = {1, 17, 64, 200};
    for (int kind = 0; kind < CORPUS_N_KINDS; kind++)
        for (size_t d = 0; d < 16; d++) {
            corpus c;
            coded made;
            corpus_create((corpus_kind)kind, dtypes[d % 4], 150, 1, dims[d / 4], seed + (uint64_t)kind, &c);
            code(&c.bank.rows, NULL, d % 2 ? 32 : 64, &made);
            for (size_t at = 0; at < 150; at++) {
                const long double left = distance(&made, at);
                const float slack = made.codes.slacks[at / made.codes.tile_rows];
                if (left > slack) fail_msg("position %zu: %Lg from its codes, bound %g", at, left, (double)slack);
                int32_t sum = 0;
                for (size_t i = 0; i < made.codes.dim_padded; i++) {
                    const int value = code_at(&made.codes, at, i);
                    assert_true(value >= -127 && value <= 127 && (i < dims[d / 4] || value == 0));
                    sum += value;
                }
                assert_int_equal(made.codes.offsets[at], -128 * sum);
            }
            coded_free(&made);
            corpus_free(&c);
        }
}

/* |y - scale * codes| + share * |y| of the centred row at a position, in 64-bit mantissas. */
static long double centred_distance(const coded *c, size_t position) {
    const dv_rows *rows = &c->scored.rows;
    const dv_centre *centre = &c->codes.centre;
    const long double scale = (long double)c->codes.scales[position / c->codes.tile_rows];
    double values[512];
    dv_scaled_row(&c->scored, (size_t)c->codes.rows[position], values);
    long double squares = 0, left = 0, along = 0, of_row = 0;
    for (size_t i = 0; i < rows->dim; i++) squares += (long double)values[i] * values[i];
    for (size_t i = 0; i < rows->dim; i++) {
        const long double y = (squares > 0 ? values[i] / sqrtl(squares) : 0) - centre->mu[i];
        const long double rest = y - scale * code_at(&c->codes, position, i);
        left += rest * rest, of_row += y * y, along += y * centre->mu[i];
    }
    const double norm = c->scored.norms[c->codes.rows[position]];
    dv_centre_row(centre, norm > 0 ? 1 / norm : 0, values); /* what rides along is that number, near the true one */
    const long double beside = values[rows->dim];
    assert_true(fabsl(beside * (long double)centre->n_beside * (long double)centre->unit - along) <= 0x1p-39L);
    for (size_t i = rows->dim; i < rows->dim + centre->n_beside; i++) {
        const long double rest = beside - scale * code_at(&c->codes, position, i);
        left += rest * rest, of_row += beside * beside;
    }
    return sqrtl(left) + (long double)c->codes.share * sqrtl(of_row);
}

/* About the mean, and about a point that has nothing to do with the rows. */
static void every_centred_row_lies_within_the_bound_of_its_tile(void **state) {
    (void)state;
    const size_t dims[] = {1, 17, 64, 200};
    for (int kind = 0; kind < CORPUS_N_KINDS; kind++)
        for (size_t d = 0; d < 8; d++) {
            corpus c;
            coded made;
            dv_centre mean = {0};
            double other[200];
            const size_t dim = dims[d / 2];
            corpus_random random = {seed + d};
            for (size_t i = 0; i < dim; i++) other[i] = corpus_unit(&random) / sqrt((double)dim);
            corpus_create((corpus_kind)kind, dtypes[d % 4], 150, 1, dim, seed + (uint64_t)kind, &c);
            code_about(&c.bank.rows, NULL, other, 32, &made);
            if (d % 2) {
                assert_int_equal(dv_centre_create((dv_row_source){&made.scored, NULL}, &mean), DV_OK);
                if (mean.mu) memcpy(other, mean.mu, dim * sizeof *other);
                dv_centre_free(&mean);
                coded_free(&made);
                code_about(&c.bank.rows, NULL, other, 32, &made);
            }
            for (size_t at = 0; at < 150; at++) {
                const long double left = centred_distance(&made, at);
                const float slack = made.codes.slacks[at / made.codes.tile_rows];
                if (left > slack) fail_msg("position %zu: %Lg from its codes, bound %g", at, left, (double)slack);
                for (size_t i = dim + made.codes.centre.n_beside; i < made.codes.dim_padded; i++)
                    assert_int_equal(code_at(&made.codes, at, i), 0);
            }
            coded_free(&made);
            corpus_free(&c);
        }
}

/* Rows of one direction have a centre, rows of all directions none; where codes would double, more is asked. */
static void bank_has_a_centre_where_it_helps(void **state) {
    (void)state;
    float rows[64 * 64];
    dv_pool *pool;
    assert_int_equal(dv_pool_create(1, &pool), DV_OK);
    for (int towards = 0; towards < 3; towards++) {
        corpus_random random = {seed};
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            rows[i] = (float)(0.7 * towards + corpus_unit(&random)); /* of the squared length: 0, 0.6 or 0.85 */
        for (size_t dim = 32; dim <= 64; dim += 32) {
            const dv_rows set = {rows, DV_F32, 64, dim};
            dv_scored_rows scored;
            dv_centre centre;
            assert_int_equal(dv_scored_rows_create(&set, dv_simd_best(), pool, NULL, &scored), DV_OK);
            assert_int_equal(dv_centre_create((dv_row_source){&scored, NULL}, &centre), DV_OK);
            assert_true((centre.mu != NULL) == (towards == 2 || (towards == 1 && dim == 32)));
            if (centre.mu) assert_int_equal(centre.n_beside, dim == 32 ? 32 : 64);
            dv_centre_free(&centre);
            dv_scored_rows_free(&scored);
        }
    }
    dv_pool_free(pool);
}

static void rows_are_sorted_by_their_largest_element(void **state) {
    (void)state;
    /* largest elements of the unit rows: 0.8, 1, 0.707, 0 (zero row), 1 */
    const float rows[10] = {3, 4, 0, -2, 1, 1, 0, -0.0F, 5, 0};
    const int32_t groups[5] = {10, 11, 12, 13, 14}, order[5] = {1, 4, 0, 2, 3};
    const dv_rows set = {rows, DV_F32, 5, 2};
    coded c;
    code(&set, groups, 0, &c);
    assert_int_equal(c.codes.tile_rows, 32);
    assert_int_equal(c.codes.n_tiles, 1);
    assert_int_equal(c.codes.dim_padded, 64);
    for (size_t at = 0; at < 32; at++) {
        assert_int_equal(c.codes.rows[at], at < 5 ? order[at] : -1);
        if (at < 5) assert_int_equal(c.codes.group[at], groups[order[at]]);
    }
    assert_int_equal(code_at(&c.codes, 0, 1), -127); /* (0, -2): the tile's scale is 1 / 127 */
    assert_int_equal(code_at(&c.codes, 2, 0), 76);   /* 0.6 * 127 = 76.2 */
    assert_int_equal(code_at(&c.codes, 2, 1), 102);  /* 0.8 * 127 = 101.6 */
    assert_int_equal(code_at(&c.codes, 4, 0), 0);
    coded_free(&c);
}

static void tiles_are_powers_of_two_and_small_banks_have_small_ones(void **state) {
    (void)state;
    const size_t n_rows[] = {1, 500, 513, 100, 100, 3000, 5000}, wanted[] = {0, 0, 0, 1, 100, 33, 0};
    const size_t tile_rows[] = {32, 32, 64, 32, 128, 64, 256};
    for (size_t i = 0; i < 7; i++) {
        float *rows = calloc(n_rows[i], sizeof *rows);
        assert_non_null(rows);
        const dv_rows set = {rows, DV_F32, n_rows[i], 1};
        coded c;
        code(&set, NULL, wanted[i], &c);
        assert_int_equal(c.codes.tile_rows, tile_rows[i]);
        assert_int_equal((size_t)1 << c.codes.tile_shift, tile_rows[i]);
        assert_true(c.codes.slacks[0] < 1e-9F && c.codes.slacks[0] > 0.0F); /* zero rows are their codes */
        coded_free(&c);
        free(rows);
    }
}

static void too_many_dimensions_are_refused(void **state) {
    (void)state;
    float *rows = calloc(DV_MOST_CODED_DIM + 1, sizeof *rows), peaks[1];
    assert_non_null(rows);
    const dv_rows set = {rows, DV_F32, 1, DV_MOST_CODED_DIM + 1};
    dv_pool *pool;
    dv_scored_rows scored;
    dv_codes codes;
    assert_int_equal(dv_pool_create(1, &pool), DV_OK);
    assert_int_equal(dv_scored_rows_create(&set, dv_simd_best(), pool, peaks, &scored), DV_OK);
    assert_int_equal(
        dv_codes_create((dv_row_source){&scored, NULL}, (dv_row_set){0}, NULL, peaks, (dv_centre){0}, 0, pool, &codes),
        DV_E_ARG);
    assert_string_equal(dv_last_error(), "codes of 32769 dimensions: at most 32768");
    dv_scored_rows_free(&scored);
    dv_pool_free(pool);
    free(rows);
}

static void families_code_alike(void **state) {
    (void)state;
    corpus_random random = {seed};
    double values[96];
    int8_t codes[96], expected[96];
    for (int round = 0; round < 300; round++) {
        double most = 0;
        for (size_t i = 0; i < 96; i++) values[i] = corpus_unit(&random) * ldexp(1.0, round - 150);
        for (size_t i = 0; i < 96; i++) most = fmax(most, fabs(values[i]));
        /* the last of 9 rounds cuts off what lies outside the codes */
        const double factor = 1.0 / most, scale = (double)(float)((round % 9 == 8 ? 0.25 : 1.0) / 127);
        const double rest = dv_quantiser_for(DV_SIMD_PORTABLE)->codes(values, 96, factor, scale, expected);
        for (dv_simd simd = DV_SIMD_AVX2; simd <= dv_simd_best(); simd++) {
            const dv_quantiser *q = dv_quantiser_for(simd);
            assert_true(q->largest(values, 96) == most);
            assert_true(fabs(q->codes(values, 96, factor, scale, codes) - rest) <= rest * 1e-12);
            for (size_t i = 0; i < 96; i++) assert_true(abs(codes[i] - expected[i]) <= 1);
        }
        for (size_t i = 0; i < 96; i++) {
            const double exact = fmax(-127, fmin(127, values[i] * factor / scale));
            assert_true(fabs(exact - expected[i]) <= 0.5 + 1e-9);
        }
    }
}

static void tile_order_visits_each_tile_once(void **state) {
    (void)state;
    const size_t sizes[] = {1, 2, 3, 4, 5, 8, 122, 1000, 4096};
    for (size_t i = 0; i < 9; i++) {
        const dv_tile_order order = dv_tile_order_make(sizes[i]);
        bool seen[4096] = {false};
        for (size_t j = 0; j < sizes[i]; j++) {
            const size_t tile = dv_tile_order_at(&order, j);
            assert_true(tile < sizes[i] && !seen[tile]);
            seen[tile] = true;
        }
    }
}

int main(void) {
    seed = corpus_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_lies_within_the_bound_of_its_tile),
        cmocka_unit_test(every_centred_row_lies_within_the_bound_of_its_tile),
        cmocka_unit_test(bank_has_a_centre_where_it_helps),
        cmocka_unit_test(rows_are_sorted_by_their_largest_element),
        cmocka_unit_test(tiles_are_powers_of_two_and_small_banks_have_small_ones),
        cmocka_unit_test(too_many_dimensions_are_refused),
        cmocka_unit_test(families_code_alike),
        cmocka_unit_test(tile_order_visits_each_tile_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
