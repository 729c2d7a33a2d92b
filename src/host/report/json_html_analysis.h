/* json_html_analysis.h: what the parts of a viewpoint analysis share. */
#ifndef DV_REPORT_JSON_HTML_ANALYSIS_H
#define DV_REPORT_JSON_HTML_ANALYSIS_H

#include <jansson.h>
#include <stdio.h>

#include "report/text_table.h"

/* Adds what names a run or a line, object[key]; memories ("memory", "from", "to") as their sizes. */
void dv_html_add_run_key(dv_text_table *table, const json_t *object, const char *key);
/* Adds "0.7948" with its interval below it; "" and NULL: there is none. */
void dv_html_add_with_interval(dv_text_table *table, const char *text, const json_t *interval);

/* list: objects of `experiment_b` */
DV_MUST_USE dv_status dv_html_put_experiment_b(FILE *stream, const json_t *list);
/* IoU of each class, folded. */
DV_MUST_USE dv_status dv_html_put_curve_classes(FILE *stream, const json_t *curve);

#endif
