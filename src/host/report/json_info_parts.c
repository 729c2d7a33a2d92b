#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/features.h"
#include "io/feature_values.h"
#include "report/json_info.h"
#include "report/json_report.h"

size_t dv_info_count_zero_rows(const void *rows, dv_dtype dtype, size_t n_rows, size_t dim) {
    const size_t row_bytes = dim * dv_dtype_size(dtype);
    size_t n = 0;
    for (size_t row = 0; row < n_rows; row++)
        n += dv_feature_check((const char *)rows + row * row_bytes, dtype, dim) == DV_FEATURE_ZERO;
    return n;
}

static json_t *real_list(dv_report *report, const double *values, size_t n) {
    if (n == 0) return json_null();
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) dv_report_append(report, list, dv_json_real(values[i]));
    return list;
}

void dv_info_set_preprocessing(dv_report *report, json_t *object, const dv_preprocessing *preprocessing) {
    const char *const encoder = preprocessing->encoder;
    dv_report_set(report, object, "encoder", *encoder ? json_string(encoder) : json_null());
    dv_report_set(report, object, "patch_size", dv_json_count(preprocessing->patch_size));
    dv_report_set(report, object, "input_h", dv_json_count(preprocessing->input_h));
    dv_report_set(report, object, "input_w", dv_json_count(preprocessing->input_w));
    dv_report_set(report, object, "mean", real_list(report, preprocessing->mean, preprocessing->n_mean));
    dv_report_set(report, object, "std", real_list(report, preprocessing->std, preprocessing->n_std));
}

void dv_info_set_texts(dv_report *report, json_t *object, const char *name, const char *const *texts, size_t n) {
    json_t *const list = texts ? json_array() : json_null();
    for (size_t i = 0; texts && i < n; i++) dv_report_append(report, list, json_string(texts[i]));
    dv_report_set(report, object, name, list);
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

dv_status dv_info_set_distinct(dv_report *report, json_t *object, const char *name, const char *const *texts,
                               size_t n) {
    if (!texts) {
        dv_report_set(report, object, name, json_null());
        return DV_OK;
    }
    const char **sorted;
    DV_TRY(dv_alloc(n, sizeof *sorted, name, &sorted));
    for (size_t i = 0; i < n; i++) sorted[i] = texts[i];
    qsort(sorted, n, sizeof *sorted, compare_texts);
    size_t n_distinct = 0;
    for (size_t i = 0; i < n; i++) n_distinct += i == 0 || strcmp(sorted[i], sorted[i - 1]) != 0;
    free(sorted);
    dv_report_set(report, object, name, dv_json_count(n_distinct));
    return DV_OK;
}
