#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "denseval/jf_statistics.h"

static void jaccard_of_counts(void **state) {
    (void)state;
    assert_true(dv_jaccard(0, 0, 0) == 1.0);
    assert_true(dv_jaccard(0, 7, 0) == 0.0);
    assert_true(dv_jaccard(0, 0, 7) == 0.0);
    assert_true(dv_jaccard(90, 100, 100) == 90.0 / 110.0); /* a square of 10 x 10, moved by 1 */
    assert_true(dv_jaccard(5, 5, 5) == 1.0);
    assert_true(dv_jaccard(UINT64_C(1) << 40, UINT64_C(1) << 41, UINT64_C(1) << 40) == 0.5);
}

static void contour_f_of_counts(void **state) {
    (void)state;
    assert_true(dv_contour_f(0, 0, 0, 0) == 1.0);
    assert_true(dv_contour_f(0, 20, 0, 0) == 0.0);
    assert_true(dv_contour_f(20, 0, 0, 0) == 0.0);
    assert_true(dv_contour_f(20, 20, 0, 0) == 0.0);
    assert_true(dv_contour_f(12, 4, 12, 4) == 1.0);
    assert_true(dv_contour_f(12, 4, 4, 4) == 0.5); /* P = 1, R = 1/3 */
    assert_true(dv_contour_f(4, 12, 4, 4) == 0.5); /* the other way round */
    assert_true(dv_contour_f(3, 3, 1, 2) == 2.0 * (2.0 / 3.0) * (1.0 / 3.0) / (2.0 / 3.0 + 1.0 / 3.0));
    assert_true(dv_contour_f(4, 2, 1, 1) == 2.0 * 0.5 * 0.25 / 0.75);
}

static void assert_statistics(const double *values, size_t n, double mean, double recall, double decay) {
    const dv_curve_statistics found = dv_curve_summary(values, n);
    assert_int_equal(found.n, n);
    assert_true(found.mean == mean);
    assert_true(found.recall == recall);
    assert_true(found.decay == decay);
}

static void no_frame_has_no_value(void **state) {
    (void)state;
    const dv_curve_statistics found = dv_curve_summary(NULL, 0);
    assert_int_equal(found.n, 0);
    assert_true(isnan(found.mean) && isnan(found.recall) && isnan(found.decay));
}

/* Edges, counted from 1: n = 2: 1 1 2 2 2; 3: 1 2 2 3 3; 4: 1 2 3 3 4; 5: 1 2 3 4 5; 7: 1 3 4 6 7 (2.5 and 5.5 go up).
 */
static void short_curves_by_hand(void **state) {
    (void)state;
    assert_statistics((double[]){0.75}, 1, 0.75, 1.0, 0.0);
    assert_statistics((double[]){0.75, 0.25}, 2, 0.5, 0.5, 0.5);
    assert_statistics((double[]){1.0, 0.0, 0.25}, 3, 1.25 / 3.0, 1.0 / 3.0, 0.5 - 0.25);
    assert_statistics((double[]){1.0, 0.5, 0.25, 0.0}, 4, 0.4375, 0.25, 0.75 - 0.125);
    assert_statistics((double[]){1.0, 0.5, 9.0, 0.25, 0.0}, 5, 2.15, 0.4, 0.75 - 0.125);
    assert_statistics((double[]){3.0, 6.0, 9.0, 50.0, 50.0, 4.0, 2.0}, 7, 124.0 / 7.0, 1.0, 6.0 - 3.0);
}

static void one_half_is_not_recalled(void **state) {
    (void)state;
    const double just_above = nextafter(0.5, 1.0);
    assert_true(dv_curve_summary((double[]){0.5, just_above, 0.0, 1.0}, 4).recall == 0.5);
}

/* On a ramp 0, 1, 2, ... means are mid-points, and sums are exact. Where indices are bytes, edges above 255 wrap. */
static void edges_of_long_curves_do_not_wrap(void **state) {
    (void)state;
    double ramp[1000];
    for (size_t i = 0; i < 1000; i++) ramp[i] = (double)i;
    /* 256: 1 + 63.75 -> 65, 1 + 191.25 -> 192: frames 0..64 and 191..255 */
    assert_statistics(ramp, 256, 127.5, 255.0 / 256.0, 32.0 - 223.0);
    /* 300: 1 + 74.75 -> 76, 1 + 224.25 -> 225: frames 0..75 and 224..299 */
    assert_statistics(ramp, 300, 149.5, 299.0 / 300.0, 37.5 - 261.5);
    /* 1000: 1 + 249.75 -> 251, 1 + 749.25 -> 750: frames 0..250 and 749..999 */
    assert_statistics(ramp, 1000, 499.5, 0.999, 125.0 - 874.0);
    /* 999: 1 + 249.5 -> 251, 1 + 748.5 -> 750, halves up: frames 0..250 and 749..998 */
    assert_statistics(ramp, 999, 499.0, 998.0 / 999.0, 125.0 - 873.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jaccard_of_counts),        cmocka_unit_test(contour_f_of_counts),
        cmocka_unit_test(no_frame_has_no_value),    cmocka_unit_test(short_curves_by_hand),
        cmocka_unit_test(one_half_is_not_recalled), cmocka_unit_test(edges_of_long_curves_do_not_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
