/* contour_disk.h: which pixels of a contour have one of another contour within a disk. Of the other one a bitmap is
 * drawn, no larger than needed; no image is dilated. */
#ifndef DV_METRICS_CONTOUR_DISK_H
#define DV_METRICS_CONTOUR_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/check.h"
#include "denseval/mask_counts.h"

enum {
    DV_CONTOUR_SMALL_REACH = 28
}; /* the widest disk whose rows fit a 64-bit window that starts at any bit of a byte */

/* Disks of some radii about a pixel, and a bitmap. Zeroed it is empty. */
typedef struct dv_contour_disk {
    size_t height, width, n_radii;
    uint64_t squares[DV_MAX_RADII]; /* of the radii, or of the diagonal where that is less */
    uint64_t least, most;           /* of them */
    uint32_t reach;                 /* rows and columns that the largest disk goes to each side, inside a frame */
    bool small;                     /* one disk, in rows of one window each: its bitmap has a margin for them */
    uint32_t *half_widths; /* [reach + 1]: the largest disk goes so many columns to each side, dy rows off; owned */
    size_t half_widths_capacity;
    uint64_t windows[DV_CONTOUR_SMALL_REACH + 1]; /* of a small disk: the same as bits, counted from its left end */

    uint64_t *words; /* [rows, stride], all 0 between wiping and drawing; owned */
    size_t words_capacity, rows, stride;
    int64_t top, left;           /* of the bitmap, in the frame */
    int64_t near_top, near_left; /* a pixel outside this rectangle has nothing drawn in its disk */
    uint64_t near_rows, near_columns;
} dv_contour_disk;

/* For frames of this size, sides 1..65535, and these radii, at least one. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_contour_disk_set(dv_contour_disk *disk, size_t height, size_t width, const uint32_t *radii_px,
                                          size_t n_radii);

/* Draws a contour: u32 [n], row << 16 | column, rising; n at least 1. Nothing may be drawn. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_contour_disk_draw(dv_contour_disk *disk, const uint32_t *contour, size_t n);
/* Wipes what was drawn: the same contour. */
void dv_contour_disk_wipe(dv_contour_disk *disk, const uint32_t *contour, size_t n);

/* matched  u64 [n_radii]: how many of the n pixels have a drawn one at most a radius away (Euclidean) */
void dv_contour_disk_count(const dv_contour_disk *disk, const uint32_t *contour, size_t n, uint64_t *matched);

void dv_contour_disk_free(dv_contour_disk *disk);

#endif
