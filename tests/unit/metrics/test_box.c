#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "denseval/box.h"

enum { MAX_VALUES = 16 };

static dv_box box_of(const double *values, size_t n, double *sorted) {
    dv_box box;
    sorted[n] = 4242.0; /* guard */
    assert_int_equal(dv_box_compute(values, n, sorted, &box), DV_OK);
    assert_true(sorted[n] == 4242.0);
    assert_int_equal(box.n, n);
    return box;
}

static void no_value_is_no_box(void **state) {
    (void)state;
    double sorted[1];
    const dv_box box = box_of(NULL, 0, sorted);
    const double all[] = {box.mean, box.sd,  box.min,         box.q1,          box.median,
                          box.q3,   box.max, box.whisker_low, box.whisker_high};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) assert_true(isnan(all[i]));
    assert_int_equal(box.n_low + box.n_high, 0);
}

static void one_value_is_everything_but_a_deviation(void **state) {
    (void)state;
    double sorted[2];
    const dv_box box = box_of((double[]){0.5}, 1, sorted);
    assert_true(isnan(box.sd));
    const double all[] = {box.mean, box.min, box.q1, box.median, box.q3, box.max, box.whisker_low, box.whisker_high};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) assert_true(all[i] == 0.5);
    assert_int_equal(box.n_low + box.n_high, 0);
}

/* Seven values: quartiles at 1.5, 3 and 4.5 counted from 0. Sorted 0 8 10 12 14 16 40: box 9..15, fences 0 and 24. */
static void a_value_on_the_fence_is_no_outlier(void **state) {
    (void)state;
    double sorted[MAX_VALUES];
    const dv_box box = box_of((double[]){12, 40, 8, 0, 16, 10, 14}, 7, sorted);
    assert_true(box.q1 == 9.0 && box.median == 12.0 && box.q3 == 15.0);
    assert_true(box.min == 0.0 && box.max == 40.0);
    assert_true(box.whisker_low == 0.0 && box.whisker_high == 16.0);
    assert_int_equal(box.n_low, 0);
    assert_int_equal(box.n_high, 1);
    assert_true(box.mean == 100.0 / 7.0);
    const double rising[] = {0, 8, 10, 12, 14, 16, 40};
    assert_memory_equal(sorted, rising, sizeof rising);
}

static void outliers_stand_at_both_ends(void **state) {
    (void)state;
    double sorted[MAX_VALUES];
    /* Of nine values quartiles are the third, fifth and seventh. -3 0.5 1 4 5 5 6 9 100: fences -6.5 and 13.5 */
    const dv_box wide = box_of((double[]){100, 5, -3, 4, 6, 0.5, 5, 9, 1}, 9, sorted);
    assert_true(wide.q1 == 1.0 && wide.median == 5.0 && wide.q3 == 6.0);
    assert_int_equal(wide.n_low, 0);
    assert_int_equal(wide.n_high, 1);
    assert_true(wide.whisker_low == -3.0 && wide.whisker_high == 9.0);
    /* -3 0.5 4 4 5 5 5 6 100: fences 2.5 and 6.5 */
    const dv_box narrow = box_of((double[]){100, 5, -3, 4, 6, 0.5, 5, 5, 4}, 9, sorted);
    assert_true(narrow.q1 == 4.0 && narrow.q3 == 5.0);
    assert_int_equal(narrow.n_low, 2);
    assert_int_equal(narrow.n_high, 1);
    assert_true(sorted[0] == -3.0 && sorted[1] == 0.5 && sorted[8] == 100.0);
    assert_true(narrow.whisker_low == 4.0 && narrow.whisker_high == 6.0);
}

/* A box without height: every other value is an outlier. */
static void ties_make_a_flat_box(void **state) {
    (void)state;
    double sorted[MAX_VALUES];
    const dv_box same = box_of((double[]){0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 6, sorted);
    assert_true(same.q1 == 0.1 && same.median == 0.1 && same.q3 == 0.1 && same.min == 0.1 && same.max == 0.1);
    assert_true(same.whisker_low == 0.1 && same.whisker_high == 0.1);
    assert_int_equal(same.n_low + same.n_high, 0);
    const dv_box flat = box_of((double[]){1, 0, 1, 2, 1, 1, 1}, 7, sorted);
    assert_true(flat.q1 == 1.0 && flat.q3 == 1.0 && flat.whisker_low == 1.0 && flat.whisker_high == 1.0);
    assert_int_equal(flat.n_low, 1);
    assert_int_equal(flat.n_high, 1);
    assert_true(flat.sd == sqrt(2.0 / 6.0));
}

static void order_of_the_values_changes_no_bit(void **state) {
    (void)state;
    const double values[] = {0.1, 0.7, 0.72, 0.75, 0.78, 0.8}, turned[] = {0.78, 0.1, 0.8, 0.72, 0.7, 0.75};
    double sorted[MAX_VALUES], in_place[MAX_VALUES];
    const dv_box box = box_of(values, 6, sorted), other = box_of(turned, 6, sorted);
    assert_memory_equal(&box, &other, sizeof box);
    memcpy(in_place, turned, sizeof turned);
    const dv_box third = box_of(in_place, 6, in_place);
    assert_memory_equal(&box, &third, sizeof box);
    assert_memory_equal(in_place, values, sizeof values);
}

static void what_is_not_finite_is_refused(void **state) {
    (void)state;
    double sorted[3] = {7, 7, 7};
    dv_box box = {.n = 42};
    assert_int_equal(dv_box_compute((double[]){1, 2, NAN}, 3, sorted, &box), DV_E_ARG);
    assert_string_equal(dv_last_error(), "value 2, nan: values of a box must be finite");
    assert_int_equal(dv_box_compute((double[]){1, INFINITY, 3}, 3, sorted, &box), DV_E_ARG);
    assert_string_equal(dv_last_error(), "value 1, inf: values of a box must be finite");
    assert_int_equal(box.n, 42);
    for (size_t i = 0; i < 3; i++) assert_true(sorted[i] == 7.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_value_is_no_box),
        cmocka_unit_test(one_value_is_everything_but_a_deviation),
        cmocka_unit_test(a_value_on_the_fence_is_no_outlier),
        cmocka_unit_test(outliers_stand_at_both_ends),
        cmocka_unit_test(ties_make_a_flat_box),
        cmocka_unit_test(order_of_the_values_changes_no_bit),
        cmocka_unit_test(what_is_not_finite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
