#include "denseval/jf_statistics.h"

#include <math.h>

double dv_jaccard(uint64_t intersection, uint64_t truth_pixels, uint64_t pred_pixels) {
    const uint64_t either = truth_pixels + pred_pixels - intersection;
    return either > 0 ? (double)intersection / (double)either : 1.0;
}

double dv_contour_f(uint64_t n_truth, uint64_t n_pred, uint64_t truth_matched, uint64_t pred_matched) {
    if (n_truth == 0 && n_pred == 0) return 1.0;
    if (n_truth == 0 || n_pred == 0) return 0.0;
    const double precision = (double)pred_matched / (double)n_pred;
    const double recall = (double)truth_matched / (double)n_truth;
    return precision + recall > 0.0 ? 2.0 * precision * recall / (precision + recall) : 0.0;
}

static double mean_of(const double *values, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += values[i];
    return sum / (double)n;
}

dv_curve_statistics dv_curve_summary(const double *values, size_t n) {
    if (n == 0) return (dv_curve_statistics){.mean = NAN, .recall = NAN, .decay = NAN};
    size_t n_above = 0;
    for (size_t i = 0; i < n; i++) n_above += values[i] > 0.5;
    /* Edge i of 0..4 is 1 + (n - 1) i / 4 counted from 1, halves up: floor(((n - 1) i + 2) / 4) counted from 0. */
    const size_t first_end = (n + 1) / 4, last_start = (3 * (n - 1) + 2) / 4;
    return (dv_curve_statistics){.n = n,
                                 .mean = mean_of(values, n),
                                 .recall = (double)n_above / (double)n,
                                 .decay =
                                     mean_of(values, first_end + 1) - mean_of(values + last_start, n - last_start)};
}
