/* json_report.h: the inside of a dv_report, for the files that fill it. */
#ifndef DV_REPORT_JSON_REPORT_H
#define DV_REPORT_JSON_REPORT_H

#include <jansson.h>

#include "denseval/report.h"

/* Adds `value` (handed over; NULL: making it failed) to `object` under `name`; a failure is kept in the report. */
void dv_report_set(dv_report *report, json_t *object, const char *name, json_t *value);
/* The same at the end of `array`. */
void dv_report_append(dv_report *report, json_t *array, json_t *value);
/* Adds `value` to the report itself. */
void dv_report_top(dv_report *report, const char *name, json_t *value);

/* What stands under `name` in the report itself, borrowed; NULL: nothing. */
json_t *dv_report_find(const dv_report *report, const char *name);

/* Indented text with 17 significant digits and a newline, as all our JSON is written. *text: the caller's until free()
 */
DV_MUST_USE dv_status dv_json_dump(const json_t *value, char **text);

/* A new value: null for NaN and infinities. */
json_t *dv_json_real(double value);
/* Above INT64_MAX it is a text of digits. */
json_t *dv_json_count(uint64_t value);
/* File names are bytes, JSON is UTF-8: what is not becomes U+FFFD, a byte at a time. */
json_t *dv_json_text(const char *text);

/* Sets `gpu_s` and `gpu_memory_bytes`; nothing where no GPU was used. */
void dv_report_gpu_spent(dv_report *report, json_t *object, const dv_gpu_account *spent);

#endif
