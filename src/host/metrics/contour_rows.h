/* contour_rows.h: which pixels of a row differ from their neighbours, one routine for each instruction set. */
#ifndef DV_METRICS_CONTOUR_ROWS_H
#define DV_METRICS_CONTOUR_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dv_contour_kernel {
    const char *name; /* "portable", "avx2", "avx512"; static lifetime */
    bool (*usable)(void);
    /* row, below  u16 [width], width at least 1; in the last row of a map `below` is the row itself
     * right       u64 [(width + 63) / 64], bit x mod 64 of word x / 64: pixel x differs from x + 1
     * edge        likewise: it differs from its right, lower or lower-right neighbour
     * Beyond the last column stands its own label again, so that there the lower neighbour alone decides, and in the
     * last row the right one: the rule of docs/METRICS.md, "J and F". Bits from `width` on are 0. */
    void (*row)(const uint16_t *row, const uint16_t *below, size_t width, uint64_t *right, uint64_t *edge);
} dv_contour_kernel;

extern const dv_contour_kernel dv_contour_portable; /* usable everywhere */
#if defined(__x86_64__)
extern const dv_contour_kernel dv_contour_avx2;
extern const dv_contour_kernel dv_contour_avx512;
#endif

/* Routine number `i` of this build, the fastest first, or NULL past the last one. */
const dv_contour_kernel *dv_contour_kernel_at(size_t i);

#endif
