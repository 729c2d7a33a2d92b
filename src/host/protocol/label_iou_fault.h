/* label_iou_fault.h: what is wrong with the labels of an image. */
#ifndef DV_PROTOCOL_LABEL_IOU_FAULT_H
#define DV_PROTOCOL_LABEL_IOU_FAULT_H

#include "denseval/class_map.h"
#include "denseval/confusion.h"
#include "denseval/image.h"

/* Maps the labels of the truth; ignored ones that the map does not list stay. DV_E_DATA naming the first pixel whose
 * label is not listed, and how many are like it. */
DV_MUST_USE dv_status dv_label_map_apply(const dv_class_map *map, const dv_label_set *ignored, dv_label_map *truth);

/* After dv_confusion_add refused two maps of one size: DV_E_DATA that names the first pixel at fault and how many
 * pixels have its label. *of_truth: whose label it is */
DV_MUST_USE dv_status dv_label_fault(const dv_pixel_policy *policy, size_t n_classes, const dv_label_map *truth,
                                     const dv_label_map *pred, bool *of_truth);

#endif
