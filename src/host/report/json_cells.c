/* json_cells.c: cells of a sweep as JSON (docs/FORMATS.md, "Results of a sweep"). */
#include "report/json_report.h"

static json_t *numbers(dv_report *report, const int32_t *values, size_t n) {
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) dv_report_append(report, list, json_integer(values[i]));
    return list;
}

static json_t *counts(dv_report *report, const uint64_t *values, size_t n) {
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) dv_report_append(report, list, dv_json_count(values[i]));
    return list;
}

/* 0 says that a count is not known. */
static json_t *count_or_null(uint64_t value) {
    return value ? dv_json_count(value) : json_null();
}

static json_t *class_list(dv_report *report, const dv_cells *cells, const dv_cell *cell) {
    json_t *const list = json_array();
    for (size_t c = 0; c < cells->n_classes; c++) {
        json_t *const object = json_object();
        dv_report_set(report, object, "id", dv_json_count(c));
        dv_report_set(report, object, "name", cells->class_names ? dv_json_text(cells->class_names[c]) : json_null());
        dv_report_set(report, object, "iou", dv_json_real(cell->iou[c]));
        dv_report_append(report, list, object);
    }
    return list;
}

static json_t *confusion_rows(dv_report *report, const uint64_t *confusion, size_t n_classes) {
    if (!confusion) return json_null();
    json_t *const rows = json_array();
    for (size_t truth = 0; truth < n_classes; truth++)
        dv_report_append(report, rows, counts(report, confusion + truth * n_classes, n_classes));
    return rows;
}

static json_t *provenance_object(dv_report *report, const dv_provenance *provenance) {
    if (!provenance->n_bins) return json_null();
    json_t *const object = json_object();
    dv_report_set(report, object, "bins", numbers(report, provenance->bins, provenance->n_bins));
    dv_report_set(report, object, "from", counts(report, provenance->from, provenance->n_bins));
    dv_report_set(report, object, "same_class", dv_json_count(provenance->n_class));
    dv_report_set(report, object, "same_object", dv_json_count(provenance->n_object));
    dv_report_set(report, object, "unfilled", dv_json_count(provenance->n_unfilled));
    return object;
}

static json_t *cell_object(dv_report *report, const dv_cells *cells, const dv_cell *cell) {
    const size_t n = cells->n_classes;
    json_t *const object = json_object();
    dv_report_set(report, object, "encoder", dv_json_text(cell->encoder ? cell->encoder : ""));
    dv_report_set(report, object, "memory", count_or_null(cell->memory));
    if (cell->per_image) dv_report_set(report, object, "memory_kind", json_string("per_image"));
    dv_report_set(report, object, "difficulty", dv_json_text(cell->difficulty ? cell->difficulty : ""));
    dv_report_set(report, object, "reference_bins", numbers(report, cell->reference_bins, cell->n_reference_bins));
    dv_report_set(report, object, "bin", json_integer(cell->bin));
    dv_report_set(report, object, "reference", json_boolean(cell->reference));
    dv_report_set(report, object, "images", count_or_null(cell->n_images));
    dv_report_set(report, object, "bank_rows", count_or_null(cell->n_bank_rows));
    dv_report_set(report, object, "miou", dv_json_real(cell->miou));
    dv_report_set(report, object, "miou_objects", dv_json_real(cell->miou_objects));
    dv_report_set(report, object, "classes", class_list(report, cells, cell));
    dv_report_set(report, object, "confusion", confusion_rows(report, cell->confusion, n));
    dv_report_set(report, object, "relabel", cell->relabel ? numbers(report, cell->relabel, n) : json_null());
    dv_report_set(report, object, "provenance", provenance_object(report, &cell->provenance));
    return object;
}

void dv_report_cells(dv_report *report, const dv_cells *cells) {
    json_t *const list = json_array();
    for (size_t i = 0; i < cells->n; i++) dv_report_append(report, list, cell_object(report, cells, &cells->cells[i]));
    dv_report_top(report, "cells", list);
}
