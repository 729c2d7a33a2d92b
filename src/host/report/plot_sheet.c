/* plot_sheet.c: the values of some curves in one place. */
#include <math.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "report/plot_analysis.h"

enum { PARTS = 3 }; /* y, low, high */

static dv_status allocate(dv_plot_sheet *sheet, size_t *n) {
    size_t n_values;
    DV_TRY(dv_mul_size(sheet->n_lines, sheet->n_points, "curves of a figure", n));
    DV_TRY(dv_mul_size(*n, PARTS, "curves of a figure", &n_values));
    DV_TRY(dv_alloc(sheet->n_lines, sizeof *sheet->lines, "curves of a figure", &sheet->lines));
    DV_TRY(dv_alloc(n_values, sizeof *sheet->values, "curves of a figure", &sheet->values));
    DV_TRY(dv_alloc(*n, sizeof *sheet->marks, "curves of a figure", &sheet->marks));
    for (size_t i = 0; i < n_values; i++) sheet->values[i] = NAN;
    return DV_OK;
}

dv_status dv_plot_sheet_create(size_t n_lines, size_t n_points, const double *x, dv_plot_sheet *out) {
    *out = (dv_plot_sheet){.n_lines = n_lines, .n_points = n_points};
    size_t n;
    const dv_status status = allocate(out, &n);
    if (status != DV_OK) {
        dv_plot_sheet_clear(out);
        return status;
    }
    for (size_t i = 0; i < n_lines; i++) {
        double *const y = out->values + i * n_points;
        out->lines[i] = (dv_plot_line){
            .n = n_points, .x = x, .y = y, .low = y + n, .high = y + 2 * n, .mark = out->marks + i * n_points};
    }
    return DV_OK;
}

void dv_plot_sheet_clear(dv_plot_sheet *sheet) {
    free(sheet->lines);
    free(sheet->values);
    free(sheet->marks);
    *sheet = (dv_plot_sheet){0};
}

void dv_plot_sheet_set(dv_plot_sheet *sheet, size_t line, size_t point, double y, const dv_interval *band) {
    const size_t at = line * sheet->n_points + point, n = sheet->n_lines * sheet->n_points;
    sheet->values[at] = y;
    if (!band || isnan(y)) return;
    sheet->values[n + at] = band->low;
    sheet->values[2 * n + at] = band->high;
}

void dv_plot_sheet_mark(dv_plot_sheet *sheet, size_t line, size_t point, dv_plot_mark mark) {
    sheet->marks[line * sheet->n_points + point] |= (unsigned char)mark;
}
