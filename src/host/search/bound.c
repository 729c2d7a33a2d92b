#include "search/bound.h"

#include <math.h>

double dv_bound_canonical(size_t dim) {
    return ((double)dim + 64.0) * 0x1p-53;
}

/* Write u = 2^-24, w = 2^-53, q and x for the unit vectors over the reals, s = q.x, |s| <= 1.
 *
 * 1. Canonical score: |c - s| <= eta = (d + 64) w. A term of the dot product meets one rounding of the product and at
 *    most d/16 + 5 of sums, so the dot product errs by (d/16 + 6) w |q||x| to first order and each squared norm by that
 *    much relatively, a norm by half of it; square roots (2), their product (1) and the quotient (1) add 4 w. In all
 *    (d/8 + 16) w to first order; what is left up to (d + 64) w covers second order. Clamping only moves c towards s.
 *    f64 rows are scaled first: an element that becomes subnormal moves by 2^-1075 in a vector of norm >= 1/2, nothing
 *    beside 64 w.
 *
 * 2. Unit rows in f32: the norm errs relatively by at most (d/16 + 8) w, the quotient by w more, and rounding to f32 by
 * u. So |q' - q| <= r := u + (d/16 + 9) w, plus at most 2^-126 an element where a subnormal is rounded or flushed. (1 +
 * u)((d/16 + 9) w) is below (d/8 + 32) w, which is what the code takes. |q'.x' - q.x| <= |q' - q||x'| + |q||x' - x| <=
 * r (1 + r) + r = 2 r + r^2.
 *
 * 3. The inner product in f32: every term meets one rounding of the product (none if fused) and at most d of sums (d -
 * 1 in a sum of d terms; one more where a block is added to a zeroed result), so whatever the order |f - q'.x'| <= g
 * sum |q'_i x'_i| <= g |q'||x'| <= g (1 + r)^2 with g = (d + 1) u / (1 - (d + 1) u) (Higham, Accuracy and Stability of
 * Numerical Algorithms, 2nd ed., section 3.1). Padding with zeros adds exact terms. Underflow and flushing move a
 * product or a sum by at most 2^-126 each: 2 d 2^-126 in all.
 *
 * E = g (1 + r)^2 + 2 r + r^2 + eta + 8 d 2^-126. The sum below takes 2^-100 for the last term, right up to d = 2^22,
 * and grows the whole by 2^-20, far more than its own roundings and those of the comparisons with it. */
double dv_bound_f32(size_t dim) {
    if (dim > (size_t)1 << 22) return 4.0;
    const double d = (double)dim, u = 0x1p-24, w = 0x1p-53;
    const double r = u + (d / 8 + 32) * w;
    const double g = (d + 1) * u / (1 - (d + 1) * u);
    const double eta = dv_bound_canonical(dim);
    return (g * (1 + r) * (1 + r) + 2 * r + r * r + eta + 0x1p-100) * (1 + 0x1p-20);
}

float dv_bound_threshold(float value, double bound) {
    const double limit = (double)value - 2 * bound;
    const float nearest = (float)limit;
    return (double)nearest <= limit ? nearest : nextafterf(nearest, -INFINITY);
}
