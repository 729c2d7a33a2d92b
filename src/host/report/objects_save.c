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

/* What a file is made of. */
typedef struct source {
    const dv_objects_options *options;
    const dv_objects_result *result;
} source;

/* ---- Tables --------------------------------------------------------------------------------------------------------
 */

static void put_texts(FILE *stream, const char *const *texts, size_t n) {
    for (size_t i = 0; i < n; i++) {
        dv_csv_put_text(stream, texts[i]);
        fputc(',', stream);
    }
}

/* The IoU that was asked for, then all four, so that nobody has to ask again. */
static void put_targets(const void *of, FILE *stream) {
    const source *const from = of;
    fputs("method,target,scene,category,views_scored,views_hidden,iou,iou_shown,iou_all,iou_pooled,iou_first\n",
          stream);
    for (size_t i = 0; i < from->result->n_methods; i++)
        for (size_t t = 0; t < from->result->n_targets; t++) {
            const dv_object_target *const target = &from->result->targets[t];
            const dv_object_score *const score = &from->result->methods[i].targets[t];
            const char *const texts[] = {from->result->methods[i].name, target->id, target->scene,
                                         dv_object_category_name(target->category)};
            put_texts(stream, texts, sizeof texts / sizeof *texts);
            fprintf(stream, "%zu,%zu,", dv_object_views_scored(score, from->options->views), score->n_hidden);
            dv_csv_put_real(stream, score->iou[from->options->views], false);
            fputc(',', stream);
            dv_csv_put_reals(stream, score->iou, DV_N_OBJECT_VIEWS);
        }
}

static void put_view(FILE *stream, const dv_objects_scores *scores, const dv_object_target *target, const char *name,
                     const dv_object_view *view) {
    const char *const texts[] = {scores->name, target->id, dv_object_category_name(target->category), name};
    const uint64_t either = view->truth_pixels + view->pred_pixels - view->intersection;
    put_texts(stream, texts, sizeof texts / sizeof *texts);
    fprintf(stream, "%llu,%llu,%llu,%llu,", (unsigned long long)view->truth_pixels,
            (unsigned long long)view->pred_pixels, (unsigned long long)view->intersection, (unsigned long long)either);
    if (either) dv_csv_put_real(stream, (double)view->intersection / (double)either, false);
    fputc('\n', stream);
}

static void put_views(const void *of, FILE *stream) {
    const source *const from = of;
    fputs("method,target,category,view,truth_pixels,pred_pixels,intersection,union,iou\n", stream);
    for (size_t i = 0; i < from->result->n_methods; i++)
        for (size_t t = 0; t < from->result->n_targets; t++) {
            const dv_object_target *const target = &from->result->targets[t];
            const dv_object_view *const views = from->result->methods[i].targets[t].views;
            for (size_t view = 0; view < target->views.n; view++)
                if (views[view].counted)
                    put_view(stream, &from->result->methods[i], target, target->views.names[view], &views[view]);
        }
}

/* ---- Figure --------------------------------------------------------------------------------------------------------
 */

enum { N_GROUPS = 1 + DV_N_OBJECT_CATEGORIES }; /* all targets, then the categories */

typedef struct drawing {
    const char **names;             /* [methods] */
    dv_box *boxes;                  /* [N_GROUPS, methods] */
    const double **values;          /* [N_GROUPS, methods] */
    char group_names[N_GROUPS][32]; /* with the number of targets that have an IoU */
} drawing;

static void clear_drawing(drawing *d) {
    free(d->names);
    free(d->boxes);
    free(d->values);
}

static dv_status fill_drawing(const dv_objects_result *result, drawing *d) {
    const size_t n = result->n_methods;
    *d = (drawing){.names = NULL};
    DV_TRY(dv_alloc(n, sizeof *d->names, "names of methods", &d->names));
    DV_TRY(dv_alloc(n, N_GROUPS * sizeof *d->boxes, "boxes", &d->boxes));
    DV_TRY(dv_alloc(n, N_GROUPS * sizeof *d->values, "boxes", &d->values));
    for (size_t i = 0; i < n; i++) {
        const dv_objects_scores *const scores = &result->methods[i];
        d->names[i] = scores->name;
        for (size_t g = 0; g < N_GROUPS; g++) {
            const dv_object_group *const group = g ? &scores->categories[g - 1] : &scores->all;
            d->boxes[g * n + i] = group->box;
            d->values[g * n + i] = group->values;
            if (i == 0) snprintf(d->group_names[g], sizeof *d->group_names, "%s (%zu)", group->name, group->box.n);
        }
    }
    return DV_OK;
}

static dv_status draw_boxes(const drawing *d, size_t n_methods, const char *folder) {
    const char *groups[N_GROUPS];
    char *path;
    for (size_t g = 0; g < N_GROUPS; g++) groups[g] = d->group_names[g];
    const dv_plot_boxes boxes = {.title = "IoU of targets by category",
                                 .y_label = "IoU",
                                 .groups = groups,
                                 .n_groups = N_GROUPS,
                                 .names = d->names,
                                 .n_names = n_methods,
                                 .boxes = d->boxes,
                                 .values = d->values,
                                 .low = -0.02, /* so that a ring at either end is whole */
                                 .high = 1.02};
    if (asprintf(&path, "%s/iou", folder) < 0) return dv_fail(DV_E_NOMEM, "no memory for a path");
    const dv_status status = dv_plot_boxes_draw(&boxes, path, true);
    free(path);
    return status;
}

static dv_status draw(const dv_objects_result *result, const char *folder) {
    char why[256];
    drawing d;
    if (!dv_plot_usable(why, sizeof why)) {
        dv_log(DV_LOG_WARNING, "no box plots: %s", why);
        return DV_OK;
    }
    dv_status status = fill_drawing(result, &d);
    if (status == DV_OK) status = draw_boxes(&d, result->n_methods, folder);
    clear_drawing(&d);
    return status;
}

/* ---- Folder --------------------------------------------------------------------------------------------------------
 */

static dv_status write_all(const char *folder, const source *from, dv_report *results, dv_report *resources) {
    DV_TRY(dv_write_table(folder, "per-target.csv", put_targets, from));
    DV_TRY(dv_write_table(folder, "per-view.csv", put_views, from));
    DV_TRY(draw(from->result, folder));
    DV_TRY(dv_write_report(folder, "resources.json", resources));
    return dv_write_report(folder, "results.json", results);
}

dv_status dv_objects_save(const char *path, bool force, const dv_objects_options *options,
                          const dv_objects_result *result, dv_report *results, dv_report *resources) {
    const source from = {options, result};
    dv_atomic_folder *folder;
    DV_TRY(dv_atomic_folder_begin(path, force, &folder));
    const dv_status status = write_all(dv_atomic_folder_temporary(folder), &from, results, resources);
    if (status == DV_OK) return dv_atomic_folder_commit(folder);
    dv_atomic_folder_abandon(folder);
    return status;
}
