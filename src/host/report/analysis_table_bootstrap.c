/* analysis_table_bootstrap.c: how far the numbers would move with other objects. */
#include <math.h>
#include <string.h>

#include "core/check.h"
#include "denseval/viewpoint_bootstrap.h"
#include "report/analysis_tables.h"

static void add_interval(dv_text_table *table, const dv_interval *interval, int decimals) {
    dv_text_table_add_real(table, interval->low, decimals);
    dv_text_table_add_real(table, interval->high, decimals);
}

static void add_names(dv_text_table *table, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++) dv_text_table_add(table, "%s", names[i]);
}

/* One row of the table of intervals: the score of a run in a bin, or over all of them (bin NULL). */
static void add_score(dv_text_table *table, const dv_analysis_run *run, const int32_t *bin, const char *quantity,
                      double value, const dv_interval *interval, int decimals) {
    dv_add_run(table, run);
    if (bin)
        dv_text_table_add(table, "%ld", (long)*bin);
    else
        dv_text_table_add(table, "%s", "");
    dv_text_table_add(table, "%s", quantity);
    dv_text_table_add_real(table, value, decimals);
    add_interval(table, interval, decimals);
}

static void add_curve(dv_text_table *table, const dv_analysis *analysis, const dv_viewpoint_bootstrap *bootstrap,
                      size_t c, int decimals) {
    const dv_analysis_curve *const curve = &analysis->curves[c];
    const dv_analysis_run *const run = &analysis->runs[curve->run];
    for (size_t i = 0; i < curve->n; i++)
        add_score(table, run, &curve->bins[i], "normalised", curve->normalised[i], &bootstrap->curves[c].normalised[i],
                  decimals);
    for (size_t i = 1; i < curve->n; i++)
        add_score(table, run, &curve->bins[i], "step", curve->steps[i - 1], &bootstrap->curves[c].steps[i - 1],
                  decimals);
}

dv_status dv_print_intervals(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                             FILE *stream) {
    static const char *const names[] = {"bin", "quantity", "value", "low", "high"};
    const dv_viewpoint_bootstrap *const bootstrap = extras->bootstrap;
    const int decimals = form == DV_TABLE_CSV ? -1 : 3;
    if (!bootstrap) return DV_OK;
    dv_text_table table = {0};
    dv_add_run_names(&table);
    add_names(&table, names, sizeof names / sizeof *names);
    dv_text_table_end_names(&table);
    for (size_t r = 0; r < analysis->n_runs; r++) {
        const dv_analysis_run *const run = &analysis->runs[r];
        add_score(&table, run, NULL, "experiment_a", run->miou, &bootstrap->runs[r], decimals);
        for (size_t i = 0; i < analysis->n_bins; i++) {
            const dv_cell *const cell = run->cells[i];
            if (!cell) continue;
            const size_t at = (size_t)(cell - analysis->cells->cells);
            add_score(&table, run, &cell->bin, "miou", cell->miou, &bootstrap->miou[at], decimals);
            add_score(&table, run, &cell->bin, "miou_objects", cell->miou_objects, &bootstrap->miou_objects[at],
                      decimals);
        }
    }
    for (size_t c = 0; c < analysis->n_curves; c++) add_curve(&table, analysis, bootstrap, c, decimals);
    return dv_finish_table(&table, form, "95 % intervals over object instances", stream);
}

dv_status dv_print_breaking_shares(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                                   FILE *stream) {
    static const char *const names[] = {"bin", "breaks_validation", "breaks_all"};
    const dv_viewpoint_bootstrap *const bootstrap = extras->bootstrap;
    const int decimals = form == DV_TABLE_CSV ? -1 : 3;
    if (!bootstrap || analysis->n_curves == 0) return DV_OK;
    dv_text_table table = {0};
    dv_add_run_names(&table);
    add_names(&table, names, sizeof names / sizeof *names);
    dv_text_table_end_names(&table);
    for (size_t c = 0; c < analysis->n_curves; c++) {
        const dv_analysis_curve *const curve = &analysis->curves[c];
        const dv_curve_resampling *const resampled = &bootstrap->curves[c];
        for (size_t i = 1; i <= curve->n; i++) {
            dv_add_run(&table, &analysis->runs[curve->run]);
            if (i < curve->n)
                dv_text_table_add(&table, "%ld", (long)curve->bins[i]);
            else
                dv_text_table_add(&table, "never");
            for (int rule = DV_STEPS_VALIDATION; rule <= DV_STEPS_ALL; rule++)
                dv_text_table_add_real(&table, i < curve->n ? resampled->breaks[rule][i] : resampled->never[rule],
                                       decimals);
        }
    }
    return dv_finish_table(&table, form, "Share of resamples that break at each bin", stream);
}

dv_status dv_print_pairs(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                         FILE *stream) {
    static const char *const names[] = {"than", "a_above_b", "equal", "resamples"};
    const dv_viewpoint_bootstrap *const bootstrap = extras->bootstrap;
    const int decimals = form == DV_TABLE_CSV ? -1 : 3;
    if (!bootstrap || bootstrap->n_pairs == 0) return DV_OK;
    dv_text_table table = {0};
    dv_add_run_names(&table);
    add_names(&table, names, sizeof names / sizeof *names);
    dv_text_table_end_names(&table);
    for (size_t i = 0; i < bootstrap->n_pairs; i++) {
        const dv_run_pair *const pair = &bootstrap->pairs[i];
        dv_add_run(&table, &analysis->runs[pair->a]);
        dv_text_table_add(&table, "%s", analysis->runs[pair->b].encoder);
        dv_text_table_add_real(&table, pair->above, decimals);
        dv_text_table_add_real(&table, pair->equal, decimals);
        dv_text_table_add(&table, "%zu", pair->n_resamples);
    }
    return dv_finish_table(&table, form,
                           "Share of resamples in which an encoder (a) has a higher mIoU than another (b)", stream);
}
