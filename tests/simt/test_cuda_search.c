/* The whole search on the emulated device against the scan in double that the reference device makes: ids and bits of
 * cosines, on banks that make exact search hard, with sizes that force many chunks, ragged ends, overflow and slices.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda/cuda_search.h"
#include "differential/corpus.h"
#include "simt/one_stream.h"
#include "simt/search_answers.h"

enum { N_ALIVE = 1 };

static const dv_dtype dtypes[4] = {DV_F16, DV_BF16, DV_F32, DV_F64};

/* Under ThreadSanitizer, where fewer queries and turns must do: races are between the threads of a query or a tile. */
static bool is_slow(void) {
    return simt_n_seeds() < SIMT_N_SETTINGS;
}

/* Searches and compares; returns what the index counted. */
static dv_search_stats expect_exact(const dv_bank_rows *bank, const dv_queries *queries, size_t k,
                                    const dv_cuda_options *options) {
    const size_t n = queries->rows.n_rows * k;
    answers expected = expected_answers(bank, queries, k);
    dv_cuda_index *index;
    assert_ok(dv_cuda_index_create(bank, options, stream, &index));
    int64_t *const ids = on_device(NULL, n * sizeof *ids);
    double *const cosines = on_device(NULL, n * sizeof *cosines);
    for (int turn = 0; turn < 2; turn++) { /* the second finds the memory of the first */
        assert_ok(dv_cuda_search(index, queries, k, ids, cosines));
        expect_answers(&expected, ids, cosines, n, k);
        if (n > 100 * k) break;
    }
    const dv_search_stats stats = index->stats;
    dv_cuda_index_free(index);
    free_on_device(ids, cosines);
    assert_int_equal(simt_n_alive(), N_ALIVE);
    free_answers(&expected);
    return stats;
}

/* Plain sizes; small chunks; lists that overflow; no codes; products by the library. */
static const dv_cuda_options all_options[5] = {
    {0},
    {.first_tiles = 1, .most_tiles = 2, .seed_tiles = 1, .n_blocks = 3, .block_queries = 1, .piece_bytes = 1500},
    {.first_tiles = 2, .capacity = 1, .n_blocks = 2, .small_products = true, .piece_bytes = 50000},
    {.without_codes = true},
    {.first_tiles = 1, .capacity = 512, .products = DV_CUDA_BY_LIBRARY, .library_tiles = 1},
};

static void search_set(corpus_kind kind, size_t turn, uint64_t seed) {
    const size_t few = is_slow() ? 3 : 9;
    const size_t sizes[][3] = {{700, few, 24}, {1, 3, 70}, {257, 130, 3}, {900, 2 * few, 100}};
    const size_t neighbours[5] = {1, 5, 30, 64, 300};
    const size_t *const size = sizes[turn % 4];
    corpus set;
    corpus_create(kind, dtypes[(seed + turn) % 4], size[0], size[1], size[2], seed, &set);
    double *const least = checked(malloc(size[1] * sizeof *least));
    for (size_t q = 0; q < size[1]; q++) least[q] = q % 3 == 0 ? -INFINITY : (double)(q % 5) / 4;
    if (turn % 2) {
        set.bank.group = set.bank_group;
        if (turn % 4 == 1 || seed % 2) set.queries.group = set.query_group;
    }
    if (turn % 5 == 2) set.queries.least = least;
    const size_t k = neighbours[(turn + seed) % 5];
    (void)expect_exact(&set.bank, &set.queries, k < size[0] ? k : size[0], &all_options[(seed + turn / 4) % 5]);
    free(least);
    corpus_free(&set);
}

static void answers_are_those_of_the_reference(void **state) {
    (void)state;
    const size_t n_seeds = (size_t)simt_n_seeds();
    for (uint64_t seed = 0; seed < n_seeds; seed++) {
        simt_set_seed(seed);
        for (size_t i = 0; i < 2; i++)
            search_set((corpus_kind)((seed + 3 * i) % CORPUS_N_KINDS), (size_t)seed * 3 + i, seed);
    }
}

/* Rows that differ in the last bits: no bound tells them apart, so lists run over. */
static void overflow_ends_in_the_same_answer(void **state) {
    (void)state;
    corpus set;
    const size_t n_queries = is_slow() ? 5 : 20;
    corpus_create(CORPUS_NEAR, DV_F32, 900, n_queries, 40, 5, &set);
    const dv_cuda_options options = {.first_tiles = 2, .capacity = 512, .seed_tiles = 1};
    const dv_search_stats stats = expect_exact(&set.bank, &set.queries, 20, &options);
    assert_true(stats.n_uncertified > 0);
    assert_int_equal(stats.n_queries, 2 * n_queries);
    assert_int_equal(stats.n_stages, 1);
    set.bank.group = set.bank_group;
    set.queries.group = set.query_group;
    assert_true(expect_exact(&set.bank, &set.queries, 64, &options).n_uncertified > 0);
    corpus_free(&set);
}

/* On a bank that codes tell apart few rows are scored, and which ones is no matter of chance. */
static void few_rows_are_scored_and_always_the_same(void **state) {
    (void)state;
    corpus set;
    const size_t n_queries = is_slow() ? 4 : 16, n_seeds = is_slow() ? 2 : 6;
    corpus_create(CORPUS_RANDOM, DV_F16, 1300, n_queries, 64, 3, &set);
    const dv_cuda_options options = {.first_tiles = 2, .seed_tiles = 2};
    uint64_t n_candidates = 0;
    for (uint64_t seed = 0; seed < n_seeds; seed++) {
        simt_set_seed(seed * 3 + 1);
        const dv_search_stats stats = expect_exact(&set.bank, &set.queries, 5, &options);
        assert_int_equal(stats.n_uncertified, 0);
        assert_in_range(stats.n_candidates, 2 * n_queries * 5, 2 * n_queries * 60);
        if (seed > 0) assert_int_equal(stats.n_candidates, n_candidates);
        n_candidates = stats.n_candidates;
    }
    corpus_free(&set);
}

/* Products by the library give the same hits, so the same rows are scored, and the same queries overflow. */
static void products_by_the_library_change_nothing(void **state) {
    (void)state;
    const corpus_kind kinds[2] = {CORPUS_RANDOM, CORPUS_NEAR};
    for (size_t i = is_slow() ? 1 : 0; i < 2; i++) {
        corpus set;
        corpus_create(kinds[i], DV_F16, 600, 8, 40, 7, &set);
        set.bank.group = set.bank_group;
        set.queries.group = set.query_group;
        dv_cuda_options options = {.first_tiles = 1, .capacity = 512, .seed_tiles = 1};
        const dv_search_stats fused = expect_exact(&set.bank, &set.queries, 10, &options);
        options.products = DV_CUDA_BY_LIBRARY;
        const dv_search_stats stats = expect_exact(&set.bank, &set.queries, 10, &options);
        assert_int_equal(stats.n_candidates, fused.n_candidates);
        assert_int_equal(stats.n_uncertified, fused.n_uncertified);
        assert_int_equal(stats.n_queries, fused.n_queries);
        assert_int_equal(fused.n_uncertified > 0, kinds[i] == CORPUS_NEAR);
        corpus_free(&set);
    }
}

/* More neighbours than a kernel has shared memory for unasked, and more than there is at all. */
static void long_lists_are_found_up_to_a_limit(void **state) {
    (void)state;
    corpus set;
    corpus_create(CORPUS_DUPLICATES, DV_F16, 8000, 2, 3, 4, &set);
    (void)expect_exact(&set.bank, &set.queries, 1900, &(dv_cuda_options){0});
    dv_cuda_index *index;
    assert_ok(dv_cuda_index_create(&set.bank, &(dv_cuda_options){0}, stream, &index));
    assert_int_equal(dv_cuda_search(index, &set.queries, 7937, NULL, NULL), DV_E_BACKEND);
    assert_string_equal(dv_last_error(), "k 7937: the cuda device finds at most 7936 neighbours");
    index->shared_bytes = 99 * 1024;
    assert_int_equal(dv_cuda_search(index, &set.queries, 3841, NULL, NULL), DV_E_BACKEND);
    assert_string_equal(dv_last_error(), "k 3841: takes 131072 bytes of shared memory, this device has 101376");
    dv_cuda_index_free(index);
    corpus_free(&set);
}

static void broken_contracts_are_named(void **state) {
    (void)state;
    float rows[6] = {1, 2, 3, 4, 5, 6};
    const float infinite[4] = {1, 2, 1, INFINITY};
    const int32_t groups[3] = {0, 0, 0};
    const dv_cuda_options options = {0}, without_codes = {.without_codes = true};
    dv_bank_rows bank = {{rows, DV_F32, 3, 2}, NULL};
    dv_cuda_index *index, *exact;
    bank.rows.n_rows = 0;
    assert_int_equal(dv_cuda_index_create(&bank, &options, stream, &index), DV_E_ARG);
    assert_string_equal(dv_last_error(), "bank of 0 rows: an index holds 1..2147483647");
    assert_null(index);
    bank.rows.n_rows = 3;
    rows[3] = NAN;
    assert_int_equal(dv_cuda_index_create(&bank, &options, stream, &index), DV_E_ARG);
    assert_string_equal(dv_last_error(), "bank: row 1: features must be finite");
    rows[3] = 4;
    assert_ok(dv_cuda_index_create(&bank, &options, stream, &index));
    assert_ok(dv_cuda_index_create(&bank, &without_codes, stream, &exact));
    const dv_queries queries = {.rows = {rows, DV_F32, 2, 2}}, masked = {.rows = queries.rows, .group = groups},
                     bad = {.rows = {infinite, DV_F32, 2, 2}}, none = {.rows = {NULL, DV_F32, 0, 2}};
    assert_int_equal(dv_cuda_search(index, &queries, 4, NULL, NULL), DV_E_ARG);
    assert_string_equal(dv_last_error(), "k 4: must be 1..3, the rows of the bank");
    assert_int_equal(dv_cuda_search(index, &masked, 1, NULL, NULL), DV_E_ARG);
    assert_string_equal(dv_last_error(), "queries carry groups to hide: the bank was loaded without groups");
    int64_t *const ids = on_device(NULL, 2 * sizeof *ids);
    double *const cosines = on_device(NULL, 2 * sizeof *cosines);
    assert_int_equal(dv_cuda_search(index, &bad, 1, ids, cosines), DV_E_ARG);
    assert_string_equal(dv_last_error(), "query 1: features must be finite");
    assert_int_equal(dv_cuda_search(exact, &bad, 1, ids, cosines), DV_E_ARG);
    assert_string_equal(dv_last_error(), "query 1: features must be finite");
    free_on_device(ids, cosines);
    assert_ok(dv_cuda_search(index, &none, 1, NULL, NULL));
    dv_cuda_index_free(index);
    dv_cuda_index_free(exact);
    dv_cuda_index_free(NULL);
    assert_int_equal(simt_n_alive(), N_ALIVE);
}

/* Whichever launch fails, the failure is told and nothing is left. */
static void failed_launches_leave_nothing_behind(void **state) {
    (void)state;
    corpus set;
    corpus_create(CORPUS_NEAR, DV_F64, 300, 3, 20, 1, &set);
    set.bank.group = set.bank_group;
    set.queries.group = set.query_group;
    const dv_cuda_options options = {.first_tiles = 1, .capacity = 1, .seed_tiles = 1, .products = DV_CUDA_BY_LIBRARY};
    const int step = is_slow() ? 14 : 1;
    int n_failed = 0;
    for (int at = 1, failed = 1; failed; at += step) {
        int64_t *const ids = on_device(NULL, 3 * 9 * sizeof *ids);
        double *const cosines = on_device(NULL, 3 * 9 * sizeof *cosines);
        simt_fail_launch(at);
        dv_cuda_index *index;
        dv_status status = dv_cuda_index_create(&set.bank, &options, stream, &index);
        if (status == DV_OK) status = dv_cuda_search(index, &set.queries, 9, ids, cosines);
        failed = status != DV_OK;
        n_failed += failed;
        if (failed) assert_int_equal(status, DV_E_BACKEND);
        simt_fail_launch(0);
        if (index) { /* and the index goes on */
            assert_ok(dv_cuda_search(index, &set.queries, 9, ids, cosines));
            dv_cuda_index_free(index);
        }
        free_on_device(ids, cosines);
        assert_int_equal(simt_n_alive(), N_ALIVE);
    }
    assert_true(n_failed > 15 / step);
    corpus_free(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_reference),
        cmocka_unit_test(overflow_ends_in_the_same_answer),
        cmocka_unit_test(few_rows_are_scored_and_always_the_same),
        cmocka_unit_test(long_lists_are_found_up_to_a_limit),
        cmocka_unit_test(broken_contracts_are_named),
        cmocka_unit_test(failed_launches_leave_nothing_behind),
        cmocka_unit_test(products_by_the_library_change_nothing),
    };
    return cmocka_run_group_tests(tests, open_stream, close_stream);
}
