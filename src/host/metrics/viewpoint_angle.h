/* viewpoint_angle.h: angles between camera poses. Poses are world to camera; quaternions f64 [4], w x y z, of unit
 * length where nothing else is said; q and -q give the same angle. All angles are in degrees. */
#ifndef DV_METRICS_VIEWPOINT_ANGLE_H
#define DV_METRICS_VIEWPOINT_ANGLE_H

#include <stdbool.h>
#include <stddef.h>

/* Angle of the relative rotation, 0..180: 2 atan2(|vector|, |scalar|) of q conj(reference). 0 exactly for equal poses,
 * and as good near 0 and 180 as anywhere. */
double dv_angle_rotation(const double *reference, const double *q);

/* Angle between the optical axes, 0..180: roll about the axis does not count. */
double dv_angle_axis(const double *reference, const double *q);

/* Unsigned angle, 0..180, between the optical axes projected to the plane normal to `up`: the azimuth of a camera that
 * looks at the object. False where one of the axes is along `up`, which has no azimuth.
 * up  f64 [3], not zero, any length */
bool dv_angle_azimuth(const double *reference, const double *q, const double *up, double *angle_deg);

/* arccos((trace(R reference') - 1) / 2) of the quaternions as they are stored, of whatever length; NaN where the
 * argument leaves -1..1. Source: open-hummingbird-3d-eval, examples/mvimgnet_create_bins.ipynb, compute_angles. */
double dv_angle_trace(const double *reference, const double *q);

/* Camera centre -R' t in world coordinates. t, centre  f64 [3] */
void dv_camera_centre(const double *q, const double *t, double *centre);

#endif
