/* overlay_draw.h: one overlay in memory. */
#ifndef DV_REPORT_OVERLAY_DRAW_H
#define DV_REPORT_OVERLAY_DRAW_H

#include "denseval/image.h"
#include "denseval/overlay.h"

/* What one overlay shows; all borrowed. The maps have the size of the picture, which the caller has checked. */
typedef struct dv_overlay_view {
    const dv_picture *picture;
    const dv_label_map *truth; /* NULL: none */
    const dv_label_map *pred;
    const dv_label_set *ignored;
} dv_overlay_view;

/* Draws it. *drawn: release with dv_picture_clear; zeroed on failure. Fails with DV_E_ARG (DV_OVERLAY_DIFFERENCE
 * without truth), DV_E_NOMEM. */
DV_MUST_USE dv_status dv_overlay_draw(dv_overlay_mode mode, const dv_overlay_view *view, dv_picture *drawn);

/* One object: masks of 0 and 1 over a picture of their size. Found regions are green, those predicted alone orange,
 * missed ones blue; the contour of the truth is white, that of the prediction, above it, yellow. *drawn: as above.
 * Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_overlay_draw_object(const dv_picture *picture, const dv_label_map *truth,
                                             const dv_label_map *pred, dv_picture *drawn);

#endif
