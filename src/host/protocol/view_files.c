/* Joins the frames of a model with pictures and masks, by name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/image.h"
#include "io/folder.h"
#include "io/name_list.h"
#include "protocol/view_object.h"

static int compare_path(const void *name, const void *file) {
    return dv_natural_compare(name, ((const dv_folder_file *)file)->path);
}

/* The place of a path in a folder; n_files where it is not there. */
static size_t find(const dv_folder *folder, const char *path) {
    const dv_folder_file *const file =
        folder->n_files ? bsearch(path, folder->files, folder->n_files, sizeof *folder->files, compare_path) : NULL;
    return file ? (size_t)(file - folder->files) : folder->n_files;
}

static dv_status add_unused(const dv_folder *folder, const bool *used, dv_names *names) {
    for (size_t i = 0; i < folder->n_files; i++)
        if (!used[i]) DV_TRY(dv_name_list_add(names, folder->files[i].path));
    return DV_OK;
}

/* A frame without a picture makes the capture a bad one: all such are counted, the first is named. */
static dv_status join_pictures(const dv_folder *pictures, const char *folder, bool *used, dv_view_object *object) {
    const char *first = NULL;
    size_t n_lost = 0;
    for (size_t i = 0; i < object->n_frames; i++) {
        dv_view_frame *const frame = &object->frames[i];
        const size_t place = find(pictures, frame->name);
        if (place == pictures->n_files) {
            if (n_lost++ == 0) first = frame->name;
            continue;
        }
        used[place] = true;
        DV_TRY(dv_path_join(folder, frame->name, &frame->picture));
    }
    if (n_lost == 0) return add_unused(pictures, used, &object->pictures_without_pose);
    return dv_fail(DV_E_DATA, "%s: %zu of the %zu images of %s have no picture here, the first: %s", folder, n_lost,
                   object->n_frames, object->models[object->model].path, first);
}

static dv_status find_pictures(const char *folder, dv_view_object *object, const char **reason) {
    dv_folder pictures;
    const dv_status listed = dv_folder_list(folder, DV_FOLDER_PICTURES, &pictures);
    if (listed == DV_E_MISSING || (listed == DV_OK && pictures.n_files == 0)) {
        *reason = listed == DV_OK ? "no pictures in its folder images" : "no folder images";
        if (listed == DV_OK) dv_folder_clear(&pictures);
        return DV_OK;
    }
    DV_TRY(listed);
    bool *used = NULL;
    dv_status status = dv_alloc(pictures.n_files, sizeof *used, "a list of pictures", &used);
    if (status == DV_OK && object->n_frames) status = join_pictures(&pictures, folder, used, object);
    free(used);
    dv_folder_clear(&pictures);
    return status;
}

dv_status dv_view_find_pictures(const dv_view_capture *capture, dv_view_object *object, const char **reason) {
    if (!capture->instance) return DV_OK;
    char *folder;
    DV_TRY(dv_path_join(capture->folder, "images", &folder));
    const dv_status status = find_pictures(folder, object, reason);
    free(folder);
    return status;
}

static dv_status find_named(const dv_folder *masks, const char *name, size_t length, size_t *place) {
    char *path = NULL;
    *place = masks->n_files;
    if (asprintf(&path, "%.*s.png", (int)length, name) < 0) return dv_fail(DV_E_NOMEM, "no memory for a path");
    *place = find(masks, path);
    free(path);
    return DV_OK;
}

/* The place of a frame's mask: x.jpg.png of x.jpg, or else x.png. */
static dv_status find_mask(const dv_folder *masks, const char *name, size_t *place) {
    DV_TRY(find_named(masks, name, strlen(name), place));
    return *place < masks->n_files ? DV_OK : find_named(masks, name, dv_stem_length(name), place);
}

static dv_status count_pixels(const char *path, int threshold, uint64_t *n_pixels) {
    dv_label_map map;
    DV_TRY(dv_label_map_read(path, &map));
    for (size_t i = 0; i < map.height * map.width; i++) *n_pixels += map.labels[i] > threshold;
    dv_label_map_clear(&map);
    return DV_OK;
}

static dv_status join_mask(const dv_view_options *options, const dv_folder *masks, const char *folder, bool *used,
                           dv_view_frame *frame) {
    size_t place;
    DV_TRY(find_mask(masks, frame->name, &place));
    frame->usable = place < masks->n_files;
    if (!frame->usable) return DV_OK;
    used[place] = true;
    DV_TRY(dv_path_join(folder, masks->files[place].path, &frame->mask));
    if (options->mask_threshold < 0) return DV_OK;
    DV_TRY(count_pixels(frame->mask, options->mask_threshold, &frame->mask_pixels));
    frame->usable = frame->mask_pixels > 0;
    return DV_OK;
}

static dv_status join_masks(const dv_view_options *options, const dv_folder *masks, const char *folder, bool *used,
                            dv_view_object *object, const char **reason) {
    for (size_t i = 0; i < object->n_frames; i++) {
        dv_view_frame *const frame = &object->frames[i];
        DV_TRY(join_mask(options, masks, folder, used, frame));
        if (!frame->usable) DV_TRY(dv_name_list_add(&object->frames_without_mask, frame->name));
    }
    if (object->frames_without_mask.n == object->n_frames) *reason = "no frame has a mask";
    return add_unused(masks, used, &object->masks_without_frame);
}

dv_status dv_view_find_masks(const dv_view_options *options, const dv_view_capture *capture, dv_view_object *object,
                             const char **reason) {
    if (!capture->masks) return DV_OK;
    dv_folder masks;
    const dv_status listed = dv_folder_list(capture->masks, DV_FOLDER_LABELS, &masks);
    if (listed == DV_E_MISSING) {
        *reason = "no folder of masks";
        return DV_OK;
    }
    DV_TRY(listed);
    bool *used = NULL;
    dv_status status = dv_alloc(masks.n_files, sizeof *used, "a list of masks", &used);
    if (status == DV_OK) status = join_masks(options, &masks, capture->masks, used, object, reason);
    free(used);
    dv_folder_clear(&masks);
    return status;
}
