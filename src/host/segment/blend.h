/* blend.h: the vertical blend and argmax of one small tile of pixels, the inner loop of upsampling. */
#ifndef DV_SEGMENT_BLEND_H
#define DV_SEGMENT_BLEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DV_BLEND_TILE = 16 }; /* pixels side by side */

/* Of each class: its number and its two horizontal blends, f64 [n_classes, DV_BLEND_TILE], aligned to 64, not negative.
 * Classes that are not listed are 0 everywhere in the tile. */
typedef struct dv_blend_tile {
    const double *top, *bottom;
    const uint16_t *classes; /* [n_classes], rising */
    size_t n_classes;
    size_t width; /* pixels that are wanted, 1..DV_BLEND_TILE */
} dv_blend_tile;

/* For each of n_rows rows with vertical share t: the class with the largest top * (1 - t) + bottom * t, the lowest on
 * ties (0 where all are 0), unfused.
 * shares  f64 [n_rows], 0..1
 * pred    u16 [n_rows, stride], `width` written of each row */
typedef void (*dv_blend_function)(const dv_blend_tile *tile, const double *shares, size_t n_rows, uint16_t *pred,
                                  size_t stride);

/* One implementation; all give the same classes. */
typedef struct dv_blend_kernel {
    const char *name;
    bool (*usable)(void);
    dv_blend_function run;
} dv_blend_kernel;

/* All of this build, the best first; the last one is portable and always usable. Static lifetime. */
const dv_blend_kernel *dv_blend_kernels(size_t *n_kernels);

/* The best one that this CPU can run. */
dv_blend_function dv_blend_best(void);

#endif
