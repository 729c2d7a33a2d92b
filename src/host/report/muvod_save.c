#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/log.h"
#include "core/memory.h"
#include "denseval/plot.h"
#include "report/csv_write.h"
#include "report/jf_files.h"

/* What a table is made of. */
typedef struct tables {
    const dv_muvod_options *options;
    const dv_muvod_result *result;
} tables;

static void put_row(FILE *stream, const char *name, const dv_muvod_score *all, const dv_muvod_score *by_motion) {
    const double values[] = {all->jf, all->j, all->f, by_motion[0].jf, by_motion[1].jf, by_motion[2].jf};
    dv_csv_put_text(stream, name);
    fputc(',', stream);
    dv_csv_put_reals(stream, values, sizeof values / sizeof *values);
}

/* Columns as in tables III and IV of the paper. */
static void put_scenes(const void *of, FILE *stream) {
    const tables *const from = of;
    const dv_muvod_set set = from->options->set;
    fputs("scene,JF,J,F,JF_dynamic,JF_static,JF_environmental\n", stream);
    for (size_t i = 0; i < from->result->n_scenes; i++) {
        const dv_muvod_scene *const scene = &from->result->scenes[i];
        put_row(stream, scene->name, &scene->sets[set].all, scene->sets[set].by_motion);
    }
    put_row(stream, "Global", &from->result->global[set].all, from->result->global[set].by_motion);
}

/* Figure 6: a point a scene and motion type, score against number of objects. */
typedef struct points {
    double *x, *y;       /* [n], owned */
    dv_plot_line *lines; /* [n], owned: one of a single point each */
    size_t n;
} points;

static dv_status collect_points(const tables *from, points *all) {
    const size_t most = from->result->n_scenes * DV_N_MOTIONS;
    *all = (points){0};
    DV_TRY(dv_alloc(most, sizeof *all->x, "points", &all->x));
    DV_TRY(dv_alloc(most, sizeof *all->y, "points", &all->y));
    DV_TRY(dv_alloc(most, sizeof *all->lines, "points", &all->lines));
    for (size_t i = 0; i < most; i++) {
        const size_t motion = i % DV_N_MOTIONS;
        const dv_muvod_scores *const scores = &from->result->scenes[i / DV_N_MOTIONS].sets[from->options->set];
        if (isnan(scores->by_motion[motion].jf)) continue;
        all->x[all->n] = (double)scores->n_by_motion[motion];
        all->y[all->n] = 100 * scores->by_motion[motion].jf;
        all->lines[all->n] = (dv_plot_line){.name = motion, .n = 1, .x = &all->x[all->n], .y = &all->y[all->n]};
        all->n++;
    }
    return DV_OK;
}

static dv_status draw_points(const points *all, const char *path) {
    const char *names[DV_N_MOTIONS];
    double ticks[16] = {0}, most = 1;
    for (int i = 0; i < DV_N_MOTIONS; i++) names[i] = dv_motion_name((dv_motion)i);
    for (size_t i = 0; i < all->n; i++)
        if (all->x[i] > most) most = all->x[i];
    const double step = ceil(most / 15);
    for (size_t i = 0; i < 16; i++) ticks[i] = (double)i * step;
    const dv_plot_panel panel = {.n_lines = all->n, .lines = all->lines};
    const dv_plot_figure figure = {.title = "J&F against the number of objects of a scene",
                                   .x_label = "objects of the motion type",
                                   .y_label = "J&F (%)",
                                   .names = names,
                                   .n_names = DV_N_MOTIONS,
                                   .panels = &panel,
                                   .n_panels = 1,
                                   .ticks = ticks,
                                   .n_ticks = (size_t)(most / step) + 1,
                                   .guide = NAN};
    return dv_plot_figure_draw(&figure, path, true);
}

static dv_status draw(const tables *from, const char *folder) {
    char why[256], *path;
    points all;
    if (!dv_plot_usable(why, sizeof why)) {
        dv_log(DV_LOG_WARNING, "no figure of numbers of objects: %s", why);
        return DV_OK;
    }
    if (asprintf(&path, "%s/objects", folder) < 0) return dv_fail(DV_E_NOMEM, "no memory for a path");
    dv_status status = collect_points(from, &all);
    if (status == DV_OK && all.n) status = draw_points(&all, path);
    free(all.x);
    free(all.y);
    free(all.lines);
    free(path);
    return status;
}

static dv_status write_all(const char *folder, const tables *from, dv_report *results, dv_report *resources) {
    DV_TRY(dv_write_table(folder, "scenes.csv", put_scenes, from));
    DV_TRY(dv_write_table(folder, "per-frame.csv", dv_jf_put_frames, &from->result->jf));
    DV_TRY(draw(from, folder));
    DV_TRY(dv_write_report(folder, "resources.json", resources));
    return dv_write_report(folder, "results.json", results);
}

dv_status dv_muvod_save(const char *path, bool force, const dv_muvod_options *options, const dv_muvod_result *result,
                        dv_report *results, dv_report *resources) {
    const tables from = {options, result};
    dv_atomic_folder *folder;
    DV_TRY(dv_atomic_folder_begin(path, force, &folder));
    const dv_status status = write_all(dv_atomic_folder_temporary(folder), &from, results, resources);
    if (status == DV_OK) return dv_atomic_folder_commit(folder);
    dv_atomic_folder_abandon(folder);
    return status;
}
