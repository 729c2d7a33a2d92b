/* near_contour.h: which pixels of a label map lie near another label or the border of the map. */
#ifndef DV_METRICS_NEAR_CONTOUR_H
#define DV_METRICS_NEAR_CONTOUR_H

#include <stddef.h>
#include <stdint.h>

#include "core/check.h"
#include "metrics/contour_rows.h"

/* Bitmaps of one map: bit x mod 64 of word x / 64 of a row. They grow with the maps and never shrink; zeroed there are
 * none. One thread at a time. */
typedef struct dv_near_contour {
    const dv_contour_kernel *kernel; /* NULL: none was chosen yet */
    size_t stride;                   /* words of a row */
    uint64_t *near;                  /* [height, stride]: pixels that are near; bits from width on are 0; owned */
    uint64_t *changes;               /* [height, stride]: scratch; owned */
    size_t capacity;                 /* words of either */
} dv_near_contour;

/* A pixel is near where the square of 2 distance_px + 1 pixels a side about it holds another label or leaves the map.
 * labels  u16 [height, width], borrowed for the call; sides and distance_px at least 1. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_near_contour_find(dv_near_contour *contour, const uint16_t *labels, size_t height,
                                           size_t width, size_t distance_px);

void dv_near_contour_free(dv_near_contour *contour);

#endif
