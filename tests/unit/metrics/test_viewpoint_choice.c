#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "metrics/viewpoint_choice.h"

enum { N_BINS = 7, NONE = -1 };
static const int32_t bins[N_BINS] = {0, 15, 30, 45, 60, 75, 90};
static const bool all[12] = {true, true, true, true, true, true, true, true, true, true, true, true};

static void assert_chosen(const size_t *frames, const int *expected) {
    for (size_t bin = 0; bin < N_BINS; bin++)
        assert_int_equal(frames[bin], expected[bin] == NONE ? DV_NO_FRAME : (size_t)expected[bin]);
}

static void expect(const double *angles, const bool *usable, size_t n, double tolerance, const int *expected) {
    size_t frames[N_BINS];
    dv_choose_frames(angles, usable, n, bins, N_BINS, tolerance, frames);
    assert_chosen(frames, expected);
}

/* GEO-09 */
static void a_frame_fills_one_bin_within_the_tolerance(void **state) {
    (void)state;
    const double angles[] = {0, 14, 29, 95};
    expect(angles, all, 4, 7.5, (const int[]){0, 1, 2, NONE, NONE, NONE, 3});
    expect(angles, all, 4, INFINITY, (const int[]){0, 1, 2, 2, 2, 3, 3});
    expect(angles, all, 4, 4.9, (const int[]){0, 1, 2, NONE, NONE, NONE, NONE});
    expect(angles, all, 4, 5, (const int[]){0, 1, 2, NONE, NONE, NONE, 3});
    expect(angles, all, 4, 40, (const int[]){0, 1, 2, NONE, NONE, NONE, 3}); /* 29 is nearest to 30 alone */
    expect(angles, all, 4, 0, (const int[]){0, NONE, NONE, NONE, NONE, NONE, NONE});
    expect(angles, all, 0, 7.5, (const int[]){NONE, NONE, NONE, NONE, NONE, NONE, NONE});
}

static void half_way_goes_to_the_lower_bin_and_ties_to_the_lower_frame(void **state) {
    (void)state;
    const double half[] = {22.5, 97.5, 97.6}, ties[] = {31, 29, 29.0000000001, 30.5};
    expect(half, all, 3, 7.5, (const int[]){NONE, 0, NONE, NONE, NONE, NONE, 1});
    expect(ties, all, 3, 7.5, (const int[]){NONE, NONE, 0, NONE, NONE, NONE, NONE}); /* equal at 1e-9 degrees */
    expect(ties, all, 4, 7.5, (const int[]){NONE, NONE, 3, NONE, NONE, NONE, NONE});
}

static void frames_that_are_not_usable_are_passed_over(void **state) {
    (void)state;
    const double angles[] = {0, 15, 17};
    const bool usable[] = {true, false, true};
    expect(angles, usable, 3, 7.5, (const int[]){0, 2, NONE, NONE, NONE, NONE, NONE});
    expect(angles, usable, 3, INFINITY, (const int[]){0, 2, 2, 2, 2, 2, 2});
}

static void the_notebook_takes_the_first_of_the_nearest_and_keeps_a_leading_nan(void **state) {
    (void)state;
    const double angles[] = {0, NAN, 31, 29, 90}, leading[] = {NAN, 15};
    size_t frames[N_BINS];
    dv_choose_frames_notebook(angles, all, 5, bins, N_BINS, INFINITY, frames);
    assert_chosen(frames, (const int[]){0, 3, 2, 2, 2, 4, 4}); /* 75: 44 from 31, 15 from 90; 60: 29 and 30 */
    dv_choose_frames_notebook(leading, all, 2, bins, N_BINS, INFINITY, frames);
    assert_chosen(frames, (const int[]){0, 0, 0, 0, 0, 0, 0});
    dv_choose_frames_notebook(angles, all, 5, bins, N_BINS, 10, frames);
    assert_chosen(frames, (const int[]){0, NONE, 2, NONE, NONE, NONE, 4});
}

static void angles_are_rounded_to_three_decimals_halves_to_even(void **state) {
    (void)state;
    assert_true(dv_round_notebook(14.680249985279415) == 14.680);
    assert_true(dv_round_notebook(0.0625) == 0.062);
    assert_true(dv_round_notebook(0.1875) == 0.188);
    assert_true(isnan(dv_round_notebook(NAN)));
}

static void deviation_is_that_of_a_sample(void **state) {
    (void)state;
    const double errors[] = {1, -1, 3, 5};
    double mean, deviation;
    dv_error_statistics(errors, 4, &mean, &deviation);
    assert_true(mean == 2);
    assert_true(fabs(deviation - sqrt(20.0 / 3)) < 1e-15);
    dv_error_statistics(errors, 1, &mean, &deviation);
    assert_true(mean == 1 && isnan(deviation));
    dv_error_statistics(errors, 0, &mean, &deviation);
    assert_true(isnan(mean) && isnan(deviation));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_fills_one_bin_within_the_tolerance),
        cmocka_unit_test(half_way_goes_to_the_lower_bin_and_ties_to_the_lower_frame),
        cmocka_unit_test(frames_that_are_not_usable_are_passed_over),
        cmocka_unit_test(the_notebook_takes_the_first_of_the_nearest_and_keeps_a_leading_nan),
        cmocka_unit_test(angles_are_rounded_to_three_decimals_halves_to_even),
        cmocka_unit_test(deviation_is_that_of_a_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
