#include "metrics/resampling.h"

#include <math.h>
#include <stdlib.h>

#include "core/class_mean.h"

double dv_counts_miou(const uint64_t *sums, size_t n_classes, size_t first, dv_absent absent, const bool *excluded) {
    dv_class_mean mean = {0};
    for (size_t c = first; c < n_classes; c++) {
        double iou;
        const bool counts = dv_absent_iou(absent, sums[c], sums[n_classes + c], sums[2 * n_classes + c], &iou);
        if (counts && !(excluded && excluded[c])) dv_class_mean_add(&mean, iou);
    }
    return dv_class_mean_value(&mean);
}

int dv_compare_doubles(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double dv_percentile(const double *sorted, size_t n, double p) {
    const double at = p * (double)(n - 1);
    const size_t below = (size_t)at, above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

dv_interval dv_interval_of(double *values, size_t n) {
    size_t n_valued = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i])) values[n_valued++] = values[i];
    if (n_valued == 0) return (dv_interval){.low = NAN, .high = NAN};
    qsort(values, n_valued, sizeof *values, dv_compare_doubles);
    return (dv_interval){.low = dv_percentile(values, n_valued, 0.025),
                         .high = dv_percentile(values, n_valued, 0.975),
                         .n_resamples = n_valued};
}
