/* curve.h: the rules of denseval/viewpoint.h for one bin and one step, and the curve of a resample, for host and
 * device. */
#ifndef DV_CORE_CURVE_H
#define DV_CORE_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/no_value.h"
#include "denseval/viewpoint.h"
#include "denseval/viewpoint_resample.h"

/* A value over that of the reference bin. */
static inline DV_HOST_DEVICE double dv_curve_ratio(double value, double reference) {
    return dv_has_value(value) && dv_has_value(reference) && reference != 0 ? value / reference : dv_no_value();
}

/* From one bin of a normalised curve to the next. */
static inline DV_HOST_DEVICE double dv_curve_step(double from, double to) {
    return dv_has_value(from) && dv_has_value(to) ? to - from : dv_no_value();
}

/* The first step of a curve that may break. */
static inline DV_HOST_DEVICE size_t dv_curve_first_tested(dv_steps tested) {
    return tested == DV_STEPS_ALL ? 0 : 1;
}

static inline DV_HOST_DEVICE bool dv_curve_breaks(double step, double threshold) {
    return step <= -threshold;
}

/* Writes what `out` holds of one curve in one resample, 0..n_resamples-1, from the miou there. */
static inline DV_HOST_DEVICE void dv_curve_of_resample(const dv_viewpoint_draws *in, const dv_viewpoint_scores *out,
                                                       size_t curve, size_t resample) {
    const size_t first = in->curve_starts[curve], n = in->curve_starts[curve + 1] - first, stride = in->n_resamples;
    double *const normalised = out->normalised + first * stride + resample;
    double *const steps = out->steps + first * stride + resample;
    int32_t breaks[2] = {-1, -1};
    double reference = dv_no_value(), before = dv_no_value();
    for (size_t i = 0; i < n; i++) {
        const int64_t cell = in->curve_cells[first + i];
        const double value = cell < 0 ? dv_no_value() : out->miou[(size_t)cell * stride + resample];
        if (i == 0) reference = value;
        const double ratio = dv_curve_ratio(value, reference), step = dv_curve_step(before, ratio);
        normalised[i * stride] = ratio;
        if (i > 0) steps[(i - 1) * stride] = step;
        for (int rule = DV_STEPS_VALIDATION; i > 0 && rule <= DV_STEPS_ALL; rule++)
            if (breaks[rule] < 0 && i - 1 >= dv_curve_first_tested((dv_steps)rule) &&
                dv_curve_breaks(step, in->threshold))
                breaks[rule] = (int32_t)i;
        before = ratio;
    }
    if (n > 0) steps[(n - 1) * stride] = dv_no_value();
    for (int rule = DV_STEPS_VALIDATION; rule <= DV_STEPS_ALL; rule++)
        out->breaks[rule][curve * stride + resample] = breaks[rule];
}

#endif
