/* contour_partners.h: matched pixels of two contours where each pixel has a partner of its own. */
#ifndef DV_METRICS_CONTOUR_PARTNERS_H
#define DV_METRICS_CONTOUR_PARTNERS_H

#include <stddef.h>
#include <stdint.h>

#include "core/check.h"
#include "metrics/contour_side.h"

/* partners  u64 [n_radii]: the most pairs for each radius. Fails with DV_E_ARG (too many pixels), DV_E_NOMEM. */
DV_MUST_USE dv_status dv_contour_partners(const dv_contour_object *truth, const dv_contour_object *pred, size_t height,
                                          size_t width, const uint32_t *radii_px, size_t n_radii, uint64_t *partners);

#endif
