/* plane.h: the plane that fits points best. */
#ifndef DV_METRICS_PLANE_H
#define DV_METRICS_PLANE_H

#include <stdbool.h>
#include <stddef.h>

/* Normal of the plane that fits the points best: of least variance along it. False where no plane is the best one: the
 * points are one, or on a line, or spread evenly, or not finite.
 * points  f64 [n, 3]; normal  f64 [3], of unit length, its sign is either */
bool dv_plane_normal(const double *points, size_t n, double *normal);

#endif
