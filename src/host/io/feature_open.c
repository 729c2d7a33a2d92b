#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/feature_set.h"

enum { NUMBER_WIDTH = 24 }; /* holds any size_t in decimal */

static dv_status load_files(dv_features *set, const char *const *paths) {
    size_t n_images = 0;
    for (size_t i = 0; i < set->info.n_files; i++) {
        dv_feature_file *file = &set->files[i];
        DV_TRY(dv_feature_file_load(paths[i], file));
        if (i > 0) DV_TRY(dv_feature_files_agree(&set->files[0], file));
        DV_TRY(dv_add_size(n_images, file->n_images, "images of a set", &n_images));
        set->paths[i] = file->path;
        set->first[i + 1] = n_images;
    }
    set->info.n_images = n_images;
    return DV_OK;
}

/* "0", "1", ...: the ids of images that have none. */
static dv_status number_images(dv_features *set) {
    const size_t n = set->info.n_images;
    DV_TRY(dv_alloc(n, NUMBER_WIDTH, "image ids", &set->numbers));
    for (size_t i = 0; i < n; i++) {
        char *text = set->numbers + i * NUMBER_WIDTH;
        snprintf(text, NUMBER_WIDTH, "%zu", i);
        set->image_ids[i] = text;
    }
    return DV_OK;
}

static dv_status join_ids(dv_features *set) {
    DV_TRY(dv_alloc(set->info.n_images, sizeof *set->image_ids, "image ids", &set->image_ids));
    if (!set->files[0].image_ids) return number_images(set);
    for (size_t i = 0; i < set->info.n_files; i++)
        for (size_t row = 0; row < set->files[i].n_images; row++)
            set->image_ids[set->first[i] + row] = set->files[i].image_ids[row];
    return dv_features_check_unique(set);
}

/* The optional arrays; the files agree in what they have. */
static dv_status join_arrays(dv_features *set) {
    const dv_feature_file *like = &set->files[0];
    const size_t n = set->info.n_images;
    if (like->object_ids) DV_TRY(dv_alloc(n, sizeof *set->object_ids, "object ids", &set->object_ids));
    if (like->view_bins) DV_TRY(dv_alloc(n, sizeof *set->view_bins, "view bins", &set->view_bins));
    if (like->view_angles) DV_TRY(dv_alloc(n, sizeof *set->view_angles, "view angles", &set->view_angles));
    if (like->class_ids) DV_TRY(dv_alloc(n, sizeof *set->class_ids, "class ids", &set->class_ids));
    for (size_t i = 0; i < set->info.n_files; i++) {
        const dv_feature_file *file = &set->files[i];
        const size_t first = set->first[i], n_rows = file->n_images;
        for (size_t row = 0; row < n_rows; row++) {
            if (set->object_ids && file->object_ids) set->object_ids[first + row] = file->object_ids[row];
            if (set->view_bins && file->view_bins) set->view_bins[first + row] = file->view_bins[row];
            if (set->view_angles && file->view_angles) set->view_angles[first + row] = file->view_angles[row];
            if (set->class_ids && file->class_ids) set->class_ids[first + row] = file->class_ids[row];
        }
    }
    return DV_OK;
}

static void fill_info(dv_features *set) {
    dv_feature_info *info = &set->info;
    const dv_feature_file *like = &set->files[0];
    info->n_patches = like->n_patches;
    info->grid_h = like->grid_h;
    info->grid_w = like->grid_w;
    info->dim = like->dim;
    info->dtype = like->dtype;
    info->preprocessing = like->preprocessing;
    info->has_labels = like->has_labels;
    info->n_classes = like->n_classes;
    info->class_names = (const char *const *)like->class_names;
    info->image_ids = set->image_ids;
    info->object_ids = set->object_ids;
    info->view_bins = set->view_bins;
    info->view_angles = set->view_angles;
    info->class_ids = set->class_ids;
    info->paths = set->paths;
}

static dv_status open_set(dv_features *set, const char *const *paths, size_t n_paths) {
    DV_TRY(dv_alloc(n_paths, sizeof *set->files, "feature files", &set->files));
    DV_TRY(dv_alloc(n_paths + 1, sizeof *set->first, "feature files", &set->first));
    DV_TRY(dv_alloc(n_paths, sizeof *set->paths, "feature files", &set->paths));
    set->info.n_files = n_paths;
    DV_TRY(load_files(set, paths));
    DV_TRY(join_ids(set));
    DV_TRY(join_arrays(set));
    fill_info(set);
    return DV_OK;
}

dv_status dv_features_open(const char *const *paths, size_t n_paths, dv_features **out) {
    *out = NULL;
    if (n_paths == 0) return dv_fail(DV_E_ARG, "a set of features needs at least one file");
    dv_features *made = NULL;
    DV_TRY(dv_alloc(1, sizeof *made, "feature set", &made));
    const dv_status status = open_set(made, paths, n_paths);
    if (status != DV_OK) {
        dv_features_close(made);
        return status;
    }
    *out = made;
    return DV_OK;
}

static void close_current(dv_features *set) {
    dv_h5_data_close(set->rows);
    dv_h5_data_close(set->labels);
    dv_h5_close(set->h5);
    set->rows = set->labels = NULL;
    set->h5 = NULL;
}

void dv_features_close(dv_features *features) {
    if (!features) return;
    close_current(features);
    for (size_t i = 0; i < features->info.n_files; i++) dv_feature_file_clear(&features->files[i]);
    free(features->files);
    free(features->first);
    free(features->paths);
    free(features->image_ids);
    free(features->object_ids);
    free(features->numbers);
    free(features->view_bins);
    free(features->class_ids);
    free(features->view_angles);
    free(features->uniforms);
    free(features);
}

const dv_feature_info *dv_features_info(const dv_features *features) {
    return &features->info;
}

size_t dv_features_file_of(const dv_features *features, size_t image) {
    size_t low = 0, high = features->info.n_files; /* first[low] <= image < first[high] */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (features->first[middle] <= image)
            low = middle;
        else
            high = middle;
    }
    return low;
}

dv_status dv_features_switch(dv_features *features, size_t file) {
    if (features->h5 && features->open_file == file) return DV_OK;
    close_current(features);
    DV_TRY(dv_feature_file_open(&features->files[file], &features->h5, &features->rows, &features->labels));
    features->open_file = file;
    return DV_OK;
}

void dv_features_locate(const dv_features *features, size_t image, char *text, size_t size) {
    if (image >= features->info.n_images) {
        snprintf(text, size, "image %zu of %zu", image, features->info.n_images);
        return;
    }
    const size_t file = dv_features_file_of(features, image);
    snprintf(text, size, "%s: image %zu (%s)", features->files[file].path, image - features->first[file],
             features->info.image_ids[image]);
}
