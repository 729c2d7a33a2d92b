/* Searches on several emulated devices, the bank on each of them or split among them, against the scan in double that
 * the reference device makes: ids and bits of cosines do not tell how many there were. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "cuda_runtime_api.h"
#include "device/cuda/cuda_search.h"
#include "device/cuda/cuda_shards.h"
#include "differential/corpus.h"
#include "simt.h"
#include "simt/search_answers.h"

enum { N_GPUS = 3, N_ALIVE = N_GPUS, ONE_GIB = 1 << 30 };

static const dv_dtype dtypes[4] = {DV_F16, DV_BF16, DV_F32, DV_F64};

/* For all tests: the race detector keeps the threads of a stream, and making them is dear. */
static dv_cuda_gpus gpus;

/* Under ThreadSanitizer, where fewer turns must do. */
static bool is_slow(void) {
    return simt_n_seeds() < SIMT_N_SETTINGS;
}

/* The first n of them. */
static dv_cuda_gpus some_gpus(size_t n) {
    return (dv_cuda_gpus){.each = gpus.each, .n = n, .pool = gpus.pool};
}

static void expect_failure(dv_status status, dv_status expected, const char *message) {
    assert_int_equal(status, expected);
    assert_string_equal(dv_last_error(), message);
}

/* Searches and compares; returns what was counted. */
static dv_search_stats expect_exact(const dv_cuda_gpus *on, const dv_bank_rows *bank, const dv_queries *queries,
                                    size_t k, const dv_cuda_options *options, const dv_cuda_spread *spread) {
    const size_t n = queries->rows.n_rows * k;
    answers expected = expected_answers(bank, queries, k), found = room_for(n);
    dv_cuda_shards *shards;
    dv_search_stats stats;
    assert_ok(dv_cuda_shards_create(on, bank, options, spread, &shards));
    int64_t *const ids = on_device(NULL, n * sizeof *ids);
    double *const cosines = on_device(NULL, n * sizeof *cosines);
    assert_ok(dv_cuda_shards_search(shards, queries, k, ids, cosines));
    assert_int_equal(cudaMemcpy(found.ids, ids, n * sizeof *ids, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(cudaMemcpy(found.cosines, cosines, n * sizeof *cosines, cudaMemcpyDeviceToHost), cudaSuccess);
    for (size_t i = 0; i < n; i++)
        if (found.ids[i] != expected.ids[i])
            fail_msg("%zu shards, layout %d, query %zu, place %zu: row %d at %a, expected %d at %a", spread->n_shards,
                     (int)spread->layout, i / k, i % k, (int)found.ids[i], found.cosines[i], (int)expected.ids[i],
                     expected.cosines[i]);
    assert_memory_equal(found.cosines, expected.cosines, n * sizeof *found.cosines);
    dv_cuda_shards_stats(shards, &stats);
    assert_int_equal(stats.n_queries, queries->rows.n_rows);
    dv_cuda_shards_free(shards);
    free_on_device(ids, cosines);
    assert_int_equal(simt_n_alive(), N_ALIVE);
    free_answers(&expected);
    free_answers(&found);
    return stats;
}

static const dv_bank_rows standard = {{NULL, DV_F16, 1024000, 768}, NULL};

/* Per row 2 x 768 stored, 12 of norm and peak, 768 + 4 of code; 8 per tile of 256. */
static void memory_says_whether_a_bank_is_replicated(void **state) {
    (void)state;
    const int32_t groups[1] = {0};
    const size_t n_bytes = 1024000u * (1536u + 12u + 772u) + 4000u * 8u;
    const size_t needed = n_bytes + 4096u * (3u * 8u * 768u + 65536u) + (256u << 20);
    const dv_bank_rows ragged = {{NULL, DV_F64, 257, 3}, groups}, wide = {{NULL, DV_F32, 256, 65}, NULL};
    assert_int_equal(dv_cuda_index_bytes(&standard), n_bytes);
    assert_int_equal(dv_cuda_layout_choose(&standard, (needed + 84) / 85 * 100), DV_CUDA_REPLICATED);
    assert_int_equal(dv_cuda_layout_choose(&standard, needed / 85 * 100 - 100), DV_CUDA_SPLIT);
    assert_int_equal(dv_cuda_layout_choose(&standard, 0), DV_CUDA_SPLIT);
    /* The second tile is padded; exponents, and groups twice. */
    assert_int_equal(dv_cuda_index_bytes(&ragged), 257 * (24 + 8 + 4 + 4 + 4) + 512 * (64 + 4 + 4) + 2 * 8);
    assert_int_equal(dv_cuda_index_bytes(&wide), 256 * (260 + 12 + 128 + 4) + 8);
}

static void shards_follow_one_another(void **state) {
    (void)state;
    const size_t of_ten[4] = {0, 4, 7, 10};
    for (size_t i = 0; i < 4; i++) assert_int_equal(dv_cuda_first_row(10, 3, i), of_ten[i]);
    for (size_t i = 0; i <= 5; i++) assert_int_equal(dv_cuda_first_row(5, 5, i), i);
    assert_int_equal(dv_cuda_first_row(7, 1, 1), 7);
}

/* Plain sizes; small chunks; lists that overflow; no codes. */
static const dv_cuda_options all_options[4] = {
    {0},
    {.first_tiles = 1, .most_tiles = 2, .seed_tiles = 1, .n_blocks = 2, .block_queries = 1},
    {.first_tiles = 2, .capacity = 1, .n_blocks = 2, .small_products = true},
    {.without_codes = true},
};

/* A data set, a spread and a way to search, all drawn. */
static void search_one(uint64_t seed) {
    static const size_t sizes[][3] = {{300, 9, 24}, {100, 3, 70}, {40, 5, 3}, {530, 6, 65}};
    static const size_t neighbours[5] = {5, 64, 1, 30, 300}, n_shards[5] = {0, 2, 3, 8, 1}, most_queries[3] = {0, 2, 4};
    corpus_random random = {seed};
    const size_t *const size = sizes[corpus_below(&random, 4)];
    const size_t k = neighbours[corpus_below(&random, 5)];
    const dv_cuda_gpus on = some_gpus(1 + corpus_below(&random, N_GPUS));
    const dv_cuda_spread spread = {.n_shards = n_shards[corpus_below(&random, 5)],
                                   .layout = (dv_cuda_layout)corpus_below(&random, 3),
                                   .most_queries = most_queries[corpus_below(&random, 3)]};
    corpus set;
    corpus_create((corpus_kind)corpus_below(&random, CORPUS_N_KINDS), dtypes[corpus_below(&random, 4)], size[0],
                  size[1], size[2], seed, &set);
    double *const least = checked(malloc(size[1] * sizeof *least));
    for (size_t q = 0; q < size[1]; q++) least[q] = q % 3 == 0 ? -INFINITY : (double)(q % 5) / 4;
    if (corpus_below(&random, 2)) set.bank.group = set.bank_group;
    if (set.bank.group && corpus_below(&random, 2)) set.queries.group = set.query_group;
    if (corpus_below(&random, 4) == 0) set.queries.least = least;
    (void)expect_exact(&on, &set.bank, &set.queries, k < size[0] ? k : size[0], &all_options[corpus_below(&random, 4)],
                       &spread);
    free(least);
    corpus_free(&set);
}

static void any_number_of_shards_gives_the_same_answer(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < (is_slow() ? 5 : 36); seed++) {
        simt_set_seed(seed);
        search_one(seed);
    }
}

/* Equal rows in every shard, more neighbours than a shard has rows, and a last shard that is shorter. */
static void ties_across_shards_go_to_the_lower_row(void **state) {
    (void)state;
    static const float rows[2 * 11] = {3, 4, 6, 8, 4, 3, 3, 4, 0, 0, 3, 4, 4, 3, 3, 4, 8, 6, 3, 4, -3, -4};
    static const float query[2 * 2] = {3, 4, 0, 0};
    static const int32_t groups[11] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0}, hidden[2] = {1, -1};
    static const int64_t best[9] = {0, 1, 3, 5, 7, 9, 2, 6, 8}, first[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const int64_t seen[9] = {0, 1, 5, 7, 2, 6, 8, 4, 10};
    const dv_bank_rows bank = {{rows, DV_F32, 11, 2}, groups};
    const dv_queries plain = {.rows = {query, DV_F32, 2, 2}}, masked = {.rows = plain.rows, .group = hidden};
    for (size_t n = 2; n <= (is_slow() ? 2 : 12); n += 5)
        for (size_t is_masked = 0; is_masked < 2; is_masked++) {
            const dv_cuda_spread spread = {.n_shards = n, .layout = DV_CUDA_SPLIT};
            const dv_cuda_options options = {0};
            dv_cuda_shards *shards;
            int64_t *const ids = on_device(NULL, 18 * sizeof *ids);
            double *const cosines = on_device(NULL, 18 * sizeof *cosines);
            assert_ok(dv_cuda_shards_create(&gpus, &bank, &options, &spread, &shards));
            assert_int_equal(shards->spread.n_shards, n < 11 ? n : 11);
            assert_ok(dv_cuda_shards_search(shards, is_masked ? &masked : &plain, 9, ids, cosines));
            expect_on_device(ids, is_masked ? seen : best, sizeof best);
            expect_on_device(ids + 9, first, sizeof first);
            dv_cuda_shards_free(shards);
            free_on_device(ids, cosines);
        }
    assert_int_equal(simt_n_alive(), N_ALIVE);
}

/* The same bank and queries: which rows are scored depends on the shards, never on which thread was first. */
static void counts_repeat(void **state) {
    (void)state;
    corpus set;
    corpus_create(CORPUS_RANDOM, DV_F16, is_slow() ? 90 : 900, 6, 24, 3, &set);
    const dv_cuda_options options = {.first_tiles = 1, .seed_tiles = 1};
    for (size_t i = is_slow() ? 1 : 0; i < 2; i++) {
        const dv_cuda_spread spread = {.n_shards = 3, .layout = i ? DV_CUDA_SPLIT : DV_CUDA_REPLICATED};
        uint64_t n_candidates = 0;
        for (uint64_t seed = 0; seed < (is_slow() ? 1 : 3); seed++) {
            simt_set_seed(seed);
            const dv_search_stats stats = expect_exact(&gpus, &set.bank, &set.queries, 5, &options, &spread);
            assert_int_equal(stats.n_uncertified, 0);
            assert_int_equal(stats.n_stages, 1);
            if (seed > 0) assert_int_equal(stats.n_candidates, n_candidates);
            n_candidates = stats.n_candidates;
        }
    }
    corpus_free(&set);
}

/* Work on the first device that still reads the lists of the search before. Only the race detector sees whether the
 * other devices wait for it: here it is nearly always done in time. */
static void queued_work_reads_what_it_was_given(void **state) {
    (void)state;
    enum { N = 4 };
    static const float rows[8] = {1, 0, 0, 1, 1, 1, -1, 1}, query[2 * N] = {1, 0, 1, 0, 1, 0, 1, 0};
    static const int64_t old_ids[N] = {3, 2, 1, 0};
    static const double old[N] = {0.25, 0.5, 0.75, 0.125}, none[N] = {-1, -1, -1, -1};
    static const uint32_t all[N] = {0, 1, 2, 3};
    const dv_bank_rows bank = {{rows, DV_F32, 4, 2}, NULL};
    const dv_queries queries = {.rows = {query, DV_F32, N, 2}};
    const dv_cuda_options options = {0};
    for (uint64_t seed = 0; seed < (is_slow() ? 2 : 6); seed++) {
        const dv_cuda_spread spread = {.layout = seed % 2 ? DV_CUDA_SPLIT : DV_CUDA_REPLICATED, .most_queries = 2};
        dv_cuda_shards *shards;
        simt_set_seed(seed);
        int64_t *const ids = on_device(old_ids, sizeof old_ids);
        double *const cosines = on_device(old, sizeof old), *const read = on_device(none, sizeof none);
        uint32_t *const chosen = on_device(all, sizeof all), *const counts = on_device(NULL, sizeof all);
        assert_ok(dv_cuda_shards_create(&gpus, &bank, &options, &spread, &shards));
        assert_int_equal(dv_launch_raise(chosen, N, ids, cosines, 1, read, counts, gpus.each[0].stream), cudaSuccess);
        assert_ok(dv_cuda_shards_search(shards, &queries, 1, ids, cosines));
        expect_on_device(read, old, sizeof old);
        dv_cuda_shards_free(shards);
        free_on_device(ids, cosines, read, chosen, counts);
    }
    assert_int_equal(simt_n_alive(), N_ALIVE);
}

/* By numbers of the whole bank and of all queries, wherever the shard or the piece begins. */
static void faults_are_named_by_row_and_query(void **state) {
    (void)state;
    enum { N = 12 };
    float rows[2 * N];
    const int32_t groups[1] = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) rows[i] = 1;
    const dv_bank_rows bank = {{rows, DV_F32, N, 2}, NULL};
    const dv_queries queries = {.rows = bank.rows}, none = {.rows = {NULL, DV_F32, 0, 2}},
                     one = {.rows = {rows, DV_F32, 1, 2}}, masked = {.rows = one.rows, .group = groups};
    const dv_cuda_options options = {0};
    int64_t *const ids = on_device(NULL, N * sizeof *ids);
    double *const cosines = on_device(NULL, N * sizeof *cosines);
    for (size_t i = is_slow() ? 1 : 0; i < 2; i++) {
        const dv_cuda_spread spread = {.layout = i ? DV_CUDA_SPLIT : DV_CUDA_REPLICATED, .most_queries = 5};
        dv_cuda_shards *shards = (void *)&shards;
        rows[2 * 11] = rows[2 * 9 + 1] = NAN;
        expect_failure(dv_cuda_shards_create(&gpus, &bank, &options, &spread, &shards), DV_E_ARG,
                       "bank: row 9: features must be finite");
        assert_null(shards);
        rows[2 * 11] = rows[2 * 9 + 1] = 1;
        assert_ok(dv_cuda_shards_create(&gpus, &bank, &options, &spread, &shards));
        rows[2 * 11] = rows[2 * 7] = INFINITY;
        expect_failure(dv_cuda_shards_search(shards, &queries, 1, ids, cosines), DV_E_ARG,
                       "query 7: features must be finite");
        rows[2 * 11] = rows[2 * 7] = 1;
        expect_failure(dv_cuda_shards_search(shards, &queries, N + 1, NULL, NULL), DV_E_ARG,
                       "k 13: must be 1..12, the rows of the bank");
        expect_failure(dv_cuda_shards_search(shards, &masked, 1, NULL, NULL), DV_E_ARG,
                       "queries carry groups to hide: the bank was loaded without groups");
        assert_ok(dv_cuda_shards_search(shards, &none, 1, NULL, NULL));
        assert_ok(dv_cuda_shards_search(shards, &one, 1, ids, cosines));
        dv_cuda_shards_free(shards);
    }
    dv_cuda_shards_free(NULL);
    free_on_device(ids, cosines);
    assert_int_equal(simt_n_alive(), N_ALIVE);
}

/* The one with the lowest number of those that fail. */
static void device_that_fails_is_named(void **state) {
    (void)state;
    corpus set;
    corpus_create(CORPUS_RANDOM, DV_F32, 30, 5, 8, 1, &set);
    const dv_cuda_options options = {0};
    int64_t *const ids = on_device(NULL, 25 * sizeof *ids);
    double *const cosines = on_device(NULL, 25 * sizeof *cosines);
    const dv_cuda_spread spread = {.layout = DV_CUDA_SPLIT};
    dv_cuda_shards *shards;
    simt_set_free_memory(1, 1000);
    simt_set_free_memory(2, 1000);
    assert_int_equal(dv_cuda_shards_create(&gpus, &set.bank, &options, &spread, &shards), DV_E_BACKEND);
    assert_ptr_equal(strstr(dv_last_error(), "device 1: a bank of 10 rows of 8 dimensions, which takes "),
                     dv_last_error());
    assert_null(shards);
    assert_int_equal(simt_n_alive(), N_ALIVE + 2);
    simt_set_free_memory(1, ONE_GIB);
    simt_set_free_memory(2, ONE_GIB);
    assert_ok(dv_cuda_shards_create(&gpus, &set.bank, &options, &spread, &shards));
    simt_set_free_memory(2, 0);
    assert_int_equal(dv_cuda_shards_search(shards, &set.queries, 5, ids, cosines), DV_E_BACKEND);
    assert_ptr_equal(strstr(dv_last_error(), "device 2: lists of a shard: "), dv_last_error());
    simt_set_free_memory(2, ONE_GIB);
    assert_ok(dv_cuda_shards_search(shards, &set.queries, 5, ids, cosines));
    dv_cuda_shards_free(shards);
    free_on_device(ids, cosines);
    corpus_free(&set);
    assert_int_equal(simt_n_alive(), N_ALIVE);
}

/* The least memory counts: where it is short a bank is split. */
static void smallest_device_decides(void **state) {
    (void)state;
    static const float rows[6] = {1, 0, 0, 1, 1, 1};
    const dv_bank_rows bank = {{rows, DV_F32, 3, 2}, NULL};
    const dv_cuda_options options = {0};
    const dv_cuda_spread spread = {0};
    for (int device = -1; device < N_GPUS; device++) {
        if (device >= 0) simt_set_free_memory(device, 256 << 20);
        dv_cuda_shards *shards;
        assert_ok(dv_cuda_shards_create(&gpus, &bank, &options, &spread, &shards));
        assert_int_equal(shards->spread.layout, device < 0 ? DV_CUDA_REPLICATED : DV_CUDA_SPLIT);
        assert_int_equal(shards->spread.n_shards, N_GPUS);
        dv_cuda_shards_free(shards);
        if (device >= 0) simt_set_free_memory(device, ONE_GIB);
    }
}

/* Whichever allocation or launch fails, on whichever device, the failure is told, or a search does with less, and
 * nothing is left. */
static void failures_leave_nothing_behind(void **state) {
    (void)state;
    corpus set;
    corpus_create(CORPUS_RANDOM, DV_F16, 30, 5, 4, 1, &set);
    const dv_cuda_options options = {.seed_tiles = 1};
    const int step = is_slow() ? 101 : 17;
    int n_failed = 0;
    for (int kind = 0; kind < (is_slow() ? 2 : 4); kind++)
        for (int at = 1, met = 1; met; at += step) {
            const dv_cuda_spread spread = {
                .n_shards = 3, .layout = kind % 3 ? DV_CUDA_SPLIT : DV_CUDA_REPLICATED, .most_queries = 2};
            int64_t *const ids = on_device(NULL, 5 * 2 * sizeof *ids);
            double *const cosines = on_device(NULL, 5 * 2 * sizeof *cosines);
            const size_t n_before = simt_n_allocations();
            kind % 2 ? simt_fail_launch(at) : simt_fail_allocation(at);
            dv_cuda_shards *shards;
            dv_status status = dv_cuda_shards_create(&gpus, &set.bank, &options, &spread, &shards);
            if (status == DV_OK) status = dv_cuda_shards_search(shards, &set.queries, 2, ids, cosines);
            const bool failed = status != DV_OK;
            met = kind % 2 ? failed : simt_n_allocations() - n_before >= (size_t)at;
            n_failed += failed;
            if (failed) assert_int_equal(status, DV_E_BACKEND);
            if (failed) assert_ptr_equal(strstr(dv_last_error(), "device "), dv_last_error());
            simt_fail_launch(0);
            simt_fail_allocation(0);
            if (shards && at % 5 == 1) /* and the shards go on */
                assert_ok(dv_cuda_shards_search(shards, &set.queries, 2, ids, cosines));
            dv_cuda_shards_free(shards);
            free_on_device(ids, cosines);
            assert_int_equal(simt_n_alive(), N_ALIVE);
        }
    assert_true(n_failed >= (is_slow() ? 2 : 8));
    corpus_free(&set);
}

static int open_gpus(void **state) {
    (void)state;
    simt_set_devices(N_GPUS, ONE_GIB);
    return dv_cuda_gpus_open(NULL, &gpus) == DV_OK && gpus.n == N_GPUS ? 0 : -1;
}

static int close_gpus(void **state) {
    (void)state;
    dv_cuda_gpus_close(&gpus);
    return simt_n_alive() == 0 ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_says_whether_a_bank_is_replicated),
        cmocka_unit_test(shards_follow_one_another),
        cmocka_unit_test(any_number_of_shards_gives_the_same_answer),
        cmocka_unit_test(ties_across_shards_go_to_the_lower_row),
        cmocka_unit_test(counts_repeat),
        cmocka_unit_test(queued_work_reads_what_it_was_given),
        cmocka_unit_test(faults_are_named_by_row_and_query),
        cmocka_unit_test(device_that_fails_is_named),
        cmocka_unit_test(smallest_device_decides),
        cmocka_unit_test(failures_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, open_gpus, close_gpus);
}
