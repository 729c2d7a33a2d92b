/* Pictures of the worst frames: the masks are read again, since a pass keeps none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/check.h"
#include "core/fault_list.h"
#include "core/memory.h"
#include "io/image_put.h"
#include "io/mask_set.h"
#include "report/jf_figures.h"
#include "report/overlay_draw.h"

enum { NAME_SIZE = DV_MESSAGE_SIZE / 2, GRAY = 144, VOID_ID = 255 };

typedef struct drawing {
    const dv_jf_options *options;
    const dv_jf_result *result;
    const char *images; /* NULL: none */
    const char *folder;
    dv_mask_set *truth, *pred;
    dv_fault_list faults; /* of pictures */
    size_t n_missing;     /* faults */
} drawing;

/* ---- Masks ---------------------------------------------------------------------------------------------------------
 */

static dv_status read_mask(dv_mask_set *set, const dv_jf_sequence *sequence, size_t frame, dv_label_map *map) {
    char hash[DV_HASH_TEXT_SIZE];
    const size_t at = dv_mask_set_find_sequence(set, sequence->name);
    const size_t place = at == SIZE_MAX ? SIZE_MAX : dv_mask_set_find_frame(set, at, sequence->frames[frame]);
    if (place == SIZE_MAX)
        return dv_fail(DV_E_MISSING, "%s: no frame %s/%s", dv_mask_set_path(set), sequence->name,
                       sequence->frames[frame]);
    return dv_mask_set_read(set, at, place, map, hash);
}

/* Nearest sampling, as the pass resizes: cell floor((2 i + 1) in / (2 out)). */
static uint16_t sample(const dv_label_map *map, size_t x, size_t y, const dv_label_map *of) {
    const size_t from_y = (2 * y + 1) * map->height / (2 * of->height);
    const size_t from_x = (2 * x + 1) * map->width / (2 * of->width);
    return map->labels[from_y * map->width + from_x];
}

/* `truth` becomes the object's mask, `object_pred` that of what it was scored against; both of 0 and 1. */
static void cut_out(const dv_jf_options *options, const dv_jf_object *object, dv_label_map *truth,
                    const dv_label_map *pred, dv_label_map *object_pred) {
    const bool single = options->single_object, ignores_void = !single && options->voids == DV_JF_VOID_IGNORE;
    for (size_t y = 0; y < truth->height; y++)
        for (size_t x = 0; x < truth->width; x++) {
            uint16_t *const here = &truth->labels[y * truth->width + x];
            const uint16_t predicted = sample(pred, x, y, truth);
            const bool is_void = ignores_void && *here == VOID_ID;
            const bool is_pred = single ? predicted != 0 : object->matched_id && predicted == object->matched_id;
            object_pred->labels[y * truth->width + x] = is_pred && !is_void;
            *here = single ? *here != 0 : *here == object->id && !is_void;
        }
}

/* ---- Pictures ------------------------------------------------------------------------------------------------------
 */

static dv_status find_picture(const drawing *d, const dv_jf_sequence *sequence, const char *stem, char **path) {
    static const char *const endings[] = {"jpg", "jpeg", "png", "JPG", "JPEG", "PNG"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (asprintf(path, "%s/%s/%s.%s", d->images, sequence->name, stem, endings[i]) < 0)
            return dv_fail(DV_E_NOMEM, "no memory for a path");
        if (access(*path, F_OK) == 0) return DV_OK;
        free(*path);
    }
    *path = NULL;
    return dv_fail(DV_E_MISSING, "%s: no picture %s/%s.jpg or .png", d->images, sequence->name, stem);
}

static dv_status read_picture(const drawing *d, const dv_jf_sequence *sequence, const char *stem,
                              const dv_label_map *truth, dv_picture *picture) {
    char *path;
    DV_TRY(find_picture(d, sequence, stem, &path));
    dv_status status = dv_picture_read(path, picture);
    if (status == DV_OK && (picture->height != truth->height || picture->width != truth->width))
        status = dv_fail(DV_E_DATA, "%s: %zux%zu, truth %zux%zu (height x width)", path, picture->height,
                         picture->width, truth->height, truth->width);
    free(path);
    return status;
}

static dv_status make_gray(const dv_label_map *truth, dv_picture *picture) {
    *picture = (dv_picture){.height = truth->height, .width = truth->width, .orientation = 1};
    DV_TRY(dv_alloc_unset(truth->height * truth->width, 3, "a picture", &picture->rgb));
    memset(picture->rgb, GRAY, truth->height * truth->width * 3);
    return DV_OK;
}

/* A picture that is missing or does not fit is a fault; with skip_bad its place is gray. */
static dv_status get_picture(drawing *d, const dv_jf_sequence *sequence, const char *stem, const dv_label_map *truth,
                             dv_picture *picture) {
    if (d->images) {
        const dv_status status = read_picture(d, sequence, stem, truth, picture);
        if (status != DV_E_DATA && status != DV_E_MISSING) return status;
        dv_fault_list_add(&d->faults, dv_last_error());
        d->n_missing += status == DV_E_MISSING;
        dv_picture_clear(picture);
    }
    return make_gray(truth, picture);
}

static dv_status put_picture(const drawing *d, const dv_jf_sequence *sequence, const char *stem, uint16_t id,
                             const dv_picture *drawn) {
    char *path;
    if (asprintf(&path, "%s/%s_%s_%d.png", d->folder, sequence->name, stem, id) < 0)
        return dv_fail(DV_E_NOMEM, "no memory for a path");
    dv_status status = DV_OK;
    if (access(path, F_OK) == 0) /* sequence a_b, frame c, and sequence a, frame b_c */
        status = dv_fail(DV_E_DATA, "%s_%s_%d.png: two pictures of one name", sequence->name, stem, id);
    if (status == DV_OK) status = dv_picture_put(path, drawn);
    free(path);
    return status;
}

/* ---- One, all ------------------------------------------------------------------------------------------------------
 */

typedef struct images {
    dv_label_map truth, pred, object_pred;
    dv_picture picture, drawn;
} images;

static void clear_images(images *of) {
    dv_label_map_clear(&of->truth);
    dv_label_map_clear(&of->pred);
    dv_label_map_clear(&of->object_pred);
    dv_picture_clear(&of->picture);
    dv_picture_clear(&of->drawn);
}

static dv_status draw(drawing *d, const dv_jf_worst *worst, images *of) {
    const dv_jf_sequence *const sequence = &d->result->sequences[worst->sequence];
    const dv_jf_object *const object = &sequence->objects[worst->object];
    const char *const stem = sequence->frames[worst->frame];
    DV_TRY(read_mask(d->truth, sequence, worst->frame, &of->truth));
    DV_TRY(read_mask(d->pred, sequence, worst->frame, &of->pred));
    of->object_pred.height = of->truth.height;
    of->object_pred.width = of->truth.width;
    DV_TRY(dv_alloc_unset(of->truth.height * of->truth.width, sizeof *of->object_pred.labels, "a mask",
                          &of->object_pred.labels));
    cut_out(d->options, object, &of->truth, &of->pred, &of->object_pred);
    DV_TRY(get_picture(d, sequence, stem, &of->truth, &of->picture));
    DV_TRY(dv_overlay_draw_object(&of->picture, &of->truth, &of->object_pred, &of->drawn));
    return put_picture(d, sequence, stem, object->id, &of->drawn);
}

static dv_status judge(const drawing *d) {
    const dv_status status = d->n_missing == d->faults.n ? DV_E_MISSING : DV_E_DATA;
    return dv_fault_list_judge(&d->faults, status, "pictures are bad");
}

static dv_status draw_all(drawing *d, const dv_jf_figures *figures) {
    const dv_mask_palette palette = d->options->voc_palette ? DV_PALETTE_VOC : DV_PALETTE_NONE;
    DV_TRY(dv_mask_set_open(d->options->truth, 1, palette, &d->truth));
    DV_TRY(dv_mask_set_open(d->options->pred, 1, palette, &d->pred));
    if (mkdir(d->folder, 0777) != 0) return dv_fail(DV_E_IO, "%s: cannot be made", d->folder);
    dv_status status = DV_OK;
    for (size_t i = 0; i < figures->n_worst && status == DV_OK; i++) {
        images of;
        memset(&of, 0, sizeof of);
        status = draw(d, &figures->worst[i], &of);
        clear_images(&of);
    }
    return status == DV_OK ? judge(d) : status;
}

dv_status dv_jf_draw_worst(const char *folder, const dv_jf_result *result, const dv_jf_figures *figures) {
    char *inner;
    if (asprintf(&inner, "%s/worst", folder) < 0) return dv_fail(DV_E_NOMEM, "no memory for a path");
    drawing d = {.options = figures->options,
                 .result = result,
                 .images = figures->images,
                 .folder = inner,
                 .faults = {.left_out = figures->options->skip_bad}};
    const dv_status status = draw_all(&d, figures);
    dv_mask_set_close(d.truth);
    dv_mask_set_close(d.pred);
    free(inner);
    return status;
}
