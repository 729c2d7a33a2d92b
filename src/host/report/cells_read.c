#include "report/cells_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/number.h"
#include "io/text_file.h"

double dv_mean_iou(const double *iou, size_t first, size_t n_classes) {
    double sum = 0;
    size_t n = 0;
    for (size_t c = first; c < n_classes; c++) {
        if (isnan(iou[c])) continue;
        sum += iou[c];
        n++;
    }
    return n ? sum / (double)n : NAN;
}

static int compare_bins(const void *a, const void *b) {
    const int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

bool dv_bins_sort(int32_t *bins, size_t n) {
    if (n > 1) qsort(bins, n, sizeof *bins, compare_bins);
    for (size_t i = 1; i < n; i++)
        if (bins[i] == bins[i - 1]) return false;
    return true;
}

dv_status dv_cells_reader_add(dv_cells_reader *reader, bool json, size_t place, dv_cell **out) {
    const size_t n = reader->cells.n;
    if ((n & (n - 1)) == 0) { /* as the list of cells grows */
        size_t bytes;
        DV_TRY(dv_mul_size(n ? n : 1, 2 * sizeof *reader->origins, "cells", &bytes));
        dv_cell_origin *const grown = realloc(reader->origins, bytes);
        if (!grown) return dv_fail(DV_E_NOMEM, "no memory for %zu cells", n + 1);
        reader->origins = grown;
    }
    DV_TRY(dv_cells_add(&reader->cells, out));
    reader->origins[n] = (dv_cell_origin){.path = reader->path, .json = json, .place = place};
    return DV_OK;
}

dv_status dv_cells_reader_classes(dv_cells_reader *reader, const char *path, size_t n_classes) {
    const size_t before = reader->cells.n_classes;
    if (reader->classes_from && before != n_classes)
        return dv_fail(DV_E_DATA, "%zu classes: %s has %zu", n_classes, reader->classes_from, before);
    if (!reader->classes_from) reader->classes_from = path;
    reader->cells.n_classes = n_classes;
    return DV_OK;
}

static dv_status read_text(dv_cells_reader *reader, const char *path, char *text, size_t length,
                           dv_fault_list *faults) {
    const char *begin = text + strspn(text, " \t\r\n");
    dv_status status;
    if (begin == text + length) {
        status = dv_fail(DV_E_DATA, "the file is empty");
    } else if (memchr(text, '\0', length)) {
        status = dv_fail(DV_E_DATA, "no text, so neither a result CSV nor a results.json");
    } else if (*begin != '{') {
        return dv_context(dv_cells_read_csv(reader, path, text, length, faults), "%s", path);
    } else {
        status = dv_cells_read_json(reader, path, text, length, faults);
    }
    free(text);
    return dv_context(status, "%s", path);
}

/* Two places in order, for sorting what points into the list of cells. */
static int compare_indices(const void *a, const void *b, void *cells) {
    const size_t left = *(const size_t *)a, right = *(const size_t *)b;
    const dv_cell *const all = cells;
    const int order = dv_cell_compare_key(&all[left], &all[right]);
    return order ? order : (left > right) - (left < right);
}

static const char *place_text(const dv_cell_origin *origin, char *text, size_t size) {
    snprintf(text, size, "%s %zu", origin->json ? "cell" : "line", origin->place);
    return text;
}

static dv_status refuse_other_value(const dv_cells_reader *reader, const char *const *paths, size_t first, size_t again,
                                    const char *what) {
    const dv_cell *const cell = &reader->cells.cells[first], *const other = &reader->cells.cells[again];
    const dv_cell_origin *const from = &reader->origins[first], *const to = &reader->origins[again];
    char place[64], other_place[64], one[DV_NUMBER_SIZE], two[DV_NUMBER_SIZE], values[2 * DV_NUMBER_SIZE + 8] = "";
    if (strcmp(what, "miou") == 0)
        snprintf(values, sizeof values, ": %s and %s", dv_format_double(cell->miou, one),
                 dv_format_double(other->miou, two));
    return dv_fail(DV_E_DATA,
                   "%s: %s: the same cell as %s, %s (encoder %s, memory %llu, bin %ld), with another value of %s%s",
                   paths[to->path], place_text(to, other_place, sizeof other_place), paths[from->path],
                   place_text(from, place, sizeof place), cell->encoder, (unsigned long long)cell->memory,
                   (long)cell->bin, what, values);
}

/* Marks in `again` the cells that an earlier one equals. */
static void find_repeated(const dv_cells_reader *reader, const char *const *paths, size_t *order, bool *again,
                          dv_fault_list *faults) {
    const dv_cells *const cells = &reader->cells;
    for (size_t i = 0; i < cells->n; i++) order[i] = i;
    if (cells->n > 1) qsort_r(order, cells->n, sizeof *order, compare_indices, cells->cells);
    for (size_t i = 1, first = 0; i < cells->n; i++) {
        const dv_cell *const kept = &cells->cells[order[first]], *const cell = &cells->cells[order[i]];
        if (dv_cell_compare_key(kept, cell) != 0) {
            first = i;
            continue;
        }
        again[order[i]] = true;
        const char *const what = dv_cell_difference(kept, cell, cells->n_classes);
        if (!what) continue;
        (void)refuse_other_value(reader, paths, order[first], order[i], what);
        dv_fault_list_add(faults, dv_last_error());
    }
}

static dv_status remove_repeated(dv_cells_reader *reader, const char *const *paths, dv_fault_list *faults) {
    dv_cells *const cells = &reader->cells;
    size_t *order = NULL;
    bool *again = NULL;
    dv_status status = dv_alloc(cells->n, sizeof *order, "order of cells", &order);
    if (status == DV_OK) status = dv_alloc(cells->n, sizeof *again, "repeated cells", &again);
    if (status == DV_OK) {
        find_repeated(reader, paths, order, again, faults);
        size_t n_kept = 0;
        for (size_t i = 0; i < cells->n; i++) {
            if (again[i])
                dv_cell_clear(&cells->cells[i]);
            else
                cells->cells[n_kept++] = cells->cells[i];
        }
        cells->n = n_kept;
    }
    free(order);
    free(again);
    return status;
}

static dv_status read_files(dv_cells_reader *reader, const char *const *paths, size_t n_paths, dv_fault_list *faults) {
    for (size_t i = 0; i < n_paths; i++) {
        char *text;
        size_t length;
        DV_TRY(dv_check_interrupted());
        DV_TRY(dv_text_file_load(paths[i], &text, &length));
        reader->path = i;
        DV_TRY(read_text(reader, paths[i], text, length, faults));
    }
    return remove_repeated(reader, paths, faults);
}

dv_status dv_cells_read(const char *const *paths, size_t n_paths, dv_cells *out) {
    dv_cells_reader reader = {0};
    dv_fault_list faults = {0};
    *out = (dv_cells){0};
    if (n_paths == 0) return dv_fail(DV_E_ARG, "no result files were given");
    dv_status status = read_files(&reader, paths, n_paths, &faults);
    dv_fault_list_end(&faults);
    if (status == DV_OK && faults.n) status = dv_fail(DV_E_DATA, "%s", faults.first);
    if (status == DV_OK && reader.cells.n == 0) status = dv_fail(DV_E_DATA, "%s: holds no result", paths[0]);
    free(reader.origins);
    if (status == DV_OK)
        *out = reader.cells;
    else
        dv_cells_clear(&reader.cells);
    return status;
}
