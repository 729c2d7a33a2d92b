/* The normal is the eigenvector of the covariance with the least eigenvalue. */
#include "metrics/plane.h"

#include <math.h>

static const double DISTINCT = 1e-9; /* least gap of two eigenvalues, as a share of the largest, that is no rounding */

/* Covariance of the points times their number, scaled so that the largest distance to the mean along an axis is 1;
 * false where they are all one, or not finite. */
static bool covariance(const double *points, size_t n, double c[3][3]) {
    double mean[3] = {0}, largest = 0;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) mean[k] += points[3 * i + (size_t)k] / (double)n;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const double distance = fabs(points[3 * i + (size_t)k] - mean[k]);
            if (!isfinite(distance)) return false;
            largest = fmax(largest, distance);
        }
    if (largest == 0) return false;
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) {
            c[j][k] = 0;
            for (size_t i = 0; i < n; i++)
                c[j][k] +=
                    (points[3 * i + (size_t)j] - mean[j]) / largest * ((points[3 * i + (size_t)k] - mean[k]) / largest);
        }
    return true;
}

/* One rotation of Jacobi's method: brings c[p][q] to 0 and turns the columns of v with it. */
static void rotate(double c[3][3], double v[3][3], int p, int q) {
    if (c[p][q] == 0) return;
    const double theta = (c[q][q] - c[p][p]) / (2 * c[p][q]);
    const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
    const double cosine = 1 / sqrt(t * t + 1), sine = t * cosine;
    for (int k = 0; k < 3; k++) {
        const double a = c[k][p], b = c[k][q];
        c[k][p] = cosine * a - sine * b;
        c[k][q] = sine * a + cosine * b;
    }
    for (int k = 0; k < 3; k++) {
        const double a = c[p][k], b = c[q][k];
        c[p][k] = cosine * a - sine * b;
        c[q][k] = sine * a + cosine * b;
    }
    for (int k = 0; k < 3; k++) {
        const double a = v[k][p], b = v[k][q];
        v[k][p] = cosine * a - sine * b;
        v[k][q] = sine * a + cosine * b;
    }
}

bool dv_plane_normal(const double *points, size_t n, double *normal) {
    enum { SWEEPS = 30 }; /* the method converges quadratically: 6 do */
    double c[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (!covariance(points, n, c)) return false;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        rotate(c, v, 0, 1);
        rotate(c, v, 0, 2);
        rotate(c, v, 1, 2);
    }
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (c[k][k] < c[least][least]) least = k;
    const double a = c[(least + 1) % 3][(least + 1) % 3], b = c[(least + 2) % 3][(least + 2) % 3];
    if (fmin(a, b) - c[least][least] <= DISTINCT * fmax(a, b)) return false;
    for (int k = 0; k < 3; k++) normal[k] = v[k][least];
    return true;
}
