/* Properties of exact search that hold on every device: reordered bank rows reorder ids alone, more rows only push
 * others back, and a scaled bank or query changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "differential/corpus.h"

enum { N_ROWS = 400, N_QUERIES = 15, DIM = 24, K = 12 };
static uint64_t seed;

static const char *device_name(size_t i) {
    return i == 0 ? "reference" : corpus_device(i - 1);
}

static void permuted_rows_permute_ids_alone(void **state) {
    (void)state;
    corpus c;
    corpus_create(CORPUS_RANDOM, DV_F32, N_ROWS, N_QUERIES, DIM, seed, &c); /* no two cosines of a query are equal */
    corpus_random random = {seed};
    size_t source[N_ROWS];
    float *rows = calloc((size_t)N_ROWS * DIM, sizeof *rows);
    assert_non_null(rows);
    for (size_t i = 0; i < N_ROWS; i++) source[i] = i;
    for (size_t i = N_ROWS - 1; i > 0; i--) {
        const size_t j = corpus_below(&random, i + 1), kept = source[i];
        source[i] = source[j];
        source[j] = kept;
    }
    for (size_t i = 0; i < N_ROWS; i++)
        memcpy(rows + i * DIM, (const float *)c.bank_data + source[i] * DIM, DIM * sizeof *rows);
    dv_bank_rows permuted = c.bank;
    permuted.rows.data = rows;
    for (size_t d = 0; device_name(d); d++) {
        corpus_answer plain, other;
        corpus_search(device_name(d), NULL, &c.bank, &c.queries, K, 1, &plain);
        corpus_search(device_name(d), NULL, &permuted, &c.queries, K, 1, &other);
        for (size_t i = 0; i < (size_t)N_QUERIES * K; i++) assert_int_equal(source[other.ids[i]], plain.ids[i]);
        assert_memory_equal(other.cosines, plain.cosines, (size_t)N_QUERIES * K * sizeof(double));
        corpus_answer_free(&plain);
        corpus_answer_free(&other);
    }
    free(rows);
    corpus_free(&c);
}

/* With a smaller bank that is a prefix, what it found keeps its order among what the larger one finds. */
static void answers_of_a_prefix_stay_in_order(void **state) {
    (void)state;
    for (int kind = 0; kind < CORPUS_N_KINDS; kind++) {
        corpus c;
        corpus_create((corpus_kind)kind, DV_F16, N_ROWS, N_QUERIES, DIM, seed, &c);
        dv_bank_rows prefix = c.bank;
        prefix.rows.n_rows = N_ROWS / 3;
        for (size_t d = 0; device_name(d); d++) {
            corpus_answer small, large;
            corpus_search(device_name(d), NULL, &prefix, &c.queries, K, 1, &small);
            corpus_search(device_name(d), NULL, &c.bank, &c.queries, K, 1, &large);
            for (size_t q = 0; q < N_QUERIES; q++) {
                size_t at = 0;
                for (size_t i = 0; i < K; i++) {
                    if (large.ids[q * K + i] >= N_ROWS / 3) continue;
                    assert_int_equal(large.ids[q * K + i], small.ids[q * K + at]);
                    assert_memory_equal(&large.cosines[q * K + i], &small.cosines[q * K + at], sizeof(double));
                    at++;
                }
            }
            corpus_answer_free(&small);
            corpus_answer_free(&large);
        }
        corpus_free(&c);
    }
}

static void power_of_two_scales_change_no_bit(void **state) {
    (void)state;
    corpus c;
    corpus_create(CORPUS_RANDOM, DV_F64, N_ROWS, N_QUERIES, DIM, seed, &c);
    for (size_t d = 0; device_name(d); d++) {
        corpus_answer plain, scaled;
        corpus_search(device_name(d), NULL, &c.bank, &c.queries, K, 1, &plain);
        double *rows = calloc((size_t)N_ROWS * DIM, sizeof *rows);
        assert_non_null(rows);
        for (size_t i = 0; i < (size_t)N_ROWS * DIM; i++)
            rows[i] = ((const double *)c.bank_data)[i] * (i / DIM % 2 ? 0x1p900 : 0x1p-900);
        dv_bank_rows bank = c.bank;
        bank.rows.data = rows;
        corpus_search(device_name(d), NULL, &bank, &c.queries, K, 1, &scaled);
        corpus_assert_same(&plain, K, &scaled, K, N_QUERIES, device_name(d));
        corpus_answer_free(&plain);
        corpus_answer_free(&scaled);
        free(rows);
    }
    corpus_free(&c);
}

int main(void) {
    seed = corpus_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permuted_rows_permute_ids_alone),
        cmocka_unit_test(answers_of_a_prefix_stay_in_order),
        cmocka_unit_test(power_of_two_scales_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
