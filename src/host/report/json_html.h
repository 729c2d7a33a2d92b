/* json_html.h: any JSON value as tables of a page, and what the parts that know a schema share. */
#ifndef DV_REPORT_JSON_HTML_H
#define DV_REPORT_JSON_HTML_H

#include <jansson.h>

#include "report/html_document.h"
#include "report/text_table.h"

/* Adds a number, text, truth value, interval ("[low, high]"), or a short list of them as one field; null is "", an
 * empty list "none". What is of another kind is "". key: by which bytes and shares are told from other numbers; NULL:
 * none */
void dv_html_add_value(dv_text_table *table, const char *key, const json_t *value);

/* A key as words, with its unit: "wall_s" is "wall (s)". The caller's until free(); NULL: no memory */
char *dv_html_label(const char *key);
void dv_html_add_label(dv_text_table *table, const char *key);

/* Puts a list of objects as a table with a line each and a column a key, and an object as one with a line a key. Lists
 * and objects within become tables of their own below, their lines named after those that they belong to. Lists of
 * lists are passed over. A table of many lines is folded; it ends after DV_HTML_MOST_ROWS lines, and says so. */
enum { DV_HTML_MOST_ROWS = 5000 };
DV_MUST_USE dv_status dv_html_put_value(FILE *stream, const char *title, json_t *value);

/* The list of objects `name`; NULL where the document has none. DV_E_DATA where it is anything else. Borrowed */
DV_MUST_USE dv_status dv_html_list(const dv_html_document *document, const char *name, json_t **list);

/* Are two cells or rows of the same encoder, memory and difficulty? */
bool dv_html_same_run(const json_t *a, const json_t *b);
/* The same of any encoder. */
bool dv_html_same_panel(const json_t *a, const json_t *b);
/* "deep, memory 320k, easy". text: char [size], UTF-8, cut where it is full */
void dv_html_run_text(const json_t *run, char *text, size_t size);

/* Prints a table that "WHAT: RUN" unfolds, and clears it. title: of the table */
DV_MUST_USE dv_status dv_html_finish_folded(dv_text_table *table, const char *what, const json_t *run,
                                            const char *title, FILE *stream);

/* The parts of dv_html_put_result that know a schema. */
DV_MUST_USE dv_status dv_html_put_analysis(FILE *stream, const dv_html_document *document);
DV_MUST_USE dv_status dv_html_put_sweep(FILE *stream, const dv_html_document *document);

#endif
