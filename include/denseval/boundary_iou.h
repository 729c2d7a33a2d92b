/* boundary_iou.h: IoU of the parts of classes that lie near their contours (docs/METRICS.md, "Boundary IoU"). */
#ifndef DENSEVAL_BOUNDARY_IOU_H
#define DENSEVAL_BOUNDARY_IOU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/confusion.h"
#include "denseval/labels.h"
#include "denseval/status.h"

DV_C_BEGIN

/* Pixels near contours, by class: of the truth, of the prediction, and of both. One thread at a time. */
typedef struct dv_boundary dv_boundary;

/* Fails with DV_E_ARG, DV_E_NOMEM.
 * n_classes  count, 1..DV_MAX_SPARSE_CLASSES, background included
 * *out       the caller's until dv_boundary_free; NULL on failure */
DV_MUST_USE dv_status dv_boundary_create(size_t n_classes, dv_boundary **out);
void dv_boundary_free(dv_boundary *boundary);
void dv_boundary_clear(dv_boundary *boundary); /* forgets the counts */

/* What is near, in pixels: ratio x diagonal, rounded half to even, at least 1. ratio above 0 */
size_t dv_boundary_distance_px(double ratio, size_t height, size_t width);

/* Adds one label map. A pixel is near the contour of its class where the square of 2 distance_px + 1 pixels a side
 * about it is not all of that class and in the map. What the policy leaves out is of no class on either side, and a
 * truth that is no class under DV_INVALID_FALSE_POSITIVE is none in the truth. Adds nothing and fails with DV_E_DATA (a
 * truth label under DV_INVALID_ERROR) or DV_E_ARG (a prediction; distance_px 0; no such policy) as dv_confusion_add
 * does; with DV_E_NOMEM. truth, pred  u16 [height, width], host memory, borrowed for the call */
DV_MUST_USE dv_status dv_boundary_add(dv_boundary *boundary, const dv_pixel_policy *policy, const uint16_t *truth,
                                      const uint16_t *pred, size_t height, size_t width, size_t distance_px);

/* Adds the counts of `other` (same n_classes, else DV_E_ARG). */
DV_MUST_USE dv_status dv_boundary_merge(dv_boundary *boundary, const dv_boundary *other);

/* Both / (truth + prediction - both) of each class, and their mean.
 * iou       f64 [n_classes] or NULL: where nothing is near, as dv_absent says: 0, 1 or NaN
 * excluded  bool [n_classes], classes left out of the mean only; NULL: none
 * *miou     NaN where no class counts
 * Source: Cheng et al., Boundary IoU: Improving Object-Centric Image Segmentation Evaluation, CVPR 2021. */
void dv_boundary_iou(const dv_boundary *boundary, dv_absent absent, const bool *excluded, double *iou, double *miou);

DV_C_END
#endif
