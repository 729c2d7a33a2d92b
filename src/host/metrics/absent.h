/* absent.h: the IoU of one class from its counts, and whether it enters the mean. */
#ifndef DV_METRICS_ABSENT_H
#define DV_METRICS_ABSENT_H

#include <stdbool.h>
#include <stdint.h>

#include "denseval/labels.h"
#include "denseval/status.h"

/* DV_E_ARG for a number that is no policy. */
DV_MUST_USE dv_status dv_absent_check(dv_absent absent);

/* *iou = both / either, or what the policy says where `either` is 0 (NaN: no value). True: the class is in the mean.
 * both    pixels that are this class in truth and prediction
 * either  pixels that are this class in truth or prediction
 * truth   pixels that are this class in truth */
bool dv_absent_iou(dv_absent absent, uint64_t both, uint64_t either, uint64_t truth, double *iou);

#endif
