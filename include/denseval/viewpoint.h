/* viewpoint.h: how a score falls as the viewpoint moves away from the memory bank: normalised curves, steps, breaking
 * points. Source: "Evaluating Foundation Models' 3D Understanding Through Multi-View Correspondence Analysis",
 * Experiment B; docs/METRICS.md, "Viewpoint curves". */
#ifndef DENSEVAL_VIEWPOINT_H
#define DENSEVAL_VIEWPOINT_H

#include <stddef.h>

#include "denseval/status.h"

DV_C_BEGIN

/* A curve is f64 [n], by rising bin; its first value is that of the reference bin, the one of the bank; NaN stands for
 * a bin that is missing. All arrays are host memory, borrowed for the call, and written in full. */

/* Which steps may be the breaking point. */
typedef enum dv_steps {
    DV_STEPS_VALIDATION = 0, /* steps between validation bins: the one from the reference bin is not tested, as in the
                              * published tables */
    DV_STEPS_ALL = 1         /* that one too, as the definition is written */
} dv_steps;

/* normalised[i] = values[i] / values[0]; all NaN where values[0] is NaN or 0, so that nothing breaks. */
void dv_curve_normalise(const double *values, size_t n, double *normalised);

/* steps[i] = normalised[i + 1] - normalised[i], f64 [n - 1]; NaN beside a missing bin: no step is formed over it. */
void dv_curve_steps(const double *normalised, size_t n, double *steps);

/* The first step that is tested and at most -threshold: bin `result + 1` of the curve is the breaking point. SIZE_MAX
 * where there is none. steps  f64 [n_steps] */
size_t dv_curve_break(const double *steps, size_t n_steps, dv_steps tested, double threshold);

/* The lowest of the steps that are tested, the first one of equals; SIZE_MAX where there is none. */
size_t dv_curve_steepest(const double *steps, size_t n_steps, dv_steps tested);

DV_C_END
#endif
