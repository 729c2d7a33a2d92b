#include "denseval/class_map.h"

#include <stdint.h>

#include "core/check.h"
#include "denseval/number.h"
#include "io/csv.h"
#include "io/text_file.h"

static dv_status read_label(const dv_csv *csv, size_t row, size_t column, uint16_t *label) {
    const char *const text = csv->fields[row * csv->n_columns + column];
    uint64_t value;
    if (dv_parse_u64(text, &value) != DV_OK || value > UINT16_MAX)
        return dv_fail(DV_E_DATA, "line %zu, %s \"%.60s\": must be a label 0..65535", csv->lines[row],
                       csv->names[column], text);
    *label = (uint16_t)value;
    return DV_OK;
}

static dv_status take_row(const dv_csv *csv, size_t row, size_t n_classes, const dv_label_set *ignored,
                          dv_class_map *map) {
    uint16_t source = 0, target = 0;
    DV_TRY(read_label(csv, row, dv_csv_column(csv, "source_id"), &source));
    DV_TRY(read_label(csv, row, dv_csv_column(csv, "target_id"), &target));
    if (map->target[source] != DV_NO_TARGET)
        return dv_fail(DV_E_DATA, "line %zu, source_id %d: is listed before", csv->lines[row], source);
    if (target >= n_classes && !dv_label_set_has(ignored, target))
        return dv_fail(DV_E_DATA, "line %zu, target_id %d: must be below %zu, or ignored", csv->lines[row], target,
                       n_classes);
    map->target[source] = target;
    return DV_OK;
}

static dv_status take_rows(const dv_csv *csv, size_t n_classes, const dv_label_set *ignored, dv_class_map *map) {
    static const char *const columns[] = {"source_id", "target_id"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (dv_csv_column(csv, columns[i]) == SIZE_MAX) return dv_fail(DV_E_DATA, "line 1: no column %s", columns[i]);
    if (!csv->n_rows) return dv_fail(DV_E_DATA, "no class is listed");
    for (size_t label = 0; label < DV_N_LABELS; label++) map->target[label] = DV_NO_TARGET;
    for (size_t row = 0; row < csv->n_rows; row++) DV_TRY(take_row(csv, row, n_classes, ignored, map));
    return DV_OK;
}

dv_status dv_class_map_read(const char *path, size_t n_classes, const dv_label_set *ignored, dv_class_map *map) {
    char *text;
    size_t length;
    dv_csv csv = {0};
    DV_TRY(dv_text_file_load(path, &text, &length));
    dv_status status = dv_csv_parse(text, length, &csv);
    if (status == DV_OK) status = take_rows(&csv, n_classes, ignored, map);
    dv_csv_clear(&csv);
    return dv_context(status, "%s", path);
}
