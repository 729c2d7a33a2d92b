/* analysis_tables.h: the tables of a viewpoint analysis. Each function prints one or more of them to a stream, which is
 * the caller's to check: as CSV a row a value, in full; in the other forms as the paper lays them out, rounded. */
#ifndef DV_REPORT_ANALYSIS_TABLES_H
#define DV_REPORT_ANALYSIS_TABLES_H

#include <stdio.h>

#include "denseval/analysis.h"
#include "report/text_table.h"

/* A table with the file it is written to. */
typedef struct dv_analysis_table_kind {
    const char *name; /* of the file, without its extension */
    /* extras: never NULL here */
    dv_status (*print)(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form, FILE *stream);
} dv_analysis_table_kind;

extern const dv_analysis_table_kind dv_analysis_tables[];
extern const size_t dv_n_analysis_tables;

dv_status dv_print_experiment_a(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                                FILE *stream);
dv_status dv_print_experiment_b(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                                FILE *stream);
dv_status dv_print_experiment_c(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                                FILE *stream);
dv_status dv_print_classes(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                           FILE *stream);
dv_status dv_print_curves(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                          FILE *stream);
dv_status dv_print_provenance(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                              FILE *stream);
dv_status dv_print_intervals(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                             FILE *stream);
dv_status dv_print_breaking_shares(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                                   FILE *stream);
dv_status dv_print_pairs(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                         FILE *stream);
dv_status dv_print_runtime(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                           FILE *stream);

enum { DV_MEMORY_TEXT_SIZE = 40 };

/* "320k", "1900", "20 an image". text  char [DV_MEMORY_TEXT_SIZE]; returned for convenience */
const char *dv_memory_text(uint64_t memory, bool per_image, char *text);

/* The columns that name a run: encoder, memory, memory_kind, difficulty. */
void dv_add_run_names(dv_text_table *table);
void dv_add_run(dv_text_table *table, const dv_analysis_run *run);

/* Bins with spaces between them. */
void dv_add_bins(dv_text_table *table, const int32_t *bins, size_t n);

/* Prints a table, and clears it. */
DV_MUST_USE dv_status dv_finish_table(dv_text_table *table, dv_table_form form, const char *title, FILE *stream);

#endif
