/* box.h: the numbers of a box plot. */
#ifndef DENSEVAL_BOX_H
#define DENSEVAL_BOX_H

#include <stddef.h>

#include "denseval/status.h"

DV_C_BEGIN

/* NaN where n is 0. */
typedef struct dv_box {
    size_t n;
    double mean, sd; /* sample deviation (n - 1); NaN where n < 2 */
    double min, q1, median, q3, max;
    double whisker_low; /* least and largest value within 1.5 (q3 - q1) of the box, ends included */
    double whisker_high;
    size_t n_low, n_high; /* outliers: values below the one, above the other */
} dv_box;

/* The statistics of n values; bits do not depend on their order.
 * values    f64 [n], finite, borrowed for the call
 * sorted    f64 [n], written in full: the values, rising, so that the first n_low and the last n_high are the outliers;
 *           may be `values`; not read and not written where the call fails
 * Quartiles lie between order statistics, linear at p (n - 1) counted from 0.
 * Source: Tukey, Exploratory Data Analysis, 1977; quartiles: Hyndman and Fan, The American Statistician 50(4), 1996,
 * definition 7. Fails with DV_E_ARG where a value is not finite. */
DV_MUST_USE dv_status dv_box_compute(const double *values, size_t n, double *sorted, dv_box *out);

DV_C_END
#endif
