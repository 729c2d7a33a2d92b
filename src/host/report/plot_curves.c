/* plot_curves.c: mIoU by viewpoint, absolute and normalised, one curve an encoder. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "report/plot_analysis.h"

#define RING_NAME "bin of the memory bank"
#define X_LABEL "viewpoint bin (degrees)"

/* Panels of a figure over the bins, filled in by `add`. */
typedef struct curve_figure {
    dv_plot_sheet sheet; /* lines: [difficulty, encoder] */
    dv_plot_panel *panels;
    char (*titles)[DV_GRID_NAME_SIZE];
    size_t n_panels;
    bool any_cross;
} curve_figure;

typedef void (*add_run)(const dv_plot_grid *grid, const dv_analysis_run *run, size_t line, curve_figure *figure);

static bool is_reference(const dv_analysis_run *run, int32_t bin) {
    for (size_t i = 0; i < run->n_reference_bins; i++)
        if (run->reference_bins[i] == bin) return true;
    return false;
}

static void add_absolute(const dv_plot_grid *grid, const dv_analysis_run *run, size_t line, curve_figure *figure) {
    const dv_analysis *analysis = grid->analysis;
    for (size_t i = 0; i < analysis->n_bins; i++) {
        const dv_cell *cell = run->cells[i];
        if (!cell) continue;
        const size_t index = (size_t)(cell - analysis->cells->cells);
        dv_plot_sheet_set(&figure->sheet, line, i, cell->miou, grid->bootstrap ? &grid->bootstrap->miou[index] : NULL);
        if (is_reference(run, cell->bin)) dv_plot_sheet_mark(&figure->sheet, line, i, DV_MARK_RING);
    }
}

static void add_normalised(const dv_plot_grid *grid, const dv_analysis_run *run, size_t line, curve_figure *figure) {
    const dv_analysis *analysis = grid->analysis;
    for (size_t c = 0; c < analysis->n_curves; c++) {
        const dv_analysis_curve *curve = &analysis->curves[c];
        if (&analysis->runs[curve->run] != run) continue;
        const dv_breaking_point *breaking = &curve->breaking[analysis->steps];
        for (size_t i = 0; i < curve->n; i++)
            for (size_t bin = 0; bin < analysis->n_bins; bin++) {
                if (analysis->bins[bin] != curve->bins[i]) continue;
                dv_plot_sheet_set(&figure->sheet, line, bin, curve->normalised[i],
                                  grid->bootstrap ? &grid->bootstrap->curves[c].normalised[i] : NULL);
                if (i == 0) dv_plot_sheet_mark(&figure->sheet, line, bin, DV_MARK_RING);
                if (!breaking->found || breaking->bin != curve->bins[i]) continue;
                dv_plot_sheet_mark(&figure->sheet, line, bin, DV_MARK_CROSS);
                figure->any_cross = true;
            }
    }
}

static bool has_value(const dv_plot_sheet *sheet, size_t first_line, size_t n_lines) {
    for (size_t i = first_line * sheet->n_points; i < (first_line + n_lines) * sheet->n_points; i++)
        if (!isnan(sheet->values[i])) return true;
    return false;
}

static dv_status allocate(const dv_plot_grid *grid, curve_figure *figure) {
    size_t n;
    DV_TRY(dv_mul_size(grid->n_difficulties, grid->n_encoders, "curves of a figure", &n));
    DV_TRY(dv_plot_sheet_create(n, grid->analysis->n_bins, grid->ticks, &figure->sheet));
    DV_TRY(dv_alloc(grid->n_difficulties, sizeof *figure->panels, "panels", &figure->panels));
    return dv_alloc(grid->n_difficulties, sizeof *figure->titles, "panels", &figure->titles);
}

/* One panel a difficulty that has something to show. */
static void fill(const dv_plot_grid *grid, size_t memory, add_run add, curve_figure *figure) {
    const size_t n_encoders = grid->n_encoders;
    for (size_t d = 0; d < grid->n_difficulties; d++) {
        for (size_t e = 0; e < n_encoders; e++) {
            const dv_analysis_run *run = dv_plot_grid_run(grid, memory, d, e);
            figure->sheet.lines[d * n_encoders + e].name = e;
            if (run) add(grid, run, d * n_encoders + e, figure);
        }
        if (!has_value(&figure->sheet, d * n_encoders, n_encoders)) continue;
        char *title = figure->titles[figure->n_panels];
        dv_plot_difficulty_name(&grid->analysis->runs[grid->difficulties[d]], title);
        figure->panels[figure->n_panels++] = (dv_plot_panel){title, n_encoders, figure->sheet.lines + d * n_encoders};
    }
}

static dv_status draw(const dv_plot_grid *grid, size_t memory, const char *name, const char *what, const char *y_label,
                      double guide, const curve_figure *figure) {
    char size[DV_GRID_NAME_SIZE], title[2 * DV_GRID_NAME_SIZE], *path;
    dv_plot_memory_name(&grid->analysis->runs[grid->memories[memory]], size);
    snprintf(title, sizeof title, "%s%s%s", what, *size ? ", memory " : "", size);
    const dv_plot_figure plot = {.title = title,
                                 .x_label = X_LABEL,
                                 .y_label = y_label,
                                 .names = grid->encoders,
                                 .n_names = grid->n_encoders,
                                 .ring_name = RING_NAME,
                                 .cross_name = figure->any_cross ? dv_plot_breaking_name(grid->analysis->steps) : NULL,
                                 .band_name = grid->bootstrap ? DV_PLOT_BAND_NAME : NULL,
                                 .panels = figure->panels,
                                 .n_panels = figure->n_panels,
                                 .ticks = grid->ticks,
                                 .n_ticks = grid->analysis->n_bins,
                                 .guide = guide};
    DV_TRY(dv_plot_path(grid, (const char *const[DV_PLOT_PATH_PARTS]){name, size}, &path));
    const dv_status status = dv_plot_figure_draw(&plot, path, true);
    free(path);
    return status;
}

static dv_status draw_memory(const dv_plot_grid *grid, size_t memory, add_run add, const char *name, const char *what,
                             const char *y_label, double guide) {
    curve_figure figure = {0};
    dv_status status = allocate(grid, &figure);
    if (status == DV_OK) fill(grid, memory, add, &figure);
    if (status == DV_OK && figure.n_panels > 0) status = draw(grid, memory, name, what, y_label, guide, &figure);
    dv_plot_sheet_clear(&figure.sheet);
    free(figure.panels);
    free(figure.titles);
    return status;
}

dv_status dv_plot_absolute(const dv_plot_grid *grid) {
    for (size_t m = 0; m < grid->n_memories; m++)
        DV_TRY(draw_memory(grid, m, add_absolute, "absolute", "mIoU by viewpoint", "mIoU (all classes)", NAN));
    return DV_OK;
}

dv_status dv_plot_normalised(const dv_plot_grid *grid) {
    for (size_t m = 0; m < grid->n_memories; m++)
        DV_TRY(draw_memory(grid, m, add_normalised, "normalised", "mIoU over that of the bank's bin", "normalised mIoU",
                           1.0));
    return DV_OK;
}
