#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "core/exp.h"
#include "denseval/aggregate.h"
#include "property/metrics_seed.h"

/* HB-03: 1 / (1 + e^-1) and its rest. */
static void published_pair_of_cosines_gives_its_weights(void **state) {
    (void)state;
    const int64_t ids[2] = {0, 1};
    const double cosines[2] = {1.0, 0.98};
    const uint16_t counts[4] = {256, 0, 0, 256};
    double soft[2];
    uint16_t pure;
    dv_aggregate(ids, cosines, 1, 2, 0.02, counts, 2, soft, &pure);
    assert_true(fabs(soft[0] - 0.731058578630005) < 1e-14); /* 1.0 - 0.98 is off by some 1e-17 / 0.02 */
    assert_true(fabs(soft[1] - 0.268941421369995) < 1e-14);
    assert_true(fabs(soft[0] + soft[1] - 1.0) < 1e-15);
    assert_int_equal(pure, DV_MIXED);
}

/* HB-03, the other input. */
static void equal_cosines_give_equal_weights(void **state) {
    (void)state;
    const int64_t ids[4] = {3, 2, 1, 0};
    const double cosines[4] = {0.5, 0.5, 0.5, 0.5};
    const uint16_t counts[16] = {9, 0, 0, 0, 0, 9, 0, 0, 0, 0, 9, 0, 0, 0, 0, 9};
    double soft[4];
    uint16_t pure;
    dv_aggregate(ids, cosines, 1, 4, 0.02, counts, 4, soft, &pure);
    for (int c = 0; c < 4; c++) assert_true(soft[c] == 0.25);
}

/* HB-01: a query opposite to all rows still has neighbours of equal standing. */
static void opposite_rows_share_the_weight(void **state) {
    (void)state;
    const int64_t ids[4] = {0, 1, 2, 3};
    const double cosines[4] = {-1.0, -1.0, -1.0, -1.0};
    const uint16_t counts[8] = {9, 0, 0, 9, 0, 9, 0, 9};
    double soft[2];
    uint16_t pure;
    dv_aggregate(ids, cosines, 1, 4, 0.02, counts, 2, soft, &pure);
    assert_true(soft[0] == 0.25 && soft[1] == 0.75);
}

/* Exponents of +-100 overflow a half and, unshifted at a smaller beta, a double: the maximum is taken away first. */
static void tiny_beta_does_not_overflow(void **state) {
    (void)state;
    const int64_t ids[3] = {0, 0, 1};
    const double cosines[3] = {1.0, 1.0, -1.0};
    const uint16_t counts[4] = {1, 0, 0, 1};
    double soft[2];
    uint16_t pure;
    dv_aggregate(ids, cosines, 1, 3, 1e-4, counts, 2, soft, &pure);
    assert_true(soft[0] == 1.0 && soft[1] == 0.0);
    assert_int_equal(pure, 0);
}

static void counts_are_shares_of_their_row(void **state) {
    (void)state;
    const int64_t ids[2] = {1, 0};
    const double cosines[2] = {0.25, 0.25};
    const uint16_t counts[10] = {1, 3, 0, 0, 0, 0, 0, 65535, 0, 65535};
    double soft[5];
    uint16_t pure;
    dv_aggregate(ids, cosines, 1, 2, 0.02, counts, 5, soft, &pure);
    const double expected[5] = {0.125, 0.375, 0.25, 0.0, 0.25};
    for (int c = 0; c < 5; c++) assert_true(soft[c] == expected[c]);
}

static void row_without_counts_carries_weight_and_no_label(void **state) {
    (void)state;
    const int64_t ids[2] = {0, 1};
    const double cosines[2] = {0.5, 0.5};
    const uint16_t counts[4] = {0, 0, 0, 7};
    double soft[2];
    uint16_t pure;
    dv_aggregate(ids, cosines, 1, 2, 0.02, counts, 2, soft, &pure);
    assert_true(soft[0] == 0.0 && soft[1] == 0.5);
    assert_int_equal(pure, 1);
    dv_aggregate(ids, cosines, 1, 1, 0.02, counts, 2, soft, &pure);
    assert_true(soft[0] == 0.0 && soft[1] == 0.0);
    assert_int_equal(pure, DV_MIXED);
}

static void missing_neighbours_of_a_masked_search_have_no_weight(void **state) {
    (void)state;
    const int64_t ids[6] = {1, -1, -1, -1, -1, -1};
    const double cosines[6] = {-1.0, -2.0, -2.0, -2.0, -2.0, -2.0};
    const uint16_t counts[6] = {9, 9, 0, 4, 1, 3}; /* before row 0 lies what id -1 would read */
    double soft[4];
    uint16_t pure[2];
    dv_aggregate(ids, cosines, 2, 3, 10.0, counts + 2, 2, soft, pure);
    assert_true(soft[0] == 0.25 && soft[1] == 0.75);
    assert_true(soft[2] == 0.0 && soft[3] == 0.0);
    assert_int_equal(pure[1], DV_MIXED);
}

/* The sum that the header words, without any of the shortcuts. */
static void naive_patch(const int64_t *ids, const double *cosines, size_t k, double beta, const uint16_t *counts,
                        size_t n_classes, double *soft) {
    double sum = 0.0;
    for (size_t j = 0; j < k; j++) sum += dv_exp_nonpositive((cosines[j] - cosines[0]) / beta);
    for (size_t c = 0; c < n_classes; c++) {
        soft[c] = 0.0;
        for (size_t j = 0; j < k; j++) {
            const uint16_t *row = counts + (size_t)ids[j] * n_classes;
            double total = 0.0;
            for (size_t i = 0; i < n_classes; i++) total += row[i];
            const double weight = dv_exp_nonpositive((cosines[j] - cosines[0]) / beta) / sum;
            soft[c] += total > 0.0 ? weight * (row[c] / total) : 0.0;
        }
    }
}

static void check_against_naive(uint64_t *random, size_t n, size_t k, size_t n_classes) {
    enum { ROWS = 50 };
    uint16_t *counts = calloc(ROWS * n_classes, sizeof *counts);
    int64_t *ids = calloc(n * k, sizeof *ids);
    double *cosines = calloc(n * k, sizeof *cosines), *soft = calloc(n * n_classes + 1, sizeof *soft);
    double *expected = calloc(n_classes, sizeof *expected);
    uint16_t *pure = calloc(n + 1, sizeof *pure);
    assert_true(counts && ids && cosines && soft && expected && pure);
    for (size_t i = 0; i < ROWS * 3; i++) /* up to three classes a row, some rows with none */
        counts[test_below(random, ROWS) * n_classes + test_below(random, n_classes)] =
            (uint16_t)(test_random(random) >> 8);
    for (size_t i = 0; i < n * k; i++) {
        ids[i] = (int64_t)test_below(random, ROWS);
        cosines[i] = i % k ? cosines[i - 1] - 0.3 * test_uniform(random) / (double)k : test_uniform(random);
    }
    soft[n * n_classes] = 42.0; /* guards */
    pure[n] = 4242;
    dv_aggregate(ids, cosines, n, k, 0.02, counts, n_classes, soft, pure);
    for (size_t i = 0; i < n; i++) {
        naive_patch(ids + i * k, cosines + i * k, k, 0.02, counts, n_classes, expected);
        assert_memory_equal(soft + i * n_classes, expected, n_classes * sizeof *expected);
        size_t n_present = 0;
        for (size_t c = 0; c < n_classes; c++) n_present += expected[c] > 0.0;
        if (n_present == 1)
            assert_true(expected[pure[i]] > 0.0);
        else
            assert_int_equal(pure[i], DV_MIXED);
    }
    assert_true(soft[n * n_classes] == 42.0);
    assert_int_equal(pure[n], 4242);
    free(counts);
    free(ids);
    free(cosines);
    free(soft);
    free(expected);
    free(pure);
}

static void shortcuts_keep_the_bits_of_the_written_sum(void **state) {
    (void)state;
    uint64_t random = test_seed();
    const size_t classes[] = {1, 2, 3, 4, 5, 7, 8, 16, 21, 150};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        check_against_naive(&random, 6, 30, classes[i]);
        check_against_naive(&random, 6, 1, classes[i]);
    }
    check_against_naive(&random, 2, 700, 5); /* more neighbours than weights are kept */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_pair_of_cosines_gives_its_weights),
        cmocka_unit_test(equal_cosines_give_equal_weights),
        cmocka_unit_test(opposite_rows_share_the_weight),
        cmocka_unit_test(tiny_beta_does_not_overflow),
        cmocka_unit_test(counts_are_shares_of_their_row),
        cmocka_unit_test(row_without_counts_carries_weight_and_no_label),
        cmocka_unit_test(missing_neighbours_of_a_masked_search_have_no_weight),
        cmocka_unit_test(shortcuts_keep_the_bits_of_the_written_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
