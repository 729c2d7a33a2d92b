#include "denseval/overlay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/log.h"
#include "core/memory.h"
#include "io/image_orient.h"
#include "io/image_put.h"
#include "report/overlay_draw.h"
#include "report/overlay_join.h"
#include "report/overlay_sheet.h"

enum { N_LISTED = 20, FIRST_SIZE = 1024 }; /* bad items that are listed in full; room for the first one's message */

static const char sheet_name[] = "sheet.png";

/* One run. */
typedef struct run {
    const dv_overlay_options *options;
    dv_overlay_join join;
    const char *folder;   /* temporary; borrowed */
    dv_sheet_item *items; /* [n_items], what was written; paths are owned */
    size_t n_items;
    size_t n_bad;
    dv_status bad_status; /* DV_E_DATA when any item is, else DV_E_MISSING */
    char first_bad[FIRST_SIZE];
} run;

static dv_status join_path(const char *folder, const char *name, const char *ending, char **path) {
    const size_t size = strlen(folder) + strlen(name) + strlen(ending) + 2;
    DV_TRY(dv_alloc(size, 1, "a path", path));
    snprintf(*path, size, "%s/%s%s", folder, name, ending);
    return DV_OK;
}

static dv_status read_picture(const run *r, const dv_overlay_pair *pair, dv_picture *picture) {
    memset(picture, 0, sizeof *picture);
    char *path;
    DV_TRY(join_path(r->options->images, pair->picture->path, "", &path));
    dv_status status = dv_picture_read(path, picture);
    if (status == DV_OK && picture->orientation != 1) {
        if (r->options->apply_exif) {
            status = dv_picture_orient(picture);
        } else {
            dv_log(DV_LOG_WARNING, "%s: EXIF orientation %d: drawn as stored, not turned", path, picture->orientation);
        }
    }
    free(path);
    return status;
}

/* Reads a map and compares its size with the picture's. */
static dv_status read_map(const run *r, const dv_overlay_pair *pair, const dv_label_source *source, size_t item,
                          const dv_picture *picture, dv_label_map *map) {
    DV_TRY(dv_label_source_read(source, item, map));
    if (map->height == picture->height && map->width == picture->width) return DV_OK;
    char name[DV_LABEL_NAME_SIZE];
    return dv_fail(DV_E_DATA, "%s: %zux%zu pixels, its picture %s/%s has %zux%zu: they must be equal",
                   dv_label_source_name(source, item, name), map->width, map->height, r->options->images,
                   pair->picture->path, picture->width, picture->height);
}

static dv_status write_overlay(run *r, const dv_overlay_pair *pair, const dv_picture *drawn) {
    dv_sheet_item *item = &r->items[r->n_items];
    DV_TRY(join_path(r->folder, pair->picture->key, ".png", &item->path));
    item->height = drawn->height;
    item->width = drawn->width;
    r->n_items++; /* so that the path is released, whatever comes */
    DV_TRY(dv_make_parents(r->folder, pair->picture->key));
    return dv_picture_put(item->path, drawn);
}

/* The three images of one pair; what was not read is zeroed. */
typedef struct inputs {
    dv_picture picture;
    dv_label_map pred, truth;
} inputs;

static dv_status read_inputs(const run *r, const dv_overlay_pair *pair, inputs *in) {
    const bool wants_truth = r->options->truth != NULL;
    if (wants_truth && pair->truth == DV_NO_ITEM)
        return dv_fail(DV_E_MISSING, "%s: no truth for picture %s", r->options->truth, pair->picture->path);
    DV_TRY(read_picture(r, pair, &in->picture));
    DV_TRY(read_map(r, pair, &r->join.pred, pair->pred, &in->picture, &in->pred));
    if (wants_truth) DV_TRY(read_map(r, pair, &r->join.truth, pair->truth, &in->picture, &in->truth));
    return DV_OK;
}

static dv_status draw_pair(run *r, const dv_overlay_pair *pair) {
    inputs in;
    memset(&in, 0, sizeof in);
    dv_picture drawn = {0};
    dv_status status = read_inputs(r, pair, &in);
    const dv_overlay_view view = {.picture = &in.picture,
                                  .truth = r->options->truth ? &in.truth : NULL,
                                  .pred = &in.pred,
                                  .ignored = &r->options->ignored};
    if (status == DV_OK) status = dv_overlay_draw(r->options->mode, &view, &drawn);
    if (status == DV_OK) status = write_overlay(r, pair, &drawn);
    dv_picture_clear(&drawn);
    dv_picture_clear(&in.picture);
    dv_label_map_clear(&in.pred);
    dv_label_map_clear(&in.truth);
    return status;
}

static void note_bad(run *r, dv_status status) {
    if (r->n_bad == 0) snprintf(r->first_bad, sizeof r->first_bad, "%s", dv_last_error());
    if (r->n_bad == 0 || status == DV_E_DATA) r->bad_status = status;
    r->n_bad++;
    if (r->n_bad <= N_LISTED) dv_log(DV_LOG_ERROR, "%s", dv_last_error());
}

/* Bad items do not stop the pass, so that all of them are known at its end; anything else does. */
static dv_status draw_all(run *r) {
    const size_t limit = r->options->limit;
    const size_t n = limit && limit < r->join.n_pairs ? limit : r->join.n_pairs;
    DV_TRY(dv_alloc(n, sizeof *r->items, "a list of overlays", &r->items));
    for (size_t i = 0; i < n; i++) {
        const dv_status status = draw_pair(r, &r->join.pairs[i]);
        if (status == DV_E_DATA || status == DV_E_MISSING) {
            note_bad(r, status);
        } else if (status != DV_OK) {
            return status;
        }
    }
    if (r->n_bad > N_LISTED) dv_log(DV_LOG_ERROR, "and %zu more like these", r->n_bad - N_LISTED);
    if (r->n_bad == 0 || (r->options->skip_bad && r->n_bad < n)) return DV_OK;
    return dv_fail(r->bad_status, "%s (%zu of %zu pictures cannot be drawn, nothing was written)", r->first_bad,
                   r->n_bad, n);
}

static dv_status draw_sheet(const run *r) {
    dv_sheet_layout layout;
    DV_TRY(dv_sheet_plan(r->items, r->n_items, r->options->sheet_columns, &layout));
    dv_picture sheet;
    DV_TRY(dv_sheet_draw(r->items, r->n_items, &layout, &sheet));
    char *path = NULL;
    dv_status status = join_path(r->folder, sheet_name, "", &path);
    if (status == DV_OK) status = dv_picture_put(path, &sheet);
    free(path);
    dv_picture_clear(&sheet);
    return status;
}

static dv_status check_options(const dv_overlay_options *options) {
    if (!options->images || !options->pred || !options->out)
        return dv_fail(DV_E_ARG, "an overlay needs pictures, predictions and a folder to write");
    if (options->mode == DV_OVERLAY_DIFFERENCE && !options->truth)
        return dv_fail(DV_E_USAGE, "a difference needs the truth");
    return DV_OK;
}

/* With a sheet, no overlay may have its name. */
static dv_status check_names(const run *r) {
    if (!r->options->sheet) return DV_OK;
    for (size_t i = 0; i < r->join.n_pairs; i++)
        if (strcmp(r->join.pairs[i].picture->key, "sheet") == 0)
            return dv_fail(DV_E_USAGE, "%s/%s: its overlay would have the name of the contact sheet",
                           r->options->images, r->join.pairs[i].picture->path);
    return DV_OK;
}

static dv_status fill_result(const run *r, dv_overlay_result *result) {
    if (r->options->sheet) DV_TRY(join_path(r->options->out, sheet_name, "", &result->sheet_path));
    result->n_written = r->n_items;
    result->n_skipped = r->n_bad;
    result->n_pictures_without_prediction = r->join.n_pictures_without_prediction;
    result->n_predictions_without_picture = r->join.n_predictions_without_picture;
    return DV_OK;
}

/* All that can fail comes before the commit, which frees the folder in every case. */
static dv_status write_all(run *r, dv_overlay_result *result) {
    dv_atomic_folder *folder;
    DV_TRY(dv_atomic_folder_begin(r->options->out, r->options->force, &folder));
    r->folder = dv_atomic_folder_temporary(folder);
    dv_status status = draw_all(r);
    if (status == DV_OK && r->options->sheet) status = draw_sheet(r);
    if (status == DV_OK) status = fill_result(r, result);
    if (status == DV_OK) return dv_atomic_folder_commit(folder);
    dv_atomic_folder_abandon(folder);
    return status;
}

static void clear_run(run *r) {
    for (size_t i = 0; i < r->n_items; i++) free(r->items[i].path);
    free(r->items);
    dv_overlay_join_clear(&r->join);
}

dv_status dv_overlay_run(const dv_overlay_options *options, dv_overlay_result *result) {
    memset(result, 0, sizeof *result);
    DV_TRY(check_options(options));
    run r;
    memset(&r, 0, sizeof r);
    r.options = options;
    DV_TRY(dv_overlay_join_make(options, &r.join));
    dv_status status = check_names(&r);
    if (status == DV_OK) status = write_all(&r, result);
    if (status != DV_OK) dv_overlay_result_clear(result);
    clear_run(&r);
    return status;
}

void dv_overlay_result_clear(dv_overlay_result *result) {
    if (!result) return;
    free(result->sheet_path);
    memset(result, 0, sizeof *result);
}
