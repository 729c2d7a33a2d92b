/* json_html_analysis.c: a viewpoint analysis: Experiments A and C, and the order of all of it. */
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "report/analysis_tables.h"
#include "report/json_html.h"
#include "report/json_html_analysis.h"
#include "report/json_html_curves.h"

enum { MOST_LINES = 500 };

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
    const char *const *line_keys; /* [n_shown], then "memory_kind", which shows in how memories are written */
    size_t n_shown;
    const char *column_key;
    void (*add)(dv_text_table *table, const json_t *object); /* object: NULL where there is none */
} crossing;

/* Which line, or column, the objects of a list belong to, in the order they come first. */
typedef struct axis {
    size_t n;
    const json_t *firsts[MOST_LINES]; /* [n]: the object that each began with */
    size_t of[MOST_LINES];            /* by object */
} axis;

/* What an object has under the keys, as one text: a JSON object of them; NULL: no memory. The caller's until free() */
static char *text_of(const json_t *object, const char *const *keys, size_t n_keys) {
    json_t *const some = json_object();
    bool good = some != NULL;
    for (size_t i = 0; i < n_keys; i++) {
        json_t *const value = json_object_get(object, keys[i]);
        good = good && (!value || json_object_set(some, keys[i], value) == 0);
    }
    char *const text = good ? json_dumps(some, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    json_decref(some);
    return text;
}

/* seen: the texts so far, with their places. */
static bool place_object(json_t *seen, const json_t *object, const char *const *keys, size_t n_keys, size_t *place) {
    char *const text = text_of(object, keys, n_keys);
    if (!text) return false;
    const json_t *const found = json_object_get(seen, text);
    *place = found ? (size_t)json_integer_value(found) : json_object_size(seen);
    const bool good = found || json_object_set_new(seen, text, json_integer((json_int_t)*place)) == 0;
    free(text);
    return good;
}

static dv_status find_axis(const json_t *list, const char *const *keys, size_t n_keys, axis *a) {
    json_t *const seen = json_object();
    dv_status status = seen ? DV_OK : dv_fail(DV_E_NOMEM, "no memory for a table");
    for (size_t i = 0; status == DV_OK && i < json_array_size(list); i++) {
        const json_t *const object = json_array_get(list, i);
        status = dv_check_interrupted();
        if (status == DV_OK && !place_object(seen, object, keys, n_keys, &a->of[i]))
            status = dv_fail(DV_E_NOMEM, "no memory for a table");
        if (status == DV_OK && a->of[i] == a->n) a->firsts[a->n++] = object;
    }
    json_decref(seen);
    return status;
}

static void add_names(dv_text_table *table, const crossing *x, const axis *columns) {
    for (size_t i = 0; i < x->n_shown; i++) dv_text_table_add(table, "%s", x->line_keys[i]);
    for (size_t j = 0; j < columns->n; j++)
        dv_html_add_value(table, NULL, json_object_get(columns->firsts[j], x->column_key));
    dv_text_table_end_names(table);
}

/* Of several objects of one line and column the first counts. */
static dv_status add_lines(dv_text_table *table, const crossing *x, const json_t *list, const axis *lines,
                           const axis *columns) {
    size_t *fields; /* [lines, columns]: the object is fields[...] - 1 of the list; 0: there is none */
    DV_TRY(dv_alloc(lines->n * columns->n, sizeof *fields, "a table", &fields));
    for (size_t i = json_array_size(list); i-- > 0;) fields[lines->of[i] * columns->n + columns->of[i]] = i + 1;
    for (size_t i = 0; i < lines->n; i++) {
        for (size_t k = 0; k < x->n_shown; k++) dv_html_add_run_key(table, lines->firsts[i], x->line_keys[k]);
        for (size_t j = 0; j < columns->n; j++) x->add(table, json_array_get(list, fields[i * columns->n + j] - 1));
    }
    free(fields);
    return DV_OK;
}

static dv_status put_crossing(FILE *stream, const char *title, json_t *list, const crossing *x) {
    axis lines = {0}, columns = {0};
    dv_text_table table = {0};
    if (json_array_size(list) == 0) return DV_OK;
    if (json_array_size(list) > MOST_LINES) return dv_html_put_value(stream, title, list);
    DV_TRY(find_axis(list, x->line_keys, x->n_shown + 1, &lines));
    DV_TRY(find_axis(list, &x->column_key, 1, &columns));
    add_names(&table, x, &columns);
    const dv_status status = add_lines(&table, x, list, &lines, &columns);
    if (status == DV_OK) return dv_finish_table(&table, DV_TABLE_HTML, title, stream);
    dv_text_table_clear(&table);
    return status;
}

/* ---- Experiment A -------------------------------------------------------------------------------------------------
 */

static void add_miou(dv_text_table *table, const json_t *object) {
    char text[64] = "";
    if (has_number(object, "miou") && has_number(object, "std"))
        snprintf(text, sizeof text, "%.4f \xc2\xb1 %.4f", real_of(object, "miou"), real_of(object, "std"));
    else if (has_number(object, "miou"))
        snprintf(text, sizeof text, "%.4f", real_of(object, "miou"));
    dv_html_add_with_interval(table, text, json_object_get(object, "miou_interval_95"));
}

static dv_status put_experiment_a(FILE *stream, const dv_html_document *document) {
    static const char *const keys[] = {"encoder", "memory", "memory_kind"};
    static const crossing x = {keys, 2, "difficulty", add_miou};
    json_t *list;
    DV_TRY(dv_html_list(document, "experiment_a", &list));
    return put_crossing(
        stream,
        "Experiment A: mIoU of the objects by difficulty, \xc2\xb1 standard deviation over classes, [95 % interval]",
        list, &x);
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
    static const char *const keys[] = {"encoder", "from", "to", "memory_kind"};
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

static dv_status put_titled(FILE *stream, json_t *rest, const char *key, const char *title) {
    const dv_status status = dv_html_put_value(stream, title, json_object_get(rest, key));
    json_object_del(rest, key);
    return status;
}

static dv_status put_runtime(FILE *stream, json_t *rest) {
    return put_titled(stream, rest, "runtime", "Experiment C: time and memory of the runs");
}

static dv_status put_bootstrap(FILE *stream, json_t *rest) {
    DV_TRY(put_titled(stream, rest, "pairs", "Share of resamples in which encoder a has a higher mIoU than encoder b"));
    return put_titled(stream, rest, "bootstrap", "Resampling of object instances");
}

/* What no table above shows. */
static json_t *rest_of(json_t *root) {
    static const char *const shown[] = {"schema",       "command",   "version",      "settings",
                                        "inputs",       "resources", "experiment_a", "experiment_b",
                                        "experiment_c", "curves",    "job",          "experiment_c_averages",
                                        "partial",      "of_parts",  "bins",         "experiment_c_tasks"};
    json_t *const rest = json_copy(root);
    for (size_t i = 0; rest && i < sizeof shown / sizeof *shown; i++) json_object_del(rest, shown[i]);
    return rest;
}

static dv_status put_all(FILE *stream, const dv_html_document *document, json_t *rest) {
    json_t *curves;
    DV_TRY(put_experiment_a(stream, document));
    DV_TRY(dv_html_list(document, "experiment_b", &curves));
    DV_TRY(dv_html_put_experiment_b(stream, curves));
    DV_TRY(put_experiment_c(stream, document));
    DV_TRY(put_runtime(stream, rest));
    DV_TRY(dv_html_put_json_curves(stream, document));
    for (size_t i = 0; i < json_array_size(curves); i++) {
        DV_TRY(dv_check_interrupted());
        DV_TRY(dv_html_put_curve_classes(stream, json_array_get(curves, i)));
    }
    DV_TRY(put_bootstrap(stream, rest));
    return dv_html_put_value(stream, "", rest);
}

dv_status dv_html_put_analysis(FILE *stream, const dv_html_document *document) {
    json_t *const rest = rest_of(document->root);
    if (!rest) return dv_fail(DV_E_NOMEM, "%s: no memory for its tables", document->file);
    const dv_status status = put_all(stream, document, rest);
    json_decref(rest);
    return status;
}
