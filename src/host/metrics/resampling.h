/* resampling.h: what bootstraps share: the mIoU of summed counts, percentiles and intervals of many values. */
#ifndef DV_METRICS_RESAMPLING_H
#define DV_METRICS_RESAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/bootstrap.h"

enum { DV_COUNT_PARTS = 3 }; /* intersections, unions, truths */

/* Mean of IoU over the classes from `first` on that count, in class order; NaN where none does.
 * sums      u64 [DV_COUNT_PARTS, n_classes]
 * excluded  bool [n_classes] or NULL */
double dv_counts_miou(const uint64_t *sums, size_t n_classes, size_t first, dv_absent absent, const bool *excluded);

/* Order of two doubles, no NaN, for qsort. */
int dv_compare_doubles(const void *a, const void *b);

/* Linear between the order statistics at p * (n - 1). sorted  f64 [n], rising, n >= 1 */
double dv_percentile(const double *sorted, size_t n, double p);

/* The 95 % interval of the values that are no NaN. values  f64 [n]: sorted, without the NaN, on return */
dv_interval dv_interval_of(double *values, size_t n);

#endif
