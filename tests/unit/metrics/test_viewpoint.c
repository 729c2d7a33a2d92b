/* Curves over viewpoint bins: steps, breaking points under both rules, missing bins (GEO-15 of the edge cases). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "denseval/viewpoint.h"

enum { MOST = 8 };

static size_t break_of(const double *values, size_t n, dv_steps tested) {
    double normalised[MOST], steps[MOST];
    dv_curve_normalise(values, n, normalised);
    dv_curve_steps(normalised, n, steps);
    return dv_curve_break(steps, n - 1, tested, 0.1);
}

static void the_breaking_point_is_the_first_step_of_at_most_minus_the_threshold(void **state) {
    (void)state;
    static const struct {
        size_t n;
        double values[MOST];
        size_t all, validation; /* SIZE_MAX: none */
    } cases[] = {
        {3, {.8, .8, .8}, SIZE_MAX, SIZE_MAX}, {3, {.3, .3, .3}, SIZE_MAX, SIZE_MAX},
        {4, {.8, .3, .8, .2}, 0, 2},           {3, {.8, NAN, .3}, SIZE_MAX, SIZE_MAX},
        {3, {0, .3, .3}, SIZE_MAX, SIZE_MAX},  {3, {NAN, .8, .3}, SIZE_MAX, SIZE_MAX},
        {5, {.8, .8, NAN, .8, .2}, 3, 3},      {3, {1, 1, .875}, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(break_of(cases[i].values, cases[i].n, DV_STEPS_ALL) == cases[i].all);
        assert_true(break_of(cases[i].values, cases[i].n, DV_STEPS_VALIDATION) == cases[i].validation);
    }
}

static void a_step_of_exactly_the_threshold_breaks(void **state) {
    (void)state;
    const double steps[] = {0, -0.125, -0.25};
    assert_int_equal(dv_curve_break(steps, 3, DV_STEPS_ALL, 0.125), 1);
    assert_int_equal(dv_curve_break(steps, 3, DV_STEPS_ALL, 0.126), 2);
    assert_true(dv_curve_break(steps, 3, DV_STEPS_ALL, 0.26) == SIZE_MAX);
}

static void no_step_is_formed_over_a_missing_bin(void **state) {
    (void)state;
    const double values[] = {.8, .4, NAN, .2, .2};
    double normalised[5], steps[4];
    dv_curve_normalise(values, 5, normalised);
    dv_curve_steps(normalised, 5, steps);
    assert_true(normalised[0] == 1 && normalised[1] == .5 && isnan(normalised[2]) && normalised[3] == .25);
    assert_true(steps[0] == -.5 && isnan(steps[1]) && isnan(steps[2]) && steps[3] == 0);
}

static void the_steepest_step_is_the_lowest_of_those_tested(void **state) {
    (void)state;
    const double steps[] = {-.5, NAN, -.05, -.05, .1}, none[] = {-.5};
    assert_int_equal(dv_curve_steepest(steps, 5, DV_STEPS_ALL), 0);
    assert_int_equal(dv_curve_steepest(steps, 5, DV_STEPS_VALIDATION), 2);
    assert_true(dv_curve_steepest(none, 1, DV_STEPS_VALIDATION) == SIZE_MAX);
    assert_true(dv_curve_steepest(none, 0, DV_STEPS_ALL) == SIZE_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_breaking_point_is_the_first_step_of_at_most_minus_the_threshold),
        cmocka_unit_test(a_step_of_exactly_the_threshold_breaks),
        cmocka_unit_test(no_step_is_formed_over_a_missing_bin),
        cmocka_unit_test(the_steepest_step_is_the_lowest_of_those_tested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
