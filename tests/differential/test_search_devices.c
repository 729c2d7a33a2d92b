/* Every device gives the ids and the bits of the reference: formats, ties, sizes, tiles, threads, shards, masks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "differential/corpus.h"

enum { N_ROWS = 150, N_QUERIES = 20 };

static const dv_dtype dtypes[] = {DV_F16, DV_BF16, DV_F32, DV_F64};
static const size_t tiles[] = {1, 7, 64}, threads[] = {1, 2, 4}, shards[] = {1, 2, 3, 8}, ks[] = {1, 30, N_ROWS};
static uint64_t seed;

/* One corpus on all devices, tiles and k; threads and shards take turns. */
static void compare(const corpus *c, const dv_bank_rows *bank, const dv_queries *queries, const char *what) {
    static size_t turn;
    const size_t n = queries->rows.n_rows, n_rows = bank->rows.n_rows;
    corpus_answer expected;
    corpus_search("reference", NULL, bank, queries, n_rows, 1, &expected);
    const char *name;
    for (size_t i = 0; (name = corpus_device(i)); i++)
        for (size_t t = 0; t < 3; t++)
            for (size_t j = 0; j < 3; j++, turn++) {
                const dv_device_options options = {.n_threads = threads[turn % 3],
                                                   .tile_rows = tiles[t],
                                                   .tile_queries = tiles[turn / 3 % 3],
                                                   .kernel = corpus_kernel(name, turn)};
                const size_t k = ks[j] < n_rows ? ks[j] : n_rows, n_shards = shards[turn % 4];
                char place[256];
                snprintf(place, sizeof place,
                         "%s %s, %s, %s, dtype %s, dim %zu, k %zu, tile %zu x %zu, %zu threads, %zu shards", name,
                         options.kernel ? options.kernel : "", what, corpus_kind_name(c->kind),
                         dv_dtype_name(bank->rows.dtype), bank->rows.dim, k, options.tile_queries, options.tile_rows,
                         options.n_threads, n_shards);
                corpus_answer answer;
                corpus_search(name, &options, bank, queries, k, n_shards, &answer);
                corpus_assert_same(&expected, n_rows, &answer, k, n, place);
                corpus_answer_free(&answer);
            }
    corpus_answer_free(&expected);
}

static void every_kind_of_rows_in_every_format(void **state) {
    (void)state;
    enum { N_DTYPES = 4, N_DIMS = 6, N_CASES = CORPUS_N_KINDS * N_DTYPES * N_DIMS };
    const size_t dims[N_DIMS] = {1, 7, 16, 17, 64, 472}, n_rounds = corpus_rounds(N_CASES);
    for (size_t round = 0; round < n_rounds; round++) {
        const size_t turn = round * N_CASES / n_rounds, kind = turn / (N_DTYPES * N_DIMS), i = turn % N_DIMS;
        corpus c;
        corpus_create((corpus_kind)kind, dtypes[turn / N_DIMS % N_DTYPES], N_ROWS, N_QUERIES, dims[i],
                      seed + kind * 100 + i, &c);
        compare(&c, &c.bank, &c.queries, "plain");
        corpus_free(&c);
    }
}

static void masks_hide_rows_from_their_queries(void **state) {
    (void)state;
    const size_t n_rounds = corpus_rounds(CORPUS_N_KINDS);
    for (size_t round = 0; round < n_rounds; round++) {
        const size_t kind = (seed + round) % CORPUS_N_KINDS;
        corpus c;
        corpus_create((corpus_kind)kind, dtypes[kind % 4], N_ROWS, N_QUERIES, 17, seed + kind, &c);
        c.bank.group = c.bank_group;
        compare(&c, &c.bank, &c.queries, "bank with groups"); /* queries without: nothing is hidden */
        c.queries.group = c.query_group;
        compare(&c, &c.bank, &c.queries, "masked");
        for (size_t i = 0; i < N_ROWS; i++)
            c.bank_group[i] = i % 50 == 3 ? 1 : 0; /* group 0 leaves three rows to see */
        for (size_t i = 0; i < N_QUERIES; i++) c.query_group[i] = (int32_t)(i % 3);
        compare(&c, &c.bank, &c.queries, "fewer visible rows than k");
        for (size_t i = 0; i < N_ROWS; i++) c.bank_group[i] = 0;
        compare(&c, &c.bank, &c.queries, "nothing to see");
        corpus_free(&c);
    }
}

static void query_with_too_few_visible_rows_is_filled_up(void **state) {
    (void)state;
    const float rows[4] = {1, 2, -3, 4};
    const int32_t groups[4] = {7, 7, 5, 7}, hidden[1] = {7};
    const dv_bank_rows bank = {{rows, DV_F32, 4, 1}, groups};
    const dv_queries queries = {.rows = {rows, DV_F32, 1, 1}, .group = hidden};
    corpus_answer answer;
    corpus_search("reference", NULL, &bank, &queries, 3, 1, &answer);
    assert_int_equal(answer.ids[0], 2);
    assert_true(answer.cosines[0] == -1.0);
    for (int i = 1; i < 3; i++) assert_true(answer.ids[i] == -1 && answer.cosines[i] == -2.0);
    corpus_answer_free(&answer);
}

static void queries_of_another_format_than_the_bank(void **state) {
    (void)state;
    const size_t n_rounds = corpus_rounds(16);
    for (size_t round = 0; round < n_rounds; round++) {
        const size_t turn = (seed + round) % 16;
        corpus bank, queries;
        corpus_create(CORPUS_RANDOM, dtypes[turn / 4], N_ROWS, 1, 33, seed, &bank);
        corpus_create(CORPUS_RANDOM, dtypes[turn % 4], 1, N_QUERIES, 33, seed + 1, &queries);
        compare(&bank, &bank.bank, &queries.queries, "mixed formats");
        corpus_free(&bank);
        corpus_free(&queries);
    }
}

/* KNN-03 */
static void batch_size_changes_no_bit(void **state) {
    (void)state;
    const size_t batches[] = {1, 19, 20, 166, 167, 1000}, n = corpus_rounds(1000), k = 30, dim = 768;
    corpus c;
    corpus_create(CORPUS_RANDOM, DV_F16, 1000, n, dim, seed, &c);
    corpus_answer expected;
    corpus_search("reference", NULL, &c.bank, &c.queries, k, 1, &expected);
    const char *name;
    for (size_t i = 0; (name = corpus_device(i)); i++)
        for (size_t b = 0; b < 6; b++) {
            const size_t size = batches[b];
            const dv_device_options options = {.n_threads = 1 + b % 2, .kernel = corpus_kernel(name, b)};
            const size_t limit = size == 1 && n > 25 ? 25 : n; /* single queries are many searches: some will do */
            for (size_t first = 0; first < limit; first += size) {
                dv_queries part = c.queries;
                part.rows.data = (const uint16_t *)c.query_data + first * dim;
                part.rows.n_rows = n - first < size ? n - first : size;
                corpus_answer answer, wanted = {expected.ids + first * k, expected.cosines + first * k, {0}};
                corpus_search(name, &options, &c.bank, &part, k, 1, &answer);
                corpus_assert_same(&wanted, k, &answer, k, part.rows.n_rows, name);
                corpus_answer_free(&answer);
            }
        }
    corpus_answer_free(&expected);
    corpus_free(&c);
}

/* More rows than a list of candidates holds: a bank of near duplicates must be scanned in full, others must not. */
static void candidates_that_overflow_are_settled_exactly(void **state) {
    (void)state;
    const corpus_kind kinds[] = {CORPUS_RANDOM, CORPUS_ALL_EQUAL, CORPUS_NEAR, CORPUS_DUPLICATES, CORPUS_ZERO_ROWS};
    for (size_t i = 0; i < 5; i++) {
        corpus c;
        corpus_create(kinds[i], DV_F32, 9000, 40, 24, seed, &c);
        if (i % 2) c.bank.group = c.bank_group, c.queries.group = c.query_group;
        corpus_answer expected;
        corpus_search("reference", NULL, &c.bank, &c.queries, 30, 1, &expected);
        const char *name;
        for (size_t d = 0; (name = corpus_device(d)); d++)
            for (size_t round = 0; round < corpus_rounds(5); round++) {
                const size_t t = (i + round) % 5;
                const dv_device_options options = {.n_threads = threads[t % 3],
                                                   .tile_rows = t == 1 ? 64 : 0,
                                                   .tile_queries = t == 1 ? 7 : 0,
                                                   .kernel = corpus_kernel(name, t)};
                corpus_answer answer;
                corpus_search(name, &options, &c.bank, &c.queries, 30, 1, &answer);
                corpus_assert_same(&expected, 30, &answer, 30, 40, name);
                assert_int_equal(answer.stats.n_queries, 40);
                assert_true(answer.stats.n_candidates >= 40 * 30 ||
                            kinds[i] == CORPUS_ZERO_ROWS); /* a zero query needs none */
                if (kinds[i] == CORPUS_ALL_EQUAL) assert_int_equal(answer.stats.n_uncertified, 40);
                if (kinds[i] == CORPUS_RANDOM) assert_int_equal(answer.stats.n_uncertified, 0);
                corpus_answer_free(&answer);
            }
        corpus_answer_free(&expected);
        corpus_free(&c);
    }
}

/* KNN-05 */
static void k_reaches_from_one_to_all_rows(void **state) {
    (void)state;
    enum { ROWS = 3000 };
    const size_t limits[] = {1, 1024, ROWS};
    corpus c;
    corpus_create(CORPUS_RANDOM, DV_BF16, ROWS, 5, 20, seed, &c);
    corpus_answer expected;
    corpus_search("reference", NULL, &c.bank, &c.queries, ROWS, 1, &expected);
    const char *name;
    for (size_t i = 0; (name = corpus_device(i)); i++)
        for (size_t j = 0; j < 3; j++) {
            const dv_device_options options = {.n_threads = 1 + j, .kernel = corpus_kernel(name, j)};
            corpus_answer answer;
            corpus_search(name, &options, &c.bank, &c.queries, limits[j], 1 + j, &answer);
            corpus_assert_same(&expected, ROWS, &answer, limits[j], 5, name);
            corpus_answer_free(&answer);
        }
    corpus_answer_free(&expected);
    corpus_free(&c);
}

/* With ties at every cut: rows come in copies. */
static void every_k_up_to_64(void **state) {
    (void)state;
    enum { MOST_K = 64, N_THEM = 4 };
    corpus c;
    corpus_create(CORPUS_DUPLICATES, DV_F16, 300, N_THEM, 17, seed, &c);
    corpus_answer expected;
    corpus_search("reference", NULL, &c.bank, &c.queries, MOST_K, 1, &expected);
    const char *name;
    for (size_t i = 0; (name = corpus_device(i)); i++)
        for (size_t k = 1; k <= MOST_K; k++) {
            const dv_device_options options = {.n_threads = 1 + k % 2, .kernel = corpus_kernel(name, k)};
            corpus_answer answer;
            corpus_search(name, &options, &c.bank, &c.queries, k, 1 + k % 3, &answer);
            corpus_assert_same(&expected, MOST_K, &answer, k, N_THEM, name);
            corpus_answer_free(&answer);
        }
    corpus_answer_free(&expected);
    corpus_free(&c);
}

int main(void) {
    seed = corpus_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_rows_in_every_format),
        cmocka_unit_test(masks_hide_rows_from_their_queries),
        cmocka_unit_test(query_with_too_few_visible_rows_is_filled_up),
        cmocka_unit_test(queries_of_another_format_than_the_bank),
        cmocka_unit_test(batch_size_changes_no_bit),
        cmocka_unit_test(candidates_that_overflow_are_settled_exactly),
        cmocka_unit_test(k_reaches_from_one_to_all_rows),
        cmocka_unit_test(every_k_up_to_64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
