/* Hits and maxima against plain loops over all products. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "kernels/search.h"
#include "simt.h"
#include "simt/device_memory.h"

enum { MOST = 1 << 30, CAPACITY = 60 };

typedef struct problem {
    size_t n, n_padded, n_tiles, width, n_places;
    int8_t *queries, *bank;
    int32_t *rows, *group, *hidden;
    int32_t *sums; /* [n, n_places] */
} problem;

typedef struct on_gpu {
    dv_query_codes queries;
    dv_bank_codes bank;
} on_gpu;

static void *room(size_t n, size_t size) {
    return checked(calloc(n, size));
}

/* Codes of any size, +-127 often; some places without a row, some rows hidden from some queries. */
static problem make_problem(size_t n, size_t n_tiles, size_t width, uint32_t seed) {
    const size_t n_padded = (n + DV_CODED_QUERIES - 1) / DV_CODED_QUERIES * DV_CODED_QUERIES;
    const size_t n_places = n_tiles * DV_CODED_TILE;
    problem made = {n,
                    n_padded,
                    n_tiles,
                    width,
                    n_places,
                    room(n_padded, width),
                    room(n_places, width),
                    room(n_places, sizeof(int32_t)),
                    room(n_places, sizeof(int32_t)),
                    room(n_padded, sizeof(int32_t)),
                    room(n * n_places, sizeof(int32_t))};
    for (size_t i = 0; i < n * width; i++)
        made.queries[i] = (int8_t)(draw(&seed) % 5 == 0 ? 127 : (int)(draw(&seed) % 255) - 127);
    for (size_t i = 0; i < n_places * width; i++)
        made.bank[i] = (int8_t)(draw(&seed) % 5 == 0 ? -127 : (int)(draw(&seed) % 255) - 127);
    for (size_t i = 0; i < n_places; i++) {
        made.rows[i] = draw(&seed) % 9 == 0 ? -1 : (int32_t)i;
        made.group[i] = (int32_t)(i / 16 % 3); /* whole runs of 16 are hidden at once */
    }
    for (size_t i = 0; i < n_padded; i++) made.hidden[i] = (int32_t)(draw(&seed) % 4) - 1;
    for (size_t q = 0; q < n; q++)
        for (size_t i = 0; i < n_places; i++)
            for (size_t j = 0; j < width; j++)
                made.sums[q * n_places + i] += made.queries[q * width + j] * made.bank[i * width + j];
    return made;
}

static void free_problem(problem *old) {
    void *const parts[] = {old->queries, old->bank, old->rows, old->group, old->hidden, old->sums};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) free(parts[i]);
}

static on_gpu to_gpu(const problem *of, int masked) {
    return (on_gpu){.queries = {.codes = on_device(of->queries, of->n_padded * of->width),
                                .hidden = masked ? on_device(of->hidden, of->n_padded * sizeof(int32_t)) : NULL,
                                .n = (int64_t)of->n,
                                .n_padded = (int64_t)of->n_padded},
                    .bank = {.codes = on_device(of->bank, of->n_places * of->width),
                             .rows = on_device(of->rows, of->n_places * sizeof(int32_t)),
                             .group = masked ? on_device(of->group, of->n_places * sizeof(int32_t)) : NULL,
                             .n_tiles = (int64_t)of->n_tiles,
                             .dim_padded = (int64_t)of->width}};
}

static void free_gpu(on_gpu *old) {
    free_on_device(old->queries.codes, old->queries.hidden, old->bank.codes, old->bank.rows, old->bank.group);
    assert_int_equal(simt_n_alive(), 0);
}

static int is_seen(const problem *of, int masked, size_t query, size_t place) {
    return of->rows[place] >= 0 && !(masked && of->hidden[query] != -1 && of->hidden[query] == of->group[place]);
}

/* Thresholds that some sums reach exactly, that all reach and that none does. */
static int32_t *make_thresholds(const problem *of, size_t first_tile, size_t n_tiles, uint32_t *seed) {
    int32_t *const made = room(n_tiles * of->n_padded, sizeof *made);
    for (size_t tile = 0; tile < n_tiles; tile++)
        for (size_t q = 0; q < of->n_padded; q++) {
            int32_t *const at = made + tile * of->n_padded + q;
            *at = MOST;
            if (q >= of->n || q % 11 == 3) continue;
            const int32_t *const sums = of->sums + q * of->n_places + (first_tile + tile) * DV_CODED_TILE;
            for (size_t i = 0; i < 12; i++) { /* the largest of a few, so that some rows pass */
                const int32_t sum = sums[draw(seed) % DV_CODED_TILE];
                *at = *at == MOST || sum > *at ? sum : *at;
            }
            if (q % 13 == 5) *at = -MOST;
        }
    return made;
}

/* Each hit is right and stands once; all are there if they fit. */
static void expect_hits(const problem *of, int masked, size_t query, size_t first, size_t end,
                        const int32_t *thresholds, const dv_hit *hits, uint32_t count) {
    char *const found = room(of->n_places, 1);
    for (size_t i = 0; i < count && i < CAPACITY; i++) {
        assert_in_range(hits[i].position, first, end - 1);
        assert_false(found[hits[i].position]);
        found[hits[i].position] = 1;
        assert_int_equal(hits[i].sum, of->sums[query * of->n_places + hits[i].position]);
    }
    uint32_t expected = 0;
    for (size_t place = first; place < end; place++) {
        const int32_t threshold = thresholds[(place - first) / DV_CODED_TILE * of->n_padded + query];
        const int passes = is_seen(of, masked, query, place) && of->sums[query * of->n_places + place] >= threshold;
        expected += (uint32_t)passes;
        if (count <= CAPACITY || !passes) assert_int_equal(found[place], passes);
    }
    assert_int_equal(count, expected);
    free(found);
}

static void filter(const problem *of, dv_product_shape shape, int masked, size_t first_tile, int64_t n_blocks,
                   uint32_t seed) {
    const size_t n_tiles = of->n_tiles - first_tile, n_hits = of->n_padded * CAPACITY;
    on_gpu there = to_gpu(of, masked);
    int32_t *const thresholds = make_thresholds(of, first_tile, n_tiles, &seed);
    int32_t *const of_gpu = on_device(thresholds, n_tiles * of->n_padded * sizeof *of_gpu);
    const dv_hit_lists lists = {on_device(NULL, n_hits * sizeof(dv_hit)),
                                on_device(NULL, of->n_padded * sizeof(uint32_t)), CAPACITY};
    assert_int_equal(cudaMemset(lists.counts, 0, of->n_padded * sizeof(uint32_t)), cudaSuccess);
    assert_int_equal(dv_launch_filter(shape, &there.queries, &there.bank, (int64_t)first_tile, (int64_t)n_tiles, of_gpu,
                                      &lists, n_blocks, NULL),
                     cudaSuccess);
    dv_hit *const hits = room(n_hits, sizeof *hits);
    uint32_t *const counts = room(of->n_padded, sizeof *counts);
    assert_int_equal(cudaMemcpy(hits, lists.hits, n_hits * sizeof *hits, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(cudaMemcpy(counts, lists.counts, of->n_padded * sizeof *counts, cudaMemcpyDeviceToHost),
                     cudaSuccess);
    for (size_t query = 0; query < of->n_padded; query++)
        if (query >= of->n)
            assert_int_equal(counts[query], 0);
        else
            expect_hits(of, masked, query, first_tile * DV_CODED_TILE, of->n_places, thresholds,
                        hits + query * CAPACITY, counts[query]);
    free(thresholds);
    free(hits);
    free(counts);
    free_on_device(of_gpu, lists.hits, lists.counts);
    free_gpu(&there);
}

static void seed_maxima(const problem *of, dv_product_shape shape, int masked, size_t n_tiles, int64_t n_blocks) {
    const size_t n_maxima = n_tiles * DV_CODED_TILE / DV_SEED_ROWS;
    on_gpu there = to_gpu(of, masked);
    int32_t *const maxima = on_device(NULL, of->n_padded * n_maxima * sizeof *maxima);
    int32_t *const expected = room(of->n * n_maxima, sizeof *expected);
    assert_int_equal(dv_launch_seed(shape, &there.queries, &there.bank, (int64_t)n_tiles, maxima, n_blocks, NULL),
                     cudaSuccess);
    for (size_t query = 0; query < of->n; query++)
        for (size_t i = 0; i < n_maxima; i++) {
            int32_t most = INT32_MIN;
            for (size_t place = i * DV_SEED_ROWS; place < (i + 1) * DV_SEED_ROWS; place++) {
                const int32_t sum = of->sums[query * of->n_places + place];
                if (is_seen(of, masked, query, place) && sum > most) most = sum;
            }
            expected[query * n_maxima + i] = most;
        }
    expect_on_device(maxima, expected, of->n * n_maxima * sizeof *expected);
    free(expected);
    free_on_device(maxima);
    free_gpu(&there);
}

static void products_are_those_of_plain_loops(void **state) {
    (void)state;
    /* Queries, tiles, width: fewer steps than stages, more steps, several query tiles; both shapes, few blocks or many.
     */
    const size_t shapes[][3] = {{3, 2, 64}, {130, 1, 128}, {20, 3, 384}};
    for (uint64_t seed = 0; seed < simt_n_seeds(); seed++) {
        const size_t *const of = shapes[seed % 3];
        simt_set_seed(seed);
        problem made = make_problem(of[0], of[1], of[2], (uint32_t)seed);
        const int masked = seed % 2 == 1;
        const dv_product_shape shape = of[2] % 128 == 0 && seed % 4 < 2 ? DV_PRODUCT_LARGE : DV_PRODUCT_SMALL;
        filter(&made, shape, masked, of[1] > 1 && seed % 5 == 0, seed % 3 == 0 ? 0 : (int64_t)(seed % 3),
               (uint32_t)seed);
        seed_maxima(&made, shape, !masked, of[1] > 1 ? of[1] - 1 : 1, seed % 2 ? 1 : 0);
        free_problem(&made);
    }
}

/* The largest sums there can be neither pass nor fail by a wrapped sign. */
static void extreme_sums_keep_their_sign(void **state) {
    (void)state;
    enum { WIDTH = 32768 };
    problem made = {1,
                    DV_CODED_QUERIES,
                    1,
                    WIDTH,
                    DV_CODED_TILE,
                    room(DV_CODED_QUERIES, WIDTH),
                    room(DV_CODED_TILE, WIDTH),
                    room(DV_CODED_TILE, sizeof(int32_t)),
                    NULL,
                    NULL,
                    NULL};
    for (size_t j = 0; j < WIDTH; j++) {
        made.queries[j] = 127;
        for (size_t i = 0; i < 3; i++) made.bank[i * WIDTH + j] = (int8_t)((int)i * 127 - 127); /* -127, 0, 127 */
    }
    const int32_t thresholds[3] = {-MOST, WIDTH * 127 * 127, MOST};
    const uint32_t expected[3] = {256, 1, 0};
    on_gpu there = to_gpu(&made, 0);
    for (size_t i = 0; i < 3; i++) {
        int32_t table[DV_CODED_QUERIES];
        for (size_t q = 0; q < DV_CODED_QUERIES; q++) table[q] = q == 0 ? thresholds[i] : MOST;
        int32_t *const of_gpu = on_device(table, sizeof table);
        const dv_hit_lists lists = {on_device(NULL, 512 * sizeof(dv_hit)),
                                    on_device((const uint32_t[1]){0}, sizeof(uint32_t)), 512};
        assert_int_equal(dv_launch_filter(DV_PRODUCT_LARGE, &there.queries, &there.bank, 0, 1, of_gpu, &lists, 0, NULL),
                         cudaSuccess);
        expect_on_device(lists.counts, &expected[i], sizeof *expected);
        free_on_device(of_gpu, lists.hits, lists.counts);
    }
    free_gpu(&there);
    free_problem(&made);
}

static void nothing_to_do_is_no_launch(void **state) {
    (void)state;
    const dv_query_codes queries = {.n_padded = DV_CODED_QUERIES};
    const dv_bank_codes bank = {.dim_padded = 64};
    const dv_hit_lists lists = {NULL, NULL, 1};
    simt_fail_launch(1);
    assert_int_equal(dv_launch_filter(DV_PRODUCT_SMALL, &queries, &bank, 0, 0, NULL, &lists, 0, NULL), cudaSuccess);
    assert_int_equal(dv_launch_seed(DV_PRODUCT_SMALL, &queries, &bank, 0, NULL, 0, NULL), cudaSuccess);
    simt_fail_launch(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_plain_loops),
        cmocka_unit_test(extreme_sums_keep_their_sign),
        cmocka_unit_test(nothing_to_do_is_no_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
