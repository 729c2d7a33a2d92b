/* confusion_parts.h: what a confusion matrix holds, and adding to it by a routine of choice. */
#ifndef DV_METRICS_CONFUSION_PARTS_H
#define DV_METRICS_CONFUSION_PARTS_H

#include "denseval/confusion.h"
#include "metrics/pair_runs.h"
#include "metrics/pair_table.h"

struct dv_confusion {
    size_t n_classes;
    uint64_t *counts;          /* [n_classes, n_classes], row = truth, and a cell for pairs that are none of the matrix,
                                which means nothing; NULL of a sparse matrix */
    dv_pair_table pairs;       /* of a sparse matrix */
    bool out_of_memory;        /* a pair got lost */
    uint64_t *false_positives; /* [n_classes], by prediction */
    uint64_t ignored, dropped;
};

/* dv_confusion_add and dv_confusion_add_u8 with the ends of runs found by `runs`, which must be usable. */
DV_MUST_USE dv_status dv_confusion_add_by(const dv_pair_runs *runs, dv_confusion *confusion,
                                          const dv_pixel_policy *policy, const uint16_t *truth, const uint16_t *pred,
                                          size_t height, size_t width);
DV_MUST_USE dv_status dv_confusion_add_u8_by(const dv_pair_runs *runs, dv_confusion *confusion,
                                             const dv_pixel_policy *policy, const uint8_t *truth, const uint8_t *pred,
                                             size_t height, size_t width);

#endif
