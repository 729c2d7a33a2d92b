/* iou.h: intersection over union, accuracies and their means, from a confusion matrix. */
#ifndef DENSEVAL_IOU_H
#define DENSEVAL_IOU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/confusion.h"
#include "denseval/labels.h"
#include "denseval/status.h"

DV_C_BEGIN

typedef struct dv_iou_policy {
    dv_absent absent;
    const bool *excluded; /* bool [n_classes], classes left out of the means only; NULL: none. Borrowed */
    bool hungarian;       /* relabel the predicted classes by the assignment of least 1 - IoU first */
} dv_iou_policy;

/* Everything derived from one matrix. NaN stands for "no value" (null in JSON). */
typedef struct dv_iou {
    size_t n_classes;
    double *iou;            /* f64 [n_classes], by truth class: TP / (TP + FP + FN); where that is 0 / 0, as dv_absent
                             * says: 0, 1 or NaN. A class that a policy only leaves out of the mean keeps its value */
    double *accuracy;       /* f64 [n_classes]: TP / truth pixels; NaN without truth */
    uint64_t *truth_pixels; /* u64 [n_classes] */
    uint64_t *predicted_pixels; /* u64 [n_classes], after relabelling, false positives of invalid labels included */
    size_t *relabel;       /* [n_classes]: class that a predicted class counts as; the identity without relabelling */
    double miou;           /* mean of iou over the classes that count; NaN where none does */
    double mean_accuracy;  /* mean of accuracy over classes with truth that are not excluded */
    double pixel_accuracy; /* sum of TP / sum of counted pixels of the matrix */
} dv_iou;

/* Fails with DV_E_ARG, DV_E_NOMEM. *out: release with dv_iou_clear, also allowed on a zeroed struct.
 * Source: Everingham et al., The PASCAL VOC Challenge, IJCV 88(2), 2010; relabelling as open-hummingbird-eval does:
 * IoU[truth][pred] = tp / union over all pairs, 0 where the union is 0. */
DV_MUST_USE dv_status dv_iou_compute(const dv_confusion *confusion, const dv_iou_policy *policy, dv_iou *out);
void dv_iou_clear(dv_iou *iou);

DV_C_END
#endif
