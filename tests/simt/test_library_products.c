/* What is made of products that stand in memory: hits, against those of the fused products and a plain loop; the best
 * of float scores, against a sort; and the search in floats, against doubles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda/cuda_library.h"
#include "device/cuda/cuda_peer.h"
#include "simt/device_memory.h"
#include "simt/one_stream.h"

enum { N_PADDED = DV_CODED_QUERIES, CAPACITY = 70, WIDTH = 64, MOST = 1 << 30 };

enum { N_ALIVE = 1 };

static void *room(size_t n, size_t size) {
    return checked(calloc(n, size));
}

static void assert_ok(dv_status status) {
    if (status != DV_OK) fail_msg("%s", dv_last_error());
}

static int8_t *random_codes(size_t n, uint32_t *seed) {
    int8_t *const made = room(n, 1);
    for (size_t i = 0; i < n; i++) made[i] = (int8_t)((int)(draw(seed) % 255) - 127);
    return made;
}

/* Some queries by some tiles, on the host; some places without a row, some rows hidden from some queries. */
typedef struct problem {
    size_t n, n_tiles, first_tile; /* first_tile: the first that is looked at */
    int masked;
    int8_t *queries, *bank;
    int32_t rows[8 * DV_CODED_TILE], group[8 * DV_CODED_TILE], hidden[N_PADDED];
    int32_t *thresholds; /* [n_tiles - first_tile, N_PADDED] */
} problem;

static int32_t sum_of(const problem *of, size_t query, size_t place) {
    int32_t sum = 0;
    for (size_t i = 0; i < WIDTH; i++) sum += of->queries[query * WIDTH + i] * of->bank[place * WIDTH + i];
    return sum;
}

static problem *make_problem(size_t n, size_t n_tiles, size_t first_tile, int masked, uint32_t seed) {
    problem *const made = room(1, sizeof *made);
    made->n = n;
    made->n_tiles = n_tiles;
    made->first_tile = first_tile;
    made->masked = masked;
    made->queries = random_codes(N_PADDED * WIDTH, &seed);
    made->bank = random_codes(n_tiles * DV_CODED_TILE * WIDTH, &seed);
    for (size_t i = 0; i < n_tiles * DV_CODED_TILE; i++) {
        made->rows[i] = draw(&seed) % 9 == 0 ? -1 : (int32_t)i;
        made->group[i] = (int32_t)(draw(&seed) % 3);
    }
    for (size_t i = 0; i < N_PADDED; i++) made->hidden[i] = (int32_t)(draw(&seed) % 4) - 1;
    made->thresholds = room((n_tiles - first_tile) * N_PADDED, sizeof *made->thresholds);
    for (size_t tile = first_tile; tile < n_tiles; tile++)
        for (size_t q = 0; q < N_PADDED; q++) { /* reached by one row to the unit, by all, by none */
            const int32_t reached = sum_of(made, q, tile * DV_CODED_TILE + draw(&seed) % DV_CODED_TILE);
            made->thresholds[(tile - first_tile) * N_PADDED + q] = q >= n || q % 7 == 3  ? MOST
                                                                   : q % 7 == 5          ? -MOST
                                                                   : reached > 60 * 1000 ? reached
                                                                                         : 60 * 1000;
        }
    return made;
}

static void free_problem(problem *old) {
    free(old->queries);
    free(old->bank);
    free(old->thresholds);
    free(old);
}

typedef struct found {
    dv_hit hits[N_PADDED][CAPACITY];
    uint32_t counts[N_PADDED];
} found;

static int by_position(const void *a, const void *b) {
    const dv_hit *const x = a, *const y = b;
    return x->position < y->position ? -1 : x->position > y->position;
}

/* library NULL: by the fused products. Lists come sorted. */
static void find(const problem *of, dv_cuda_library *library, found *out) {
    const size_t n_places = of->n_tiles * DV_CODED_TILE, n_tiles = of->n_tiles - of->first_tile;
    const dv_query_codes queries = {.codes = on_device(of->queries, N_PADDED * WIDTH),
                                    .hidden = of->masked ? on_device(of->hidden, sizeof of->hidden) : NULL,
                                    .n = (int64_t)of->n,
                                    .n_padded = N_PADDED};
    const dv_bank_codes bank = {.codes = on_device(of->bank, n_places * WIDTH),
                                .rows = on_device(of->rows, n_places * sizeof(int32_t)),
                                .group = of->masked ? on_device(of->group, n_places * sizeof(int32_t)) : NULL,
                                .n_tiles = (int64_t)of->n_tiles,
                                .dim_padded = WIDTH};
    int32_t *const thresholds = on_device(of->thresholds, n_tiles * N_PADDED * sizeof *thresholds);
    memset(out, 0, sizeof *out);
    const dv_hit_lists lists = {on_device(out->hits, sizeof out->hits), on_device(out->counts, sizeof out->counts),
                                CAPACITY};
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    if (library)
        assert_ok(dv_cuda_library_filter(library, &queries, &bank, (int64_t)of->first_tile, (int64_t)n_tiles,
                                         thresholds, &lists, stream));
    else
        assert_int_equal(dv_launch_filter(DV_PRODUCT_SMALL, &queries, &bank, (int64_t)of->first_tile, (int64_t)n_tiles,
                                          thresholds, &lists, 0, stream),
                         cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    assert_int_equal(cudaMemcpy(out->hits, lists.hits, sizeof out->hits, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(cudaMemcpy(out->counts, lists.counts, sizeof out->counts, cudaMemcpyDeviceToHost), cudaSuccess);
    for (size_t q = 0; q < N_PADDED; q++)
        qsort(out->hits[q], out->counts[q] < CAPACITY ? out->counts[q] : CAPACITY, sizeof(dv_hit), by_position);
    free_on_device(queries.codes, queries.hidden, bank.codes, bank.rows, bank.group, thresholds, lists.hits,
                   lists.counts);
}

/* All hits of a query by a plain loop, in the order of positions. */
static uint32_t expected_hits(const problem *of, size_t query, dv_hit *hits) {
    uint32_t n = 0;
    for (size_t place = of->first_tile * DV_CODED_TILE; place < of->n_tiles * DV_CODED_TILE; place++) {
        const int32_t hidden = of->masked ? of->hidden[query] : -1, sum = sum_of(of, query, place);
        if (of->rows[place] < 0 || (hidden != -1 && of->group[place] == hidden)) continue;
        if (sum < of->thresholds[(place / DV_CODED_TILE - of->first_tile) * N_PADDED + query]) continue;
        hits[n++] = (dv_hit){(uint32_t)place, sum};
    }
    return n;
}

static void expect_hits(const problem *of, const found *by_library, const found *fused) {
    static dv_hit expected[8 * DV_CODED_TILE];
    for (size_t q = 0; q < N_PADDED; q++) {
        const uint32_t n = expected_hits(of, q, expected);
        assert_int_equal(by_library->counts[q], n);
        assert_int_equal(fused->counts[q], n);
        if (n <= CAPACITY) {
            assert_memory_equal(by_library->hits[q], expected, n * sizeof *expected);
            assert_memory_equal(fused->hits[q], expected, n * sizeof *expected);
            continue;
        }
        for (size_t i = 0; i < CAPACITY; i++) { /* some of them, each once */
            const dv_hit one = by_library->hits[q][i];
            assert_true(i == 0 || by_library->hits[q][i - 1].position < one.position);
            assert_non_null(bsearch(&one, expected, n, sizeof one, by_position));
            assert_int_equal(one.sum, sum_of(of, q, one.position));
        }
    }
}

static void hits_are_those_of_the_fused_products(void **state) {
    (void)state;
    /* Queries, tiles, the first that is looked at, tiles of a product: ragged ends, one product, several. */
    const size_t sizes[][4] = {{3, 2, 0, 0}, {128, 4, 1, 2}, {20, 1, 0, 1}, {127, 3, 0, 1}};
    found *const by_library = room(1, sizeof *by_library), *const fused = room(1, sizeof *fused);
    for (uint64_t seed = 0; seed < simt_n_seeds(); seed++) {
        const size_t *const size = sizes[seed % 4];
        simt_set_seed(seed);
        problem *const made = make_problem(size[0], size[1], size[2], seed % 3 > 0, (uint32_t)seed);
        dv_cuda_library library = {0};
        assert_ok(dv_cuda_library_open(&library, size[3]));
        find(made, &library, by_library);
        find(made, NULL, fused);
        expect_hits(made, by_library, fused);
        dv_cuda_library_close(&library);
        dv_cuda_library_close(&library); /* a closed one stays closed */
        assert_int_equal(simt_n_alive(), N_ALIVE);
        free_problem(made);
    }
    free(by_library);
    free(fused);
}

typedef struct scored {
    float score;
    int64_t row;
} scored;

static int better_first(const void *a, const void *b) {
    const scored *const x = a, *const y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* The k best of n scores by a sort. */
static void expected_best(const float *scores, size_t n, size_t k, int64_t *ids, float *best) {
    scored *const all = room(n, sizeof *all);
    size_t n_scored = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(scores[i])) all[n_scored++] = (scored){scores[i] + 0.0F, (int64_t)i};
    qsort(all, n_scored, sizeof *all, better_first);
    for (size_t i = 0; i < k; i++) {
        ids[i] = i < n_scored ? all[i].row : -1;
        best[i] = i < n_scored ? all[i].score : -2.0F;
    }
    free(all);
}

/* Few values, so that many are equal; zeros of both signs, infinities, NaN. */
static float drawn_score(size_t kind, size_t row, uint32_t *seed) {
    static const float odd[6] = {0.0F, -0.0F, INFINITY, -INFINITY, NAN, -0x1p-149F};
    const uint32_t one = draw(seed);
    if (kind == 0) return (float)row * 0x1p-12F;          /* rising: all of them are kept for a while */
    if (kind == 1) return (float)(one % 7) / 8.0F - 0.5F; /* equal ones */
    if (one % 5 == 0) return odd[one / 5 % 6];
    return ((float)(one % 4096) - 2048.0F) * 0x1p-11F;
}

static void selects(size_t kind, size_t n, size_t n_rows, size_t tile, size_t k, uint32_t seed) {
    float *const scores = room(n * n_rows, sizeof *scores), *const part = room(n * tile, sizeof *part);
    for (size_t i = 0; i < n * n_rows; i++) scores[i] = drawn_score(kind, i % n_rows, &seed);
    int64_t *const expected_ids = room(n * k, sizeof *expected_ids);
    float *const expected = room(n * k, sizeof *expected);
    int64_t *const ids = on_device(NULL, n * k * sizeof *ids);
    float *const best = on_device(NULL, n * k * sizeof *best), *const there = on_device(NULL, n * tile * sizeof *there);
    for (size_t first = 0; first < n_rows; first += tile) {
        const size_t length = n_rows - first < tile ? n_rows - first : tile;
        for (size_t q = 0; q < n; q++) memcpy(part + q * length, scores + q * n_rows + first, length * sizeof *part);
        assert_int_equal(cudaMemcpyAsync(there, part, n * length * sizeof *part, cudaMemcpyHostToDevice, stream),
                         cudaSuccess);
        assert_int_equal(dv_launch_select_scores(there, (int64_t)n, (int64_t)length, (int64_t)first, (int64_t)k,
                                                 first > 0, ids, best, stream),
                         cudaSuccess);
        assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    }
    for (size_t q = 0; q < n; q++)
        expected_best(scores + q * n_rows, n_rows, k, expected_ids + q * k, expected + q * k);
    expect_on_device(ids, expected_ids, n * k * sizeof *ids);
    expect_on_device(best, expected, n * k * sizeof *best);
    free(scores);
    free(part);
    free(expected_ids);
    free(expected);
    free_on_device(ids, best, there);
}

static void the_best_scores_are_those_of_a_sort(void **state) {
    (void)state;
    /* Rows, rows of a tile, k: fewer rows than k, several rounds, no room beside k, several tiles. */
    const size_t sizes[][3] = {{5, 5, 8}, {1300, 1300, 1}, {3300, 3300, 30}, {2100, 2100, 1024}, {700, 100, 100}};
    for (uint64_t seed = 0; seed < simt_n_seeds(); seed++) {
        simt_set_seed(seed);
        const size_t *const size = sizes[seed % 5];
        selects(seed % 3, 1 + seed % 2, size[0], size[1], size[2], (uint32_t)seed);
    }
}

/* Unit rows whose cosines with the queries, multiples of 1 / 16, are exact in f32 in any order: 16 elements of
 * +-1 / 4. */
static float *signed_rows(size_t n, uint32_t *seed) {
    float *const made = room(n * 16, sizeof *made);
    for (size_t i = 0; i < n * 16; i++) made[i] = draw(seed) % 2 ? 0.25F : -0.25F;
    return made;
}

static void search_in_floats_finds_what_floats_can_tell(void **state) {
    (void)state;
    enum { N = 3, N_ROWS = 700, DIM = 16, K = 20 };
    uint32_t seed = 5;
    float *const queries = signed_rows(N, &seed), *const bank = signed_rows(N_ROWS, &seed);
    int64_t expected_ids[N * K];
    float expected[N * K], row_scores[N_ROWS];
    for (size_t q = 0; q < N; q++) {
        for (size_t row = 0; row < N_ROWS; row++) {
            double sum = 0.0;
            for (size_t i = 0; i < DIM; i++) sum += (double)queries[q * DIM + i] * bank[row * DIM + i];
            row_scores[row] = (float)sum;
        }
        expected_best(row_scores, N_ROWS, K, expected_ids + q * K, expected + q * K);
    }
    for (size_t tile_rows = 0; tile_rows <= 300; tile_rows += 100) {
        size_t n_bytes;
        dv_gemm *gemm;
        simt_set_seed(tile_rows);
        assert_ok(dv_gemm_open(NULL, &gemm));
        assert_ok(dv_cuda_sgemm_topk_workspace(N, N_ROWS, tile_rows, &n_bytes));
        assert_int_equal(n_bytes, N * (tile_rows ? tile_rows : N_ROWS) * sizeof(float));
        float *const workspace = on_device(NULL, n_bytes), *const scores = on_device(NULL, sizeof expected);
        int64_t *const ids = on_device(NULL, sizeof expected_ids);
        float *const queries_there = on_device(queries, N * DIM * sizeof(float));
        float *const bank_there = on_device(bank, N_ROWS * DIM * sizeof(float));
        const dv_unit_matrix asked = {queries_there, N, DIM}, held = {bank_there, N_ROWS, DIM};
        assert_ok(dv_cuda_sgemm_topk(gemm, &asked, &held, K, tile_rows, workspace, ids, scores, stream));
        assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
        expect_on_device(ids, expected_ids, sizeof expected_ids);
        expect_on_device(scores, expected, sizeof expected);
        free_on_device(workspace, scores, ids, queries_there, bank_there);
        dv_gemm_close(gemm);
        assert_int_equal(simt_n_alive(), N_ALIVE);
    }
    free(queries);
    free(bank);
}

static void broken_contracts_of_the_peer_are_named(void **state) {
    (void)state;
    size_t n_bytes;
    const dv_unit_matrix one = {NULL, 1, 4}, wider = {NULL, 1, 5}, none = {NULL, 0, 4};
    assert_int_equal(dv_cuda_sgemm_topk(NULL, &one, &wider, 1, 0, NULL, NULL, NULL, NULL), DV_E_ARG);
    assert_string_equal(dv_last_error(), "queries of dim 4, bank of dim 5");
    assert_int_equal(dv_cuda_sgemm_topk(NULL, &one, &none, 1, 0, NULL, NULL, NULL, NULL), DV_E_ARG);
    assert_string_equal(dv_last_error(), "1 queries, bank of 0 rows: a search takes at most 2147483647 of each");
    assert_int_equal(dv_cuda_sgemm_topk(NULL, &one, &one, 1025, 0, NULL, NULL, NULL, NULL), DV_E_ARG);
    assert_string_equal(dv_last_error(), "k 1025: must be 1..1024");
    assert_ok(dv_cuda_sgemm_topk(NULL, &none, &one, 1, 0, NULL, NULL, NULL, NULL));
    assert_int_equal(dv_cuda_sgemm_topk_workspace(SIZE_MAX / 2, 100, 0, &n_bytes), DV_E_NOMEM);
}

static void nothing_to_do_is_no_launch(void **state) {
    (void)state;
    const dv_query_codes queries = {.n_padded = N_PADDED}, no_queries = {.n_padded = 0};
    const dv_bank_codes bank = {.dim_padded = WIDTH};
    const dv_hit_lists lists = {NULL, NULL, 1};
    simt_fail_launch(1);
    assert_int_equal(dv_launch_filter_scores(&queries, &bank, 0, 0, NULL, NULL, &lists, NULL), cudaSuccess);
    assert_int_equal(dv_launch_filter_scores(&no_queries, &bank, 0, 1, NULL, NULL, &lists, NULL), cudaSuccess);
    assert_int_equal(dv_launch_select_scores(NULL, 0, 1, 0, 1, 0, NULL, NULL, NULL), cudaSuccess);
    simt_fail_launch(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_are_those_of_the_fused_products),
        cmocka_unit_test(the_best_scores_are_those_of_a_sort),
        cmocka_unit_test(search_in_floats_finds_what_floats_can_tell),
        cmocka_unit_test(broken_contracts_of_the_peer_are_named),
        cmocka_unit_test(nothing_to_do_is_no_launch),
    };
    return cmocka_run_group_tests(tests, open_stream, close_stream);
}
