/* plot_means.c: the means of Experiment A, by difficulty and by memory size. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "report/plot_analysis.h"

/* Which of the grid's lists are panels and which is the x axis. */
typedef struct mean_figure {
    bool by_memory; /* x: memory sizes, panels: difficulties; else the other way round */
    size_t n_panels, n_points;
    dv_plot_sheet sheet; /* lines: [panel, encoder] */
    dv_plot_panel *panels;
    char (*titles)[DV_GRID_NAME_SIZE];
    char (*tick_names)[DV_GRID_NAME_SIZE];
    const char **ticks;
    double *x; /* f64 [n_points]: 0, 1, 2, ... */
} mean_figure;

static dv_status allocate(const dv_plot_grid *grid, mean_figure *f) {
    size_t n;
    DV_TRY(dv_mul_size(f->n_panels, grid->n_encoders, "curves of a figure", &n));
    DV_TRY(dv_alloc(f->n_points, sizeof *f->x, "places of a figure", &f->x));
    for (size_t i = 0; i < f->n_points; i++) f->x[i] = (double)i;
    DV_TRY(dv_plot_sheet_create(n, f->n_points, f->x, &f->sheet));
    DV_TRY(dv_alloc(f->n_panels, sizeof *f->panels, "panels", &f->panels));
    DV_TRY(dv_alloc(f->n_panels, sizeof *f->titles, "panels", &f->titles));
    DV_TRY(dv_alloc(f->n_points, sizeof *f->tick_names, "places of a figure", &f->tick_names));
    return dv_alloc(f->n_points, sizeof *f->ticks, "places of a figure", &f->ticks);
}

static void release(mean_figure *f) {
    dv_plot_sheet_clear(&f->sheet);
    free(f->panels);
    free(f->titles);
    free(f->tick_names);
    free(f->ticks);
    free(f->x);
}

static void name_all(const dv_plot_grid *grid, mean_figure *f) {
    const dv_analysis_run *runs = grid->analysis->runs;
    for (size_t i = 0; i < f->n_points; i++) {
        if (f->by_memory)
            dv_plot_memory_name(&runs[grid->memories[i]], f->tick_names[i]);
        else
            snprintf(f->tick_names[i], DV_GRID_NAME_SIZE, "%.100s", runs[grid->difficulties[i]].difficulty);
        f->ticks[i] = f->tick_names[i];
    }
    for (size_t p = 0; p < f->n_panels; p++) {
        char size[DV_GRID_NAME_SIZE];
        if (f->by_memory) {
            dv_plot_difficulty_name(&runs[grid->difficulties[p]], f->titles[p]);
            continue;
        }
        dv_plot_memory_name(&runs[grid->memories[p]], size);
        snprintf(f->titles[p], DV_GRID_NAME_SIZE, "%s%.100s", *size ? "memory " : "", size);
    }
}

static void fill(const dv_plot_grid *grid, mean_figure *f) {
    for (size_t p = 0; p < f->n_panels; p++) {
        dv_plot_line *lines = f->sheet.lines + p * grid->n_encoders;
        for (size_t e = 0; e < grid->n_encoders; e++) {
            lines[e].name = e;
            for (size_t i = 0; i < f->n_points; i++) {
                const dv_analysis_run *run =
                    f->by_memory ? dv_plot_grid_run(grid, i, p, e) : dv_plot_grid_run(grid, p, i, e);
                if (!run) continue;
                const size_t index = (size_t)(run - grid->analysis->runs);
                dv_plot_sheet_set(&f->sheet, p * grid->n_encoders + e, i, run->miou,
                                  grid->bootstrap ? &grid->bootstrap->runs[index] : NULL);
            }
        }
        f->panels[p] = (dv_plot_panel){f->titles[p], grid->n_encoders, lines};
    }
}

static dv_status draw(const dv_plot_grid *grid, bool by_memory, const char *name, const char *title,
                      const char *x_label) {
    mean_figure f = {.by_memory = by_memory,
                     .n_panels = by_memory ? grid->n_difficulties : grid->n_memories,
                     .n_points = by_memory ? grid->n_memories : grid->n_difficulties};
    char *path = NULL;
    dv_status status = allocate(grid, &f);
    if (status == DV_OK) status = dv_plot_path(grid, (const char *const[DV_PLOT_PATH_PARTS]){name}, &path);
    if (status == DV_OK) {
        name_all(grid, &f);
        fill(grid, &f);
        const dv_plot_figure figure = {.title = title,
                                       .x_label = x_label,
                                       .y_label = "mIoU (object classes)",
                                       .names = grid->encoders,
                                       .n_names = grid->n_encoders,
                                       .band_name = grid->bootstrap ? DV_PLOT_BAND_NAME : NULL,
                                       .panels = f.panels,
                                       .n_panels = f.n_panels,
                                       .ticks = f.x,
                                       .tick_names = f.ticks,
                                       .n_ticks = f.n_points,
                                       .guide = (double)NAN};
        status = dv_plot_figure_draw(&figure, path, true);
    }
    free(path);
    release(&f);
    return status;
}

dv_status dv_plot_difficulty(const dv_plot_grid *grid) {
    if (grid->n_difficulties < 2) return DV_OK;
    return draw(grid, false, "difficulty", "mIoU over validation bins, by difficulty", "difficulty");
}

dv_status dv_plot_memory(const dv_plot_grid *grid) {
    if (grid->n_memories < 2) return DV_OK;
    return draw(grid, true, "memory", "mIoU over validation bins, by memory size", "memory size (rows)");
}
