/* label_iou_count.h: one pass over pairs of label maps, images in parallel, one image a worker in memory. */
#ifndef DV_PROTOCOL_LABEL_IOU_COUNT_H
#define DV_PROTOCOL_LABEL_IOU_COUNT_H

#include "denseval/boundary_iou.h"
#include "protocol/label_iou_plan.h"

/* Pixels of each image and class. */
typedef struct dv_label_parts {
    uint64_t *intersections, *unions, *truths; /* each u64 [n_images, n_classes], owned; NULL: nobody wants them */
} dv_label_parts;

/* Counts of all images beside the confusion matrix, of the same classes; NULL: nobody wants them. Owned. */
typedef struct dv_label_totals {
    dv_confusion *recipes; /* with nothing ignored: where the truth is no class, a prediction is a false positive */
    dv_boundary *boundary;
} dv_label_totals;

/* Counts all jobs of a plan. Fills images, n_scored, n_left_out, same, confusion, hashes and seconds of *result.
 * totals  what is there takes its counts
 * parts   with arrays for the jobs of the plan: rows of images that were not counted are taken out
 * Fails as dv_label_iou_run does. */
DV_MUST_USE dv_status dv_label_count(const dv_label_iou_options *options, const dv_label_plan *plan,
                                     const dv_label_totals *totals, dv_label_parts *parts, dv_label_iou_result *result);

/* A matrix for so many classes. */
DV_MUST_USE dv_status dv_label_matrix(size_t n_classes, dv_confusion **out);

#endif
