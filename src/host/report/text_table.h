/* text_table.h: a table of texts, printed as CSV, Markdown, LaTeX, in columns or as HTML. */
#ifndef DV_REPORT_TEXT_TABLE_H
#define DV_REPORT_TEXT_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "denseval/status.h"

typedef enum dv_table_form {
    DV_TABLE_CSV,
    DV_TABLE_MARKDOWN,
    DV_TABLE_LATEX,
    DV_TABLE_PLAIN,
    DV_TABLE_HTML,
    DV_TABLE_HTML_PAIRS /* HTML of two columns, names and values: without their heading */
} dv_table_form;

/* Fields come one by one, row by row; the first row names the columns. Zeroed it is empty, but for n_columns, which is
 * set by dv_text_table_end_names. The first failure is kept, so the calls in between need no check. */
typedef struct dv_text_table {
    size_t n_columns, n_fields;
    char **fields; /* [n_fields], owned */
    dv_status status;
} dv_text_table;

void dv_text_table_clear(dv_text_table *table);

void dv_text_table_add(dv_text_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* With so many decimals, or with the fewest digits that read back as the same double where decimals is -1; NaN: "". */
void dv_text_table_add_real(dv_text_table *table, double value, int decimals);
/* 0, which is not known, is "". */
void dv_text_table_add_count(dv_text_table *table, uint64_t value);

/* The fields so far are the names of the columns. */
void dv_text_table_end_names(dv_text_table *table);

/* Prints a table. title: stands over it in Markdown and columns, and is the caption in LaTeX and HTML; NULL: none. An
 * empty field is shown as "-" in all but CSV. Fails with what went wrong while the table grew, and with DV_E_INTERNAL
 * where the last row is not full. The stream is the caller's to check. */
DV_MUST_USE dv_status dv_text_table_print(const dv_text_table *table, dv_table_form form, const char *title,
                                          FILE *stream);

#endif
