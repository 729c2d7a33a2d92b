#include "report/analysis_tables.h"

#include <stdlib.h>

const dv_analysis_table_kind dv_analysis_tables[] = {
    {"experiment_a", dv_print_experiment_a},
    {"experiment_b", dv_print_experiment_b},
    {"experiment_c", dv_print_experiment_c},
    {"curves", dv_print_curves},
    {"classes", dv_print_classes},
    {"provenance", dv_print_provenance},
    {"intervals", dv_print_intervals},
    {"breaking_shares", dv_print_breaking_shares},
    {"pairs", dv_print_pairs},
    {"runtime", dv_print_runtime},
};
const size_t dv_n_analysis_tables = sizeof dv_analysis_tables / sizeof *dv_analysis_tables;

const char *dv_memory_text(uint64_t memory, bool per_image, char *text) {
    const bool thousands = memory && memory % 1000 == 0 && !per_image;
    snprintf(text, DV_MEMORY_TEXT_SIZE, "%llu%s", (unsigned long long)(thousands ? memory / 1000 : memory),
             thousands   ? "k"
             : per_image ? " an image"
                         : "");
    return text;
}

void dv_add_run_names(dv_text_table *table) {
    dv_text_table_add(table, "encoder");
    dv_text_table_add(table, "memory");
    dv_text_table_add(table, "memory_kind");
    dv_text_table_add(table, "difficulty");
}

void dv_add_run(dv_text_table *table, const dv_analysis_run *run) {
    dv_text_table_add(table, "%s", run->encoder);
    dv_text_table_add_count(table, run->memory);
    dv_text_table_add(table, "%s", run->per_image ? "per_image" : "rows");
    dv_text_table_add(table, "%s", run->difficulty);
}

void dv_add_bins(dv_text_table *table, const int32_t *bins, size_t n) {
    char *text = NULL;
    size_t size;
    FILE *const stream = open_memstream(&text, &size);
    if (!stream) {
        table->status = DV_E_NOMEM;
        return;
    }
    for (size_t i = 0; i < n; i++) fprintf(stream, "%s%ld", i ? " " : "", (long)bins[i]);
    if (fclose(stream) == 0)
        dv_text_table_add(table, "%s", text);
    else
        table->status = DV_E_NOMEM;
    free(text);
}

dv_status dv_finish_table(dv_text_table *table, dv_table_form form, const char *title, FILE *stream) {
    const dv_status status = dv_text_table_print(table, form, title, stream);
    dv_text_table_clear(table);
    return status;
}
