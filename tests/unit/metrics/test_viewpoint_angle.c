#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "metrics/viewpoint_angle.h"

static const double DEGREE = 3.14159265358979323846 / 180;

/* A rotation by an angle about an axis of unit length. */
static void about(double x, double y, double z, double angle_deg, double *q) {
    const double half = angle_deg / 2 * DEGREE;
    q[0] = cos(half);
    q[1] = sin(half) * x;
    q[2] = sin(half) * y;
    q[3] = sin(half) * z;
}

static void assert_close(double found, double expected, double tolerance) {
    if (!(fabs(found - expected) <= tolerance)) fail_msg("found %.17g, expected %.17g", found, expected);
}

/* q b of two rotations: b first */
static void times(const double *a, const double *b, double *q) {
    q[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    q[1] = a[0] * b[1] + b[0] * a[1] + a[2] * b[3] - a[3] * b[2];
    q[2] = a[0] * b[2] + b[0] * a[2] + a[3] * b[1] - a[1] * b[3];
    q[3] = a[0] * b[3] + b[0] * a[3] + a[1] * b[2] - a[2] * b[1];
}

/* GEO-06 */
static void equal_poses_are_0_degrees_apart_exactly(void **state) {
    (void)state;
    const double size = sqrt(6), q[4] = {2 / size, 1 / size, 0, 1 / size};
    const double minus[4] = {-q[0], -q[1], -q[2], -q[3]};
    assert_true(dv_angle_rotation(q, q) == 0);
    assert_true(dv_angle_rotation(q, minus) == 0);
    assert_true(dv_angle_axis(q, q) == 0);
}

static void tiny_and_opposite_angles_keep_their_digits(void **state) {
    (void)state;
    double a[4], b[4], c[4], tiny[4] = {1, 5e-9, 0, 0};
    about(0.6, 0, 0.8, 40, a);
    times(tiny, a, b);
    assert_close(dv_angle_rotation(a, b), 1e-8 / DEGREE, 3e-14); /* 5.7296e-07 degrees; one bit of q is 1e-14 */
    about(0, 1, 0, 180, c);
    times(c, a, b);
    assert_close(dv_angle_rotation(a, b), 180, 1e-12);
    about(0, 1, 0, 179.9999999, c);
    times(c, a, b);
    assert_close(dv_angle_rotation(a, b), 179.9999999, 1e-12);
}

/* GEO-10: world to camera, so a roll stands on the left of the pose. */
static void roll_counts_as_rotation_and_leaves_the_axis(void **state) {
    (void)state;
    double pose[4], roll[4], rolled[4], azimuth;
    const double up[3] = {0, 1, 0};
    about(0, 1, 0, 25, pose);
    about(0, 0, 1, 30, roll);
    times(roll, pose, rolled);
    assert_close(dv_angle_rotation(pose, rolled), 30, 1e-12);
    assert_close(dv_angle_axis(pose, rolled), 0, 1e-12);
    assert_true(dv_angle_azimuth(pose, rolled, up, &azimuth));
    assert_close(azimuth, 0, 1e-12);
}

/* From the axis (0, 0, 1), elevated by e and turned by a about y, cos of the angle between axes is cos e cos a. */
static void azimuth_leaves_elevation_out(void **state) {
    (void)state;
    double start[4] = {1, 0, 0, 0}, turn[4], lift[4], pose[4], azimuth;
    const double up[3] = {0, -4, 0}, along[3] = {0, 0, 1};
    about(0, 1, 0, -50, turn);
    about(1, 0, 0, 20, lift);
    times(lift, turn, pose);
    assert_true(dv_angle_azimuth(start, pose, up, &azimuth));
    assert_close(azimuth, 50, 1e-12);
    assert_close(dv_angle_axis(start, pose), acos(cos(20 * DEGREE) * cos(50 * DEGREE)) / DEGREE, 1e-12);
    azimuth = -1;
    assert_false(dv_angle_azimuth(start, pose, along, &azimuth)); /* the first looks along it */
    assert_false(dv_angle_azimuth(pose, start, along, &azimuth));
    assert_true(azimuth == -1);
}

/* GEO-05 */
static void centres_follow_world_to_camera(void **state) {
    (void)state;
    const double q[4] = {0.92387953, 0, 0.38268343, 0}, t[3] = {0, 0, 2};
    const double minus[4] = {-q[0], 0, -q[2], 0};
    double centre[3];
    dv_camera_centre(q, t, centre);
    assert_close(centre[0], 1.414214, 1e-6);
    assert_close(centre[1], 0, 1e-12);
    assert_close(centre[2], -1.414214, 1e-6);
    dv_camera_centre(minus, t, centre);
    assert_close(centre[0], 1.414214, 1e-6);
}

/* The notebook's formula: right far from 0, NaN where the trace passes 3. */
static void trace_angle_is_that_of_the_notebook(void **state) {
    (void)state;
    double a[4], b[4], turn[4];
    const double longer[4] = {1.01, 0, 0, 0}, skew[4] = {0, 0, 0, 1.1}, one[4] = {1, 0, 0, 0};
    about(0.6, 0, 0.8, 40, a);
    about(0, 1, 0, 60, turn);
    times(turn, a, b);
    assert_close(dv_angle_trace(a, b), 60, 1e-12);
    assert_true(dv_angle_trace(one, longer) == 0); /* w does not enter the diagonal */
    assert_true(isnan(dv_angle_trace(one, skew)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_poses_are_0_degrees_apart_exactly),
        cmocka_unit_test(tiny_and_opposite_angles_keep_their_digits),
        cmocka_unit_test(roll_counts_as_rotation_and_leaves_the_axis),
        cmocka_unit_test(azimuth_leaves_elevation_out),
        cmocka_unit_test(centres_follow_world_to_camera),
        cmocka_unit_test(trace_angle_is_that_of_the_notebook),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
