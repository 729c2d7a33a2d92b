/* Bounds, thresholds and what is kept, against canonical cosines and against the inequalities of docs/EXACTNESS.md in
 * 64-bit mantissas: nothing that belongs to an answer is lost, and no bound is weaker than its formula. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "search/bound.h"
#include "search/score.h"
#include "simt/search_memory.h"

enum { N_ROWS = 400, N_QUERIES = 7, N_TILES = 2, N_PLACES = N_TILES * DV_CODED_TILE, MOST = 1 << 30 };

/* A bank and queries in codes, there and here, with all sums and cosines. The row of a place is its number. */
typedef struct world {
    corpus set;
    rows_there rows;
    dv_bank_codes bank;
    queries_there queries;
    double eta;
    float *scales, *slacks, *query_scales, *reaches, *rests;
    int32_t *sums;   /* [N_QUERIES, N_PLACES] */
    double *cosines; /* [N_QUERIES, N_ROWS] */
} world;

static void code_bank(world *w, size_t width) {
    int32_t order[N_PLACES];
    float scales[N_TILES] = {0, 0};
    float *const peaks = on_host(w->rows.peaks, N_ROWS * sizeof *peaks);
    for (int i = 0; i < N_PLACES; i++) {
        order[i] = i < N_ROWS ? i : -1;
        if (i < N_ROWS) scales[i / DV_CODED_TILE] = fmaxf(scales[i / DV_CODED_TILE], peaks[i] / 127);
    }
    for (int i = 0; i < N_TILES; i++) scales[i] = scales[i] > 0 ? scales[i] : 1.0F / 127;
    w->bank = (dv_bank_codes){.codes = on_device(NULL, N_PLACES * width),
                              .rows = on_device(order, sizeof order),
                              .scales = on_device(scales, sizeof scales),
                              .slacks = on_device(NULL, sizeof scales),
                              .n_tiles = N_TILES,
                              .dim_padded = (int64_t)width};
    assert_int_equal(dv_launch_encode_bank(&w->rows.measured, &w->bank, NULL), cudaSuccess);
    free(peaks);
}

static void multiply_codes(world *w, size_t width) {
    int8_t *const rows = on_host(w->bank.codes, N_PLACES * width);
    int8_t *const queries = on_host(w->queries.codes.codes, N_QUERIES * width);
    w->sums = checked(calloc((size_t)N_QUERIES * N_PLACES, sizeof *w->sums));
    for (size_t q = 0; q < N_QUERIES; q++)
        for (size_t i = 0; i < N_PLACES; i++)
            for (size_t j = 0; j < width; j++)
                w->sums[q * N_PLACES + i] += queries[q * width + j] * rows[i * width + j];
    free(rows);
    free(queries);
}

static void score_all(world *w) {
    dv_pool *pool;
    assert_int_equal(dv_pool_create(1, &pool), DV_OK);
    dv_scored_rows scored;
    assert_int_equal(dv_scored_rows_create(&w->set.bank.rows, DV_SIMD_PORTABLE, pool, NULL, &scored), DV_OK);
    double *const values = checked(malloc(dv_prepared_size(scored.rows.dim) * sizeof *values));
    w->cosines = checked(malloc((size_t)N_QUERIES * N_ROWS * sizeof *w->cosines));
    const dv_rows *queries = &w->set.queries.rows;
    for (size_t q = 0; q < N_QUERIES; q++) {
        const double norm =
            dv_prepare_row(dv_row_at(queries, q), queries->dtype, queries->dim, DV_SIMD_PORTABLE, values, NULL);
        for (size_t i = 0; i < N_ROWS; i++) w->cosines[q * N_ROWS + i] = dv_score(&scored, i, values, norm);
    }
    free(values);
    dv_scored_rows_free(&scored);
    dv_pool_free(pool);
}

static world make_world(corpus_kind kind, dv_dtype dtype, size_t dim, uint64_t seed) {
    world w = {.eta = dv_bound_canonical(dim)};
    const size_t width = rounded_up(dim, 64);
    corpus_create(kind, dtype, N_ROWS, N_QUERIES, dim, seed, &w.set);
    w.rows = rows_to_device(&w.set.bank.rows);
    code_bank(&w, width);
    w.queries = queries_to_device(&w.set.queries.rows, w.set.query_group, width);
    w.scales = on_host(w.bank.scales, N_TILES * sizeof(float));
    w.slacks = on_host(w.bank.slacks, N_TILES * sizeof(float));
    w.query_scales = on_host(w.queries.codes.scales, N_QUERIES * sizeof(float));
    w.reaches = on_host(w.queries.codes.reaches, N_QUERIES * sizeof(float));
    w.rests = on_host(w.queries.codes.rests, N_QUERIES * sizeof(float));
    multiply_codes(&w, width);
    score_all(&w);
    return w;
}

static void free_world(world *w) {
    void *const parts[] = {w->scales, w->slacks, w->query_scales, w->reaches, w->rests, w->sums, w->cosines};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) free(parts[i]);
    free_on_device(w->bank.codes, w->bank.rows, w->bank.scales, w->bank.slacks);
    free_rows(&w->rows);
    free_queries(&w->queries);
    corpus_free(&w->set);
    assert_int_equal(simt_n_alive(), 0);
}

static long double scale_of(const world *w, size_t q, size_t place) {
    return (long double)w->query_scales[q] * w->scales[place / DV_CODED_TILE];
}
static long double slack_of(const world *w, size_t q, size_t place) {
    return (long double)w->reaches[q] * w->slacks[place / DV_CODED_TILE] + w->rests[q] + w->eta;
}
static long double low_of(const world *w, size_t q, size_t place) {
    return scale_of(w, q, place) * w->sums[q * N_PLACES + place] - slack_of(w, q, place);
}

static int is_larger_first(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

static double kth_of(const double *values, size_t n, size_t k) {
    double *const sorted = checked(malloc(n * sizeof *sorted));
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, is_larger_first);
    const double kth = sorted[k - 1];
    free(sorted);
    return kth;
}

static void with_every_kind(void (*expect)(const world *w, uint64_t seed)) {
    for (uint64_t seed = 0; seed < simt_n_seeds(); seed++) {
        simt_set_seed(seed);
        for (size_t kind = seed % 4; kind < CORPUS_N_KINDS; kind += 4) {
            world w = make_world((corpus_kind)kind, dtypes[(seed / 4 + kind) % 4], seed % 2 ? 24 : 70, seed);
            expect(&w, seed);
            free_world(&w);
        }
    }
}

/* Cosines really lie where the bounds say: (4.1). */
static void expect_bounds(const world *w, uint64_t seed) {
    (void)seed;
    for (size_t q = 0; q < N_QUERIES; q++)
        for (size_t i = 0; i < N_ROWS; i++) {
            const long double low = low_of(w, q, i), c = w->cosines[q * N_ROWS + i];
            assert_true(low <= c && c <= low + 2 * slack_of(w, q, i));
        }
}

static void expect_thresholds(const world *w, uint64_t seed) {
    double lower[N_QUERIES] = {-INFINITY, INFINITY};
    for (size_t q = 2; q < N_QUERIES; q++) lower[q] = kth_of(w->cosines + q * N_ROWS, N_ROWS, 1 + (seed + q * 5) % 60);
    const size_t n_padded = DV_CODED_QUERIES, first = seed % 2;
    double *const there = on_device(lower, sizeof lower);
    int32_t *const table = on_device(NULL, N_TILES * n_padded * sizeof *table);
    assert_int_equal(dv_launch_thresholds(&w->queries.codes, &w->bank, (int64_t)first, (int64_t)(N_TILES - first),
                                          w->eta, there, table, NULL),
                     cudaSuccess);
    int32_t *const found = on_host(table, (N_TILES - first) * n_padded * sizeof *found);
    for (size_t tile = first; tile < N_TILES; tile++)
        for (size_t q = 0; q < n_padded; q++) {
            const int32_t threshold = found[(tile - first) * n_padded + q];
            if (q >= N_QUERIES || q < 2) {
                assert_int_equal(threshold, q == 0 ? -MOST : MOST);
                continue;
            }
            const size_t place = tile * DV_CODED_TILE;
            const long double x = (lower[q] - slack_of(w, q, place)) / scale_of(w, q, place);
            assert_true(threshold <= ceill(x) && threshold >= floorl(x) - 2);
            for (size_t i = place; i < place + DV_CODED_TILE && i < N_ROWS; i++)
                if (w->cosines[q * N_ROWS + i] >= lower[q]) assert_true(w->sums[q * N_PLACES + i] >= threshold);
        }
    free(found);
    free_on_device(there, table);
}

static void expect_seed_bounds(const world *w, uint64_t seed) {
    enum { N_MAXIMA = N_PLACES / DV_SEED_ROWS };
    const size_t k = 1 + seed % 25; /* 25 of the groups have rows */
    int32_t maxima[N_QUERIES * N_MAXIMA];
    double lows[N_QUERIES][N_MAXIMA], lower[N_QUERIES];
    for (size_t q = 0; q < N_QUERIES; q++) {
        lower[q] = q == 0 ? 0.9375 : -INFINITY;
        for (size_t i = 0; i < N_MAXIMA; i++) {
            size_t best = i * DV_SEED_ROWS;
            for (size_t place = best; place < (i + 1) * DV_SEED_ROWS; place++)
                if (w->sums[q * N_PLACES + place] > w->sums[q * N_PLACES + best]) best = place;
            const int is_one = i * DV_SEED_ROWS < N_ROWS && !(q == 1 && i > 3); /* one query sees few rows */
            maxima[q * N_MAXIMA + i] = is_one ? w->sums[q * N_PLACES + best] : INT32_MIN;
            lows[q][i] = is_one ? (double)low_of(w, q, best) : -INFINITY;
        }
    }
    int32_t *const maxima_there = on_device(maxima, sizeof maxima);
    double *const there = on_device(lower, sizeof lower);
    assert_int_equal(
        dv_launch_seed_bounds(&w->queries.codes, &w->bank, maxima_there, N_TILES, (int64_t)k, w->eta, there, NULL),
        cudaSuccess);
    double *const found = on_host(there, sizeof lower);
    for (size_t q = 0; q < N_QUERIES; q++) {
        const double kth = kth_of(lows[q], N_MAXIMA, k);
        if (q == 0 && kth < 0.9375)
            assert_true(found[q] == 0.9375);
        else
            assert_true(found[q] <= kth && (found[q] >= kth - 1e-6 || found[q] == kth));
        if (q > 0) assert_true(found[q] <= kth_of(w->cosines + q * N_ROWS, N_ROWS, k));
    }
    free(found);
    assert_int_equal(
        dv_launch_seed_bounds(&w->queries.codes, &w->bank, maxima_there, N_TILES, N_MAXIMA + 1, w->eta, NULL, NULL),
        cudaSuccess); /* too few: nothing is known */
    free_on_device(maxima_there, there);
}

/* Query 0 has fewer than k hits, 1 ran over, 2 knows a bound already, the others have all rows. */
static void expect_survivors(const world *w, uint64_t seed) {
    const size_t k = 3 + seed % 20, capacity = N_ROWS + seed % 2;
    dv_hit *const hits = checked(calloc(N_QUERIES * capacity, sizeof *hits));
    uint32_t counts[N_QUERIES];
    double lower[N_QUERIES];
    for (size_t q = 0; q < N_QUERIES; q++) {
        counts[q] = q == 0 ? (uint32_t)k - 1 : q == 1 ? (uint32_t)capacity + 1 : N_ROWS;
        lower[q] = q == 2 ? kth_of(w->cosines + q * N_ROWS, N_ROWS, k) : -INFINITY;
        for (size_t i = 0; i < capacity; i++) {
            const uint32_t place = (uint32_t)(i * 7 % N_ROWS); /* any order */
            hits[q * capacity + i] = (dv_hit){place, w->sums[q * N_PLACES + place]};
        }
    }
    const uint32_t before[N_QUERIES] = {0};
    const dv_hit_lists lists = {on_device(hits, N_QUERIES * capacity * sizeof *hits), on_device(counts, sizeof counts),
                                (int64_t)capacity};
    double *const lower_there = on_device(lower, sizeof lower);
    uint32_t *const overflows = on_device(before, sizeof before);
    assert_int_equal(
        dv_launch_compact(&w->queries.codes, &w->bank, (int64_t)k, w->eta, &lists, lower_there, overflows, NULL),
        cudaSuccess);
    const uint32_t expected_overflows[N_QUERIES] = {0, 1};
    expect_on_device(overflows, expected_overflows, sizeof before);
    dv_hit *const kept = on_host(lists.hits, N_QUERIES * capacity * sizeof *hits);
    uint32_t *const n_kept = on_host(lists.counts, sizeof counts);
    double *const found = on_host(lower_there, sizeof lower);
    assert_int_equal(n_kept[0], k - 1);
    assert_true(found[0] == -INFINITY);
    assert_int_equal(n_kept[1], 0);
    assert_true(found[1] == INFINITY);
    for (size_t q = 2; q < N_QUERIES; q++) {
        double lows[N_ROWS];
        for (size_t i = 0; i < N_ROWS; i++) lows[i] = (double)low_of(w, q, i);
        const double known = fmax(kth_of(lows, N_ROWS, k), lower[q]);
        assert_true(found[q] <= kth_of(w->cosines + q * N_ROWS, N_ROWS, k));
        assert_true(found[q] <= known + 1e-15 && found[q] >= known - 1e-6);
        char is_kept[N_ROWS] = {0};
        for (size_t i = 0; i < n_kept[q]; i++) {
            const dv_hit hit = kept[q * capacity + i];
            assert_in_range(hit.position, 0, N_ROWS - 1);
            assert_int_equal(hit.sum, w->sums[q * N_PLACES + hit.position]);
            assert_false(is_kept[hit.position]);
            is_kept[hit.position] = 1;
        }
        for (size_t i = 0; i < N_ROWS; i++) {
            const long double most = low_of(w, q, i) + 2 * slack_of(w, q, i);
            if (w->cosines[q * N_ROWS + i] >= found[q] || most >= found[q]) assert_true(is_kept[i]);
            if (most < found[q] - 1e-12L) assert_false(is_kept[i]);
        }
    }
    free(kept);
    free(n_kept);
    free(found);
    free(hits);
    free_on_device(lists.hits, lists.counts, lower_there, overflows);
}

static void cosines_lie_within_their_bounds(void **state) {
    (void)state;
    with_every_kind(expect_bounds);
}
static void thresholds_let_wanted_rows_pass(void **state) {
    (void)state;
    with_every_kind(expect_thresholds);
}
static void seeds_bound_the_kth_cosine_from_below(void **state) {
    (void)state;
    with_every_kind(expect_seed_bounds);
}
static void hits_that_may_belong_to_the_answer_are_kept(void **state) {
    (void)state;
    with_every_kind(expect_survivors);
}

static void known_neighbours_raise_the_bound(void **state) {
    (void)state;
    const uint32_t chosen[3] = {2, 0, 1}, counts[3] = {4, 5, 6}, none[3] = {0, 0, 0};
    const int64_t ids[6] = {7, 8, 3, 9, 1, -1};
    const double cosines[6] = {0.5, 0.25, 0.75, 0.5, 0.5, -2.0}, lower[3] = {0.125, 0.5, -INFINITY};
    const double expected[3] = {0.125, 0.5, 0.5}; /* too few; lower than what was known; raised */
    uint32_t *const chosen_there = on_device(chosen, sizeof chosen), *const counts_there =
                                                                         on_device(counts, sizeof counts);
    int64_t *const ids_there = on_device(ids, sizeof ids);
    double *const cosines_there = on_device(cosines, sizeof cosines), *const lower_there =
                                                                          on_device(lower, sizeof lower);
    assert_int_equal(dv_launch_raise(chosen_there, 3, ids_there, cosines_there, 2, lower_there, counts_there, NULL),
                     cudaSuccess);
    expect_on_device(lower_there, expected, sizeof expected);
    expect_on_device(counts_there, none, sizeof none);
    free_on_device(chosen_there, counts_there, ids_there, cosines_there, lower_there);
}

/* What is gathered is what was there, and places without a query are zeros. */
static void expect_gathered(const world *w, uint64_t seed) {
    enum { N_CHOSEN = 3 };
    const uint32_t chosen[N_CHOSEN] = {5, 2, (uint32_t)(seed % N_QUERIES)};
    const size_t dim = w->set.bank.rows.dim, width = (size_t)w->bank.dim_padded;
    const dv_rows some = {w->set.queries.rows.data, w->set.queries.rows.dtype, N_CHOSEN, dim};
    queries_there to = queries_to_device(&some, w->set.query_group, width);
    uint32_t *const chosen_there = on_device(chosen, sizeof chosen);
    assert_int_equal(dv_launch_gather(chosen_there, &w->queries.codes, &w->queries.prepared, (int64_t)dim,
                                      (int64_t)width, &to.codes, &to.prepared, NULL),
                     cudaSuccess);
    int8_t *const codes = on_host(w->queries.codes.codes, N_QUERIES * width);
    double *const values = on_host(w->queries.prepared.values, N_QUERIES * dim * sizeof *values);
    double *const norms = on_host(w->queries.prepared.norms, N_QUERIES * sizeof *norms);
    for (size_t i = 0; i < N_CHOSEN; i++) {
        const size_t q = chosen[i];
        expect_on_device(to.codes.codes + i * width, codes + q * width, width);
        expect_on_device(to.codes.scales + i, w->query_scales + q, sizeof(float));
        expect_on_device(to.codes.reaches + i, w->reaches + q, sizeof(float));
        expect_on_device(to.codes.rests + i, w->rests + q, sizeof(float));
        expect_on_device(to.codes.hidden + i, w->set.query_group + q, sizeof(int32_t));
        expect_on_device(to.prepared.values + i * dim, values + q * dim, dim * sizeof *values);
        expect_on_device(to.prepared.norms + i, norms + q, sizeof *norms);
    }
    memset(codes, 0, width);
    expect_on_device(to.codes.codes + (DV_CODED_QUERIES - 1) * width, codes, width);
    free(codes);
    free(values);
    free(norms);
    free_queries(&to);
    free_on_device(chosen_there);
}

static void chosen_queries_are_gathered(void **state) {
    (void)state;
    with_every_kind(expect_gathered);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cosines_lie_within_their_bounds),
        cmocka_unit_test(thresholds_let_wanted_rows_pass),
        cmocka_unit_test(seeds_bound_the_kth_cosine_from_below),
        cmocka_unit_test(hits_that_may_belong_to_the_answer_are_kept),
        cmocka_unit_test(known_neighbours_raise_the_bound),
        cmocka_unit_test(chosen_queries_are_gathered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
