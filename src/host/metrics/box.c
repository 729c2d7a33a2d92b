#include "denseval/box.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "metrics/resampling.h"

/* n >= 1, rising. */
static void fill_moments(const double *sorted, size_t n, dv_box *box) {
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < n; i++) sum += sorted[i];
    box->mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) squares += (sorted[i] - box->mean) * (sorted[i] - box->mean);
    box->sd = n > 1 ? sqrt(squares / (double)(n - 1)) : (double)NAN;
}

/* Some value always lies within the fences: of three or more an order statistic lies in the box, of two both are 0.5
 * box lengths from it, and one is the box. */
static void fill_whiskers(const double *sorted, size_t n, dv_box *box) {
    const double reach = 1.5 * (box->q3 - box->q1), low = box->q1 - reach, high = box->q3 + reach;
    while (sorted[box->n_low] < low) box->n_low++;
    while (sorted[n - 1 - box->n_high] > high) box->n_high++;
    box->whisker_low = sorted[box->n_low];
    box->whisker_high = sorted[n - 1 - box->n_high];
}

dv_status dv_box_compute(const double *values, size_t n, double *sorted, dv_box *out) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(values[i]))
            return dv_fail(DV_E_ARG, "value %zu, %g: values of a box must be finite", i, values[i]);
    const double none = (double)NAN;
    *out = (dv_box){n, none, none, none, none, none, none, none, none, none, 0, 0};
    if (n == 0) return DV_OK;
    memmove(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, dv_compare_doubles);
    fill_moments(sorted, n, out);
    out->min = sorted[0];
    out->q1 = dv_percentile(sorted, n, 0.25);
    out->median = dv_percentile(sorted, n, 0.5);
    out->q3 = dv_percentile(sorted, n, 0.75);
    out->max = sorted[n - 1];
    fill_whiskers(sorted, n, out);
    return DV_OK;
}
