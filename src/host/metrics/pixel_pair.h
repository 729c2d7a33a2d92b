/* pixel_pair.h: what a pixel counts as, by its two labels and the policy. */
#ifndef DV_METRICS_PIXEL_PAIR_H
#define DV_METRICS_PIXEL_PAIR_H

#include "denseval/confusion.h"

typedef enum dv_pixel_kind {
    DV_PIXEL_IGNORED,
    DV_PIXEL_DROPPED,
    DV_PIXEL_CELL,           /* a cell of the matrix: both labels are classes */
    DV_PIXEL_FALSE_POSITIVE, /* the prediction is a class, the truth is none */
    DV_PIXEL_REFUSED         /* may not be counted, see dv_pixel_refuse */
} dv_pixel_kind;

/* Predictions under pixels that are left out are not looked at. */
static inline dv_pixel_kind dv_pixel_kind_of(const dv_pixel_policy *policy, size_t n_classes, uint16_t truth,
                                             uint16_t pred) {
    if (dv_label_set_has(&policy->ignored, truth)) return DV_PIXEL_IGNORED;
    if (truth >= n_classes && policy->invalid == DV_INVALID_DROP) return DV_PIXEL_DROPPED;
    if (pred >= n_classes || (truth >= n_classes && policy->invalid == DV_INVALID_ERROR)) return DV_PIXEL_REFUSED;
    return truth < n_classes ? DV_PIXEL_CELL : DV_PIXEL_FALSE_POSITIVE;
}

/* DV_E_ARG for a policy that there is not. */
DV_MUST_USE dv_status dv_pixel_policy_check(const dv_pixel_policy *policy);

/* Says why a pixel is refused: DV_E_DATA where the truth is no class, DV_E_ARG where the prediction is none. */
DV_MUST_USE dv_status dv_pixel_refuse(const dv_pixel_policy *policy, size_t n_classes, uint16_t truth, uint16_t pred,
                                      size_t row, size_t column);

#endif
