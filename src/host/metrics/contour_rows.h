/* contour_rows.h: where a row of labels changes, from pixel to pixel and from the row above, one routine for each
 * instruction set. */
#ifndef DV_METRICS_CONTOUR_ROWS_H
#define DV_METRICS_CONTOUR_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DV_CONTOUR_SPARE = 8 }; /* columns that are written, and mean nothing, behind the last */

typedef struct dv_contour_kernel {
    const char *name; /* "portable", "avx2", "avx512"; static lifetime */
    bool (*usable)(void);
    /* row, above  u16 [width], width at least 1; in the first row of a map `above` is the row itself
     * right       u64 [(width + 63) / 64], bit x mod 64 of word x / 64: pixel x of the row differs from x + 1; the last
     *             pixel differs from nothing
     * down        likewise: pixel x differs from the one above
     * Bits from `width` on are 0. */
    void (*row)(const uint16_t *row, const uint16_t *above, size_t width, uint64_t *right, uint64_t *down);
    /* The bits set in any of three rows of bits, u64 [n_words], up to 1024.
     * columns  u16 [64 n_words + DV_CONTOUR_SPARE]: the first as many as it returns are their numbers, rising */
    size_t (*columns)(const uint64_t *a, const uint64_t *b, const uint64_t *c, size_t n_words, uint16_t *columns);
} dv_contour_kernel;

extern const dv_contour_kernel dv_contour_portable; /* usable everywhere */
#if defined(__x86_64__)
extern const dv_contour_kernel dv_contour_avx2;
extern const dv_contour_kernel dv_contour_avx512;
#endif

/* Routine number `i` of this build, the fastest first, or NULL past the last one. */
const dv_contour_kernel *dv_contour_kernel_at(size_t i);

/* The fastest kernel that this processor has. */
const dv_contour_kernel *dv_contour_kernel_best(void);

#endif
