/* The pieces of the filter: bounds, thresholds, candidates; and the float bound that FAISS results are held to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/cpu/kernels/kernels.h"
#include "differential/corpus.h"
#include "search/bound.h"
#include "search/filter.h"

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

/* A block of two queries against a coded bank, the sums made here. */
typedef struct fixture {
    corpus c;
    dv_pool *pool;
    float *peaks;
    dv_scored_rows scored;
    dv_coded_bank coded;
    dv_filter filter;
} fixture;

enum { N_ROWS = 2000, N_QUERIES = 2, K = 10, N_JITTERS = 5 };
static const double jitters[N_JITTERS] = {0, 0.3, 1e-2, 1e-4, 1e-7};

/* Rows and the first query become one vector with a jitter, but for a row that is zero and one that points away. */
static void gather(corpus *c, double jitter) {
    corpus_random random = {seed + 1};
    float *rows = c->bank_data, *query = c->query_data;
    for (size_t i = 0; i < N_ROWS * 48; i++) rows[i] = (float)(cos((double)(i % 48)) + jitter * corpus_unit(&random));
    for (size_t i = 0; i < 48; i++) query[i] = (float)(cos((double)i) + jitter * corpus_unit(&random));
    for (size_t i = 0; i < 48; i++) rows[i] = 0.0F;
    for (size_t i = 48; i < 96; i++) rows[i] = -rows[i];
}

/* jitter  of a bank that has a centre; 0: random rows, which have none */
static void fixture_create_with(fixture *f, size_t k, double jitter) {
    corpus_create(CORPUS_RANDOM, DV_F32, N_ROWS, N_QUERIES, 48, seed, &f->c);
    if (jitter > 0) gather(&f->c, jitter);
    f->peaks = calloc(N_ROWS, sizeof *f->peaks);
    assert_non_null(f->peaks);
    const dv_head_wish wish = {.rate = 1.0, .n_stages = 1};
    assert_int_equal(dv_pool_create(1, &f->pool), DV_OK);
    assert_int_equal(dv_scored_rows_create(&f->c.bank.rows, dv_simd_best(), f->pool, f->peaks, &f->scored), DV_OK);
    assert_int_equal(
        dv_coded_bank_create((dv_row_source){&f->scored, NULL}, NULL, f->peaks, &wish, 32, f->pool, &f->coded), DV_OK);
    assert_true((f->coded.codes.centre.mu != NULL) == (jitter > 0));
    assert_int_equal(dv_filter_create(N_QUERIES, k, &f->coded, false, 0, &f->filter), DV_OK);
    assert_int_equal(dv_filter_begin(&f->filter, &f->coded, &f->c.queries, 0, N_QUERIES), DV_OK);
}

static void fixture_create(fixture *f, size_t k) {
    fixture_create_with(f, k, 0.0);
}

static void fixture_free(fixture *f) {
    dv_filter_free(&f->filter);
    dv_coded_bank_free(&f->coded);
    dv_scored_rows_free(&f->scored);
    dv_pool_free(f->pool);
    free(f->peaks);
    corpus_free(&f->c);
}

static double cosine(const fixture *f, size_t query, size_t position) {
    double values[48];
    const double norm = dv_prepare_row(dv_row_at(&f->c.queries.rows, query), DV_F32, 48, dv_simd_best(), values, NULL);
    return dv_score(&f->scored, (size_t)f->coded.codes.rows[position], values, norm);
}

/* At most `value`. */
static float below(double value) {
    return (double)(float)value <= value ? (float)value : nextafterf((float)value, -INFINITY);
}

/* Every visible row of the bank passes a first scan without thresholds; its sum bounds its cosine from both sides. */
static void check_sums_bound_the_cosine(double jitter) {
    fixture f;
    fixture_create_with(&f, N_ROWS, jitter);
    const dv_scan_block block = dv_filter_block(&f.filter);
    for (size_t tile = 0; tile < f.coded.codes.n_tiles; tile++) {
        const dv_code_tile view = dv_codes_tile(&f.coded.codes, tile);
        dv_scan_portable.scan(&block, &view);
    }
    for (size_t q = 0; q < N_QUERIES; q++) {
        const uint32_t *positions = f.filter.hits.positions + q * f.filter.hits.stride;
        const int32_t *sums = f.filter.hits.sums + q * f.filter.hits.stride;
        assert_int_equal(f.filter.hits.counts[q], N_ROWS);
        const double far = q == 0 && jitter > 0 ? 0.1 * jitter + 1e-9 : 0.1, middle = f.filter.middles[q];
        for (dv_simd simd = DV_SIMD_PORTABLE; simd <= dv_simd_best(); simd++) {
            float low[N_ROWS];
            dv_list_kernels_for(simd)->low(&f.filter.bounds[q], positions, sums, N_ROWS, low);
            for (size_t i = 0; i < N_ROWS; i++) {
                const double c = cosine(&f, q, positions[i]) - middle;
                assert_true((double)low[i] <= c);
                assert_true(dv_may_reach(&f.filter.bounds[q], low[i], positions[i], below(c)));
                if (jitter > 0 && positions[i] < 32) continue; /* the tile of the odd rows */
                assert_true((double)low[i] > c - far);         /* and not by standing far away */
                assert_false(dv_may_reach(&f.filter.bounds[q], low[i], positions[i], (float)(c + far)));
            }
        }
    }
    fixture_free(&f);
}

static void sums_bound_the_cosine_from_both_sides(void **state) {
    (void)state;
    for (size_t i = 0; i < N_JITTERS; i++) check_sums_bound_the_cosine(jitters[i]);
}

/* The same inequality without floats: in 64-bit mantissas, over the exact cosine (docs/EXACTNESS.md, 13.4). */
static void bounds_hold_for_the_exact_cosine(void **state) {
    (void)state;
    for (size_t j = 0; j < N_JITTERS; j++) {
        fixture f;
        fixture_create_with(&f, N_ROWS, jitters[j]);
        dv_scan_block block = dv_filter_block(&f.filter);
        for (size_t tile = 0; tile < f.coded.codes.n_tiles; tile++) {
            const dv_code_tile view = dv_codes_tile(&f.coded.codes, tile);
            dv_scan_portable.scan(&block, &view);
        }
        for (size_t i = 0; i < (size_t)N_QUERIES * N_ROWS; i++) {
            const size_t q = i / N_ROWS, at = q * f.filter.hits.stride + i % N_ROWS;
            const uint32_t position = f.filter.hits.positions[at], tile = position >> f.coded.codes.tile_shift;
            const float *query = (const float *)f.c.query_data + q * 48;
            const float *row = (const float *)f.c.bank_data + (size_t)f.coded.codes.rows[position] * 48;
            long double dot = 0, qq = 0, xx = 0;
            for (size_t e = 0; e < 48; e++) {
                dot += (long double)query[e] * row[e];
                qq += (long double)query[e] * query[e];
                xx += (long double)row[e] * row[e];
            }
            const long double exact = xx > 0 && qq > 0 ? dot / sqrtl(qq * xx) : 0;
            const long double about =
                (long double)f.filter.whole.scales[q] * f.coded.codes.scales[tile] * f.filter.hits.sums[at];
            const long double bound =
                (long double)f.filter.reaches[q] * f.coded.codes.slacks[tile] + f.filter.rests[q] + f.filter.eta;
            assert_true(fabsl(exact - f.filter.middles[q] - about) <= bound);
        }
        fixture_free(&f);
    }
}

/* No row of a lower bound's reach has a sum below the threshold. */
static void check_thresholds(double jitter) {
    fixture f;
    fixture_create_with(&f, N_ROWS, jitter);
    dv_scan_block block = dv_filter_block(&f.filter);
    for (size_t tile = 0; tile < f.coded.codes.n_tiles; tile++) {
        const dv_code_tile view = dv_codes_tile(&f.coded.codes, tile);
        dv_scan_portable.scan(&block, &view);
    }
    for (size_t i = 0; i < N_ROWS; i++) {
        const uint32_t position = f.filter.hits.positions[i];
        const double lower = cosine(&f, 0, position);
        const double base = (lower - f.filter.middles[0] - f.filter.rests[0] - f.filter.eta) / f.filter.whole.scales[0];
        const dv_code_tile view = dv_codes_tile(&f.coded.codes, position >> f.coded.codes.tile_shift);
        assert_true(f.filter.hits.sums[i] >= dv_threshold(base, f.filter.slope[0], view.inverse_scale, view.slack));
    }
    fixture_free(&f);
}

static void thresholds_let_every_row_of_the_answer_pass(void **state) {
    (void)state;
    for (size_t i = 0; i < N_JITTERS; i++) check_thresholds(jitters[i]);
}

static void thresholds_stay_within_their_range(void **state) {
    (void)state;
    assert_int_equal(dv_threshold(INFINITY, 1.0, 127.0, 0.01), DV_NEVER);
    assert_int_equal(dv_threshold(-INFINITY, 1.0, 127.0, 0.01), -DV_NEVER);
    assert_int_equal(dv_threshold(1e300, 0.0, 1e300, 0.0), DV_NEVER);
    assert_int_equal(dv_threshold(10.0, 0.0, 1.0, 0.0), 9); /* one is given away for roundings */
    assert_int_equal(dv_threshold(-10.5, 0.0, 1.0, 0.0), -11);
    assert_int_equal(dv_threshold(10.0, 2.0, 3.0, 1.0), 23);
}

static void chunk_that_overflows_leaves_what_was_before(void **state) {
    (void)state;
    fixture f;
    fixture_create(&f, K);
    const size_t capacity = f.filter.hits.capacity;
    assert_int_equal(capacity, 8 * K + 12 * 32);
    for (uint32_t i = 0; i < 20; i++) f.filter.hits.positions[i] = i, f.filter.hits.sums[i] = 0;
    f.filter.hits.counts[0] = 20;
    assert_true(dv_filter_tighten(&f.filter, 0, &f.coded));
    assert_int_equal(f.filter.hits.counts[0], 20); /* all alike: none can be dropped */
    assert_true(f.filter.lower[0] > -1.0 && f.filter.lower[0] < 0.0);
    f.filter.hits.counts[0] = (uint32_t)capacity + 1;
    assert_false(dv_filter_tighten(&f.filter, 0, &f.coded));
    assert_int_equal(f.filter.hits.counts[0], 20);
    fixture_free(&f);
}

static void capacity_never_passes_the_rows(void **state) {
    (void)state;
    const dv_codes large = {.n_tiles = 4000, .tile_rows = 256}, small = {.n_tiles = 3, .tile_rows = 32};
    assert_int_equal(dv_filter_capacity(30, &large), 8 * 30 + 12 * 256);
    assert_int_equal(dv_filter_capacity(200000, &large), 4000 * 256);
    assert_int_equal(dv_filter_capacity(SIZE_MAX, &large), 4000 * 256);
    assert_int_equal(dv_filter_capacity(1, &small), 96);
}

static void list_kernels_of_all_families_agree(void **state) {
    (void)state;
    corpus_random random = {seed};
    enum { N = 100, N_TILES = 8 };
    float scales[N_TILES], slacks[N_TILES], low[N], other_low[N];
    for (size_t n = 0; n <= N; n++) {
        const size_t room = N + 16;
        uint32_t positions[N + 16], kept[N + 16];
        int32_t sums[N + 16], kept_sums[N + 16];
        for (size_t t = 0; t < N_TILES; t++) {
            scales[t] = 0.001F + 0.0001F * (float)t;
            slacks[t] = 0.01F + 0.001F * (float)t;
        }
        for (size_t i = 0; i < room; i++) positions[i] = (uint32_t)corpus_below(&random, N_TILES * 32);
        for (size_t i = 0; i < room; i++) sums[i] = (int32_t)corpus_below(&random, 400000) - 200000;
        const dv_list_bounds bounds = {0.002F, 1.01F, 0.012F, DV_FLOAT_STEP, DV_KTH_PRECISION, scales, slacks, 5};
        const dv_list_kernels *portable = dv_list_kernels_for(DV_SIMD_PORTABLE);
        portable->low(&bounds, positions, sums, n, low);
        memcpy(kept, positions, sizeof kept);
        memcpy(kept_sums, sums, sizeof kept_sums);
        const size_t n_kept = portable->keep(&bounds, 0.1F, low, n, kept, kept_sums);
        for (dv_simd simd = DV_SIMD_AVX2; simd <= dv_simd_best(); simd++) {
            const dv_list_kernels *kernels = dv_list_kernels_for(simd);
            uint32_t other[N + 16];
            int32_t other_sums[N + 16];
            kernels->low(&bounds, positions, sums, n, other_low);
            assert_memory_equal(other_low, low, n * sizeof *low);
            memcpy(other, positions, sizeof other);
            memcpy(other_sums, sums, sizeof other_sums);
            assert_int_equal(kernels->keep(&bounds, 0.1F, low, n, other, other_sums), n_kept);
            assert_memory_equal(other, kept, n_kept * sizeof *kept);
            assert_memory_equal(other_sums, kept_sums, n_kept * sizeof *kept_sums);
            assert_int_equal(kernels->count(low, n, 0.05F), portable->count(low, n, 0.05F));
        }
        for (size_t k = 1; k <= n; k += 1 + n / 5) {
            const float reached = dv_reached_by(portable, low, n, k, DV_KTH_PRECISION), kth = dv_kth_largest(low, n, k);
            assert_true(reached <= kth && reached >= kth - 0x1p-14F);
        }
    }
}

int main(void) {
    seed = corpus_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bound_covers_the_terms_of_its_derivation),
        cmocka_unit_test(threshold_is_the_largest_float_that_is_low_enough),
        cmocka_unit_test(sums_bound_the_cosine_from_both_sides),
        cmocka_unit_test(bounds_hold_for_the_exact_cosine),
        cmocka_unit_test(thresholds_let_every_row_of_the_answer_pass),
        cmocka_unit_test(thresholds_stay_within_their_range),
        cmocka_unit_test(chunk_that_overflows_leaves_what_was_before),
        cmocka_unit_test(capacity_never_passes_the_rows),
        cmocka_unit_test(list_kernels_of_all_families_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
