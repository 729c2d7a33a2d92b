#include "denseval/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "report/cells_read.h"

void dv_cell_clear(dv_cell *cell) {
    free(cell->encoder);
    free(cell->difficulty);
    free(cell->reference_bins);
    free(cell->iou);
    free(cell->confusion);
    free(cell->relabel);
    free(cell->provenance.bins);
    free(cell->provenance.from);
}

void dv_cells_clear(dv_cells *cells) {
    for (size_t i = 0; i < cells->n; i++) dv_cell_clear(&cells->cells[i]);
    for (size_t c = 0; cells->class_names && c < cells->n_classes; c++) free(cells->class_names[c]);
    free(cells->class_names);
    free(cells->cells);
    *cells = (dv_cells){0};
}

/* Room for one more: the list doubles whenever its length is a power of two. */
static dv_status grow(dv_cells *cells) {
    if (cells->n & (cells->n - 1)) return DV_OK;
    size_t n, bytes;
    DV_TRY(dv_mul_size(cells->n ? cells->n : 1, 2, "cells", &n));
    DV_TRY(dv_mul_size(n, sizeof *cells->cells, "cells", &bytes));
    dv_cell *const grown = realloc(cells->cells, bytes);
    if (!grown) return dv_fail(DV_E_NOMEM, "no memory for %zu cells", n);
    cells->cells = grown;
    return DV_OK;
}

dv_status dv_cells_add(dv_cells *cells, dv_cell **out) {
    *out = NULL;
    double *iou;
    DV_TRY(grow(cells));
    DV_TRY(dv_alloc(cells->n_classes, sizeof *iou, "IoU of a cell", &iou));
    for (size_t c = 0; c < cells->n_classes; c++) iou[c] = NAN;
    *out = &cells->cells[cells->n++];
    **out = (dv_cell){.miou = NAN, .miou_objects = NAN, .iou = iou};
    return DV_OK;
}

static int compare_numbers(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

int dv_cell_compare_key(const dv_cell *a, const dv_cell *b) {
    int order = strcmp(a->encoder, b->encoder);
    if (order == 0) order = (a->memory > b->memory) - (a->memory < b->memory);
    if (order == 0) order = a->per_image - b->per_image;
    const size_t n = a->n_reference_bins < b->n_reference_bins ? a->n_reference_bins : b->n_reference_bins;
    for (size_t i = 0; order == 0 && i < n; i++) order = compare_numbers(a->reference_bins[i], b->reference_bins[i]);
    if (order == 0) order = (a->n_reference_bins > n) - (b->n_reference_bins > n);
    return order ? order : compare_numbers(a->bin, b->bin);
}

static bool same_score(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

const char *dv_cell_difference(const dv_cell *a, const dv_cell *b, size_t n_classes) {
    if (!same_score(a->miou, b->miou)) return "miou";
    if (!same_score(a->miou_objects, b->miou_objects)) return "miou_objects";
    for (size_t c = 0; c < n_classes; c++)
        if (!same_score(a->iou[c], b->iou[c])) return "iou of a class";
    if (a->n_images && b->n_images && a->n_images != b->n_images) return "images";
    if (a->n_bank_rows && b->n_bank_rows && a->n_bank_rows != b->n_bank_rows) return "bank_rows";
    const size_t bytes = n_classes * n_classes * sizeof *a->confusion;
    if (a->confusion && b->confusion && memcmp(a->confusion, b->confusion, bytes) != 0) return "confusion";
    return NULL;
}
