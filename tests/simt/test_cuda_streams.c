/* Streams of the search: blocks of queries go up while others are searched, and nothing is allocated on the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "device/cuda/cuda_search.h"
#include "differential/corpus.h"
#include "simt/one_stream.h"
#include "simt/search_answers.h"

enum { N_ROWS = 300, N_QUERIES = 130, DIM = 20, K = 9, N = N_QUERIES * K, N_ALIVE = 1 };

/* A bank, queries with masks and bounds in two blocks, and the answers. */
typedef struct world {
    corpus set;
    double least[N_QUERIES];
    answers expected;
    int64_t *ids; /* there */
    double *cosines;
    dv_cuda_index *index;
} world;

static void make_world(world *w, corpus_kind kind, dv_dtype dtype, const dv_cuda_options *options) {
    corpus_create(kind, dtype, N_ROWS, N_QUERIES, DIM, 1, &w->set);
    for (size_t q = 0; q < N_QUERIES; q++) w->least[q] = q % 3 == 0 ? -INFINITY : (double)(q % 5) / 8;
    w->set.bank.group = w->set.bank_group;
    w->set.queries.group = w->set.query_group;
    w->set.queries.least = w->least;
    w->expected = expected_answers(&w->set.bank, &w->set.queries, K);
    w->ids = on_device(NULL, N * sizeof *w->ids);
    w->cosines = on_device(NULL, N * sizeof *w->cosines);
    assert_ok(dv_cuda_index_create(&w->set.bank, options, stream, &w->index));
}

static void free_world(world *w) {
    dv_cuda_index_free(w->index);
    free_on_device(w->ids, w->cosines);
    assert_int_equal(simt_n_alive(), N_ALIVE);
    free_answers(&w->expected);
    corpus_free(&w->set);
}

static void expect_right(world *w) {
    assert_ok(dv_cuda_search(w->index, &w->set.queries, K, w->ids, w->cosines));
    expect_answers(&w->expected, w->ids, w->cosines, w->set.queries.rows.n_rows * K, K);
}

/* Many pieces, two blocks: what a missing event or wait would break. */
static void queries_go_up_while_others_are_searched(void **state) {
    (void)state;
    static const corpus_kind kinds[] = {CORPUS_ZERO_ROWS, CORPUS_NEAR, CORPUS_RANDOM};
    static const dv_dtype dtypes[] = {DV_F16, DV_BF16, DV_F32, DV_F64};
    const uint64_t n_seeds = simt_n_seeds() < SIMT_N_SETTINGS ? 1 : 8; /* fewer where it is slow */
    for (uint64_t seed = 0; seed < n_seeds; seed++) {
        world w;
        const dv_cuda_options options = {.block_queries = 128,
                                         .first_tiles = 1,
                                         .seed_tiles = 1,
                                         .capacity = seed % 2,
                                         .piece_bytes = 700 + 100 * seed,
                                         .without_codes = seed % 6 == 5};
        simt_set_seed(seed);
        make_world(&w, kinds[seed % 3], dtypes[seed % 4], &options);
        expect_right(&w);
        free_world(&w);
    }
}

static void searches_like_the_last_one_allocate_nothing(void **state) {
    (void)state;
    world w;
    make_world(&w, CORPUS_NEAR, DV_F32, &(dv_cuda_options){.block_queries = 128, .first_tiles = 1, .capacity = 1});
    w.set.queries.rows.n_rows = 3; /* whose lists overflow */
    expect_right(&w);
    const size_t n = simt_n_allocations();
    expect_right(&w);
    assert_true(w.index->stats.n_uncertified > 0);
    w.set.queries.least = NULL; /* nor do those with less to be told */
    w.set.queries.group = NULL;
    w.set.queries.rows.n_rows = 1;
    assert_ok(dv_cuda_search(w.index, &w.set.queries, K, w.ids, w.cosines));
    assert_int_equal(simt_n_allocations(), n);
    free_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_go_up_while_others_are_searched),
        cmocka_unit_test(searches_like_the_last_one_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, open_stream, close_stream);
}
