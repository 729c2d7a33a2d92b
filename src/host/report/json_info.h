/* json_info.h: the parts of dv_info_files. */
#ifndef DV_REPORT_JSON_INFO_H
#define DV_REPORT_JSON_INFO_H

#include <jansson.h>

#include "core/fault_list.h"
#include "denseval/dtype.h"
#include "denseval/info.h"

enum { DV_INFO_BLOCK_BYTES = 64 << 20 }; /* read at once by a check */

/* Zero rows among rows that were read, so found finite. rows  dtype [n_rows, dim], borrowed for the call */
size_t dv_info_count_zero_rows(const void *rows, dv_dtype dtype, size_t n_rows, size_t dim);

/* These fill `object` with what a file of their kind holds. Messages begin with the path.
 * faults  reads everything and takes in what is wrong with single values, which is no failure; NULL: no check */
DV_MUST_USE dv_status dv_info_features(dv_report *report, json_t *object, const char *path, dv_fault_list *faults);
DV_MUST_USE dv_status dv_info_bank(dv_report *report, json_t *object, const char *path, dv_fault_list *faults);
DV_MUST_USE dv_status dv_info_knn(dv_report *report, json_t *object, const char *path, dv_fault_list *faults);
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
