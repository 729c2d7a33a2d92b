/* jf_statistics.h: J and F from counts of one object in one frame, and what is reported of their curve over frames. */
#ifndef DENSEVAL_JF_STATISTICS_H
#define DENSEVAL_JF_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

DV_C_BEGIN

/* J: pixels of both over pixels of either; 1 where both are empty. intersection  at most the lesser of the other two.
 * Source: Perazzi et al., CVPR 2016. */
double dv_jaccard(uint64_t intersection, uint64_t truth_pixels, uint64_t pred_pixels);

/* F: harmonic mean of precision and recall of contour pixels; 1 where both contours are empty, 0 where one is or
 * nothing matches.
 * n_truth, n_pred              contour pixels
 * truth_matched, pred_matched  those of them that have a partner on the other side; at most as many
 * Source: as above; the order of operations is that of the evaluation of DAVIS 2017. */
double dv_contour_f(uint64_t n_truth, uint64_t n_pred, uint64_t truth_matched, uint64_t pred_matched);

/* A curve in three numbers; NaN where n is 0. */
typedef struct dv_curve_statistics {
    size_t n;
    double mean;
    double recall; /* share of values above 0.5 */
    double decay;  /* mean of the first quarter less mean of the last; quarters share their ends (docs/METRICS.md) */
} dv_curve_statistics;

/* Sums run in frame order. values  f64 [n], scored frames in order, finite; host memory, borrowed for the call
 * Source: as above; the evaluation of DAVIS 2017 has the same quarters up to 255 frames. */
dv_curve_statistics dv_curve_summary(const double *values, size_t n);

DV_C_END
#endif
