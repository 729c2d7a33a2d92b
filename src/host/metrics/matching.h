/* matching.h: how many pixels of two contours can be paired one to one. */
#ifndef DV_METRICS_MATCHING_H
#define DV_METRICS_MATCHING_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

typedef struct dv_pixel {
    uint32_t y, x;
} dv_pixel;

/* Size of a maximum matching: the most pairs of a pixel of a and a pixel of b with dy^2 + dx^2 <= radius^2, no pixel in
 * two pairs. The same when a and b change places. Time: some rows of a disk a pixel and phase, a handful of phases on
 * contours. Memory: about 80 bytes a pixel and 4 a row of the disk; none of it depends on the picture's area or on how
 * many pixels are near each other.
 * a, b           [n_a], [n_b], by row, then column, none twice; host memory, borrowed for the call; together below
 *                2^32 - 2
 * height, width  of the picture, up to 2^30
 * radius         any; pixels
 * Source: Hopcroft, Karp, SIAM Journal on Computing 2, 1973. Fails with DV_E_ARG, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_matching_size(const dv_pixel *a, size_t n_a, const dv_pixel *b, size_t n_b, size_t height,
                                       size_t width, uint32_t radius, uint64_t *size);

#endif
