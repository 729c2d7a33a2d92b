/* plot_classes.c: normalised curves of each class, and how far they are from that of all classes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "report/plot_analysis.h"

enum { MOST_CLASSES = 40 }; /* more curves nobody can tell apart; the tables have them */

/* A class that the reference bin hardly shows may come out at many times its score there and would flatten all others.
 */
#define MOST_NORMALISED 2.0
#define MOST_DIFFERENCE 1.0

typedef struct class_figure {
    bool difference;
    bool cut; /* a value is beyond the scale */
    size_t n_panels, n_names;
    const char **names; /* [1 + n_classes]: all classes, then each */
    char (*numbers)[32];
    dv_plot_sheet sheet; /* lines: [panel, name] */
    dv_plot_panel *panels;
    char (*titles)[3 * DV_GRID_NAME_SIZE];
} class_figure;

static dv_status allocate(const dv_plot_grid *grid, class_figure *f) {
    const dv_cells *cells = grid->analysis->cells;
    size_t n;
    DV_TRY(dv_mul_size(grid->analysis->n_curves, f->n_names, "curves of a figure", &n));
    DV_TRY(dv_plot_sheet_create(n, grid->analysis->n_bins, grid->ticks, &f->sheet));
    DV_TRY(dv_alloc(grid->analysis->n_curves, sizeof *f->panels, "panels", &f->panels));
    DV_TRY(dv_alloc(grid->analysis->n_curves, sizeof *f->titles, "panels", &f->titles));
    DV_TRY(dv_alloc(f->n_names, sizeof *f->names, "names", &f->names));
    DV_TRY(dv_alloc(f->n_names, sizeof *f->numbers, "names", &f->numbers));
    f->names[0] = "all classes";
    for (size_t c = 0; c < cells->n_classes; c++) {
        snprintf(f->numbers[c + 1], sizeof *f->numbers, "class %zu", c);
        f->names[c + 1] = cells->class_names ? cells->class_names[c] : f->numbers[c + 1];
    }
    return DV_OK;
}

static void release(class_figure *f) {
    dv_plot_sheet_clear(&f->sheet);
    free(f->panels);
    free(f->titles);
    free(f->names);
    free(f->numbers);
}

/* The value of a name (0: all classes) at point i of a curve. */
static double value_of(const dv_analysis_curve *curve, bool difference, size_t name, size_t i) {
    if (name == 0) return difference ? 0.0 * curve->normalised[i] : curve->normalised[i]; /* NaN stays NaN */
    const size_t at = (name - 1) * curve->n + i;
    return difference ? curve->class_difference[at] : curve->class_normalised[at];
}

static void set_value(class_figure *f, size_t line, size_t bin, double value) {
    f->cut |= fabs(value) > (f->difference ? MOST_DIFFERENCE : MOST_NORMALISED);
    dv_plot_sheet_set(&f->sheet, line, bin, value, NULL);
}

static void add_panel(const dv_plot_grid *grid, const dv_analysis_curve *curve, class_figure *f) {
    const dv_analysis *analysis = grid->analysis;
    const size_t first = f->n_panels * f->n_names;
    for (size_t name = 0; name < f->n_names; name++) {
        f->sheet.lines[first + name].name = name;
        for (size_t i = 0; i < curve->n; i++)
            for (size_t bin = 0; bin < analysis->n_bins; bin++)
                if (analysis->bins[bin] == curve->bins[i])
                    set_value(f, first + name, bin, value_of(curve, f->difference, name, i));
    }
    char size[DV_GRID_NAME_SIZE], difficulty[DV_GRID_NAME_SIZE], *title = f->titles[f->n_panels];
    dv_plot_memory_name(&analysis->runs[curve->run], size);
    dv_plot_difficulty_name(&analysis->runs[curve->run], difficulty);
    snprintf(title, sizeof *f->titles, "%s%s%s", difficulty, *size ? ", memory " : "", size);
    f->panels[f->n_panels++] = (dv_plot_panel){title, f->n_names, f->sheet.lines + first};
}

static dv_status draw(const dv_plot_grid *grid, size_t encoder, const class_figure *f) {
    char number[24], title[2 * DV_GRID_NAME_SIZE], *path;
    snprintf(number, sizeof number, "%zu", encoder + 1); /* two names may differ in what a path does not show */
    snprintf(title, sizeof title, "%s: %.200s%s", f->difference ? "Classes less all classes" : "Classes",
             grid->encoders[encoder], f->cut ? " (larger values are cut off)" : "");
    const dv_plot_figure figure = {.title = title,
                                   .x_label = "viewpoint bin (degrees)",
                                   .y_label = f->difference ? "difference of normalised IoU" : "normalised IoU",
                                   .names = f->names,
                                   .n_names = f->n_names,
                                   .first_heavy = true,
                                   .panels = f->panels,
                                   .n_panels = f->n_panels,
                                   .ticks = grid->ticks,
                                   .n_ticks = grid->analysis->n_bins,
                                   .guide = f->difference ? 0.0 : 1.0,
                                   .most = f->difference ? MOST_DIFFERENCE : MOST_NORMALISED};
    const char *const parts[DV_PLOT_PATH_PARTS] = {f->difference ? "class_differences" : "classes", number,
                                                   grid->encoders[encoder]};
    DV_TRY(dv_plot_path(grid, parts, &path));
    const dv_status status = dv_plot_figure_draw(&figure, path, true);
    free(path);
    return status;
}

static dv_status draw_encoder(const dv_plot_grid *grid, size_t encoder, bool difference) {
    const dv_analysis *analysis = grid->analysis;
    class_figure f = {.difference = difference, .n_names = analysis->cells->n_classes + 1};
    dv_status status = allocate(grid, &f);
    for (size_t c = 0; status == DV_OK && c < analysis->n_curves; c++)
        if (strcmp(analysis->runs[analysis->curves[c].run].encoder, grid->encoders[encoder]) == 0)
            add_panel(grid, &analysis->curves[c], &f);
    if (status == DV_OK && f.n_panels > 0) status = draw(grid, encoder, &f);
    release(&f);
    return status;
}

dv_status dv_plot_classes(const dv_plot_grid *grid) {
    if (grid->analysis->cells->n_classes > MOST_CLASSES) return DV_OK;
    for (size_t e = 0; e < grid->n_encoders; e++) {
        DV_TRY(draw_encoder(grid, e, false));
        DV_TRY(draw_encoder(grid, e, true));
    }
    return DV_OK;
}
