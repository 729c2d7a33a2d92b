/* json_classes.h: scores of classes and their confusion, as all results of label maps have them. */
#ifndef DV_REPORT_JSON_CLASSES_H
#define DV_REPORT_JSON_CLASSES_H

#include <stdbool.h>

#include "denseval/bootstrap.h"
#include "denseval/iou.h"
#include "report/json_report.h"

/* A list of id, name, iou, accuracy, truth_pixels, predicted_pixels. names: [n_classes], or NULL. excluded: bool
 * [n_classes], or NULL */
json_t *dv_json_classes(dv_report *report, const dv_iou *iou, const char *const *names, const bool *excluded);

/* Rows of a matrix that is not sparse, truth by prediction. */
json_t *dv_json_confusion(dv_report *report, const dv_confusion *confusion);
/* The cells above 0 of any: a list of [truth, prediction, pixels]. */
json_t *dv_json_confusion_cells(dv_report *report, const dv_confusion *confusion);

/* low, high, resamples */
json_t *dv_json_interval(dv_report *report, const dv_interval *interval);

#endif
