#include <math.h>

#include "report/json_report.h"

void dv_report_real(dv_report *report, const char *name, double value) {
    dv_report_top(report, name, dv_json_real(value));
}

void dv_report_row(dv_report *report, const char *list) {
    if (!dv_report_find(report, list)) dv_report_top(report, list, json_array());
    dv_report_append(report, dv_report_find(report, list), json_object());
}

static json_t *newest(dv_report *report, const char *list) {
    if (json_array_size(dv_report_find(report, list)) == 0) dv_report_row(report, list);
    json_t *const rows = dv_report_find(report, list);
    return json_array_get(rows, json_array_size(rows) - 1);
}

void dv_report_row_text(dv_report *report, const char *list, const char *name, const char *value) {
    dv_report_set(report, newest(report, list), name, dv_json_text(value));
}

void dv_report_row_count(dv_report *report, const char *list, const char *name, uint64_t value) {
    dv_report_set(report, newest(report, list), name, dv_json_count(value));
}

void dv_report_row_real(dv_report *report, const char *list, const char *name, double value) {
    dv_report_set(report, newest(report, list), name, dv_json_real(value));
}

void dv_report_peaks(dv_report *report, const dv_peaks *peaks) {
    json_t *const object = json_object();
    dv_report_set(report, object, "threads", dv_json_count(peaks->n_threads));
    dv_report_set(report, object, "int8_ops_per_s", dv_json_real(peaks->int8_ops_per_s));
    dv_report_set(report, object, "int8_kernel", json_string(peaks->int8_kernel));
    dv_report_set(report, object, "fp32_ops_per_s", dv_json_real(peaks->fp32_ops_per_s));
    dv_report_set(report, object, "fp32_kernel", json_string(peaks->fp32_kernel));
    dv_report_set(report, object, "read_bytes_per_s",
                  dv_json_real(peaks->read_bytes_per_s > 0 ? peaks->read_bytes_per_s : NAN));
    dv_report_top(report, "peaks", object);
}
