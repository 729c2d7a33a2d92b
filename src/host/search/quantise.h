/* quantise.h: a row in double to 8-bit codes, and how far the codes are from it. */
#ifndef DV_SEARCH_QUANTISE_H
#define DV_SEARCH_QUANTISE_H

#include <stddef.h>
#include <stdint.h>

#include "search/dot.h"

/* Codes of one family of vector code. Families may differ in the last bit of what they measure, and so in which rows
 * are rescored; never in a result. */
typedef struct dv_quantiser {
    /* The largest |values[i]|, NaN passed over; 0 where n is 0. n: a multiple of 16 */
    double (*largest)(const double *values, size_t n);

    /* codes[i] = t / scale with t = values[i] * factor, rounded and kept within -127..127. Returns the sum of squares
     * of t - scale * codes[i]: doubles, 16 partial sums.
     * values  f64 [n], n a multiple of 16; codes i8 [n]; scale > 0 and a float's value, so that scale * code is exact
     */
    double (*codes)(const double *values, size_t n, double factor, double scale, int8_t *codes);
} dv_quantiser;

/* NULL where this CPU does not run the family. */
const dv_quantiser *dv_quantiser_for(dv_simd simd);

/* A bound on a norm, from a sum of squares that was computed: at least the norm of what the sum stands for, in real
 * arithmetic (docs/EXACTNESS.md, 3). */
double dv_norm_bound(double sum_of_squares);

#endif
