#include "app/sweep_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "app/context.h"

enum { SCORE_WIDTH = 9 };

static bool same_configuration(const dv_cell *a, const dv_cell *b) {
    return strcmp(a->encoder, b->encoder) == 0 && a->memory == b->memory && strcmp(a->difficulty, b->difficulty) == 0;
}

static bool same_bins(const dv_cell *a, const dv_cell *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i].bin != b[i].bin) return false;
    return true;
}

static void print_head(const dv_cell *row, size_t n) {
    dv_print("%-16s  %10s  %-12s", "encoder", row->per_image ? "per image" : "memory", "difficulty");
    for (size_t i = 0; i < n; i++) dv_print("%*" PRId32, SCORE_WIDTH, row[i].bin);
    dv_print("\n");
}

static void print_score(const dv_cell *cell) {
    char text[32];
    if (isnan(cell->miou))
        snprintf(text, sizeof text, "-");
    else
        snprintf(text, sizeof text, cell->reference ? "(%.3f)" : "%.3f ", cell->miou);
    dv_print("%*s", SCORE_WIDTH, text);
}

void dv_sweep_table_print(const dv_cells *cells) {
    const dv_cell *before = NULL;
    size_t n_before = 0;
    dv_print("mIoU with background; reference bins in brackets\n");
    for (size_t first = 0, end; first < cells->n; first = end) {
        const dv_cell *row = &cells->cells[first];
        for (end = first + 1; end < cells->n && same_configuration(row, &cells->cells[end]);) end++;
        if (!before || n_before != end - first || !same_bins(before, row, n_before)) print_head(row, end - first);
        before = row;
        n_before = end - first;
        dv_print("%-16s  %10" PRIu64 "  %-12s", row->encoder, row->memory, row->difficulty);
        for (size_t i = 0; i < end - first; i++) print_score(&row[i]);
        dv_print("\n");
    }
}
