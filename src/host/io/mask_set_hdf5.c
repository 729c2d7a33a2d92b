#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/mask_set_private.h"

#define SCHEMA "denseval masks v1"
#define FEATURES_SCHEMA "denseval features v1" /* its labels are a stack of label maps */
/* More frames than any set has: a few bytes of a compressed file could otherwise claim names without end. */
enum { MOST_FRAMES = 1 << 22, MOST_SIDE = UINT16_MAX, STEM_SIZE = 24 };

/* The dataset of a sequence. */
static dv_status open_data(dv_mask_set *set, const char *sequence, dv_h5_data **data) {
    const size_t size = strlen(sequence) + 2;
    char *name;
    DV_TRY(dv_alloc(size, 1, "the name of a dataset", &name));
    snprintf(name, size, "/%s", sequence);
    const dv_status status = dv_h5_data_open(set->h5, name, data);
    free(name);
    return status;
}

static dv_status check_data(const dv_mask_set *set, const char *sequence, const dv_h5_data *data, size_t n_before) {
    const dv_h5_shape *shape = dv_h5_data_shape(data);
    DV_TRY(dv_h5_expect(data, 3, (const size_t[]){SIZE_MAX, SIZE_MAX, SIZE_MAX}));
    if (shape->type != DV_H5_U8 && shape->type != DV_H5_U16)
        return dv_fail(DV_E_DATA, "%s: /%s: type %s, expected u8 or u16", set->path, sequence, shape->type_name);
    const size_t height = shape->dims[1], width = shape->dims[2];
    if (height < 1 || width < 1 || height > MOST_SIDE || width > MOST_SIDE)
        return dv_fail(DV_E_DATA, "%s: /%s: %zux%zu (height x width), sides must be 1..%d", set->path, sequence, height,
                       width, MOST_SIDE);
    if (shape->dims[0] > MOST_FRAMES - n_before)
        return dv_fail(DV_E_DATA, "%s: /%s: %zu frames, expected at most %d in a file", set->path, sequence,
                       shape->dims[0], MOST_FRAMES);
    return DV_OK;
}

/* The dataset /image_id, which goes with /labels alone; *ids stays NULL where there is none. */
static dv_status read_image_ids(const dv_mask_set *set, size_t n_frames, char ***ids) {
    dv_h5_data *data;
    if (set->depth || !dv_h5_has(set->h5, "/image_id")) return DV_OK;
    DV_TRY(dv_h5_data_open(set->h5, "/image_id", &data));
    dv_status status = dv_h5_expect(data, 1, (const size_t[]){n_frames});
    if (status == DV_OK) status = dv_h5_read_texts(data, ids);
    dv_h5_data_close(data);
    return status;
}

static dv_status add_frames(dv_mask_set *set, const char *sequence, dv_h5_data *data) {
    const size_t n_frames = dv_h5_data_shape(data)->dims[0];
    char **stems = NULL;
    DV_TRY(read_image_ids(set, n_frames, &stems));
    if (!stems) DV_TRY(dv_h5_data_texts(data, "frames", n_frames, &stems));
    dv_status status = DV_OK;
    for (size_t i = 0; i < n_frames && status == DV_OK; i++) {
        char number[STEM_SIZE];
        snprintf(number, sizeof number, set->depth ? "%05zu" : "%zu", i);
        if (stems && !*stems[i])
            status = dv_fail(DV_E_DATA, "%s: /%s, names of frames: text %zu is empty", set->path, sequence, i);
        else
            status = dv_mask_set_add_frame(set, stems ? stems[i] : number, NULL, i);
    }
    free(stems);
    return status;
}

static dv_status add_sequence(dv_mask_set *set, const char *name, size_t *n_frames) {
    dv_h5_data *data;
    DV_TRY(open_data(set, name, &data));
    dv_status status = check_data(set, name, data, *n_frames);
    if (status == DV_OK) status = dv_mask_set_add_sequence(set, name);
    if (status == DV_OK) status = add_frames(set, name, data);
    if (status == DV_OK) *n_frames += dv_h5_data_shape(data)->dims[0];
    dv_h5_data_close(data);
    return status;
}

/* Lists a group: the root where above is "", else a scene. */
static dv_status list_group(dv_mask_set *set, const char *above, size_t depth, size_t *n_frames);

static dv_status list_member(dv_mask_set *set, const char *above, const dv_h5_member *member, size_t depth,
                             size_t *n_frames) {
    if (member->kind != (depth == 1 ? DV_H5_DATASET : DV_H5_GROUP)) {
        set->n_passed_over++;
        return DV_OK;
    }
    const size_t size = strlen(above) + strlen(member->name) + 2;
    char *name;
    DV_TRY(dv_alloc(size, 1, "the name of a sequence", &name));
    snprintf(name, size, "%s%s%s", above, *above ? "/" : "", member->name);
    const dv_status status =
        depth == 1 ? add_sequence(set, name, n_frames) : list_group(set, name, depth - 1, n_frames);
    free(name);
    return status;
}

static dv_status list_group(dv_mask_set *set, const char *above, size_t depth, size_t *n_frames) {
    dv_h5_members members;
    DV_TRY(dv_h5_list(set->h5, *above ? above : "/", &members));
    const size_t n_before = set->n_sequences;
    dv_status status = DV_OK;
    for (size_t i = 0; i < members.n && status == DV_OK; i++)
        status = list_member(set, above, &members.items[i], depth, n_frames);
    set->n_passed_over += members.n_external;
    dv_h5_members_clear(&members);
    if (status == DV_OK && *above && set->n_sequences == n_before)
        status = dv_fail(DV_E_DATA, "%s: /%s: a scene without cameras", set->path, above);
    return status;
}

static dv_status check_schema(const dv_mask_set *set) {
    char *schema;
    const char *const wanted = set->depth ? "\"" SCHEMA "\"" : "\"" SCHEMA "\" or \"" FEATURES_SCHEMA "\"";
    if (!dv_h5_has_attribute(set->h5, "schema"))
        return dv_fail(DV_E_DATA, "%s: attribute schema: missing, expected %s", set->path, wanted);
    DV_TRY(dv_h5_attribute_text(set->h5, "schema", &schema));
    dv_status status = DV_OK;
    if (strcmp(schema, SCHEMA) != 0 && (set->depth || strcmp(schema, FEATURES_SCHEMA) != 0))
        status = dv_fail(DV_E_DATA, "%s: schema \"%.100s\": must be %s", set->path, schema, wanted);
    free(schema);
    return status;
}

dv_status dv_mask_set_list_hdf5(dv_mask_set *set) {
    DV_TRY(dv_h5_open(set->path, &set->h5));
    DV_TRY(check_schema(set));
    size_t n_frames = 0;
    if (set->depth) return list_group(set, "", set->depth, &n_frames);
    if (!dv_h5_has(set->h5, "/labels"))
        return dv_fail(DV_E_DATA, "%s: /labels: missing: iou reads label maps there (sequences go to jf)", set->path);
    return add_sequence(set, "labels", &n_frames);
}

/* Expects the lock. */
static dv_status switch_to(dv_mask_set *set, size_t sequence) {
    if (set->data && set->data_sequence == sequence) return DV_OK;
    dv_h5_data_close(set->data);
    set->data = NULL;
    const char *const name = set->sequences[sequence].name;
    DV_TRY(open_data(set, name, &set->data));
    set->data_sequence = sequence;
    const dv_status status = check_data(set, name, set->data, 0); /* the file may have been changed meanwhile */
    if (status == DV_OK) return DV_OK;
    dv_h5_data_close(set->data);
    set->data = NULL;
    return status;
}

/* n values of a byte that lie in the upper half of labels are widened from the front, a piece at a time, so that none
 * is overwritten before it was read. */
static void widen_in_place(uint16_t *labels, size_t n) {
    enum { PIECE = 4096 };
    const uint8_t *const bytes = (const uint8_t *)labels + n;
    uint8_t piece[PIECE];
    for (size_t i = 0; i < n; i += PIECE) {
        const size_t n_piece = n - i < PIECE ? n - i : PIECE;
        memcpy(piece, bytes + i, n_piece);
        for (size_t j = 0; j < n_piece; j++) labels[i + j] = piece[j];
    }
}

/* Expects the lock. */
static dv_status read_labels(dv_h5_data *data, size_t row, dv_label_map *map) {
    const dv_h5_shape *shape = dv_h5_data_shape(data);
    const size_t n = shape->dims[1] * shape->dims[2]; /* sides of 16 bits */
    if (!map->labels || map->height != shape->dims[1] || map->width != shape->dims[2]) {
        dv_label_map_clear(map);
        DV_TRY(dv_alloc_unset(n, sizeof *map->labels, "a mask", &map->labels));
    }
    map->height = shape->dims[1];
    map->width = shape->dims[2];
    if (shape->type == DV_H5_U16) return dv_h5_read_raw(data, row, 1, map->labels);
    DV_TRY(dv_h5_read_raw(data, row, 1, (uint8_t *)map->labels + n));
    widen_in_place(map->labels, n);
    return DV_OK;
}

dv_status dv_mask_set_read_row(dv_mask_set *set, size_t sequence, size_t frame, dv_label_map *map, char *hash) {
    const size_t row = set->sequences[sequence].frames[frame].row;
    pthread_mutex_lock(&set->lock);
    dv_status status = switch_to(set, sequence);
    if (status == DV_OK) status = read_labels(set->data, row, map);
    pthread_mutex_unlock(&set->lock);
    if (status == DV_OK) dv_hash_bytes(map->labels, map->height * map->width * sizeof *map->labels, hash);
    return status;
}
