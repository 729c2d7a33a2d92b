/* analysis_table_a.c: Experiment A: mIoU and deviation by difficulty (Tables 2 and 4 of the paper). */
#include <math.h>
#include <string.h>

#include "core/check.h"
#include "report/analysis_tables.h"

static dv_status print_rows(const dv_analysis *analysis, FILE *stream) {
    dv_text_table table = {0};
    dv_add_run_names(&table);
    static const char *const names[] = {"reference_bins", "miou", "std", "bins", "missing_bins"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) dv_text_table_add(&table, "%s", names[i]);
    dv_text_table_end_names(&table);
    for (size_t i = 0; i < analysis->n_runs; i++) {
        const dv_analysis_run *const run = &analysis->runs[i];
        dv_add_run(&table, run);
        dv_add_bins(&table, run->reference_bins, run->n_reference_bins);
        dv_text_table_add_real(&table, run->miou, -1);
        dv_text_table_add_real(&table, run->std, -1);
        dv_text_table_add(&table, "%zu", run->n_scored);
        dv_add_bins(&table, run->missing, run->n_missing);
    }
    return dv_finish_table(&table, DV_TABLE_CSV, NULL, stream);
}

static bool same_memory(const dv_analysis_run *a, const dv_analysis_run *b) {
    return a->memory == b->memory && a->per_image == b->per_image;
}

/* The runs whose difficulty comes for the first time name the columns. */
static bool is_new_difficulty(const dv_analysis *analysis, size_t run) {
    for (size_t i = 0; i < run; i++)
        if (strcmp(analysis->runs[i].difficulty, analysis->runs[run].difficulty) == 0) return false;
    return true;
}

static void add_score(dv_text_table *table, const dv_analysis_run *run) {
    if (!run || isnan(run->miou))
        dv_text_table_add(table, "%s", "");
    else if (isnan(run->std))
        dv_text_table_add(table, "%.3f%s", run->miou, run->n_missing ? " *" : "");
    else
        dv_text_table_add(table, "%.3f (%.3f)%s", run->miou, run->std, run->n_missing ? " *" : "");
}

static const dv_analysis_run *find(const dv_analysis *analysis, const char *encoder, const dv_analysis_run *memory,
                                   const char *difficulty) {
    for (size_t i = 0; i < analysis->n_runs; i++) {
        const dv_analysis_run *const run = &analysis->runs[i];
        if (same_memory(run, memory) && strcmp(run->encoder, encoder) == 0 && strcmp(run->difficulty, difficulty) == 0)
            return run;
    }
    return NULL;
}

static dv_status print_memory(const dv_analysis *analysis, const dv_analysis_run *memory, dv_table_form form,
                              FILE *stream) {
    const dv_analysis_run *const runs = analysis->runs;
    dv_text_table table = {0};
    dv_text_table_add(&table, "encoder");
    for (size_t i = 0; i < analysis->n_runs; i++)
        if (is_new_difficulty(analysis, i)) dv_text_table_add(&table, "%s", runs[i].difficulty);
    dv_text_table_end_names(&table);
    for (size_t row = 0; row < analysis->n_runs; row++) {
        bool first = same_memory(&runs[row], memory);
        for (size_t i = 0; first && i < row; i++)
            first = !same_memory(&runs[i], memory) || strcmp(runs[i].encoder, runs[row].encoder) != 0;
        if (!first) continue;
        dv_text_table_add(&table, "%s", runs[row].encoder);
        for (size_t i = 0; i < analysis->n_runs; i++)
            if (is_new_difficulty(analysis, i))
                add_score(&table, find(analysis, runs[row].encoder, memory, runs[i].difficulty));
    }
    char title[128], text[DV_MEMORY_TEXT_SIZE];
    snprintf(title, sizeof title, "Experiment A, memory %s: mIoU of the objects (deviation over classes)",
             dv_memory_text(memory->memory, memory->per_image, text));
    return dv_finish_table(&table, form, title, stream);
}

dv_status dv_print_experiment_a(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                                FILE *stream) {
    (void)extras;
    bool incomplete = false;
    if (form == DV_TABLE_CSV) return print_rows(analysis, stream);
    for (size_t i = 0; i < analysis->n_runs; i++) {
        bool first = true;
        for (size_t j = 0; j < i; j++) first &= !same_memory(&analysis->runs[i], &analysis->runs[j]);
        incomplete |= analysis->runs[i].n_missing > 0;
        if (first) DV_TRY(print_memory(analysis, &analysis->runs[i], form, stream));
    }
    if (!incomplete) return DV_OK;
    static const char *const marks[] = {[DV_TABLE_MARKDOWN] = "\\*", [DV_TABLE_LATEX] = "% *", [DV_TABLE_PLAIN] = "*"};
    fprintf(stream, "%s: bins are missing, so this is the mean of fewer\n\n", marks[form]);
    return DV_OK;
}
