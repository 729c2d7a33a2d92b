/* json_cells_read.c: cells from results.json of a sweep. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "report/cells_read.h"

/* Values of the key `name` of `object`; "cell 3, key: ..." is put before messages by whoever reads the cell. */
static dv_status wrong(const char *name, const char *expected) {
    return dv_fail(DV_E_DATA, "%s: must be %s", name, expected);
}

static dv_status get_text(const json_t *object, const char *name, bool may_be_empty, char **out) {
    const char *const text = json_string_value(json_object_get(object, name));
    if (!text || (!may_be_empty && !*text)) return wrong(name, "a text");
    if (dv_utf8_has_control(text)) return wrong(name, "a text without control characters");
    return dv_strdup(text, out);
}

/* A whole number; a missing or null one is 0 where it may be. Counts above INT64_MAX, which are texts, are refused. */
static dv_status get_count(const json_t *object, const char *name, bool optional, uint64_t *out) {
    const json_t *const value = json_object_get(object, name);
    if (optional && (!value || json_is_null(value))) return DV_OK;
    if (!json_is_integer(value) || json_integer_value(value) < 0) return wrong(name, "a whole number");
    *out = (uint64_t)json_integer_value(value);
    return DV_OK;
}

static dv_status get_bin(const json_t *value, const char *name, int32_t *out) {
    const json_int_t bin = json_integer_value(value);
    if (!json_is_integer(value) || bin < INT32_MIN || bin > INT32_MAX) return wrong(name, "an angle in whole degrees");
    *out = (int32_t)bin;
    return DV_OK;
}

static dv_status get_score(const json_t *object, const char *name, double *out) {
    const json_t *const value = json_object_get(object, name);
    *out = NAN;
    if (json_is_null(value)) return DV_OK;
    const double score = json_number_value(value);
    if (!json_is_number(value) || !(score >= 0 && score <= 1)) return wrong(name, "a number 0..1, or null");
    *out = score;
    return DV_OK;
}

/* A list of n whole numbers from 0 below `end`. */
static dv_status get_counts(const json_t *list, const char *name, size_t n, uint64_t end, uint64_t *out) {
    if (!json_is_array(list) || json_array_size(list) != n)
        return dv_fail(DV_E_DATA, "%s: must be a list of %zu whole numbers", name, n);
    for (size_t i = 0; i < n; i++) {
        const json_t *const value = json_array_get(list, i);
        const json_int_t count = json_integer_value(value);
        if (!json_is_integer(value) || count < 0 || (uint64_t)count >= end)
            return dv_fail(DV_E_DATA, "%s: must hold whole numbers", name);
        out[i] = (uint64_t)count;
    }
    return DV_OK;
}

static dv_status get_bins(const json_t *list, const char *name, int32_t **bins, size_t *n_bins) {
    if (!json_is_array(list)) return wrong(name, "a list of bins");
    DV_TRY(dv_alloc(json_array_size(list), sizeof **bins, "bins", bins));
    for (*n_bins = 0; *n_bins < json_array_size(list); ++*n_bins)
        DV_TRY(get_bin(json_array_get(list, *n_bins), name, &(*bins)[*n_bins]));
    return DV_OK;
}

static dv_status get_confusion(const json_t *rows, size_t n_classes, uint64_t **confusion) {
    size_t n_cells;
    if (!rows || json_is_null(rows)) return DV_OK;
    if (json_array_size(rows) != n_classes)
        return dv_fail(DV_E_DATA, "confusion: must be a list of %zu lists", n_classes);
    DV_TRY(dv_mul_size(n_classes, n_classes, "a confusion matrix", &n_cells));
    DV_TRY(dv_alloc(n_cells, sizeof **confusion, "a confusion matrix", confusion));
    for (size_t truth = 0; truth < n_classes; truth++)
        DV_TRY(get_counts(json_array_get(rows, truth), "confusion", n_classes, UINT64_MAX,
                          *confusion + truth * n_classes));
    return DV_OK;
}

static dv_status get_relabel(const json_t *list, size_t n_classes, int32_t **relabel) {
    uint64_t *classes;
    if (!list || json_is_null(list)) return DV_OK;
    DV_TRY(dv_alloc(n_classes, sizeof *classes, "a relabelling", &classes));
    dv_status status = get_counts(list, "relabel", n_classes, n_classes, classes);
    if (status == DV_OK) status = dv_alloc(n_classes, sizeof **relabel, "a relabelling", relabel);
    for (size_t c = 0; status == DV_OK && c < n_classes; c++) (*relabel)[c] = (int32_t)classes[c];
    free(classes);
    return status;
}

static dv_status get_provenance(const json_t *object, dv_provenance *provenance) {
    if (!object || json_is_null(object)) return DV_OK;
    DV_TRY(get_bins(json_object_get(object, "bins"), "provenance.bins", &provenance->bins, &provenance->n_bins));
    DV_TRY(dv_alloc(provenance->n_bins, sizeof *provenance->from, "a provenance", &provenance->from));
    DV_TRY(get_counts(json_object_get(object, "from"), "provenance.from", provenance->n_bins, UINT64_MAX,
                      provenance->from));
    DV_TRY(get_count(object, "same_class", true, &provenance->n_class));
    DV_TRY(get_count(object, "same_object", true, &provenance->n_object));
    return get_count(object, "unfilled", true, &provenance->n_unfilled);
}

static dv_status get_classes(const json_t *list, size_t n_classes, double *iou) {
    if (!json_is_array(list) || json_array_size(list) != n_classes)
        return dv_fail(DV_E_DATA, "classes: must be a list of %zu, as in the first cell", n_classes);
    for (size_t c = 0; c < n_classes; c++) {
        const json_t *const object = json_array_get(list, c), *const id = json_object_get(object, "id");
        if (!json_is_integer(id) || json_integer_value(id) != (json_int_t)c)
            return dv_fail(DV_E_DATA, "classes: the ids must be 0 to %zu in order", n_classes - 1);
        DV_TRY(dv_context(get_score(object, "iou", &iou[c]), "class %zu", c));
    }
    return DV_OK;
}

static dv_status get_reference(const json_t *object, dv_cell *cell) {
    const json_t *const flag = json_object_get(object, "reference"), *const bins =
                                                                         json_object_get(object, "reference_bins");
    if (!json_is_boolean(flag)) return wrong("reference", "true or false");
    cell->reference = json_is_true(flag);
    if (!bins) return DV_OK;
    DV_TRY(get_bins(bins, "reference_bins", &cell->reference_bins, &cell->n_reference_bins));
    if (!dv_bins_sort(cell->reference_bins, cell->n_reference_bins))
        return dv_fail(DV_E_DATA, "reference_bins: a bin is there twice");
    bool found = false;
    for (size_t i = 0; i < cell->n_reference_bins; i++) found |= cell->reference_bins[i] == cell->bin;
    return found == cell->reference ? DV_OK : dv_fail(DV_E_DATA, "reference: contradicts reference_bins");
}

static dv_status get_memory_kind(const json_t *value, bool *per_image) {
    const char *const kind = value ? json_string_value(value) : "rows";
    *per_image = kind && strcmp(kind, "per_image") == 0;
    return kind && (*per_image || strcmp(kind, "rows") == 0) ? DV_OK : wrong("memory_kind", "rows or per_image");
}

static dv_status read_cell(const json_t *object, size_t n_classes, dv_cell *cell) {
    if (!json_is_object(object)) return dv_fail(DV_E_DATA, "must be an object");
    DV_TRY(get_text(object, "encoder", false, &cell->encoder));
    DV_TRY(get_count(object, "memory", true, &cell->memory));
    DV_TRY(get_memory_kind(json_object_get(object, "memory_kind"), &cell->per_image));
    DV_TRY(get_text(object, "difficulty", true, &cell->difficulty));
    DV_TRY(get_bin(json_object_get(object, "bin"), "bin", &cell->bin));
    DV_TRY(get_reference(object, cell));
    DV_TRY(get_count(object, "images", true, &cell->n_images));
    DV_TRY(get_count(object, "bank_rows", true, &cell->n_bank_rows));
    DV_TRY(get_score(object, "miou", &cell->miou));
    DV_TRY(get_score(object, "miou_objects", &cell->miou_objects));
    DV_TRY(get_classes(json_object_get(object, "classes"), n_classes, cell->iou));
    DV_TRY(get_confusion(json_object_get(object, "confusion"), n_classes, &cell->confusion));
    DV_TRY(get_relabel(json_object_get(object, "relabel"), n_classes, &cell->relabel));
    return get_provenance(json_object_get(object, "provenance"), &cell->provenance);
}

static bool same_run(const dv_cell *a, const dv_cell *b) {
    return strcmp(a->encoder, b->encoder) == 0 && a->memory == b->memory && a->per_image == b->per_image &&
           strcmp(a->difficulty, b->difficulty) == 0;
}

/* Files need not list the reference bins: then they are those of the run's bins that are marked. */
static dv_status complete_reference_bins(dv_cell *cells, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (cells[i].reference_bins) continue;
        DV_TRY(dv_alloc(n, sizeof *cells[i].reference_bins, "reference bins", &cells[i].reference_bins));
        for (size_t j = 0; j < n; j++)
            if (cells[j].reference && same_run(&cells[i], &cells[j]))
                cells[i].reference_bins[cells[i].n_reference_bins++] = cells[j].bin;
        if (!dv_bins_sort(cells[i].reference_bins, cells[i].n_reference_bins))
            return dv_fail(DV_E_DATA, "cell %zu: a bin of this run is there twice", i);
    }
    return DV_OK;
}

/* The names of the first cell, where it has them all; those of files before must be the same. */
static dv_status read_names(dv_cells *cells, const json_t *list) {
    const size_t n = cells->n_classes;
    for (size_t c = 0; c < n; c++) {
        const char *const name = json_string_value(json_object_get(json_array_get(list, c), "name"));
        if (!name) return DV_OK;
        if (dv_utf8_has_control(name))
            return dv_fail(DV_E_DATA, "cell 0, class %zu, name: must be a text without control characters", c);
        if (cells->class_names && strcmp(cells->class_names[c], name) != 0)
            return dv_fail(DV_E_DATA, "cell 0, class %zu, name %s: in a file before it is %s", c, name,
                           cells->class_names[c]);
    }
    if (cells->class_names) return DV_OK;
    DV_TRY(dv_alloc(n, sizeof *cells->class_names, "names of classes", &cells->class_names));
    for (size_t c = 0; c < n; c++)
        DV_TRY(dv_strdup(json_string_value(json_object_get(json_array_get(list, c), "name")), &cells->class_names[c]));
    return DV_OK;
}

static dv_status read_cells(dv_cells_reader *reader, const char *path, const json_t *list, dv_fault_list *faults) {
    const json_t *const classes = json_object_get(json_array_get(list, 0), "classes");
    const size_t first = reader->cells.n, n_faults = faults->n;
    if (json_array_size(classes) == 0) return dv_fail(DV_E_DATA, "cell 0, classes: must be a list");
    DV_TRY(dv_cells_reader_classes(reader, path, json_array_size(classes)));
    DV_TRY(read_names(&reader->cells, classes));
    for (size_t i = 0; i < json_array_size(list); i++) {
        dv_cell *cell;
        DV_TRY(dv_cells_reader_add(reader, true, i, &cell));
        const dv_status status = read_cell(json_array_get(list, i), reader->cells.n_classes, cell);
        if (status == DV_OK) continue;
        dv_cell_clear(&reader->cells.cells[--reader->cells.n]);
        if (status != DV_E_DATA) return status;
        (void)dv_context(status, "%s: cell %zu", path, i);
        dv_fault_list_add(faults, dv_last_error());
    }
    if (faults->n > n_faults) return DV_OK; /* what follows takes a sound file */
    return complete_reference_bins(reader->cells.cells + first, reader->cells.n - first);
}

dv_status dv_cells_read_json(dv_cells_reader *reader, const char *path, const char *text, size_t length,
                             dv_fault_list *faults) {
    json_error_t error;
    json_t *const root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!root) return dv_fail(DV_E_DATA, "line %d, column %d: %s", error.line, error.column, error.text);
    const char *const schema = json_string_value(json_object_get(root, "schema"));
    const json_t *const list = json_object_get(root, "cells");
    dv_status status = DV_OK;
    if (!schema || strncmp(schema, "denseval ", 9) != 0)
        status = dv_fail(DV_E_DATA, "schema %s: must begin with 'denseval '", schema ? schema : "missing");
    else if (json_array_size(list) == 0)
        status = dv_fail(DV_E_DATA, "schema %s: has no cells; results.json of sweep has", schema);
    else
        status = read_cells(reader, path, list, faults);
    json_decref(root);
    return status;
}
