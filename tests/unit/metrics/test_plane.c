#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "metrics/plane.h"

static void expect_normal(const double *points, size_t n, double x, double y, double z) {
    double normal[3];
    assert_true(dv_plane_normal(points, n, normal));
    const double along = normal[0] * x + normal[1] * y + normal[2] * z;
    assert_true(fabs(fabs(along) - 1) < 1e-12); /* either sign */
}

static void points_of_a_plane_have_its_normal(void **state) {
    (void)state;
    const double level[] = {1, 0, 5, 0, 1, 5, -1, 0, 5, 0, -1, 5};
    const double steep[] = {0, 0, 0, 3, 4, 0, 0, 0, 7, 6, 8, 1}; /* y = 4 x / 3 */
    const double far[] = {1e12, 0, 0, 1e12, 1e-3, 0, 1e12, 0, 1e-3};
    const double large[] = {1e200, 0, 0, 0, 1e200, 0, 0, 0, 0};
    expect_normal(level, 4, 0, 0, 1);
    expect_normal(steep, 4, 0.8, -0.6, 0);
    expect_normal(far, 3, 1, 0, 0);
    expect_normal(large, 3, 0, 0, 1);
}

static void noise_off_the_plane_turns_it_little(void **state) {
    (void)state;
    double points[3 * 24], normal[3];
    for (size_t i = 0; i < 24; i++) {
        points[3 * i] = cos((double)i / 8);
        points[3 * i + 1] = sin((double)i / 8);
        points[3 * i + 2] = i % 2 ? 0.001 : -0.001;
    }
    assert_true(dv_plane_normal(points, 24, normal));
    assert_true(fabs(normal[2]) > 0.99999);
}

static void no_plane_is_the_best_of_a_point_a_line_or_a_ball(void **state) {
    (void)state;
    const double one[] = {1, 2, 3, 1, 2, 3, 1, 2, 3}, line[] = {0, 0, 0, 1, 2, 3, 2, 4, 6, -1, -2, -3};
    const double ball[] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1},
                 broken[] = {0, 0, 0, 1, INFINITY, 0, 0, 1, 1};
    double normal[3];
    assert_false(dv_plane_normal(one, 1, normal));
    assert_false(dv_plane_normal(one, 3, normal));
    assert_false(dv_plane_normal(line, 4, normal));
    assert_false(dv_plane_normal(ball, 6, normal));
    assert_false(dv_plane_normal(broken, 3, normal));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_a_plane_have_its_normal),
        cmocka_unit_test(noise_off_the_plane_turns_it_little),
        cmocka_unit_test(no_plane_is_the_best_of_a_point_a_line_or_a_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
