#include "report/json_classes.h"

#include <stdlib.h>

static json_t *class_object(dv_report *report, const dv_iou *iou, size_t c, const char *name, bool excluded) {
    json_t *object = json_object();
    dv_report_set(report, object, "id", dv_json_count(c));
    dv_report_set(report, object, "name", name ? json_string(name) : json_null());
    dv_report_set(report, object, "iou", dv_json_real(iou->iou[c]));
    dv_report_set(report, object, "accuracy", dv_json_real(iou->accuracy[c]));
    dv_report_set(report, object, "truth_pixels", dv_json_count(iou->truth_pixels[c]));
    dv_report_set(report, object, "predicted_pixels", dv_json_count(iou->predicted_pixels[c]));
    if (excluded) dv_report_set(report, object, "excluded", json_true());
    return object;
}

json_t *dv_json_classes(dv_report *report, const dv_iou *iou, const char *const *names, const bool *excluded) {
    json_t *classes = json_array();
    for (size_t c = 0; c < iou->n_classes; c++)
        dv_report_append(report, classes,
                         class_object(report, iou, c, names ? names[c] : NULL, excluded && excluded[c]));
    return classes;
}

json_t *dv_json_confusion(dv_report *report, const dv_confusion *confusion) {
    const size_t n = dv_confusion_classes(confusion);
    const uint64_t *counts = dv_confusion_counts(confusion);
    json_t *rows = json_array();
    for (size_t truth = 0; truth < n; truth++) {
        json_t *row = json_array();
        for (size_t pred = 0; pred < n; pred++) dv_report_append(report, row, dv_json_count(counts[truth * n + pred]));
        dv_report_append(report, rows, row);
    }
    return rows;
}

json_t *dv_json_confusion_cells(dv_report *report, const dv_confusion *confusion) {
    dv_confusion_cell *cells;
    size_t n;
    if (dv_confusion_cells(confusion, &cells, &n) != DV_OK) return NULL;
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        dv_report_append(report, list,
                         json_pack("[I, I, o]", (json_int_t)cells[i].truth, (json_int_t)cells[i].pred,
                                   dv_json_count(cells[i].n_pixels)));
    free(cells);
    return list;
}

json_t *dv_json_interval(dv_report *report, const dv_interval *interval) {
    json_t *object = json_object();
    dv_report_set(report, object, "low", dv_json_real(interval->low));
    dv_report_set(report, object, "high", dv_json_real(interval->high));
    dv_report_set(report, object, "resamples", dv_json_count(interval->n_resamples));
    return object;
}
