#include "denseval/viewpoint.h"

#include <math.h>
#include <stdint.h>

#include "core/curve.h"

void dv_curve_normalise(const double *values, size_t n, double *normalised) {
    for (size_t i = 0; i < n; i++) normalised[i] = dv_curve_ratio(values[i], values[0]);
}

void dv_curve_steps(const double *normalised, size_t n, double *steps) {
    for (size_t i = 0; i + 1 < n; i++) steps[i] = dv_curve_step(normalised[i], normalised[i + 1]);
}

size_t dv_curve_break(const double *steps, size_t n_steps, dv_steps tested, double threshold) {
    for (size_t i = dv_curve_first_tested(tested); i < n_steps; i++)
        if (dv_curve_breaks(steps[i], threshold)) return i;
    return SIZE_MAX;
}

size_t dv_curve_steepest(const double *steps, size_t n_steps, dv_steps tested) {
    size_t lowest = SIZE_MAX;
    for (size_t i = dv_curve_first_tested(tested); i < n_steps; i++)
        if (!isnan(steps[i]) && (lowest == SIZE_MAX || steps[i] < steps[lowest])) lowest = i;
    return lowest;
}
