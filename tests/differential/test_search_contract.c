/* What each device, the reference included, answers to inputs whose answer is known, and what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "differential/corpus.h"

static const char *device_name(size_t i) {
    return i == 0 ? "reference" : corpus_device(i - 1);
}

static void assert_ids(const char *name, const dv_bank_rows *bank, const dv_queries *queries, size_t k, size_t n_shards,
                       const int64_t *ids) {
    corpus_answer answer;
    corpus_search(name, NULL, bank, queries, k, n_shards, &answer);
    for (size_t i = 0; i < queries->rows.n_rows * k; i++)
        if (answer.ids[i] != ids[i])
            fail_msg("%s: place %zu: row %d, expected %d", name, i, (int)answer.ids[i], (int)ids[i]);
    corpus_answer_free(&answer);
}

/* KNN-02 */
static void ties_go_to_the_lower_row(void **state) {
    (void)state;
    const float query[2] = {1, 0}, equal[8] = {3, 4, 3, -4, 6, 8, 3, 4}, best_last[6] = {3, 4, 3, -4, 4, 3};
    const int64_t first_three[3] = {0, 1, 2}, two[2] = {2, 0};
    const dv_queries queries = {.rows = {query, DV_F32, 1, 2}};
    const dv_bank_rows all_equal = {{equal, DV_F32, 4, 2}, NULL}, last = {{best_last, DV_F32, 3, 2}, NULL};
    for (size_t i = 0; device_name(i); i++)
        for (size_t n_shards = 1; n_shards <= 3; n_shards++) {
            assert_ids(device_name(i), &all_equal, &queries, 3, n_shards, first_three);
            assert_ids(device_name(i), &last, &queries, 2, n_shards, two);
        }
}

/* KNN-10: the numbers 0..31 as 8 rows of 4, in every format; row 7 = (28, 29, 30, 31). */
static void formats_of_the_same_numbers_agree(void **state) {
    (void)state;
    const dv_dtype dtypes[4] = {DV_F16, DV_BF16, DV_F32, DV_F64};
    double numbers[32];
    for (int i = 0; i < 32; i++) numbers[i] = i;
    for (size_t i = 0; device_name(i); i++) {
        double expected[64];
        for (size_t d = 0; d < 4; d++) {
            double store[32];
            corpus_store(numbers, 32, dtypes[d], store);
            const dv_bank_rows bank = {{store, dtypes[d], 8, 4}, NULL};
            const dv_queries queries = {.rows = bank.rows};
            corpus_answer answer;
            corpus_search(device_name(i), NULL, &bank, &queries, 8, 1, &answer);
            assert_int_equal(answer.ids[0], 0); /* (0, 1, 2, 3) itself; then the angle grows with the row */
            for (int j = 0; j < 8; j++) assert_int_equal(answer.ids[j], j);
            assert_true((float)answer.cosines[0] == 1.0F);
            /* (0 1 2 3) . (4 5 6 7) = 38, 38 / sqrt(14 * 126) = 38 / 42 */
            assert_true(fabs(answer.cosines[1] - 38.0 / 42.0) < 1e-15);
            /* f64 rows are scaled first, which changes no bit here: powers of two */
            if (d > 0) assert_memory_equal(answer.cosines, expected, sizeof expected);
            memcpy(expected, answer.cosines, sizeof expected);
            corpus_answer_free(&answer);
        }
    }
}

/* KNN-11 */
static void thousandfold_query_has_cosine_one_and_opposite_minus_one(void **state) {
    (void)state;
    const float rows[12] = {3, -1, 2, 5, 1, 1, 0, 2, 2, 7, 1, 1};
    float scaled[12];
    for (size_t i = 0; device_name(i); i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            for (size_t j = 0; j < 12; j++) scaled[j] = rows[j] * 1000.0F * (float)sign;
            const dv_bank_rows bank = {{rows, DV_F32, 3, 4}, NULL};
            const dv_queries queries = {.rows = {scaled, DV_F32, 3, 4}}, unscaled = {.rows = {rows, DV_F32, 3, 4}};
            corpus_answer answer, plain;
            corpus_search(device_name(i), NULL, &bank, &queries, 3, 1, &answer);
            corpus_search(device_name(i), NULL, &bank, &unscaled, 3, 1, &plain);
            for (int q = 0; q < 3; q++) {
                const int at = q * 3 + (sign > 0 ? 0 : 2); /* the row itself is the best, or the worst */
                assert_int_equal(answer.ids[at], q);
                assert_true((float)answer.cosines[at] == (float)sign);
                assert_true(fabs(answer.cosines[at]) <= 1.0);
                if (sign > 0)
                    assert_memory_equal(answer.ids + (size_t)q * 3, plain.ids + (size_t)q * 3, 3 * sizeof(int64_t));
            }
            corpus_answer_free(&answer);
            corpus_answer_free(&plain);
        }
}

static void zero_query_and_zero_rows_have_cosine_plus_zero(void **state) {
    (void)state;
    const double rows[8] = {1, 2, -0.0, 0, 5e-324, 0, -1, -2}, queries_data[4] = {-0.0, 0, -1, -2};
    const dv_bank_rows bank = {{rows, DV_F64, 4, 2}, NULL};
    const dv_queries queries = {.rows = {queries_data, DV_F64, 2, 2}};
    const int64_t ids[8] = {0, 1, 2, 3, 3, 1, 2, 0}; /* the second query: cosines 1, 0, -1/sqrt(5), -1 */
    const double zero = 0.0;
    for (size_t i = 0; device_name(i); i++) {
        corpus_answer answer;
        corpus_search(device_name(i), NULL, &bank, &queries, 4, 1, &answer);
        for (int j = 0; j < 8; j++) assert_int_equal(answer.ids[j], ids[j]);
        for (int j = 0; j < 4; j++) assert_memory_equal(&answer.cosines[j], &zero, sizeof zero); /* not -0 */
        assert_memory_equal(&answer.cosines[5], &zero, sizeof zero);
        corpus_answer_free(&answer);
    }
}

static void rows_below_the_least_wanted_cosine_are_left_out(void **state) {
    (void)state;
    const float rows[10] = {3, 4, 1, 0, 4, 3, 0, 0, 4, 3}, data[6] = {1, 0, 0, 0, -1, 0};
    const dv_bank_rows bank = {{rows, DV_F32, 5, 2}, NULL};
    corpus_answer all;
    corpus_search("reference", NULL, &bank, &(dv_queries){.rows = {data, DV_F32, 3, 2}}, 5, 1, &all);
    /* Of the first query 1, 4/5 twice, 3/5, 0; the second is zero and ties with all; of the third -1 is the last. */
    const double least[3] = {all.cosines[1], 0.0, -1.0}, above[3] = {2.0, 5e-324, nextafter(-1.0, 0)};
    const int64_t ids[15] = {1, 2, 4, -1, -1, 0, 1, 2, 3, 4, 3, 0, 2, 4, 1};
    const int64_t fewer[15] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 3, 0, 2, 4, -1};
    for (size_t i = 0; device_name(i); i++)
        for (size_t n_shards = 1; n_shards <= 3; n_shards++) {
            dv_queries queries = {.rows = {data, DV_F32, 3, 2}, .least = least};
            assert_ids(device_name(i), &bank, &queries, 5, n_shards, ids);
            queries.least = above;
            assert_ids(device_name(i), &bank, &queries, 5, n_shards, fewer);
        }
    corpus_answer_free(&all);
}

/* HB-08 */
static void no_queries_give_no_answers(void **state) {
    (void)state;
    const float rows[6] = {1, 2, 3, 4, 5, 6};
    const dv_bank_rows bank = {{rows, DV_F32, 3, 2}, NULL};
    const dv_queries none = {.rows = {rows, DV_F32, 0, 2}}, null = {.rows = {NULL, DV_F32, 0, 2}};
    for (size_t i = 0; device_name(i); i++) {
        corpus_answer answer;
        corpus_search(device_name(i), NULL, &bank, &none, 2, 1, &answer);
        corpus_answer_free(&answer);
        corpus_search(device_name(i), NULL, &bank, &null, 2, 1, &answer);
        corpus_answer_free(&answer);
    }
}

/* KNN-01, KNN-05, R8, R9 */
static void broken_contracts_are_named(void **state) {
    (void)state;
    float rows[6] = {1, 2, 3, 4, 5, 6};
    const float infinite[2] = {1, INFINITY};
    const int32_t groups[3] = {0, 0, 0};
    const dv_bank_rows bank = {{rows, DV_F32, 3, 2}, NULL};
    int64_t ids[12] = {-7};
    double cosines[12];
    for (size_t i = 0; device_name(i); i++) {
        dv_device *device;
        assert_int_equal(dv_device_open(device_name(i), NULL, &device), DV_OK);
        const dv_device_ops *ops = device->ops;
        void *index = &index;
        const dv_bank_rows empty = {{rows, DV_F32, 0, 2}, NULL};
        assert_int_equal(ops->bank_load(device, &empty, &index), DV_E_ARG);
        assert_string_equal(dv_last_error(), "bank of 0 rows: an index holds 1..2147483647");
        assert_null(index);
        const dv_bank_rows no_dtype = {{rows, (dv_dtype)9, 3, 2}, NULL}, no_dim = {{rows, DV_F32, 3, 0}, NULL};
        assert_int_equal(ops->bank_load(device, &no_dtype, &index), DV_E_ARG);
        assert_string_equal(dv_last_error(), "bank, dtype 9: no such format");
        assert_int_equal(ops->bank_load(device, &no_dim, &index), DV_E_ARG);
        assert_string_equal(dv_last_error(), "bank, dim 0: must be 1..2147483647");
        rows[3] = NAN;
        assert_int_equal(ops->bank_load(device, &bank, &index), DV_E_ARG);
        assert_string_equal(dv_last_error(), "bank: row 1: features must be finite");
        rows[3] = 4;
        assert_int_equal(ops->bank_load(device, &bank, &index), DV_OK);
        const dv_queries queries = {.rows = {rows, DV_F32, 2, 2}}, other_dim = {.rows = {rows, DV_F32, 1, 3}};
        const dv_queries masked = {.rows = {rows, DV_F32, 2, 2}, .group = groups},
                         bad = {.rows = {infinite, DV_F32, 1, 2}};
        assert_int_equal(ops->search(device, index, &queries, 0, ids, cosines), DV_E_ARG);
        assert_string_equal(dv_last_error(), "k 0: must be 1..3, the rows of the bank");
        assert_int_equal(ops->search(device, index, &queries, 4, ids, cosines), DV_E_ARG);
        assert_string_equal(dv_last_error(), "k 4: must be 1..3, the rows of the bank");
        assert_int_equal(ops->search(device, index, &other_dim, 1, ids, cosines), DV_E_ARG);
        assert_string_equal(dv_last_error(), "queries of 3 dimensions: the bank has 2");
        assert_int_equal(ops->search(device, index, &masked, 1, ids, cosines), DV_E_ARG);
        assert_string_equal(dv_last_error(), "queries carry groups to hide: the bank was loaded without groups");
        assert_int_equal(ids[0], -7);
        assert_int_equal(ops->search(device, index, &bad, 1, ids, cosines), DV_E_ARG);
        assert_string_equal(dv_last_error(), "query 0: features must be finite");
        void *ids_there, *cosines_there;
        assert_int_equal(ops->alloc(device, sizeof ids, &ids_there), DV_OK);
        assert_int_equal(ops->alloc(device, sizeof cosines, &cosines_there), DV_OK);
        assert_int_equal(ops->search(device, index, &queries, 1, ids_there, cosines_there), DV_OK); /* it goes on */
        assert_int_equal(ops->download(device, ids, ids_there, 2 * sizeof *ids), DV_OK);
        assert_int_equal(ops->synchronise(device), DV_OK);
        ops->release(device, ids_there);
        ops->release(device, cosines_there);
        assert_int_equal(ids[0], 0);
        ids[0] = -7;
        ops->bank_free(device, index);
        ops->bank_free(device, NULL);
        ops->close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ties_go_to_the_lower_row),
        cmocka_unit_test(formats_of_the_same_numbers_agree),
        cmocka_unit_test(thousandfold_query_has_cosine_one_and_opposite_minus_one),
        cmocka_unit_test(zero_query_and_zero_rows_have_cosine_plus_zero),
        cmocka_unit_test(rows_below_the_least_wanted_cosine_are_left_out),
        cmocka_unit_test(rows_below_the_least_wanted_cosine_are_left_out),
        cmocka_unit_test(no_queries_give_no_answers),
        cmocka_unit_test(broken_contracts_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
