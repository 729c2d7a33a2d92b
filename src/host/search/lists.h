/* lists.h: what is done with a query's candidates between chunks, in each family of vector code. */
#ifndef DV_SEARCH_LISTS_H
#define DV_SEARCH_LISTS_H

#include <stddef.h>
#include <stdint.h>

#include "search/dot.h"

/* What covers the roundings of bounds in float (docs/EXACTNESS.md, 4): half of it below, all of it above. With a
 * centre all sizes are smaller, and the bound itself covers them (13.5). */
#define DV_FLOAT_STEP 0x1p-17F
#define DV_KTH_PRECISION 0x1p-14F

/* The bounds of one query, as floats: the cosine of a row in tile t is within reach * slacks[t] + rest of
 * scale * scales[t] * sum. */
typedef struct dv_list_bounds {
    float scale, reach, rest;
    float step;                   /* DV_FLOAT_STEP, or 0 with a centre */
    float precision;              /* for dv_reached_by */
    const float *scales, *slacks; /* f32 [n_tiles] */
    unsigned tile_shift;          /* position >> tile_shift is the tile */
} dv_list_bounds;

typedef struct dv_list_kernels {
    /* low[i], at most the cosine of candidate i, at least that less twice its bound and the step. */
    void (*low)(const dv_list_bounds *bounds, const uint32_t *positions, const int32_t *sums, size_t n, float *low);
    /* Keeps, in order, the candidates that may reach `least`, and returns how many. Writes whole registers: the arrays
     * have room for 16 more. */
    size_t (*keep)(const dv_list_bounds *bounds, float least, const float *low, size_t n, uint32_t *positions,
                   int32_t *sums);
    /* How many values are at least `limit`. */
    size_t (*count)(const float *values, size_t n, float limit);
} dv_list_kernels;

/* NULL where this CPU does not run the family. */
const dv_list_kernels *dv_list_kernels_for(dv_simd simd);

/* A number that k of the values reach, within `precision` of the k-th largest; 1 <= k <= n, all finite. */
float dv_reached_by(const dv_list_kernels *kernels, const float *values, size_t n, size_t k, float precision);

/* Can a candidate with this lower bound reach `least`? As dv_list_kernels.keep has it. */
static inline int dv_may_reach(const dv_list_bounds *bounds, float low, uint32_t position, float least) {
    const float bound = bounds->reach * bounds->slacks[position >> bounds->tile_shift] + bounds->rest;
    return low + (2.0F * bound + bounds->step) >= least;
}

#endif
