/* json_html_sweep.c: the cells of a sweep: a line each, and the IoU of each class in every bin of a run. */
#include "core/check.h"
#include "report/json_html.h"

static dv_status put_cells(FILE *stream, const json_t *cells) {
    static const char *const names[] = {"encoder",   "memory", "memory_kind", "difficulty", "bin",
                                        "reference", "images", "bank_rows",   "miou",       "miou_objects"};
    json_t *const list = json_array();
    bool good = list != NULL;
    for (size_t i = 0; good && i < json_array_size(cells); i++) {
        json_t *const line = json_object();
        for (size_t j = 0; line && j < sizeof names / sizeof *names; j++) {
            json_t *const value = json_object_get(json_array_get(cells, i), names[j]);
            if (value && json_object_set(line, names[j], value) != 0) good = false;
        }
        good = json_array_append_new(list, line) == 0 && good;
    }
    const dv_status status = good ? dv_html_put_value(stream, "mIoU of all cells, by viewpoint bin in degrees", list)
                                  : dv_fail(DV_E_NOMEM, "no memory for a table");
    json_decref(list);
    return status;
}

/* Classes of the cells first..end - 1, which are of one run. */
static dv_status put_classes(FILE *stream, const json_t *cells, size_t first, size_t end) {
    const json_t *const classes = json_object_get(json_array_get(cells, first), "classes");
    dv_text_table table = {0};
    if (json_array_size(classes) == 0) return DV_OK;
    dv_text_table_add(&table, "id");
    dv_text_table_add(&table, "class");
    for (size_t i = first; i < end; i++)
        dv_text_table_add(&table, "%lld\xc2\xb0",
                          (long long)json_integer_value(json_object_get(json_array_get(cells, i), "bin")));
    dv_text_table_end_names(&table);
    for (size_t c = 0; c < json_array_size(classes); c++) {
        const json_t *const named = json_array_get(classes, c);
        dv_html_add_value(&table, NULL, json_object_get(named, "id"));
        dv_html_add_value(&table, NULL, json_object_get(named, "name"));
        for (size_t i = first; i < end; i++) {
            const json_t *const list = json_object_get(json_array_get(cells, i), "classes");
            dv_html_add_value(&table, NULL, json_object_get(json_array_get(list, c), "iou"));
        }
    }
    return dv_html_finish_folded(&table, "IoU of each class", json_array_get(cells, first), "IoU by viewpoint bin",
                                 stream);
}

dv_status dv_html_put_sweep(FILE *stream, const dv_html_document *document) {
    json_t *cells;
    DV_TRY(dv_html_list(document, "cells", &cells));
    DV_TRY(put_cells(stream, cells));
    for (size_t first = 0, end; first < json_array_size(cells); first = end) {
        end = first + 1;
        while (end < json_array_size(cells) &&
               dv_html_same_run(json_array_get(cells, first), json_array_get(cells, end)))
            end++;
        DV_TRY(put_classes(stream, cells, first, end));
    }
    return DV_OK;
}
