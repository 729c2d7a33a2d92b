#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>

#include "core/exp.h"
#include "property/metrics_seed.h"

_Static_assert(LDBL_MANT_DIG >= 64, "expl must know more digits than the routine under test");

/* Distance to the true value in units of its last place as a double. */
static double ulps_off(double x) {
    const long double truth = expl((long double)x);
    const double rounded = (double)truth;
    const double unit = nextafter(rounded, INFINITY) - rounded;
    return (double)(fabsl((long double)dv_exp_nonpositive(x) - truth) / (long double)unit);
}

static void dense_range_is_within_two_ulps(void **state) {
    (void)state;
    double worst = 0.0;
    for (double x = 0.0; x > -708.0; x -= 0.00173) worst = fmax(worst, ulps_off(x));
    for (double x = 0.0; x > -2.0; x -= 1.1e-5) worst = fmax(worst, ulps_off(x));
    printf("worst error %.3f ulp\n", worst);
    assert_true(worst <= 2.0);
}

static void random_points_are_within_two_ulps(void **state) {
    (void)state;
    uint64_t random = test_seed();
    for (int i = 0; i < 300000; i++) {
        const double x = -708.0 * test_uniform(&random);
        const double small = -ldexp(test_uniform(&random), -(int)test_below(&random, 60));
        assert_true(ulps_off(x) <= 2.0);
        assert_true(ulps_off(small) <= 2.0);
    }
}

/* Where n changes, the reduced argument jumps from one end of its range to the other. */
static void seams_of_the_reduction_are_within_two_ulps(void **state) {
    (void)state;
    for (int n = -1021; n < 0; n++) {
        double x = (n + 0.5) * 0.69314718055994530942;
        for (int i = 0; i < 8; i++) x = nextafter(x, -INFINITY);
        for (int i = 0; i < 16; i++, x = nextafter(x, INFINITY))
            if (x > -708.0) assert_true(ulps_off(x) <= 2.0);
    }
}

static void zero_gives_exactly_one(void **state) {
    (void)state;
    assert_true(dv_exp_nonpositive(0.0) == 1.0);
    assert_true(dv_exp_nonpositive(-0.0) == 1.0);
}

static void result_vanishes_below_708(void **state) {
    (void)state;
    assert_true(dv_exp_nonpositive(-708.0) == 0.0);
    assert_true(dv_exp_nonpositive(-1e300) == 0.0);
    assert_true(dv_exp_nonpositive(-INFINITY) == 0.0);
    assert_true(dv_exp_nonpositive(nextafter(-708.0, 0.0)) > DBL_MIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_range_is_within_two_ulps),
        cmocka_unit_test(random_points_are_within_two_ulps),
        cmocka_unit_test(seams_of_the_reduction_are_within_two_ulps),
        cmocka_unit_test(zero_gives_exactly_one),
        cmocka_unit_test(result_vanishes_below_708),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
