/* analysis_table_curves.c: the score of each run in each bin, reference bins included, and where its neighbours came
 * from. */
#include <math.h>

#include "core/check.h"
#include "report/analysis_tables.h"

static dv_status print_rows(const dv_analysis *analysis, FILE *stream) {
    dv_text_table table = {0};
    dv_add_run_names(&table);
    static const char *const names[] = {"bin", "reference", "miou", "miou_objects", "images", "bank_rows"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) dv_text_table_add(&table, "%s", names[i]);
    dv_text_table_end_names(&table);
    for (size_t r = 0; r < analysis->n_runs; r++)
        for (size_t i = 0; i < analysis->n_bins; i++) {
            const dv_cell *const cell = analysis->runs[r].cells[i];
            if (!cell) continue;
            dv_add_run(&table, &analysis->runs[r]);
            dv_text_table_add(&table, "%ld", (long)cell->bin);
            dv_text_table_add(&table, "%d", cell->reference);
            dv_text_table_add_real(&table, cell->miou, -1);
            dv_text_table_add_real(&table, cell->miou_objects, -1);
            dv_text_table_add_count(&table, cell->n_images);
            dv_text_table_add_count(&table, cell->n_bank_rows);
        }
    return dv_finish_table(&table, DV_TABLE_CSV, NULL, stream);
}

dv_status dv_print_curves(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                          FILE *stream) {
    (void)extras;
    if (form == DV_TABLE_CSV) return print_rows(analysis, stream);
    dv_text_table table = {0};
    dv_text_table_add(&table, "encoder");
    dv_text_table_add(&table, "memory");
    dv_text_table_add(&table, "difficulty");
    for (size_t i = 0; i < analysis->n_bins; i++) dv_text_table_add(&table, "%ld", (long)analysis->bins[i]);
    dv_text_table_end_names(&table);
    for (size_t r = 0; r < analysis->n_runs; r++) {
        const dv_analysis_run *const run = &analysis->runs[r];
        char text[DV_MEMORY_TEXT_SIZE];
        dv_text_table_add(&table, "%s", run->encoder);
        dv_text_table_add(&table, "%s", dv_memory_text(run->memory, run->per_image, text));
        dv_text_table_add(&table, "%s", run->difficulty);
        for (size_t i = 0; i < analysis->n_bins; i++) {
            const dv_cell *const cell = run->cells[i];
            if (!cell || isnan(cell->miou))
                dv_text_table_add(&table, "%s", "");
            else
                dv_text_table_add(&table, cell->reference ? "(%.3f)" : "%.3f", cell->miou);
        }
    }
    return dv_finish_table(&table, form, "mIoU of all classes by bin in degrees; reference bins in brackets", stream);
}

/* Neighbours of all kinds of one cell. */
static double total_of(const dv_provenance *provenance) {
    double total = (double)provenance->n_unfilled;
    for (size_t i = 0; i < provenance->n_bins; i++) total += (double)provenance->from[i];
    return total;
}

dv_status dv_print_provenance(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                              FILE *stream) {
    static const char *const names[] = {"bin",        "bank_bin",    "neighbours", "share",
                                        "same_class", "same_object", "unfilled"};
    const int decimals = form == DV_TABLE_CSV ? -1 : 3;
    bool known = false;
    (void)extras;
    dv_text_table table = {0};
    dv_add_run_names(&table);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) dv_text_table_add(&table, "%s", names[i]);
    dv_text_table_end_names(&table);
    for (size_t r = 0; r < analysis->n_runs; r++)
        for (size_t i = 0; i < analysis->n_bins; i++) {
            const dv_cell *const cell = analysis->runs[r].cells[i];
            for (size_t b = 0; cell && b < cell->provenance.n_bins; b++) {
                const double total = total_of(&cell->provenance);
                known = true;
                dv_add_run(&table, &analysis->runs[r]);
                dv_text_table_add(&table, "%ld", (long)cell->bin);
                dv_text_table_add(&table, "%ld", (long)cell->provenance.bins[b]);
                dv_text_table_add(&table, "%llu", (unsigned long long)cell->provenance.from[b]);
                dv_text_table_add_real(&table, (double)cell->provenance.from[b] / total, decimals);
                dv_text_table_add_real(&table, (double)cell->provenance.n_class / total, decimals);
                dv_text_table_add_real(&table, (double)cell->provenance.n_object / total, decimals);
                dv_text_table_add_real(&table, (double)cell->provenance.n_unfilled / total, decimals);
            }
        }
    if (known) return dv_finish_table(&table, form, "Where the neighbours of each bin came from", stream);
    dv_text_table_clear(&table);
    return DV_OK;
}
