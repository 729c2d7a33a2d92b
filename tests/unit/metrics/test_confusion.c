#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "denseval/confusion.h"
#include "property/metrics_seed.h"

static dv_confusion *matrix_of(size_t n_classes) {
    dv_confusion *made;
    assert_int_equal(dv_confusion_create(n_classes, &made), DV_OK);
    return made;
}

static uint64_t sum_of(const dv_confusion *confusion) {
    const size_t n = dv_confusion_classes(confusion);
    uint64_t sum = 0;
    for (size_t i = 0; i < n * n; i++) sum += dv_confusion_counts(confusion)[i];
    return sum;
}

static void rows_are_truth_and_columns_predictions(void **state) {
    (void)state;
    dv_confusion *confusion = matrix_of(3);
    const dv_pixel_policy policy = {0};
    const uint16_t truth[6] = {0, 0, 1, 1, 2, 2}, pred[6] = {0, 1, 1, 2, 0, 0};
    assert_int_equal(dv_confusion_add(confusion, &policy, truth, pred, 2, 3), DV_OK);
    const uint64_t expected[9] = {1, 1, 0, 0, 1, 1, 2, 0, 0};
    assert_memory_equal(dv_confusion_counts(confusion), expected, sizeof expected);
    dv_confusion_clear(confusion);
    assert_int_equal(sum_of(confusion), 0);
    dv_confusion_free(confusion);
    dv_confusion_free(NULL);
}

static void ignored_labels_are_counted_apart_even_where_they_are_classes(void **state) {
    (void)state;
    dv_confusion *confusion = matrix_of(2);
    dv_pixel_policy policy = {0};
    dv_label_set_add(&policy.ignored, 255);
    dv_label_set_add(&policy.ignored, 1);
    const uint16_t truth[4] = {255, 1, 0, 0}, pred[4] = {999, 0, 1, 0}; /* nobody looks at what 255 was taken for */
    assert_int_equal(dv_confusion_add(confusion, &policy, truth, pred, 1, 4), DV_OK);
    const uint64_t expected[4] = {1, 1, 0, 0};
    assert_memory_equal(dv_confusion_counts(confusion), expected, sizeof expected);
    assert_int_equal(dv_confusion_ignored(confusion), 2);
    assert_int_equal(dv_confusion_dropped(confusion), 0);
    dv_confusion_free(confusion);
}

/* SEG-06, the three policies: 5 classes, truth 0 1 7, prediction 0 1 1. */
static void label_7_of_5_is_refused_by_default_and_leaves_no_trace(void **state) {
    (void)state;
    dv_confusion *confusion = matrix_of(5);
    dv_pixel_policy policy = {0};
    const uint16_t good[3] = {4, 4, 3}, truth[3] = {0, 1, 7}, pred[3] = {0, 1, 1};
    dv_label_set_add(&policy.ignored, 3);
    assert_int_equal(dv_confusion_add(confusion, &policy, good, good, 1, 3), DV_OK);
    assert_int_equal(dv_confusion_add(confusion, &policy, truth, pred, 3, 1), DV_E_DATA);
    assert_string_equal(dv_last_error(), "row 2 column 0, label 7: labels must be below 5");
    assert_int_equal(sum_of(confusion), 2);
    assert_int_equal(dv_confusion_counts(confusion)[24], 2);
    assert_int_equal(dv_confusion_ignored(confusion), 1);
    dv_confusion_free(confusion);
}

static void label_7_of_5_is_dropped_on_request(void **state) {
    (void)state;
    dv_confusion *confusion = matrix_of(5);
    const dv_pixel_policy policy = {.invalid = DV_INVALID_DROP};
    const uint16_t truth[3] = {0, 1, 7}, pred[3] = {0, 1, 1};
    assert_int_equal(dv_confusion_add(confusion, &policy, truth, pred, 1, 3), DV_OK);
    assert_int_equal(sum_of(confusion), 2);
    assert_int_equal(dv_confusion_dropped(confusion), 1);
    assert_int_equal(dv_confusion_false_positives(confusion)[1], 0);
    dv_confusion_free(confusion);
}

static void label_7_of_5_is_a_false_positive_on_request(void **state) {
    (void)state;
    dv_confusion *confusion = matrix_of(5);
    const dv_pixel_policy policy = {.invalid = DV_INVALID_FALSE_POSITIVE};
    const uint16_t truth[3] = {0, 1, 7}, pred[3] = {0, 1, 1};
    assert_int_equal(dv_confusion_add(confusion, &policy, truth, pred, 1, 3), DV_OK);
    const uint64_t expected[5] = {0, 1, 0, 0, 0};
    assert_memory_equal(dv_confusion_false_positives(confusion), expected, sizeof expected);
    assert_int_equal(sum_of(confusion), 2); /* outside the matrix */
    dv_confusion_free(confusion);
}

/* Ignored wins over invalid: the ignore value may be any number, beyond the classes too. */
static void ignore_value_may_be_any_number(void **state) {
    (void)state;
    dv_confusion *confusion = matrix_of(2);
    dv_pixel_policy policy = {0};
    dv_label_set_add(&policy.ignored, 65535);
    const uint16_t truth[2] = {65535, 1}, pred[2] = {0, 1};
    assert_int_equal(dv_confusion_add(confusion, &policy, truth, pred, 1, 2), DV_OK);
    assert_int_equal(dv_confusion_ignored(confusion), 1);
    assert_int_equal(sum_of(confusion), 1);
    dv_confusion_free(confusion);
}

static void prediction_that_is_no_class_is_the_callers_fault(void **state) {
    (void)state;
    dv_confusion *confusion = matrix_of(2);
    dv_pixel_policy policy = {.invalid = DV_INVALID_FALSE_POSITIVE};
    const uint16_t truth[6] = {0, 0, 0, 0, 9, 9}, pred[6] = {1, 1, 1, 1, 1, 2};
    assert_int_equal(dv_confusion_add(confusion, &policy, truth, pred, 2, 3), DV_E_ARG);
    assert_string_equal(dv_last_error(), "row 1 column 2, prediction 2: predictions must be below 2");
    assert_int_equal(sum_of(confusion), 0);
    assert_int_equal(dv_confusion_false_positives(confusion)[1], 0);
    dv_confusion_free(confusion);
}

static void the_first_fault_in_reading_order_is_named(void **state) {
    (void)state;
    dv_confusion *confusion = matrix_of(2);
    const dv_pixel_policy policy = {0};
    uint16_t truth[60] = {0}, pred[60] = {0};
    truth[37] = 300;
    truth[38] = 2;
    pred[50] = 2;
    assert_int_equal(dv_confusion_add(confusion, &policy, truth, pred, 6, 10), DV_E_DATA);
    assert_string_equal(dv_last_error(), "row 3 column 7, label 300: labels must be below 2");
    pred[36] = 2;
    assert_int_equal(dv_confusion_add(confusion, &policy, truth, pred, 6, 10), DV_E_ARG);
    assert_string_equal(dv_last_error(), "row 3 column 6, prediction 2: predictions must be below 2");
    assert_int_equal(sum_of(confusion), 0);
    dv_confusion_free(confusion);
}

/* SEG-07: float sums stop at 2^24, 32-bit ones at 2^32. */
static void one_cell_passes_2_24_2_31_and_2_32(void **state) {
    (void)state;
    enum { SIDE = 4096 };
    dv_confusion *confusion = matrix_of(2);
    const dv_pixel_policy policy = {0};
    uint16_t *map = malloc((size_t)SIDE * SIDE * sizeof *map);
    assert_non_null(map);
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) map[i] = 1;
    assert_int_equal(dv_confusion_add(confusion, &policy, map, map, SIDE, SIDE), DV_OK);
    assert_int_equal(dv_confusion_add(confusion, &policy, map, map, 1, 1), DV_OK);
    assert_int_equal(dv_confusion_counts(confusion)[3], 16777217);
    for (int i = 0; i < 9; i++) assert_int_equal(dv_confusion_merge(confusion, confusion), DV_OK); /* doubles */
    assert_true(dv_confusion_counts(confusion)[3] == UINT64_C(8589935104));                        /* 2^33 + 2^9 */
    assert_int_equal(dv_confusion_add(confusion, &policy, map, map, SIDE, SIDE), DV_OK);
    assert_true(dv_confusion_counts(confusion)[3] == UINT64_C(8606712320));
    free(map);
    dv_confusion_free(confusion);
}

/* SEG-07: an 8-bit pair index would fold this cell onto another. */
static void pair_149_149_of_150_classes_is_cell_22499(void **state) {
    (void)state;
    dv_confusion *confusion = matrix_of(150);
    const dv_pixel_policy policy = {0};
    const uint16_t label = 149;
    assert_int_equal(dv_confusion_add(confusion, &policy, &label, &label, 1, 1), DV_OK);
    for (size_t i = 0; i < 22500; i++) assert_int_equal(dv_confusion_counts(confusion)[i], i == 22499);
    dv_confusion_free(confusion);
}

static void runs_give_the_counts_of_single_pixels(void **state) {
    (void)state;
    enum { CLASSES = 7, MAX_PIXELS = 700 };
    uint64_t random = test_seed();
    const dv_pixel_policy policy = {0};
    uint16_t truth[MAX_PIXELS], pred[MAX_PIXELS];
    for (int repeat = 0; repeat < 300; repeat++) {
        dv_confusion *confusion = matrix_of(CLASSES);
        uint64_t expected[CLASSES * CLASSES] = {0};
        const size_t n_pixels = test_below(&random, MAX_PIXELS + 1), flat = 1 + test_below(&random, 30);
        uint16_t t = 0, p = 0;
        for (size_t i = 0; i < n_pixels; i++) {
            if (test_below(&random, flat) == 0) t = (uint16_t)test_below(&random, CLASSES);
            if (test_below(&random, flat) == 0) p = (uint16_t)test_below(&random, CLASSES);
            truth[i] = t;
            pred[i] = p;
            expected[t * CLASSES + p]++;
        }
        assert_int_equal(dv_confusion_add(confusion, &policy, truth, pred, 1, n_pixels), DV_OK);
        assert_memory_equal(dv_confusion_counts(confusion), expected, sizeof expected);
        dv_confusion_free(confusion);
    }
}

static void labels_of_8_bits_are_counted_and_refused_like_those_of_16(void **state) {
    (void)state;
    dv_confusion *confusion = matrix_of(2);
    dv_pixel_policy policy = {0};
    dv_label_set_add(&policy.ignored, 255);
    const uint8_t truth[4] = {0, 255, 1, 1}, pred[4] = {1, 7, 1, 1}, bad[4] = {0, 0, 0, 2};
    assert_int_equal(dv_confusion_add_u8(confusion, &policy, truth, pred, 2, 2), DV_OK);
    const uint64_t expected[4] = {0, 1, 0, 2};
    assert_int_equal(dv_confusion_add_u8(confusion, &policy, bad, truth, 2, 2), DV_E_ARG);
    assert_string_equal(dv_last_error(), "row 0 column 1, prediction 255: predictions must be below 2");
    assert_int_equal(dv_confusion_add_u8(confusion, &policy, bad, bad, 2, 2), DV_E_DATA);
    assert_string_equal(dv_last_error(), "row 1 column 1, label 2: labels must be below 2");
    assert_memory_equal(dv_confusion_counts(confusion), expected, sizeof expected);
    assert_int_equal(dv_confusion_ignored(confusion), 1);
    dv_confusion_free(confusion);
}

static void merging_adds_everything_and_wants_equal_classes(void **state) {
    (void)state;
    dv_confusion *a = matrix_of(2), *b = matrix_of(2), *c = matrix_of(3);
    dv_pixel_policy policy = {.invalid = DV_INVALID_FALSE_POSITIVE};
    dv_label_set_add(&policy.ignored, 255);
    const uint16_t truth[4] = {0, 255, 7, 1}, pred[4] = {1, 1, 1, 0};
    assert_int_equal(dv_confusion_add(a, &policy, truth, pred, 2, 2), DV_OK);
    policy.invalid = DV_INVALID_DROP;
    assert_int_equal(dv_confusion_add(b, &policy, truth, pred, 2, 2), DV_OK);
    assert_int_equal(dv_confusion_merge(a, b), DV_OK);
    const uint64_t counts[4] = {0, 2, 2, 0}, false_positives[2] = {0, 1};
    assert_memory_equal(dv_confusion_counts(a), counts, sizeof counts);
    assert_memory_equal(dv_confusion_false_positives(a), false_positives, sizeof false_positives);
    assert_int_equal(dv_confusion_ignored(a), 2);
    assert_int_equal(dv_confusion_dropped(a), 1);
    assert_int_equal(dv_confusion_merge(a, c), DV_E_ARG);
    assert_string_equal(dv_last_error(), "merging confusion matrices of 2 and 3 classes: they must agree");
    assert_memory_equal(dv_confusion_counts(a), counts, sizeof counts);
    dv_confusion_free(a);
    dv_confusion_free(b);
    dv_confusion_free(c);
}

static void counts_taken_before_are_added_to_those_there_are(void **state) {
    (void)state;
    dv_confusion *confusion = matrix_of(2);
    dv_pixel_policy policy = {.invalid = DV_INVALID_DROP};
    dv_label_set_add(&policy.ignored, 255);
    const uint16_t truth[4] = {0, 255, 7, 1}, pred[4] = {1, 1, 1, 0};
    assert_int_equal(dv_confusion_add(confusion, &policy, truth, pred, 2, 2), DV_OK);
    const uint64_t counts[4] = {5, 6, 7, UINT64_C(1) << 40}, false_positives[2] = {3, 0};
    dv_confusion_add_counts(confusion, counts, false_positives);
    dv_confusion_add_left_out(confusion, 10, UINT64_C(1) << 33);
    const uint64_t expected[4] = {5, 7, 8, UINT64_C(1) << 40};
    assert_memory_equal(dv_confusion_counts(confusion), expected, sizeof expected);
    assert_memory_equal(dv_confusion_false_positives(confusion), false_positives, sizeof false_positives);
    assert_int_equal(dv_confusion_ignored(confusion), 11);
    assert_int_equal(dv_confusion_dropped(confusion), (UINT64_C(1) << 33) + 1);
    dv_confusion_free(confusion);
}

static void arguments_out_of_range_are_refused(void **state) {
    (void)state;
    dv_confusion *confusion = (dv_confusion *)state;
    assert_int_equal(dv_confusion_create(0, &confusion), DV_E_ARG);
    assert_null(confusion);
    assert_int_equal(dv_confusion_create(4097, &confusion), DV_E_ARG);
    assert_string_equal(dv_last_error(), "4097 classes: a confusion matrix has 1..4096");
    confusion = matrix_of(4096);
    const dv_pixel_policy policy = {.invalid = (dv_invalid_labels)3};
    const uint16_t label = 4095;
    assert_int_equal(dv_confusion_add(confusion, &policy, &label, &label, 1, 1), DV_E_ARG);
    assert_string_equal(dv_last_error(), "invalid-labels policy 3: there is no such policy");
    const dv_pixel_policy plain = {0};
    assert_int_equal(dv_confusion_add(confusion, &plain, &label, &label, 1, 1), DV_OK);
    assert_int_equal(dv_confusion_counts(confusion)[16777215], 1);
    dv_confusion_free(confusion);
}

/* ---- Sparse --------------------------------------------------------------------------------------------------------
 */

static dv_confusion *sparse_of(size_t n_classes) {
    dv_confusion *made;
    assert_int_equal(dv_confusion_create_sparse(n_classes, &made), DV_OK);
    assert_null(dv_confusion_counts(made));
    return made;
}

static void assert_same_cells(const dv_confusion *a, const dv_confusion *b) {
    dv_confusion_cell *of_a, *of_b;
    size_t n_a, n_b;
    assert_int_equal(dv_confusion_cells(a, &of_a, &n_a), DV_OK);
    assert_int_equal(dv_confusion_cells(b, &of_b, &n_b), DV_OK);
    assert_int_equal(n_a, n_b);
    for (size_t i = 0; i < n_a; i++)
        assert_true(of_a[i].truth == of_b[i].truth && of_a[i].pred == of_b[i].pred &&
                    of_a[i].n_pixels == of_b[i].n_pixels);
    free(of_a);
    free(of_b);
}

static void assert_same_sums(const dv_confusion *a, const dv_confusion *b) {
    enum { N = 100 };
    uint64_t of_a[3][N], of_b[3][N];
    dv_confusion_sums(a, of_a[0], of_a[1], of_a[2]);
    dv_confusion_sums(b, of_b[0], of_b[1], of_b[2]);
    assert_memory_equal(of_a, of_b, sizeof of_a);
}

/* Ten thousand pairs of classes, so that the table grows on the way. */
static void a_sparse_matrix_counts_what_a_dense_one_counts(void **state) {
    (void)state;
    enum { N = 100, N_PIXELS = 40000 };
    static uint16_t truth[N_PIXELS], pred[N_PIXELS];
    dv_pixel_policy policy = {.invalid = DV_INVALID_FALSE_POSITIVE};
    dv_label_set_add(&policy.ignored, 7);
    for (size_t i = 0; i < N_PIXELS; i++) {
        truth[i] = (uint16_t)(i * 7919 / 3 % (N + 5));
        pred[i] = (uint16_t)(i * 104729 / 7 % N);
    }
    dv_confusion *dense = matrix_of(N), *sparse = sparse_of(N), *merged = sparse_of(N);
    for (int half = 0; half < 2; half++) {
        const size_t at = (size_t)half * N_PIXELS / 2;
        assert_int_equal(dv_confusion_add(dense, &policy, truth + at, pred + at, 1, N_PIXELS / 2), DV_OK);
        dv_confusion_clear(sparse);
        assert_int_equal(dv_confusion_add(sparse, &policy, truth + at, pred + at, 1, N_PIXELS / 2), DV_OK);
        assert_int_equal(dv_confusion_merge(merged, sparse), DV_OK);
    }
    assert_same_cells(dense, merged);
    assert_same_sums(dense, merged);
    assert_int_equal(dv_confusion_ignored(dense), dv_confusion_ignored(merged));
    assert_int_equal(dv_confusion_merge(dense, sparse), DV_E_ARG);
    dv_confusion_free(dense);
    dv_confusion_free(sparse);
    dv_confusion_free(merged);
}

static void a_map_that_a_sparse_matrix_refuses_leaves_no_trace(void **state) {
    (void)state;
    const dv_pixel_policy policy = {0};
    const uint16_t truth[4] = {65000, 3, 65001, 1}, pred[4] = {0, 65000, 65001, 65003};
    dv_confusion *sparse = sparse_of(65003), *empty = sparse_of(65003);
    assert_int_equal(dv_confusion_add(sparse, &policy, truth, pred, 1, 4), DV_E_ARG);
    assert_string_equal(dv_last_error(), "row 0 column 3, prediction 65003: predictions must be below 65003");
    assert_same_cells(sparse, empty);
    dv_confusion_free(sparse);
    dv_confusion_free(empty);
    assert_int_equal(dv_confusion_create_sparse(65536, &sparse), DV_E_ARG);
    assert_string_equal(dv_last_error(), "65536 classes: a confusion matrix has 1..65535");
}

/* A pixel that differs, on either side, at each place around the blocks that are compared at once. */
static void a_run_ends_where_one_pixel_differs(void **state) {
    (void)state;
    enum { N_PIXELS = 100 };
    const dv_pixel_policy policy = {0};
    for (size_t at = 0; at < N_PIXELS; at++) {
        uint16_t truth[N_PIXELS] = {0}, pred[N_PIXELS] = {0};
        dv_confusion *confusion = matrix_of(3);
        truth[at] = 1;
        pred[N_PIXELS - 1 - at] = 2;
        assert_int_equal(dv_confusion_add(confusion, &policy, truth, pred, 1, N_PIXELS), DV_OK);
        assert_int_equal(dv_confusion_counts(confusion)[0], N_PIXELS - 2);
        assert_int_equal(dv_confusion_counts(confusion)[2], 1);
        assert_int_equal(dv_confusion_counts(confusion)[3], 1);
        dv_confusion_free(confusion);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_truth_and_columns_predictions),
        cmocka_unit_test(ignored_labels_are_counted_apart_even_where_they_are_classes),
        cmocka_unit_test(label_7_of_5_is_refused_by_default_and_leaves_no_trace),
        cmocka_unit_test(label_7_of_5_is_dropped_on_request),
        cmocka_unit_test(label_7_of_5_is_a_false_positive_on_request),
        cmocka_unit_test(ignore_value_may_be_any_number),
        cmocka_unit_test(prediction_that_is_no_class_is_the_callers_fault),
        cmocka_unit_test(the_first_fault_in_reading_order_is_named),
        cmocka_unit_test(one_cell_passes_2_24_2_31_and_2_32),
        cmocka_unit_test(pair_149_149_of_150_classes_is_cell_22499),
        cmocka_unit_test(runs_give_the_counts_of_single_pixels),
        cmocka_unit_test(labels_of_8_bits_are_counted_and_refused_like_those_of_16),
        cmocka_unit_test(merging_adds_everything_and_wants_equal_classes),
        cmocka_unit_test(counts_taken_before_are_added_to_those_there_are),
        cmocka_unit_test(arguments_out_of_range_are_refused),
        cmocka_unit_test(a_sparse_matrix_counts_what_a_dense_one_counts),
        cmocka_unit_test(a_map_that_a_sparse_matrix_refuses_leaves_no_trace),
        cmocka_unit_test(a_run_ends_where_one_pixel_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
