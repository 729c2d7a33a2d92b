#include "report/overlay_labels.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/memory.h"

struct dv_label_key {
    char *key;   /* owned */
    size_t item; /* index into the folder or the feature file */
};

static dv_status copy_folder_keys(dv_label_source *source) {
    for (size_t i = 0; i < source->n_items; i++) {
        source->keys[i].item = i;
        DV_TRY(dv_strdup(source->folder.files[i].key, &source->keys[i].key));
    }
    return DV_OK;
}

/* Image ids are names of pictures: an extension belongs to them, the components of the layout do not. */
static dv_status copy_feature_keys(dv_label_source *source, const dv_feature_info *info) {
    for (size_t i = 0; i < source->n_items; i++) {
        source->keys[i].item = i;
        DV_TRY(dv_folder_name(info->image_ids[i], &source->keys[i].key));
    }
    return DV_OK;
}

static dv_status make_room(dv_label_source *source, size_t n_items) {
    DV_TRY(dv_alloc(n_items, sizeof *source->keys, "keys of label maps", &source->keys));
    DV_TRY(dv_alloc(n_items, sizeof *source->taken, "marks of label maps", &source->taken));
    source->n_items = n_items;
    return DV_OK;
}

static dv_status open_folder(dv_label_source *source) {
    DV_TRY(dv_folder_list(source->path, DV_FOLDER_LABELS, &source->folder));
    DV_TRY(make_room(source, source->folder.n_files));
    return copy_folder_keys(source);
}

static dv_status open_features(dv_label_source *source) {
    DV_TRY(dv_features_open(&source->path, 1, &source->features));
    const dv_feature_info *info = dv_features_info(source->features);
    if (!info->has_labels) return dv_fail(DV_E_DATA, "%s: /labels: missing, label maps are needed", source->path);
    DV_TRY(make_room(source, info->n_images));
    return copy_feature_keys(source, info);
}

static int compare_keys(const void *a, const void *b) {
    return strcmp(((const dv_label_key *)a)->key, ((const dv_label_key *)b)->key);
}

static dv_status check_unique(const dv_label_source *source) {
    for (size_t i = 1; i < source->n_items; i++) {
        if (strcmp(source->keys[i - 1].key, source->keys[i].key) != 0) continue;
        char first[DV_LABEL_NAME_SIZE], second[DV_LABEL_NAME_SIZE];
        return dv_fail(DV_E_DATA, "%s and %s: two label maps for one picture, \"%s\"",
                       dv_label_source_name(source, source->keys[i - 1].item, first),
                       dv_label_source_name(source, source->keys[i].item, second), source->keys[i].key);
    }
    return DV_OK;
}

static dv_status open_source(dv_label_source *source) {
    struct stat facts;
    if (stat(source->path, &facts) != 0)
        return dv_fail(errno == ENOENT || errno == ENOTDIR ? DV_E_MISSING : DV_E_IO, "%s: %s", source->path,
                       strerror(errno));
    if (S_ISDIR(facts.st_mode)) {
        DV_TRY(open_folder(source));
    } else {
        DV_TRY(open_features(source));
    }
    if (source->n_items > 1) qsort(source->keys, source->n_items, sizeof *source->keys, compare_keys);
    return check_unique(source);
}

dv_status dv_label_source_open(const char *path, dv_label_source *source) {
    memset(source, 0, sizeof *source);
    source->path = path;
    const dv_status status = open_source(source);
    if (status != DV_OK) dv_label_source_close(source);
    return status;
}

void dv_label_source_close(dv_label_source *source) {
    for (size_t i = 0; i < source->n_items; i++) free(source->keys[i].key);
    free(source->keys);
    free(source->taken);
    dv_folder_clear(&source->folder);
    dv_features_close(source->features);
    memset(source, 0, sizeof *source);
}

/* The item of a key, by halving; DV_NO_ITEM where there is none. */
static size_t find(const dv_label_source *source, const char *key) {
    size_t low = 0, high = source->n_items;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(source->keys[middle].key, key);
        if (order == 0) return source->keys[middle].item;
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return DV_NO_ITEM;
}

dv_status dv_label_source_take(dv_label_source *source, const dv_folder_file *picture, size_t *item) {
    *item = DV_NO_ITEM;
    const size_t by_name = find(source, picture->name), by_key = find(source, picture->key);
    const size_t found = by_name != DV_NO_ITEM ? by_name : by_key;
    if (found == DV_NO_ITEM) return DV_OK;
    char first[DV_LABEL_NAME_SIZE], second[DV_LABEL_NAME_SIZE];
    dv_label_source_name(source, found, first);
    if (by_name != DV_NO_ITEM && by_key != DV_NO_ITEM && by_name != by_key)
        return dv_fail(DV_E_DATA, "%s and %s: two label maps for one picture, %s", first,
                       dv_label_source_name(source, by_key, second), picture->path);
    if (source->taken[found])
        return dv_fail(DV_E_DATA, "%s: belongs to two pictures, one of them %s", first, picture->path);
    source->taken[found] = true;
    *item = found;
    return DV_OK;
}

const char *dv_label_source_name(const dv_label_source *source, size_t item, char *name) {
    if (source->features) {
        dv_features_locate(source->features, item, name, DV_LABEL_NAME_SIZE);
    } else {
        snprintf(name, DV_LABEL_NAME_SIZE, "%s/%s", source->path, source->folder.files[item].path);
    }
    return name;
}

static dv_status read_from_folder(const dv_label_source *source, size_t item, dv_label_map *map) {
    const char *file = source->folder.files[item].path;
    const size_t size = strlen(source->path) + strlen(file) + 2;
    char *path;
    DV_TRY(dv_alloc(size, 1, "a path", &path));
    snprintf(path, size, "%s/%s", source->path, file);
    const dv_status status = dv_label_map_read(path, map);
    free(path);
    return status;
}

static dv_status read_from_features(const dv_label_source *source, size_t item, dv_label_map *map) {
    const dv_feature_info *info = dv_features_info(source->features);
    map->height = info->preprocessing.input_h;
    map->width = info->preprocessing.input_w;
    size_t n_pixels;
    DV_TRY(dv_mul_size(map->height, map->width, "a label map", &n_pixels));
    DV_TRY(dv_alloc(n_pixels, sizeof *map->labels, "a label map", &map->labels));
    return dv_features_read(source->features, item, 1, DV_ZERO_KEEP, NULL, map->labels);
}

dv_status dv_label_source_read(const dv_label_source *source, size_t item, dv_label_map *map) {
    memset(map, 0, sizeof *map);
    if (!source->features) return read_from_folder(source, item, map);
    const dv_status status = read_from_features(source, item, map);
    if (status != DV_OK) dv_label_map_clear(map);
    return status;
}
