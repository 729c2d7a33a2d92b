#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "denseval/iou.h"

/* A matrix with the given counts: one run of pixels a cell. */
static dv_confusion *matrix_of(size_t n_classes, const uint16_t *counts) {
    dv_confusion *made;
    const dv_pixel_policy policy = {0};
    assert_int_equal(dv_confusion_create(n_classes, &made), DV_OK);
    for (size_t t = 0; t < n_classes; t++)
        for (size_t p = 0; p < n_classes; p++)
            for (uint16_t i = 0; i < counts[t * n_classes + p]; i++) {
                const uint16_t truth = (uint16_t)t, pred = (uint16_t)p;
                assert_int_equal(dv_confusion_add(made, &policy, &truth, &pred, 1, 1), DV_OK);
            }
    return made;
}

static dv_confusion *matrix_of_maps(size_t n_classes, dv_invalid_labels invalid, const uint16_t *truth,
                                    const uint16_t *pred, size_t n_pixels) {
    dv_confusion *made;
    const dv_pixel_policy policy = {.invalid = invalid};
    assert_int_equal(dv_confusion_create(n_classes, &made), DV_OK);
    assert_int_equal(dv_confusion_add(made, &policy, truth, pred, 1, n_pixels), DV_OK);
    return made;
}

static double miou_under(const dv_confusion *confusion, dv_absent absent) {
    const dv_iou_policy policy = {.absent = absent};
    dv_iou iou;
    assert_int_equal(dv_iou_compute(confusion, &policy, &iou), DV_OK);
    const double miou = iou.miou;
    dv_iou_clear(&iou);
    return miou;
}

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-15; /* a few roundings of numbers below 1 */
}

/* SEG-05, first input: class 2 is nowhere. */
static void class_that_is_nowhere_follows_the_policy(void **state) {
    (void)state;
    const uint16_t truth[4] = {0, 0, 1, 1}, pred[4] = {0, 0, 1, 0};
    dv_confusion *confusion = matrix_of_maps(3, DV_INVALID_ERROR, truth, pred, 4);
    assert_true(near(miou_under(confusion, DV_ABSENT_SKIP), 7.0 / 12));       /* 0.583333 */
    assert_true(near(miou_under(confusion, DV_ABSENT_ZERO), 7.0 / 18));       /* 0.388889 */
    assert_true(near(miou_under(confusion, DV_ABSENT_ONE), 13.0 / 18));       /* 0.722222 */
    assert_true(near(miou_under(confusion, DV_ABSENT_TRUTH_ONLY), 7.0 / 12)); /* no truth, so out */
    const double value[4] = {NAN, 0, 1, NAN};
    for (int absent = 0; absent < 4; absent++) {
        const dv_iou_policy policy = {.absent = (dv_absent)absent};
        dv_iou iou;
        assert_int_equal(dv_iou_compute(confusion, &policy, &iou), DV_OK);
        assert_true(isnan(value[absent]) ? isnan(iou.iou[2]) : iou.iou[2] == value[absent]);
        assert_true(isnan(iou.accuracy[2]));
        dv_iou_clear(&iou);
    }
    dv_confusion_free(confusion);
}

/* SEG-05, second input: class 2 is predicted and never true. */
static void class_without_truth_is_out_under_truth_only(void **state) {
    (void)state;
    const uint16_t truth[4] = {0, 0, 1, 1}, pred[4] = {0, 0, 1, 2};
    dv_confusion *confusion = matrix_of_maps(3, DV_INVALID_ERROR, truth, pred, 4);
    assert_true(miou_under(confusion, DV_ABSENT_SKIP) == 0.5);
    assert_true(miou_under(confusion, DV_ABSENT_TRUTH_ONLY) == 0.75);
    const dv_iou_policy policy = {.absent = DV_ABSENT_TRUTH_ONLY};
    dv_iou iou;
    assert_int_equal(dv_iou_compute(confusion, &policy, &iou), DV_OK);
    assert_true(iou.iou[2] == 0.0); /* it has a value; it is the mean it is out of */
    dv_iou_clear(&iou);
    dv_confusion_free(confusion);
}

/* SEG-06: 5 classes, truth 0 1 7, prediction 0 1 1 (the refusal: test_confusion.c). */
static void invalid_label_is_dropped_or_a_false_positive(void **state) {
    (void)state;
    const uint16_t truth[3] = {0, 1, 7}, pred[3] = {0, 1, 1};
    const dv_invalid_labels invalid[2] = {DV_INVALID_DROP, DV_INVALID_FALSE_POSITIVE};
    const double expected[2] = {1.0, 0.5};
    for (int i = 0; i < 2; i++) {
        dv_confusion *confusion = matrix_of_maps(5, invalid[i], truth, pred, 3);
        const dv_iou_policy policy = {0};
        dv_iou iou;
        assert_int_equal(dv_iou_compute(confusion, &policy, &iou), DV_OK);
        assert_true(iou.iou[1] == expected[i]);
        assert_int_equal(iou.predicted_pixels[1], 1 + i);
        assert_int_equal(iou.truth_pixels[1], 1);
        assert_true(iou.pixel_accuracy == 1.0); /* of the matrix, which the pixel is not in */
        dv_iou_clear(&iou);
        dv_confusion_free(confusion);
    }
}

/* SEG-08: counts of the data set, whatever the order and batches; the mean over images is another number. */
static void means_are_of_the_data_set(void **state) {
    (void)state;
    uint16_t truth[104], pred[104];
    for (int i = 0; i < 104; i++) {
        truth[i] = 1;
        pred[i] = i < 50 || i >= 100;
    }
    const bool excluded[2] = {true, false};
    const dv_iou_policy policy = {.excluded = excluded};
    dv_confusion *whole = matrix_of_maps(2, DV_INVALID_ERROR, truth, pred, 100);
    dv_confusion *second = matrix_of_maps(2, DV_INVALID_ERROR, truth + 100, pred + 100, 4);
    dv_iou first_iou, second_iou, iou;
    assert_int_equal(dv_iou_compute(whole, &policy, &first_iou), DV_OK);
    assert_int_equal(dv_iou_compute(second, &policy, &second_iou), DV_OK);
    assert_true((first_iou.miou + second_iou.miou) / 2 == 0.75);
    assert_int_equal(dv_confusion_merge(whole, second), DV_OK);
    assert_int_equal(dv_iou_compute(whole, &policy, &iou), DV_OK);
    assert_true(near(iou.miou, 54.0 / 104)); /* 0.519231 */
    dv_iou_clear(&first_iou);
    dv_iou_clear(&second_iou);
    dv_iou_clear(&iou);
    dv_confusion_free(whole);
    dv_confusion_free(second);
}

static void accuracies_and_pixels_are_those_of_the_matrix(void **state) {
    (void)state;
    const uint16_t counts[9] = {6, 2, 0, 1, 3, 0, 0, 0, 0};
    dv_confusion *confusion = matrix_of(3, counts);
    const dv_iou_policy policy = {0};
    dv_iou iou;
    assert_int_equal(dv_iou_compute(confusion, &policy, &iou), DV_OK);
    assert_int_equal(iou.n_classes, 3);
    assert_true(iou.iou[0] == 6.0 / 9 && iou.iou[1] == 3.0 / 6 && isnan(iou.iou[2]));
    assert_true(iou.accuracy[0] == 0.75 && iou.accuracy[1] == 0.75 && isnan(iou.accuracy[2]));
    assert_true(iou.mean_accuracy == 0.75);
    assert_true(iou.pixel_accuracy == 0.75);
    const uint64_t truth[3] = {8, 4, 0}, predicted[3] = {7, 5, 0};
    const size_t identity[3] = {0, 1, 2};
    assert_memory_equal(iou.truth_pixels, truth, sizeof truth);
    assert_memory_equal(iou.predicted_pixels, predicted, sizeof predicted);
    assert_memory_equal(iou.relabel, identity, sizeof identity);
    dv_iou_clear(&iou);
    dv_confusion_free(confusion);
}

static void excluded_classes_leave_the_means_and_keep_their_values(void **state) {
    (void)state;
    const uint16_t counts[9] = {1, 1, 0, 0, 2, 0, 0, 0, 4};
    const bool excluded[3] = {false, false, true};
    dv_confusion *confusion = matrix_of(3, counts);
    const dv_iou_policy policy = {.excluded = excluded};
    dv_iou iou;
    assert_int_equal(dv_iou_compute(confusion, &policy, &iou), DV_OK);
    assert_true(near(iou.miou, (0.5 + 2.0 / 3) / 2));
    assert_true(iou.mean_accuracy == 0.75);
    assert_true(iou.iou[2] == 1.0 && iou.accuracy[2] == 1.0);
    assert_true(iou.pixel_accuracy == 7.0 / 8); /* all counted pixels */
    dv_iou_clear(&iou);
    dv_confusion_free(confusion);
}

static void nothing_counted_gives_no_value(void **state) {
    (void)state;
    dv_confusion *confusion;
    assert_int_equal(dv_confusion_create(2, &confusion), DV_OK);
    for (int hungarian = 0; hungarian < 2; hungarian++) {
        const dv_iou_policy policy = {.hungarian = hungarian};
        dv_iou iou;
        assert_int_equal(dv_iou_compute(confusion, &policy, &iou), DV_OK);
        assert_true(isnan(iou.miou) && isnan(iou.mean_accuracy) && isnan(iou.pixel_accuracy));
        assert_int_equal(iou.relabel[0], 0);
        assert_int_equal(iou.relabel[1], 1);
        dv_iou_clear(&iou);
    }
    dv_confusion_free(confusion);
}

/* By hand: predictions 0 and 1 are swapped, prediction 1 has a false positive of an invalid label besides. */
static void relabelling_counts_false_positives_of_the_pair(void **state) {
    (void)state;
    const uint16_t truth[8] = {0, 0, 0, 1, 1, 1, 1, 9}, pred[8] = {1, 1, 0, 0, 0, 0, 1, 1};
    dv_confusion *confusion = matrix_of_maps(2, DV_INVALID_FALSE_POSITIVE, truth, pred, 8);
    const dv_iou_policy policy = {.hungarian = true};
    dv_iou iou;
    assert_int_equal(dv_iou_compute(confusion, &policy, &iou), DV_OK);
    assert_int_equal(iou.relabel[0], 1);
    assert_int_equal(iou.relabel[1], 0);
    assert_true(iou.iou[0] == 2.0 / 5 && iou.iou[1] == 3.0 / 5); /* 3 + 4 - 2, 4 + 4 - 3 */
    assert_true(iou.accuracy[0] == 2.0 / 3 && iou.accuracy[1] == 3.0 / 4);
    const uint64_t predicted[2] = {4, 4};
    assert_memory_equal(iou.predicted_pixels, predicted, sizeof predicted);
    assert_true(iou.pixel_accuracy == 5.0 / 7);
    dv_iou_clear(&iou);
    dv_confusion_free(confusion);
}

/* The first case of the shared metric cases: class 5 is absent, class 4 is taken for class 0. Values computed there by
 * scipy 's linear_sum_assignment. */
static void published_relabelling_is_reproduced(void **state) {
    (void)state;
    const uint16_t counts[36] = {440, 474, 28, 40,  0, 0, 44,  401, 22, 14, 0, 0, 37, 46, 403, 19, 0, 0,
                                 40,  44,  24, 416, 0, 0, 449, 27,  18, 14, 0, 0, 0,  0,  0,   0,  0, 0};
    const double plain[5] = {0.28350515463917525, 0.37406716417910446, 0.6750418760469011, 0.6808510638297872, 0.0};
    const double relabelled[6] = {0.0, 0.37406716417910446, 0.6750418760469011, 0.6808510638297872, 0.4200187090739008,
                                  0.0};
    dv_confusion *confusion = matrix_of(6, counts);
    const dv_iou_policy skip = {0}, hummingbird = {.absent = DV_ABSENT_ZERO, .hungarian = true};
    dv_iou iou;
    assert_int_equal(dv_iou_compute(confusion, &skip, &iou), DV_OK);
    assert_memory_equal(iou.iou, plain, sizeof plain);
    assert_true(isnan(iou.iou[5]));
    assert_true(near(iou.miou, 0.4026930517389936));
    dv_iou_clear(&iou);
    assert_int_equal(dv_iou_compute(confusion, &hummingbird, &iou), DV_OK);
    assert_memory_equal(iou.iou, relabelled, sizeof relabelled);
    assert_true(near(iou.miou, 0.3583298021882823));
    assert_int_equal(iou.relabel[0], 4);
    assert_int_equal(iou.relabel[4] + iou.relabel[5], 0 + 5); /* both have IoU 0: either way is right */
    dv_iou_clear(&iou);
    dv_confusion_free(confusion);
}

static void unknown_policy_is_refused_and_leaves_nothing(void **state) {
    (void)state;
    dv_confusion *confusion;
    assert_int_equal(dv_confusion_create(2, &confusion), DV_OK);
    const dv_iou_policy policy = {.absent = (dv_absent)4};
    dv_iou iou;
    memset(&iou, 0x55, sizeof iou);
    assert_int_equal(dv_iou_compute(confusion, &policy, &iou), DV_E_ARG);
    assert_string_equal(dv_last_error(), "absent-classes policy 4: there is no such policy");
    assert_null(iou.iou);
    assert_null(iou.relabel);
    dv_iou_clear(&iou);
    dv_confusion_free(confusion);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(class_that_is_nowhere_follows_the_policy),
        cmocka_unit_test(class_without_truth_is_out_under_truth_only),
        cmocka_unit_test(invalid_label_is_dropped_or_a_false_positive),
        cmocka_unit_test(means_are_of_the_data_set),
        cmocka_unit_test(accuracies_and_pixels_are_those_of_the_matrix),
        cmocka_unit_test(excluded_classes_leave_the_means_and_keep_their_values),
        cmocka_unit_test(nothing_counted_gives_no_value),
        cmocka_unit_test(relabelling_counts_false_positives_of_the_pair),
        cmocka_unit_test(published_relabelling_is_reproduced),
        cmocka_unit_test(unknown_policy_is_refused_and_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
