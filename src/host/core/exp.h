/* exp.h: the exponential that the soft-label vote uses: one inline routine for host and device, so that bits agree. */
#ifndef DV_CORE_EXP_H
#define DV_CORE_EXP_H

#include <stdint.h>
#include <string.h>

#include "core/host_device.h"

/* e^x for x <= 0, within 2 ulp; 0 below -708. Only + - * on doubles, in one written order, nothing fused: the same bits
 * wherever IEEE arithmetic holds. x = n ln 2 + r with |r| <= ln 2 / 2, ln 2 in two parts (Cody and Waite, 1980), then
 * the Taylor polynomial of degree 13 by Horner's rule: remainder below 2^-57. */
static inline DV_HOST_DEVICE double dv_exp_nonpositive(double x) {
    if (!(x > -708.0)) return 0.0;
    const double log2e = 1.4426950408889634, ln2_high = 6.93147180369123816490e-01,
                 ln2_low = 1.90821492927058770002e-10;
    const double shift = 6755399441055744.0; /* 1.5 * 2^52: adding and taking it away rounds to an integer */
    const double n = (x * log2e + shift) - shift;
    const double r = (x - n * ln2_high) - n * ln2_low;
    double sum = 1.0 / 6227020800.0; /* 1 / 13! */
    sum = sum * r + 1.0 / 479001600.0;
    sum = sum * r + 1.0 / 39916800.0;
    sum = sum * r + 1.0 / 3628800.0;
    sum = sum * r + 1.0 / 362880.0;
    sum = sum * r + 1.0 / 40320.0;
    sum = sum * r + 1.0 / 5040.0;
    sum = sum * r + 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * r + 1.0;
    sum = sum * r + 1.0;
    const uint64_t exponent_bits = (uint64_t)((int64_t)n + 1023) << 52; /* n >= -1022 here: a normal number */
    double power;
    memcpy(&power, &exponent_bits, sizeof power);
    return sum * power;
}

#endif
