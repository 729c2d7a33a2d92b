/* json_info.h: the parts of dv_info_files. */
#ifndef DV_REPORT_JSON_INFO_H
#define DV_REPORT_JSON_INFO_H

#include <jansson.h>

#include "denseval/dtype.h"
#include "denseval/info.h"

enum { DV_INFO_BLOCK_BYTES = 64 << 20 }; /* read at once by a check */

/* What a check of feature rows has seen so far. */
typedef struct dv_row_scan {
    double *widened; /* f64 [dim], owned */
    size_t dim, n_zero_rows;
} dv_row_scan;

DV_MUST_USE dv_status dv_row_scan_begin(dv_row_scan *scan, size_t dim);
/* Counts zero rows; the first value that is not finite is DV_E_DATA, "row R, value V: ...", R from first_row on. */
DV_MUST_USE dv_status dv_row_scan_add(dv_row_scan *scan, const void *rows, dv_dtype dtype, size_t n_rows,
                                      size_t first_row);
void dv_row_scan_end(dv_row_scan *scan);

/* These fill `object` with what a file of their kind holds. Messages begin with the path. */
DV_MUST_USE dv_status dv_info_features(dv_report *report, json_t *object, const char *path, bool check);
DV_MUST_USE dv_status dv_info_bank(dv_report *report, json_t *object, const char *path, bool check);
DV_MUST_USE dv_status dv_info_knn(dv_report *report, json_t *object, const char *path, bool check);
DV_MUST_USE dv_status dv_info_result(dv_report *report, json_t *object, const char *path);

/* Keys that feature and bank files share. */
void dv_info_set_preprocessing(dv_report *report, json_t *object, const dv_preprocessing *preprocessing);
/* A list of texts; null without. */
void dv_info_set_texts(dv_report *report, json_t *object, const char *name, const char *const *texts, size_t n);
/* How many different texts there are; null without. */
DV_MUST_USE dv_status dv_info_set_distinct(dv_report *report, json_t *object, const char *name,
                                           const char *const *texts, size_t n);

/* Lines for people of an object, or of each object of a list. *text: the caller's until free(). */
DV_MUST_USE dv_status dv_info_format(json_t *value, char **text);

#endif
