#include "report/overlay_join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/log.h"
#include "core/memory.h"

enum { N_NAMED = 3, LIST_SIZE = 1024 }; /* leftovers that are named, and room for their names */

/* A picture on the way to its neighbours of the same key. */
typedef struct keyed {
    const dv_folder_file *file;
} keyed;

static int compare_keys(const void *a, const void *b) {
    return strcmp(((const keyed *)a)->file->key, ((const keyed *)b)->file->key);
}

static dv_status check_unique_pictures(const dv_overlay_join *join) {
    const size_t n = join->pictures.n_files;
    keyed *sorted;
    DV_TRY(dv_alloc(n, sizeof *sorted, "a list of pictures", &sorted));
    for (size_t i = 0; i < n; i++) sorted[i].file = &join->pictures.files[i];
    if (n > 1) qsort(sorted, n, sizeof *sorted, compare_keys);
    dv_status status = DV_OK;
    for (size_t i = 1; i < n && status == DV_OK; i++) {
        const dv_folder_file *first = sorted[i - 1].file, *second = sorted[i].file;
        if (strcmp(first->key, second->key) == 0)
            status = dv_fail(DV_E_DATA, "%s/%s and %s/%s: two pictures of one key, \"%s\"", join->images, first->path,
                             join->images, second->path, first->key);
    }
    free(sorted);
    return status;
}

static dv_status take_maps(dv_overlay_join *join, const dv_folder_file *picture) {
    dv_overlay_pair pair = {.picture = picture, .truth = DV_NO_ITEM};
    DV_TRY(dv_label_source_take(&join->pred, picture, &pair.pred));
    if (pair.pred == DV_NO_ITEM) {
        join->n_pictures_without_prediction++;
        return DV_OK;
    }
    if (join->truth.path) DV_TRY(dv_label_source_take(&join->truth, picture, &pair.truth));
    join->pairs[join->n_pairs++] = pair;
    return DV_OK;
}

/* Names the first few things of a list that grows piece by piece. */
typedef struct name_list {
    char text[LIST_SIZE];
    size_t length, n_names;
} name_list;

static void add_name(name_list *list, const char *name) {
    if (list->n_names++ >= N_NAMED || list->length + 1 >= LIST_SIZE) return;
    const int n = snprintf(list->text + list->length, LIST_SIZE - list->length, "%s%s", list->length ? ", " : "", name);
    if (n > 0) list->length += (size_t)n; /* past the end where it was cut: then nothing more is added */
}

static void log_leftovers(const dv_overlay_join *join) {
    name_list pictures = {.length = 0}, maps = {.length = 0};
    size_t next = 0;
    for (size_t i = 0; i < join->pictures.n_files; i++) {
        if (next < join->n_pairs && join->pairs[next].picture == &join->pictures.files[i]) {
            next++;
        } else {
            add_name(&pictures, join->pictures.files[i].path);
        }
    }
    char name[DV_LABEL_NAME_SIZE];
    for (size_t i = 0; i < join->pred.n_items; i++)
        if (!join->pred.taken[i]) add_name(&maps, dv_label_source_name(&join->pred, i, name));
    if (pictures.n_names)
        dv_log(DV_LOG_WARNING, "%s: %zu pictures without a prediction: %s%s", join->images, pictures.n_names,
               pictures.text, pictures.n_names > N_NAMED ? ", ..." : "");
    if (maps.n_names)
        dv_log(DV_LOG_WARNING, "%s: %zu predictions without a picture: %s%s", join->pred.path, maps.n_names, maps.text,
               maps.n_names > N_NAMED ? ", ..." : "");
}

static void log_passed_over(const char *path, const dv_folder *folder) {
    if (folder->n_passed_over)
        dv_log(DV_LOG_INFO, "%s: %zu hidden or foreign files and folders passed over", path, folder->n_passed_over);
}

static dv_status make_join(const dv_overlay_options *options, dv_overlay_join *join) {
    DV_TRY(dv_folder_list(options->images, DV_FOLDER_PICTURES, &join->pictures));
    DV_TRY(check_unique_pictures(join));
    DV_TRY(dv_label_source_open(options->pred, &join->pred));
    if (options->truth) DV_TRY(dv_label_source_open(options->truth, &join->truth));
    DV_TRY(dv_alloc(join->pictures.n_files, sizeof *join->pairs, "pairs of pictures", &join->pairs));
    for (size_t i = 0; i < join->pictures.n_files; i++) DV_TRY(take_maps(join, &join->pictures.files[i]));
    for (size_t i = 0; i < join->pred.n_items; i++) join->n_predictions_without_picture += !join->pred.taken[i];
    log_passed_over(options->images, &join->pictures);
    log_passed_over(options->pred, &join->pred.folder);
    if (options->truth) log_passed_over(options->truth, &join->truth.folder);
    log_leftovers(join);
    if (join->n_pairs == 0)
        return dv_fail(DV_E_DATA, "%s: none of %zu pictures has a prediction among the %zu of %s", options->images,
                       join->pictures.n_files, join->pred.n_items, options->pred);
    return DV_OK;
}

dv_status dv_overlay_join_make(const dv_overlay_options *options, dv_overlay_join *join) {
    memset(join, 0, sizeof *join);
    join->images = options->images;
    const dv_status status = make_join(options, join);
    if (status != DV_OK) dv_overlay_join_clear(join);
    return status;
}

void dv_overlay_join_clear(dv_overlay_join *join) {
    free(join->pairs);
    dv_label_source_close(&join->truth);
    dv_label_source_close(&join->pred);
    dv_folder_clear(&join->pictures);
    memset(join, 0, sizeof *join);
}
