/* viewpoint_resample.h: what a device is given and gives back where the objects of the multi-view benchmark are
 * resampled (denseval/device.h, slot resample). dv_viewpoint_bootstrap_compute makes intervals and shares of it. */
#ifndef DENSEVAL_VIEWPOINT_RESAMPLE_H
#define DENSEVAL_VIEWPOINT_RESAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/labels.h"
#include "denseval/status.h"

DV_C_BEGIN

/* Resamples first_resample .. first_resample + n_resamples - 1 of the objects. Draw i of resample b takes object
 * order[dv_random_below(seed, b, i, n_objects)], for every cell the same; there are n_objects draws, fewer than 2^31.
 * Curve c is the entries curve_starts[c] .. curve_starts[c + 1] - 1 of curve_cells, at least one, by rising bin, the
 * reference bin first. */
typedef struct dv_viewpoint_draws {
    size_t n_cells, n_objects, n_classes;
    const uint64_t *intersections; /* u64 [n_cells, n_objects, n_classes]: true positives */
    const uint64_t *unions;        /* likewise: TP + FP + FN */
    const uint64_t *truths;        /* likewise: truth pixels */
    const size_t *order;           /* [n_objects], each below n_objects: objects by rising id */
    const bool *usable;            /* bool [n_cells]: the others have no score */
    const bool *excluded;          /* bool [n_classes]: out of the means; NULL: none is */
    dv_absent absent;
    uint64_t seed;
    size_t first_resample, n_resamples;
    size_t n_curves, n_points;
    const size_t *curve_starts; /* [n_curves + 1], rising from 0 to n_points */
    const int64_t *curve_cells; /* i64 [n_points]: cell of each bin, -1: there is none */
    double threshold;           /* a step of at most -threshold breaks */
} dv_viewpoint_draws;

/* All written in full, and NaN, which stands for no value, always with the same bits. Means are summed in class order,
 * curves and steps are as dv_curve_normalise and dv_curve_steps make them of miou. */
typedef struct dv_viewpoint_scores {
    double *miou;         /* f64 [n_cells, n_resamples]; NaN where no class counts, in cells that are not usable, and
                           * everywhere without objects */
    double *miou_objects; /* f64 [n_cells, n_resamples]: without class 0 */
    double *normalised;   /* f64 [n_points, n_resamples] */
    double *steps;        /* f64 [n_points, n_resamples]: from this bin to the next; NaN at the last one of a curve */
    int32_t *breaks[2];   /* by dv_steps, i32 [n_curves, n_resamples]: place in the curve of the breaking point
                           * (dv_curve_break, plus 1); -1: none */
} dv_viewpoint_scores;

DV_C_END
#endif
