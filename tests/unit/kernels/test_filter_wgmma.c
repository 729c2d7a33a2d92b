/* The filter by wgmma on a model of what it takes of compute capability 9.0a (hopper/simt_wgmma.h), against plain
 * loops: its barriers, stages, clusters and the places of its sums. Not a word about the hardware. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/search.h"

enum { MOST = 1 << 30 };

typedef struct problem {
    size_t n, n_padded, n_tiles, first_tile, width, n_places;
    dv_query_codes queries;
    dv_bank_codes bank;
    int32_t *thresholds; /* [n_tiles - first_tile, n_padded] */
    int32_t *sums;       /* [n, n_places] */
} problem;

static uint32_t draw(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void *room(size_t n, size_t size) {
    void *const made = calloc(n, size);
    assert_non_null(made);
    return made;
}

static void fill_codes(int8_t *codes, size_t n, uint32_t *seed) {
    for (size_t i = 0; i < n; i++) codes[i] = (int8_t)((int)(draw(seed) % 255) - 127);
}

/* Thresholds that some sums reach exactly, that all reach and that none does. */
static void set_thresholds(problem *of, uint32_t *seed) {
    for (size_t tile = of->first_tile; tile < of->n_tiles; tile++)
        for (size_t q = 0; q < of->n_padded; q++) {
            int32_t *const at = of->thresholds + (tile - of->first_tile) * of->n_padded + q;
            *at = MOST;
            if (q >= of->n || q % 11 == 3) continue;
            *at = q % 13 == 5 ? -MOST : of->sums[q * of->n_places + tile * DV_CODED_TILE + draw(seed) % DV_CODED_TILE];
        }
}

static problem make_problem(size_t n, size_t n_tiles, size_t first_tile, size_t width) {
    const size_t n_padded = (n + DV_CODED_QUERIES - 1) / DV_CODED_QUERIES * DV_CODED_QUERIES;
    const size_t n_places = n_tiles * DV_CODED_TILE;
    uint32_t seed = (uint32_t)(n + width);
    problem made = {.n = n,
                    .n_padded = n_padded,
                    .n_tiles = n_tiles,
                    .first_tile = first_tile,
                    .width = width,
                    .n_places = n_places,
                    .queries = {.codes = room(n_padded, width),
                                .hidden = room(n_padded, sizeof(int32_t)),
                                .n = (int64_t)n,
                                .n_padded = (int64_t)n_padded},
                    .bank = {.codes = room(n_places, width),
                             .rows = room(n_places, sizeof(int32_t)),
                             .group = room(n_places, sizeof(int32_t)),
                             .n_tiles = (int64_t)n_tiles,
                             .dim_padded = (int64_t)width},
                    .thresholds = room((n_tiles - first_tile) * n_padded, sizeof(int32_t)),
                    .sums = room(n * n_places, sizeof(int32_t))};
    fill_codes(made.queries.codes, n * width, &seed);
    fill_codes(made.bank.codes, n_places * width, &seed);
    for (size_t i = 0; i < n_places; i++) {
        made.bank.rows[i] = draw(&seed) % 9 == 0 ? -1 : (int32_t)i;
        made.bank.group[i] = (int32_t)(i / 16 % 3);
    }
    for (size_t i = 0; i < n_padded; i++) made.queries.hidden[i] = (int32_t)(draw(&seed) % 4) - 1;
    for (size_t q = 0; q < n; q++)
        for (size_t i = 0; i < n_places; i++)
            for (size_t j = 0; j < width; j++)
                made.sums[q * n_places + i] += made.queries.codes[q * width + j] * made.bank.codes[i * width + j];
    set_thresholds(&made, &seed);
    return made;
}

static void free_problem(problem *old) {
    void *const parts[] = {old->queries.codes, old->queries.hidden, old->bank.codes, old->bank.rows,
                           old->bank.group,    old->thresholds,     old->sums};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) free(parts[i]);
}

static int passes(const problem *of, size_t query, size_t place) {
    const int32_t hidden = of->queries.hidden[query];
    const int is_seen = of->bank.rows[place] >= 0 && (hidden == -1 || of->bank.group[place] != hidden);
    const int32_t threshold = of->thresholds[(place / DV_CODED_TILE - of->first_tile) * of->n_padded + query];
    return is_seen && of->sums[query * of->n_places + place] >= threshold;
}

/* Each hit is right and stands once, and all are there. */
static void expect_hits(const problem *of, size_t query, const dv_hit *hits, uint32_t count) {
    const size_t first = of->first_tile * DV_CODED_TILE;
    char *const found = room(of->n_places, 1);
    uint32_t expected = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert_in_range(hits[i].position, first, of->n_places - 1);
        assert_true(passes(of, query, hits[i].position));
        assert_int_equal(hits[i].sum, of->sums[query * of->n_places + hits[i].position]);
        assert_false(found[hits[i].position]);
        found[hits[i].position] = 1;
    }
    for (size_t place = first; place < of->n_places; place++) expected += (uint32_t)passes(of, query, place);
    assert_int_equal(count, expected);
    free(found);
}

static void filter(const problem *of, int cluster, int64_t n_blocks) {
    const dv_hit_lists lists = {room(of->n_padded * of->n_places, sizeof(dv_hit)), room(of->n_padded, sizeof(uint32_t)),
                                (int64_t)of->n_places};
    assert_int_equal(dv_launch_filter_wgmma(cluster, &of->queries, &of->bank, (int64_t)of->first_tile,
                                            (int64_t)(of->n_tiles - of->first_tile), of->thresholds, &lists, n_blocks,
                                            NULL),
                     0);
    for (size_t query = 0; query < of->n; query++)
        expect_hits(of, query, lists.hits + query * of->n_places, lists.counts[query]);
    for (size_t query = of->n; query < of->n_padded; query++) assert_int_equal(lists.counts[query], 0);
    free(lists.hits);
    free(lists.counts);
}

/* One step and no second product; more steps than stages, several products a block, a first tile; an odd number of
 * query tiles, so that one of a pair of blocks has none. Late products and early ones: by block. */
static void hits_are_those_of_plain_loops(void **state) {
    (void)state;
    const size_t sizes[3][4] = {{3, 1, 0, 128}, {130, 3, 1, 768}, {260, 2, 0, 384}};
    assert_true(dv_wgmma_is_built());
    for (size_t i = 0; i < 3; i++) {
        problem made = make_problem(sizes[i][0], sizes[i][1], sizes[i][2], sizes[i][3]);
        for (int cluster = 1; cluster <= 2; cluster++) filter(&made, cluster, i == 1 ? 2 : 1);
        free_problem(&made);
    }
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    const dv_query_codes queries = {.n_padded = DV_CODED_QUERIES};
    const dv_bank_codes narrow = {.dim_padded = 64};
    const dv_hit_lists lists = {NULL, NULL, 1};
    assert_int_equal(dv_launch_filter_wgmma(1, &queries, &narrow, 0, 1, NULL, &lists, 0, NULL), 1);
    assert_int_equal(dv_launch_filter_wgmma(1, &queries, &narrow, 0, 0, NULL, &lists, 0, NULL), 0); /* nothing to do */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_are_those_of_plain_loops),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
