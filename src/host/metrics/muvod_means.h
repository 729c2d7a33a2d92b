/* muvod_means.h: J&F over objects, cameras and scenes (docs/METRICS.md, "MUVOD"), as plain arithmetic. */
#ifndef DV_METRICS_MUVOD_MEANS_H
#define DV_METRICS_MUVOD_MEANS_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/muvod.h"

/* The curves of an object in a camera over its scored frames. */
typedef struct dv_muvod_curve {
    size_t n;
    const double *j, *f; /* f64 [n] */
    const bool *shown;   /* [n] the truth shows it */
} dv_muvod_curve;

/* A scene, and which of its objects count. */
typedef struct dv_muvod_view {
    size_t n_cameras, n_objects;
    const dv_muvod_curve *curves; /* [n_cameras, n_objects] */
    const bool *counts;           /* [n_objects] */
} dv_muvod_view;

/* The scores of a scene; sums run over cameras, objects and frames in order.
 * cameras  [n_cameras], written in full; n counts objects. NULL: not wanted */
void dv_muvod_scene_score(const dv_muvod_policy *policy, const dv_muvod_view *view, dv_muvod_score *score,
                          dv_muvod_score *cameras);

/* The unweighted mean of those of n values that are not NaN; NaN where all are. *n_used: how many they are */
double dv_mean_of_known(const double *values, size_t n, size_t *n_used);

#endif
