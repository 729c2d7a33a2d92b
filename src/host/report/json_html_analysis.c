/* json_html_analysis.c: Experiments A, B and C, curves and classes of a viewpoint analysis. */
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "report/analysis_tables.h"
#include "report/html_text.h"
#include "report/json_html.h"
#include "report/json_html_curves.h"

enum { MOST_LINES = 500, TITLE_SIZE = 256 };

static double real_of(const json_t *object, const char *name) {
    return json_number_value(json_object_get(object, name));
}

static bool has_number(const json_t *object, const char *name) {
    return json_is_number(json_object_get(object, name));
}

/* ---- A list as lines by columns -----------------------------------------------------------------------------------
 */

/* What names a line, which key makes the columns, and how an object of the list becomes a field. */
typedef struct crossing {
    const char *const *line_keys; /* [n_line_keys]; memories are shown as their sizes */
    size_t n_line_keys;
    const char *column_key;
    void (*add)(dv_text_table *table, const json_t *object); /* object: NULL where there is none */
} crossing;

static bool same_value(const json_t *a, const json_t *b, const char *key) {
    const json_t *const first = json_object_get(a, key), *const second = json_object_get(b, key);
    return first == second || json_equal(first, second);
}

static bool same_line(const crossing *x, const json_t *a, const json_t *b) {
    bool same = same_value(a, b, "memory_kind");
    for (size_t i = 0; same && i < x->n_line_keys; i++) same = same_value(a, b, x->line_keys[i]);
    return same;
}

/* Places of the objects whose line, or column, no object before them has. places: [MOST_LINES] */
static size_t collect_first(const crossing *x, const json_t *list, bool lines, size_t *places) {
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const object = json_array_get(list, i);
        size_t at = 0;
        for (; at < n; at++) {
            const json_t *const other = json_array_get(list, places[at]);
            if (lines ? same_line(x, other, object) : same_value(other, object, x->column_key)) break;
        }
        if (at == n) places[n++] = i;
    }
    return n;
}

static const json_t *find(const crossing *x, const json_t *list, const json_t *line, const json_t *column) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const object = json_array_get(list, i);
        if (same_line(x, object, line) && same_value(object, column, x->column_key)) return object;
    }
    return NULL;
}

static void add_line_name(dv_text_table *table, const json_t *object, const char *key) {
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

static dv_status put_crossing(FILE *stream, const char *title, json_t *list, const crossing *x) {
    size_t lines[MOST_LINES], columns[MOST_LINES];
    dv_text_table table = {0};
    if (json_array_size(list) == 0) return DV_OK;
    if (json_array_size(list) > MOST_LINES) return dv_html_put_value(stream, title, list);
    const size_t n_lines = collect_first(x, list, true, lines), n_columns = collect_first(x, list, false, columns);
    for (size_t i = 0; i < x->n_line_keys; i++) dv_text_table_add(&table, "%s", x->line_keys[i]);
    for (size_t j = 0; j < n_columns; j++)
        dv_html_add_value(&table, NULL, json_object_get(json_array_get(list, columns[j]), x->column_key));
    dv_text_table_end_names(&table);
    for (size_t i = 0; i < n_lines; i++) {
        const json_t *const line = json_array_get(list, lines[i]);
        for (size_t k = 0; k < x->n_line_keys; k++) add_line_name(&table, line, x->line_keys[k]);
        for (size_t j = 0; j < n_columns; j++) x->add(&table, find(x, list, line, json_array_get(list, columns[j])));
    }
    return dv_finish_table(&table, DV_TABLE_HTML, title, stream);
}

/* ---- Experiment A -------------------------------------------------------------------------------------------------
 */

static void add_miou(dv_text_table *table, const json_t *object) {
    const json_t *const interval = json_object_get(object, "miou_interval_95");
    char text[96] = "";
    size_t length = 0;
    if (has_number(object, "miou")) length = (size_t)snprintf(text, sizeof text, "%.4f", real_of(object, "miou"));
    if (length && length < sizeof text && has_number(object, "std"))
        length += (size_t)snprintf(text + length, sizeof text - length, " \xc2\xb1 %.4f", real_of(object, "std"));
    if (length && length < sizeof text && has_number(interval, "low") && has_number(interval, "high"))
        snprintf(text + length, sizeof text - length, " [%.4f, %.4f]", real_of(interval, "low"),
                 real_of(interval, "high"));
    dv_text_table_add(table, "%s", text);
}

static dv_status put_experiment_a(FILE *stream, const dv_html_document *document) {
    static const char *const keys[] = {"encoder", "memory"};
    static const crossing x = {keys, 2, "difficulty", add_miou};
    json_t *list;
    DV_TRY(dv_html_list(document, "experiment_a", &list));
    return put_crossing(
        stream, "Experiment A: mIoU of the objects by difficulty, \xc2\xb1 deviation over classes, [95 % interval]",
        list, &x);
}

/* ---- Experiment B -------------------------------------------------------------------------------------------------
 */

static int compare_bins(const void *a, const void *b) {
    const json_int_t first = *(const json_int_t *)a, second = *(const json_int_t *)b;
    return (first > second) - (first < second);
}

/* The bins of all curves, rising, each once. bins: [MOST_LINES] */
static size_t collect_bins(const json_t *list, json_int_t *bins) {
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const some = json_object_get(json_array_get(list, i), "bins");
        for (size_t j = 0; j < json_array_size(some); j++) {
            const json_int_t bin = json_integer_value(json_array_get(some, j));
            size_t at = 0;
            while (at < n && bins[at] != bin) at++;
            if (at == n && n < MOST_LINES) bins[n++] = bin;
        }
    }
    qsort(bins, n, sizeof *bins, compare_bins);
    return n;
}

/* The value of a curve in a bin; NULL where the curve does not reach it. */
static const json_t *value_in(const json_t *bins, const json_t *values, json_int_t bin) {
    for (size_t i = 0; i < json_array_size(bins); i++)
        if (json_integer_value(json_array_get(bins, i)) == bin) return json_array_get(values, i);
    return NULL;
}

static void add_break(dv_text_table *table, const json_t *curve, const char *bin, const char *step) {
    if (json_is_integer(json_object_get(curve, bin)))
        dv_text_table_add(table, "%lld (%.4f)", (long long)json_integer_value(json_object_get(curve, bin)),
                          real_of(curve, step));
    else
        dv_text_table_add(table, "%s", "");
}

static dv_status put_experiment_b(FILE *stream, const json_t *list) {
    static const char *const names[] = {"encoder", "memory", "difficulty"};
    json_int_t bins[MOST_LINES] = {0};
    const size_t n = collect_bins(list, bins);
    dv_text_table table = {0};
    if (json_array_size(list) == 0) return DV_OK;
    for (size_t i = 0; i < 3; i++) dv_text_table_add(&table, "%s", names[i]);
    for (size_t i = 0; i < n; i++) dv_text_table_add(&table, "%lld", (long long)bins[i]);
    dv_text_table_add(&table, "break, validation steps");
    dv_text_table_add(&table, "break, all steps");
    dv_text_table_add(&table, "steepest");
    dv_text_table_end_names(&table);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const curve = json_array_get(list, i);
        for (size_t j = 0; j < 3; j++) add_line_name(&table, curve, names[j]);
        for (size_t j = 0; j < n; j++)
            dv_html_add_value(&table, NULL,
                              value_in(json_object_get(curve, "bins"), json_object_get(curve, "normalised"), bins[j]));
        add_break(&table, curve, "breaking_bin_validation", "breaking_step_validation");
        add_break(&table, curve, "breaking_bin_all", "breaking_step_all");
        add_break(&table, curve, "steepest_bin", "steepest_step");
    }
    return dv_finish_table(
        &table, DV_TABLE_HTML,
        "Experiment B: mIoU over that in the reference bin, by bin in degrees; breaking points (step)", stream);
}

static dv_status put_classes(FILE *stream, const json_t *curve) {
    const json_t *const bins = json_object_get(curve, "bins"), *const classes = json_object_get(curve, "classes");
    char title[TITLE_SIZE];
    dv_text_table table = {0};
    if (json_array_size(classes) == 0) return DV_OK;
    dv_text_table_add(&table, "id");
    dv_text_table_add(&table, "class");
    for (size_t i = 0; i < json_array_size(bins); i++) dv_html_add_value(&table, NULL, json_array_get(bins, i));
    dv_text_table_end_names(&table);
    for (size_t c = 0; c < json_array_size(classes); c++) {
        const json_t *const one = json_array_get(classes, c), *const values = json_object_get(one, "normalised");
        dv_html_add_value(&table, NULL, json_object_get(one, "id"));
        dv_html_add_value(&table, NULL, json_object_get(one, "name"));
        for (size_t i = 0; i < json_array_size(bins); i++) dv_html_add_value(&table, NULL, json_array_get(values, i));
    }
    dv_html_run_text(curve, title, sizeof title);
    fputs("<details><summary>Classes of Experiment B: ", stream);
    dv_html_put_text(stream, title);
    fputs("</summary>\n", stream);
    DV_TRY(dv_finish_table(&table, DV_TABLE_HTML, "IoU over that in the reference bin, by bin in degrees", stream));
    fputs("</details>\n", stream);
    return DV_OK;
}

/* ---- Experiment C -------------------------------------------------------------------------------------------------
 */

static void add_gain(dv_text_table *table, const json_t *object) {
    if (has_number(object, "gain"))
        dv_text_table_add(table, "%+.4f", real_of(object, "gain"));
    else
        dv_text_table_add(table, "%s", "");
}

/* Appends copies of the objects of a list; `key`, which they lack, becomes "average". */
static bool extend(json_t *all, const json_t *list, const char *key) {
    bool good = true;
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        json_t *const copy = json_copy(json_array_get(list, i));
        good = copy && (!key || json_object_set_new(copy, key, json_string("average")) == 0);
        good = json_array_append_new(all, copy) == 0 && good;
    }
    return good;
}

static dv_status put_experiment_c(FILE *stream, const dv_html_document *document) {
    static const char *const keys[] = {"encoder", "from", "to"};
    static const crossing x = {keys, 3, "difficulty", add_gain};
    json_t *gains, *averages, *tasks;
    DV_TRY(dv_html_list(document, "experiment_c", &gains));
    DV_TRY(dv_html_list(document, "experiment_c_averages", &averages));
    DV_TRY(dv_html_list(document, "experiment_c_tasks", &tasks));
    json_t *const all = json_array();
    const bool good = extend(all, gains, NULL) && extend(all, averages, "difficulty") && extend(all, tasks, "encoder");
    const dv_status status =
        good ? put_crossing(stream, "Experiment C: gain in mIoU of the objects by a larger memory", all, &x)
             : dv_fail(DV_E_NOMEM, "no memory for a table");
    json_decref(all);
    return status;
}

/* ---- All of it ----------------------------------------------------------------------------------------------------
 */

/* What the experiments do not show: pairs, runtime, what was resampled. */
static dv_status put_rest(FILE *stream, json_t *root) {
    static const char *const shown[] = {
        "schema",       "command",      "version",           "settings", "inputs", "resources",
        "experiment_a", "experiment_b", "experiment_c",      "curves",   "job",    "experiment_c_averages",
        "partial",      "of_parts",     "experiment_c_tasks"};
    json_t *const rest = json_copy(root);
    if (!rest) return dv_fail(DV_E_NOMEM, "no memory for a table");
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) json_object_del(rest, shown[i]);
    const dv_status status = dv_html_put_value(stream, "", rest);
    json_decref(rest);
    return status;
}

dv_status dv_html_put_analysis(FILE *stream, const dv_html_document *document) {
    json_t *curves;
    DV_TRY(put_experiment_a(stream, document));
    DV_TRY(dv_html_list(document, "experiment_b", &curves));
    DV_TRY(put_experiment_b(stream, curves));
    DV_TRY(put_experiment_c(stream, document));
    DV_TRY(dv_html_put_json_curves(stream, document));
    for (size_t i = 0; i < json_array_size(curves); i++) DV_TRY(put_classes(stream, json_array_get(curves, i)));
    return put_rest(stream, document->root);
}
