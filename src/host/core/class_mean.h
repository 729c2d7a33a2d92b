/* class_mean.h: the IoU of a class from its counts, whether it enters the mean, and the mean, for host and device. */
#ifndef DV_CORE_CLASS_MEAN_H
#define DV_CORE_CLASS_MEAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/no_value.h"
#include "denseval/labels.h"

/* *iou = both / either, or what the policy says where `either` is 0 (NaN: no value). True: the class is in the mean.
 * both    pixels that are this class in truth and prediction
 * either  pixels that are this class in truth or prediction
 * truth   pixels that are this class in truth */
static inline DV_HOST_DEVICE bool dv_absent_iou(dv_absent absent, uint64_t both, uint64_t either, uint64_t truth,
                                                double *iou) {
    if (either > 0) {
        *iou = (double)both / (double)either;
        return truth > 0 || absent != DV_ABSENT_TRUTH_ONLY;
    }
    const bool counts = absent == DV_ABSENT_ZERO || absent == DV_ABSENT_ONE;
    *iou = counts ? (absent == DV_ABSENT_ONE ? 1.0 : 0.0) : dv_no_value();
    return counts;
}

/* Mean of IoU, summed in the order in which classes are added. Zeroed it is empty. */
typedef struct dv_class_mean {
    double total;
    size_t n;
} dv_class_mean;

/* A class that is in the mean. */
static inline DV_HOST_DEVICE void dv_class_mean_add(dv_class_mean *mean, double iou) {
    mean->total += iou;
    mean->n++;
}

/* NaN where no class was added. */
static inline DV_HOST_DEVICE double dv_class_mean_value(const dv_class_mean *mean) {
    return mean->n > 0 ? mean->total / (double)mean->n : dv_no_value();
}

#endif
