/* analysis_table_b.c: Experiment B: normalised curves and breaking points (Table 3), and the curves of each class. */
#include <math.h>

#include "core/check.h"
#include "report/analysis_tables.h"

static const char *const rule_names[] = {"validation steps", "all steps"}; /* by dv_steps */

static dv_status print_rows(const dv_analysis *analysis, FILE *stream) {
    dv_text_table table = {0};
    dv_add_run_names(&table);
    static const char *const names[] = {"bin", "miou", "normalised", "step", "breaking_validation", "breaking_all"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) dv_text_table_add(&table, "%s", names[i]);
    dv_text_table_end_names(&table);
    for (size_t c = 0; c < analysis->n_curves; c++) {
        const dv_analysis_curve *const curve = &analysis->curves[c];
        for (size_t i = 0; i < curve->n; i++) {
            dv_add_run(&table, &analysis->runs[curve->run]);
            dv_text_table_add(&table, "%ld", (long)curve->bins[i]);
            dv_text_table_add_real(&table, curve->miou[i], -1);
            dv_text_table_add_real(&table, curve->normalised[i], -1);
            dv_text_table_add_real(&table, i ? curve->steps[i - 1] : NAN, -1);
            for (int rule = DV_STEPS_VALIDATION; rule <= DV_STEPS_ALL; rule++)
                dv_text_table_add(&table, "%d",
                                  curve->breaking[rule].found && curve->breaking[rule].bin == curve->bins[i]);
        }
    }
    return dv_finish_table(&table, DV_TABLE_CSV, NULL, stream);
}

static void add_point(dv_text_table *table, const dv_breaking_point *point) {
    if (point->found)
        dv_text_table_add(table, "%ld (%.4f)", (long)point->bin, point->step);
    else
        dv_text_table_add(table, "%s", "");
}

/* The value of a curve in a bin; NaN where the curve does not reach it. */
static double value_in(const dv_analysis_curve *curve, const double *values, int32_t bin) {
    for (size_t i = 0; i < curve->n; i++)
        if (curve->bins[i] == bin) return values[i];
    return NAN;
}

static void add_memory(dv_text_table *table, const dv_analysis_run *run) {
    char text[DV_MEMORY_TEXT_SIZE];
    dv_text_table_add(table, "%s", dv_memory_text(run->memory, run->per_image, text));
}

dv_status dv_print_experiment_b(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                                FILE *stream) {
    (void)extras;
    if (form == DV_TABLE_CSV) return print_rows(analysis, stream);
    if (analysis->n_curves == 0) return DV_OK;
    const dv_steps first = analysis->steps, second = first == DV_STEPS_ALL ? DV_STEPS_VALIDATION : DV_STEPS_ALL;
    dv_text_table table = {0};
    dv_text_table_add(&table, "encoder");
    dv_text_table_add(&table, "memory");
    for (size_t i = 0; i < analysis->n_bins; i++) dv_text_table_add(&table, "%ld", (long)analysis->bins[i]);
    dv_text_table_add(&table, "break, %s", rule_names[first]);
    dv_text_table_add(&table, "steepest");
    dv_text_table_add(&table, "break, %s", rule_names[second]);
    dv_text_table_end_names(&table);
    for (size_t c = 0; c < analysis->n_curves; c++) {
        const dv_analysis_curve *const curve = &analysis->curves[c];
        dv_text_table_add(&table, "%s", analysis->runs[curve->run].encoder);
        add_memory(&table, &analysis->runs[curve->run]);
        for (size_t i = 0; i < analysis->n_bins; i++)
            dv_text_table_add_real(&table, value_in(curve, curve->normalised, analysis->bins[i]), 4);
        add_point(&table, &curve->breaking[first]);
        add_point(&table, &curve->steepest[first]);
        add_point(&table, &curve->breaking[second]);
    }
    char title[160];
    snprintf(title, sizeof title,
             "Experiment B: mIoU over that in the reference bin, by bin in degrees; a break is a step of at most -%g",
             analysis->threshold);
    return dv_finish_table(&table, form, title, stream);
}

static void add_class(dv_text_table *table, const dv_analysis *analysis, size_t c) {
    if (analysis->cells->class_names)
        dv_text_table_add(table, "%s", analysis->cells->class_names[c]);
    else
        dv_text_table_add(table, "class %zu", c);
}

static dv_status print_class_rows(const dv_analysis *analysis, FILE *stream) {
    dv_text_table table = {0};
    dv_add_run_names(&table);
    static const char *const names[] = {"class", "name", "bin", "iou", "normalised", "difference"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) dv_text_table_add(&table, "%s", names[i]);
    dv_text_table_end_names(&table);
    for (size_t k = 0; k < analysis->n_curves; k++) {
        const dv_analysis_curve *const curve = &analysis->curves[k];
        for (size_t c = 0; c < analysis->cells->n_classes; c++)
            for (size_t i = 0; i < curve->n; i++) {
                dv_add_run(&table, &analysis->runs[curve->run]);
                dv_text_table_add(&table, "%zu", c);
                dv_text_table_add(&table, "%s", analysis->cells->class_names ? analysis->cells->class_names[c] : "");
                dv_text_table_add(&table, "%ld", (long)curve->bins[i]);
                dv_text_table_add_real(&table, curve->class_iou[c * curve->n + i], -1);
                dv_text_table_add_real(&table, curve->class_normalised[c * curve->n + i], -1);
                dv_text_table_add_real(&table, curve->class_difference[c * curve->n + i], -1);
            }
    }
    return dv_finish_table(&table, DV_TABLE_CSV, NULL, stream);
}

static dv_status print_classes_of(const dv_analysis *analysis, const dv_analysis_curve *curve, dv_table_form form,
                                  FILE *stream) {
    const dv_analysis_run *const run = &analysis->runs[curve->run];
    dv_text_table table = {0};
    dv_text_table_add(&table, "class");
    for (size_t i = 0; i < curve->n; i++) dv_text_table_add(&table, "%ld", (long)curve->bins[i]);
    dv_text_table_end_names(&table);
    dv_text_table_add(&table, "all classes");
    for (size_t i = 0; i < curve->n; i++) dv_text_table_add_real(&table, curve->normalised[i], 3);
    for (size_t c = 0; c < analysis->cells->n_classes; c++) {
        add_class(&table, analysis, c);
        for (size_t i = 0; i < curve->n; i++)
            dv_text_table_add_real(&table, curve->class_difference[c * curve->n + i], 3);
    }
    char title[512], text[DV_MEMORY_TEXT_SIZE];
    snprintf(title, sizeof title,
             "%.200s, memory %s, %.100s: normalised curve of all classes, and what each class differs from it",
             run->encoder, dv_memory_text(run->memory, run->per_image, text), run->difficulty);
    return dv_finish_table(&table, form, title, stream);
}

dv_status dv_print_classes(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                           FILE *stream) {
    (void)extras;
    if (form == DV_TABLE_CSV) return print_class_rows(analysis, stream);
    for (size_t i = 0; i < analysis->n_curves; i++)
        DV_TRY(print_classes_of(analysis, &analysis->curves[i], form, stream));
    return DV_OK;
}
