/* viewpoint_bootstrap.h: how far the numbers of the multi-view benchmark would move with other objects: intervals of
 * mIoU and of steps, how sure a breaking point is, and how sure it is that one encoder beats another. */
#ifndef DENSEVAL_VIEWPOINT_BOOTSTRAP_H
#define DENSEVAL_VIEWPOINT_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/analysis.h"
#include "denseval/bootstrap.h"
#include "denseval/labels.h"
#include "denseval/object_counts.h"
#include "denseval/status.h"

DV_C_BEGIN

struct dv_device; /* denseval/device.h */

/* That commands and files may ask for. */
enum { DV_MOST_RESAMPLES = 1000000 };

typedef struct dv_viewpoint_bootstrap_options {
    dv_absent absent;     /* the policies that the cells were scored under */
    const bool *excluded; /* bool [n_classes], or NULL */
    size_t n_resamples;   /* at least 1 */
    uint64_t seed;
    size_t n_threads;         /* of the host; 0 means 1 */
    struct dv_device *device; /* that draws, borrowed for the call; NULL: the host. No result depends on it */
} dv_viewpoint_bootstrap_options;

/* Of one curve of the analysis. */
typedef struct dv_curve_resampling {
    size_t n;                /* bins of the curve */
    dv_interval *normalised; /* [n] */
    dv_interval *steps;      /* [n - 1] */
    size_t n_resamples;      /* in which the reference bin has a value above 0: what the shares are of */
    double *breaks[2]; /* f64 [n], by dv_steps: share of resamples whose breaking point is this bin; NaN: of none */
    double never[2];   /* share without a breaking point */
} dv_curve_resampling;

/* Two runs of different encoders with the same memory and reference bins. */
typedef struct dv_run_pair {
    size_t a, b;         /* indices into the runs of the analysis, a < b */
    double above, equal; /* share of resamples in which the mean of a over the validation bins (Experiment A) is above
                          * that of b, or the same; NaN where the two are not over the same bins */
    size_t n_resamples;  /* in which both have a value */
} dv_run_pair;

typedef struct dv_viewpoint_bootstrap {
    size_t n_resamples, n_objects;
    size_t n_without;          /* cells without intervals, as relabelling changed their score */
    size_t n_cells;            /* of the analysis's cells, in their order */
    dv_interval *miou;         /* [n_cells] */
    dv_interval *miou_objects; /* [n_cells]: without class 0 */
    size_t n_runs;
    dv_interval *runs; /* [n_runs]: the mean of Experiment A */
    size_t n_curves;
    dv_curve_resampling *curves; /* [n_curves] */
    size_t n_pairs;
    dv_run_pair *pairs; /* [n_pairs], by a, then b */
} dv_viewpoint_bootstrap;

/* Draws as many objects as there are, with replacement: draw i of resample b takes object dv_random_below(seed, b, i,
 * n_objects) in the order of their ids, for every cell the same, so that encoders and bins are compared on the same
 * objects. The result depends neither on the order of the objects nor on threads. Intervals are those of bootstrap.h;
 * what has no value in some resample is taken over the others. A cell whose score relabelling changed has none, nor has
 * what is made of it.
 * counts  of the analysis's cells, in their order; borrowed for the call
 * *out    release with dv_viewpoint_bootstrap_clear; zeroed on failure
 * Source: Efron, Tibshirani, An Introduction to the Bootstrap, 1993, ch. 13. Fails with DV_E_ARG (no resamples, a
 * policy that is none), DV_E_DATA (counts of other cells or classes, or that do not add up to a cell's mIoU: the cell
 * is named), DV_E_NOMEM, DV_E_INTERRUPTED, and as the device. */
DV_MUST_USE dv_status dv_viewpoint_bootstrap_compute(const dv_analysis *analysis, const dv_object_counts *counts,
                                                     const dv_viewpoint_bootstrap_options *options,
                                                     dv_viewpoint_bootstrap *out);
void dv_viewpoint_bootstrap_clear(dv_viewpoint_bootstrap *bootstrap); /* also on a zeroed struct */

/* Do the counts give the mIoU of their cells, as they must be drawn from? For whoever knows the file that they are of.
 * first  the cell that the first counts are of; the others follow
 * Fails with DV_E_DATA as dv_viewpoint_bootstrap_compute does, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_viewpoint_counts_check(const dv_cells *cells, size_t first, const dv_object_counts *counts,
                                                dv_absent absent, const bool *excluded);

DV_C_END
#endif
