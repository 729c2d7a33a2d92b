#include "metrics/viewpoint_angle.h"

#include <math.h>

static const double DEGREES = 180 / 3.14159265358979323846;
static const double NO_AZIMUTH = 1e-9; /* sine of the angle to `up` below which the projected axis is noise */

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double length(const double *a) {
    return sqrt(dot(a, a));
}

/* Rows of R: row 2 is the optical axis in world coordinates. */
static void rotation_matrix(const double *q, double r[3][3]) {
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r[i][j] = rows[i][j];
}

static void optical_axis(const double *q, double *axis) {
    double r[3][3];
    rotation_matrix(q, r);
    for (int i = 0; i < 3; i++) axis[i] = r[2][i];
}

/* Angle between two directions of any length, good near 0 and 180 too. */
static double angle_between(const double *a, const double *b) {
    double normal[3];
    cross(a, b, normal);
    return DEGREES * atan2(length(normal), dot(a, b));
}

double dv_angle_rotation(const double *reference, const double *q) {
    double vector[3];
    const double scalar = q[0] * reference[0] + dot(q + 1, reference + 1);
    cross(reference + 1, q + 1, vector);
    for (int i = 0; i < 3; i++) vector[i] += reference[0] * q[1 + i] - q[0] * reference[1 + i];
    return DEGREES * (2 * atan2(length(vector), fabs(scalar)));
}

double dv_angle_axis(const double *reference, const double *q) {
    double a[3], b[3];
    optical_axis(reference, a);
    optical_axis(q, b);
    return angle_between(a, b);
}

/* What is left of `axis` without its part along the unit vector `up`; false where that is nothing. */
static bool project(const double *q, const double *up, double *flat) {
    double axis[3];
    optical_axis(q, axis);
    const double along = dot(axis, up);
    for (int i = 0; i < 3; i++) flat[i] = axis[i] - along * up[i];
    return length(flat) > NO_AZIMUTH;
}

bool dv_angle_azimuth(const double *reference, const double *q, const double *up, double *angle_deg) {
    double unit[3], a[3], b[3];
    const double largest = fmax(fabs(up[0]), fmax(fabs(up[1]), fabs(up[2])));
    for (int i = 0; i < 3; i++) unit[i] = up[i] / largest;
    const double size = length(unit);
    for (int i = 0; i < 3; i++) unit[i] /= size;
    if (!project(reference, unit, a) || !project(q, unit, b)) return false;
    *angle_deg = angle_between(a, b);
    return true;
}

double dv_angle_trace(const double *reference, const double *q) {
    double a[3][3], b[3][3], trace = 0;
    rotation_matrix(reference, a);
    rotation_matrix(q, b);
    for (int i = 0; i < 3; i++) trace += dot(b[i], a[i]);
    return DEGREES * acos((trace - 1) / 2);
}

void dv_camera_centre(const double *q, const double *t, double *centre) {
    double r[3][3];
    rotation_matrix(q, r);
    for (int i = 0; i < 3; i++) centre[i] = -(r[0][i] * t[0] + r[1][i] * t[1] + r[2][i] * t[2]);
}
