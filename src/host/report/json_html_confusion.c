/* json_html_confusion.c: the confusion that a result has, as heat maps. */
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "report/html_chart.h"
#include "report/json_html.h"

enum {
    MOST_MAPS = 24,
    MOST_LARGE_MAPS = 6,
    SMALL_CLASSES = 20,
    MOST_SHOWN = 64,
    MOST_CLASSES = 65536,
    TITLE_SIZE = 384,
    LABEL_SIZE = 24
};

/* What is counted while the cells of a matrix go by: first pixels of each class, then the cells that are shown. */
typedef struct counter {
    uint64_t *totals; /* u64 [MOST_CLASSES]: pixels on either side */
    size_t *places;   /* [MOST_CLASSES]: place of a class on the map; MOST_SHOWN: not there */
    size_t n_classes, n_shown, shown[MOST_SHOWN]; /* classes, rising */
    uint64_t counts[MOST_SHOWN * MOST_SHOWN];     /* u64 [n_shown, n_shown] */
    uint64_t rows[MOST_SHOWN];                    /* pixels of each shown class, in all columns */
    bool fills;
} counter;

/* Matrices that one map adds up: those of cells first..end - 1, or that of the document itself. */
typedef struct source {
    const dv_html_document *document;
    const json_t *cells; /* NULL: the document itself */
    size_t first, end;
} source;

/* ---- Counting -----------------------------------------------------------------------------------------------------
 */

static dv_status add_to(uint64_t *sum, uint64_t count) {
    return __builtin_add_overflow(*sum, count, sum) ? dv_fail(DV_E_DATA, "counts add up to more than 2^64") : DV_OK;
}

static dv_status count_cell(counter *c, size_t truth, size_t pred, const json_t *value) {
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return dv_fail(DV_E_DATA, "row %zu, column %zu: must be a count", truth, pred);
    const uint64_t count = (uint64_t)json_integer_value(value);
    if (truth >= MOST_CLASSES || pred >= MOST_CLASSES)
        return dv_fail(DV_E_DATA, "row %zu, column %zu: has more than %d classes", truth, pred, MOST_CLASSES);
    const size_t most = (truth > pred ? truth : pred) + 1;
    if (!c->fills) {
        if (c->n_classes < most) c->n_classes = most;
        DV_TRY(add_to(&c->totals[truth], count));
        return truth == pred ? DV_OK : add_to(&c->totals[pred], count);
    }
    const size_t row = c->places[truth], column = c->places[pred];
    if (row == MOST_SHOWN) return DV_OK;
    DV_TRY(add_to(&c->rows[row], count));
    return column == MOST_SHOWN ? DV_OK : add_to(&c->counts[row * c->n_shown + column], count);
}

/* rows: as in `confusion` */
static dv_status count_matrix(counter *c, const json_t *rows) {
    if (!json_is_array(rows)) return dv_fail(DV_E_DATA, "must be a list of rows");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *const row = json_array_get(rows, i);
        if (!json_is_array(row)) return dv_fail(DV_E_DATA, "row %zu: must be a list", i);
        for (size_t j = 0; j < json_array_size(row); j++) DV_TRY(count_cell(c, i, j, json_array_get(row, j)));
    }
    return DV_OK;
}

/* list: as in `confusion_cells` */
static dv_status count_list(counter *c, const json_t *list) {
    if (!json_is_array(list)) return dv_fail(DV_E_DATA, "must be a list");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const cell = json_array_get(list, i);
        const json_int_t truth = json_integer_value(json_array_get(cell, 0));
        const json_int_t pred = json_integer_value(json_array_get(cell, 1));
        if (json_array_size(cell) != 3 || truth < 0 || pred < 0)
            return dv_fail(DV_E_DATA, "place %zu: must be [truth, prediction, pixels]", i);
        DV_TRY(count_cell(c, (size_t)truth, (size_t)pred, json_array_get(cell, 2)));
    }
    return DV_OK;
}

static dv_status count_source(counter *c, const source *s) {
    const json_t *const dense = json_object_get(s->document->root, "confusion");
    const char *const file = s->document->file;
    if (!s->cells && dense) return dv_context(count_matrix(c, dense), "%s: confusion", file);
    if (!s->cells)
        return dv_context(count_list(c, json_object_get(s->document->root, "confusion_cells")), "%s: confusion_cells",
                          file);
    for (size_t i = s->first; i < s->end; i++) {
        const json_t *const cell = json_array_get(s->cells, i), *const rows = json_object_get(cell, "confusion");
        if (json_is_true(json_object_get(cell, "reference")) || !rows || json_is_null(rows)) continue;
        DV_TRY(dv_context(count_matrix(c, rows), "%s: cells: place %zu: confusion", file, i));
    }
    return DV_OK;
}

/* Of more classes than are shown, those with the most pixels, and with any; of equal ones the lower ids. */
static void choose_classes(counter *c) {
    for (size_t i = 0; i < c->n_classes; i++) c->places[i] = MOST_SHOWN;
    while (c->n_shown < MOST_SHOWN && c->n_shown < c->n_classes) {
        size_t best = MOST_CLASSES;
        for (size_t i = 0; i < c->n_classes; i++)
            if (c->places[i] == MOST_SHOWN && (best == MOST_CLASSES || c->totals[i] > c->totals[best])) best = i;
        if (c->n_classes > MOST_SHOWN && c->n_shown && c->totals[best] == 0) break;
        c->places[best] = c->n_shown++;
    }
    size_t n = 0;
    for (size_t i = 0; i < c->n_classes; i++)
        if (c->places[i] != MOST_SHOWN) {
            c->shown[n] = i;
            c->places[i] = n++;
        }
}

/* ---- Names --------------------------------------------------------------------------------------------------------
 */

/* The name of a class in `classes`; NULL where it has none. */
static const char *name_in(const json_t *classes, size_t id) {
    const json_t *const entry = json_array_get(classes, id);
    const char *const name = json_string_value(json_object_get(entry, "name"));
    return json_integer_value(json_object_get(entry, "id")) == (json_int_t)id ? name : NULL;
}

/* The letter of an option, behind which the column of answers that name none stands. */
static const char *option_name(const json_t *options, size_t id) {
    if (id == json_array_size(options)) return "none";
    return json_string_value(json_object_get(json_array_get(options, id), "option"));
}

static const char *name_of(const source *s, size_t id) {
    const json_t *const holder = s->cells ? json_array_get(s->cells, s->first) : s->document->root;
    const json_t *const options = json_object_get(holder, "options");
    return json_is_array(options) ? option_name(options, id) : name_in(json_object_get(holder, "classes"), id);
}

/* ---- Drawing ------------------------------------------------------------------------------------------------------
 */

/* Rows of dining lack the last column's class: a class that is in no row has none on the map. */
static size_t rows_of(const counter *c, const source *s) {
    const size_t n = s->cells ? 0 : json_array_size(json_object_get(s->document->root, "confusion"));
    return n && n < c->n_shown ? n : c->n_shown;
}

static void draw(FILE *stream, const char *title, const counter *c, const source *s) {
    char labels[MOST_SHOWN][LABEL_SIZE], whole[TITLE_SIZE];
    const char *names[MOST_SHOWN];
    for (size_t i = 0; i < c->n_shown; i++) {
        names[i] = name_of(s, c->shown[i]);
        snprintf(labels[i], sizeof labels[i], "%zu", c->shown[i]);
        if (!names[i]) names[i] = labels[i];
    }
    const size_t left_out = c->n_classes - c->n_shown;
    if (left_out)
        snprintf(whole, sizeof whole, "%s; the %zu classes with the most pixels, %zu left out", title, c->n_shown,
                 left_out);
    else
        snprintf(whole, sizeof whole, "%s", title);
    const dv_html_heat heat = {.n_rows = rows_of(c, s),
                               .n_columns = c->n_shown,
                               .counts = c->counts,
                               .row_totals = c->rows,
                               .row_names = names,
                               .column_names = names};
    dv_html_put_heat(stream, whole, &heat);
}

static dv_status put_source(FILE *stream, const char *title, const source *s) {
    counter *c;
    DV_TRY(dv_alloc(1, sizeof *c, "a heat map", &c));
    dv_status status = dv_alloc(MOST_CLASSES, sizeof *c->totals, "a heat map", &c->totals);
    if (status == DV_OK) status = dv_alloc(MOST_CLASSES, sizeof *c->places, "a heat map", &c->places);
    if (status == DV_OK) status = count_source(c, s);
    if (status == DV_OK && c->n_classes) {
        choose_classes(c);
        c->fills = true;
        status = count_source(c, s);
        if (status == DV_OK) draw(stream, title, c, s);
    }
    free(c->totals);
    free(c->places);
    free(c);
    return status;
}

static bool has_matrix(const json_t *object) {
    const json_t *const matrix = json_object_get(object, "confusion");
    return (matrix && !json_is_null(matrix)) || json_object_get(object, "confusion_cells");
}

static dv_status put_runs(FILE *stream, const dv_html_document *document, const json_t *cells) {
    char run[256];
    size_t n_maps = 0, n_runs = 0, most = MOST_MAPS;
    fputs("<p>Each run over all of its bins but the reference bins.</p>\n", stream);
    for (size_t first = 0, end; first < json_array_size(cells); first = end) {
        const json_t *const one = json_array_get(cells, first);
        bool any = false;
        for (end = first; end < json_array_size(cells) && dv_html_same_run(one, json_array_get(cells, end)); end++)
            any |= has_matrix(json_array_get(cells, end)) &&
                   !json_is_true(json_object_get(json_array_get(cells, end), "reference"));
        n_runs += any;
        if (json_array_size(json_object_get(one, "classes")) > SMALL_CLASSES) most = MOST_LARGE_MAPS;
        if (!any || n_maps >= most) continue;
        dv_html_run_text(one, run, sizeof run);
        DV_TRY(put_source(stream, run, &(source){document, cells, first, end}));
        n_maps++;
    }
    if (n_runs > n_maps) fprintf(stream, "<p>%zu of %zu runs are left out.</p>\n", n_runs - n_maps, n_runs);
    return DV_OK;
}

bool dv_html_has_confusion(const dv_html_document *document) {
    const json_t *const cells = json_object_get(document->root, "cells");
    for (size_t i = 0; i < json_array_size(cells); i++)
        if (has_matrix(json_array_get(cells, i))) return true;
    return has_matrix(document->root);
}

dv_status dv_html_put_confusion(FILE *stream, const dv_html_document *document) {
    json_t *cells;
    if (has_matrix(document->root)) return put_source(stream, "Truth and prediction", &(source){.document = document});
    DV_TRY(dv_html_list(document, "cells", &cells));
    return put_runs(stream, document, cells);
}
