/* json_html_experiment_b.c: Experiment B of a viewpoint analysis: normalised curves, where they break, and their
 * classes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "report/analysis_tables.h"
#include "report/json_html.h"
#include "report/json_html_analysis.h"

enum { MOST_BINS = 500 };

void dv_html_add_run_key(dv_text_table *table, const json_t *object, const char *key) {
    const json_t *const value = json_object_get(object, key);
    const bool is_size = strcmp(key, "memory") == 0 || strcmp(key, "from") == 0 || strcmp(key, "to") == 0;
    char text[DV_MEMORY_TEXT_SIZE];
    if (is_size && json_integer_value(value) > 0)
        dv_text_table_add(
            table, "%s",
            dv_memory_text((uint64_t)json_integer_value(value), json_object_get(object, "memory_kind") != NULL, text));
    else
        dv_html_add_value(table, NULL, value);
}

void dv_html_add_with_interval(dv_text_table *table, const char *text, const json_t *interval) {
    const json_t *const low = json_object_get(interval, "low"), *const high = json_object_get(interval, "high");
    if (*text && json_is_number(low) && json_is_number(high))
        dv_text_table_add(table, "%s\n[%.3f, %.3f]", text, json_number_value(low), json_number_value(high));
    else
        dv_text_table_add(table, "%s", text);
}

static int compare_bins(const void *a, const void *b) {
    const json_int_t first = *(const json_int_t *)a, second = *(const json_int_t *)b;
    return (first > second) - (first < second);
}

/* Bins of a curve, or a list beside them, that are looked at. */
static size_t count_bins(const json_t *bins) {
    const size_t n = json_array_size(bins);
    return n < MOST_BINS ? n : MOST_BINS;
}

/* The bins of all curves, rising, each once. bins: [MOST_BINS] */
static size_t collect_bins(const json_t *list, json_int_t *bins) {
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const some = json_object_get(json_array_get(list, i), "bins");
        for (size_t j = 0; j < count_bins(some); j++) {
            const json_int_t bin = json_integer_value(json_array_get(some, j));
            size_t at = 0;
            while (at < n && bins[at] != bin) at++;
            if (at == n && n < MOST_BINS) bins[n++] = bin;
        }
    }
    qsort(bins, n, sizeof *bins, compare_bins);
    return n;
}

/* The place of a bin in a curve; beyond all places where the curve does not reach it. */
static size_t place_of(const json_t *curve, json_int_t bin) {
    const json_t *const bins = json_object_get(curve, "bins");
    for (size_t at = 0; at < count_bins(bins); at++)
        if (json_integer_value(json_array_get(bins, at)) == bin) return at;
    return SIZE_MAX;
}

static void add_normalised(dv_text_table *table, const json_t *curve, json_int_t bin) {
    const size_t at = place_of(curve, bin);
    const json_t *const value = json_array_get(json_object_get(curve, "normalised"), at);
    char text[32] = "";
    if (json_is_number(value)) snprintf(text, sizeof text, "%.4f", json_number_value(value));
    dv_html_add_with_interval(table, text, json_array_get(json_object_get(curve, "normalised_intervals_95"), at));
}

static void add_break(dv_text_table *table, const json_t *curve, const char *bin, const char *step) {
    if (json_is_integer(json_object_get(curve, bin)))
        dv_text_table_add(table, "%lld\xc2\xb0 (%.4f)", (long long)json_integer_value(json_object_get(curve, bin)),
                          json_number_value(json_object_get(curve, step)));
    else
        dv_text_table_add(table, "%s", "");
}

static void add_run_columns(dv_text_table *table, const json_t *run) {
    static const char *const names[] = {"encoder", "memory", "difficulty"};
    for (size_t i = 0; i < 3; i++)
        if (run)
            dv_html_add_run_key(table, run, names[i]);
        else
            dv_text_table_add(table, "%s", names[i]);
}

static dv_status put_curves(FILE *stream, const json_t *list) {
    json_int_t bins[MOST_BINS] = {0};
    const size_t n = collect_bins(list, bins);
    dv_text_table table = {0};
    if (json_array_size(list) == 0) return DV_OK;
    add_run_columns(&table, NULL);
    dv_text_table_add(&table, "break (validation steps)");
    dv_text_table_add(&table, "break (all steps)");
    dv_text_table_add(&table, "steepest step");
    for (size_t i = 0; i < n; i++) dv_text_table_add(&table, "%lld\xc2\xb0", (long long)bins[i]);
    dv_text_table_end_names(&table);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const curve = json_array_get(list, i);
        add_run_columns(&table, curve);
        add_break(&table, curve, "breaking_bin_validation", "breaking_step_validation");
        add_break(&table, curve, "breaking_bin_all", "breaking_step_all");
        add_break(&table, curve, "steepest_bin", "steepest_step");
        for (size_t j = 0; j < n; j++) add_normalised(&table, curve, bins[j]);
    }
    return dv_finish_table(&table, DV_TABLE_HTML,
                           "Experiment B: mIoU over that of the reference bin, by viewpoint bin, [95 % interval]; "
                           "breaking points: bin (step to it)",
                           stream);
}

/* Of the resamples, how many break where: by the rule of the validation steps. */
static dv_status put_breaking_shares(FILE *stream, const json_t *list) {
    json_int_t bins[MOST_BINS] = {0};
    const size_t n = collect_bins(list, bins);
    dv_text_table table = {0};
    if (!json_object_get(json_array_get(list, 0), "breaking_shares_validation")) return DV_OK;
    add_run_columns(&table, NULL);
    for (size_t i = 0; i < n; i++) dv_text_table_add(&table, "%lld\xc2\xb0", (long long)bins[i]);
    dv_text_table_add(&table, "never");
    dv_text_table_end_names(&table);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const curve = json_array_get(list, i);
        const json_t *const shares = json_object_get(curve, "breaking_shares_validation");
        add_run_columns(&table, curve);
        for (size_t j = 0; j < n; j++)
            dv_html_add_value(&table, NULL, json_array_get(shares, place_of(curve, bins[j])));
        dv_html_add_value(&table, NULL, json_object_get(curve, "never_breaks_validation"));
    }
    return dv_finish_table(&table, DV_TABLE_HTML,
                           "Experiment B: share of resamples that break at each bin (validation steps)", stream);
}

dv_status dv_html_put_curve_classes(FILE *stream, const json_t *curve) {
    const json_t *const bins = json_object_get(curve, "bins"), *const classes = json_object_get(curve, "classes");
    dv_text_table table = {0};
    if (json_array_size(classes) == 0) return DV_OK;
    dv_text_table_add(&table, "id");
    dv_text_table_add(&table, "class");
    for (size_t i = 0; i < count_bins(bins); i++)
        dv_text_table_add(&table, "%lld\xc2\xb0", (long long)json_integer_value(json_array_get(bins, i)));
    dv_text_table_end_names(&table);
    for (size_t c = 0; c < json_array_size(classes) && c < DV_HTML_MOST_ROWS; c++) {
        const json_t *const one = json_array_get(classes, c), *const values = json_object_get(one, "normalised");
        dv_html_add_value(&table, NULL, json_object_get(one, "id"));
        dv_html_add_value(&table, NULL, json_object_get(one, "name"));
        for (size_t i = 0; i < count_bins(bins); i++) dv_html_add_value(&table, NULL, json_array_get(values, i));
    }
    return dv_html_finish_folded(&table, "Classes of Experiment B", curve,
                                 "IoU over that of the reference bin, by viewpoint bin", stream);
}

dv_status dv_html_put_experiment_b(FILE *stream, const json_t *list) {
    DV_TRY(put_curves(stream, list));
    return put_breaking_shares(stream, list);
}
