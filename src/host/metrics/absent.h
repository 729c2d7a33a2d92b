/* absent.h: policies for classes without pixels; what they do to an IoU is dv_absent_iou. */
#ifndef DV_METRICS_ABSENT_H
#define DV_METRICS_ABSENT_H

#include "core/class_mean.h"
#include "denseval/labels.h"
#include "denseval/status.h"

/* DV_E_ARG for a number that is no policy. */
DV_MUST_USE dv_status dv_absent_check(dv_absent absent);

#endif
