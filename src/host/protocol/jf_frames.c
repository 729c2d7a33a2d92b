#include "protocol/jf_frames.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/jf_statistics.h"

/* Makes room for n more elements behind n_used. */
static dv_status make_room(void *list, size_t n_used, size_t n, size_t size, const char *what, size_t capacity,
                           size_t *new_capacity) {
    void *const old = *(void **)list;
    size_t wanted, n_bytes;
    *new_capacity = capacity;
    DV_TRY(dv_add_size(n_used, n, what, &wanted));
    if (wanted <= capacity) return DV_OK;
    wanted += wanted / 2;
    DV_TRY(dv_mul_size(wanted, size, what, &n_bytes));
    void *const made = realloc(old, n_bytes ? n_bytes : 1);
    if (!made) return dv_fail(DV_E_NOMEM, "%s: no memory for %zu bytes", what, n_bytes);
    *(void **)list = made;
    *new_capacity = wanted;
    return DV_OK;
}

dv_status dv_jf_frames_begin(dv_jf_frames *frames, size_t n_frames) {
    DV_TRY(make_room(&frames->frames, 0, n_frames, sizeof *frames->frames, "frames of a sequence",
                     frames->frame_capacity, &frames->frame_capacity));
    if (n_frames) memset(frames->frames, 0, n_frames * sizeof *frames->frames);
    frames->n_frames = n_frames;
    frames->height = frames->width = frames->n_radii = 0;
    frames->n_truth = frames->n_pred = frames->n_pairs = 0;
    return DV_OK;
}

static dv_status reserve(dv_jf_frames *frames, const dv_mask_counts *counts) {
    size_t capacity;
    DV_TRY(make_room(&frames->truth, frames->n_truth, counts->n_truth, sizeof *frames->truth, "true objects",
                     frames->truth_capacity, &frames->truth_capacity));
    DV_TRY(make_room(&frames->pred, frames->n_pred, counts->n_pred, sizeof *frames->pred, "predicted objects",
                     frames->pred_capacity, &frames->pred_capacity));
    const size_t n_bytes = frames->n_radii * sizeof *frames->truth_matched; /* of a pair */
    DV_TRY(make_room(&frames->truth_matched, frames->n_pairs, counts->n_pairs, n_bytes, "matched contours",
                     frames->pair_capacity, &capacity));
    DV_TRY(make_room(&frames->pred_matched, frames->n_pairs, counts->n_pairs, n_bytes, "matched contours",
                     frames->pair_capacity, &capacity));
    return make_room(&frames->pairs, frames->n_pairs, counts->n_pairs, sizeof *frames->pairs, "pairs of objects",
                     frames->pair_capacity, &frames->pair_capacity);
}

static void append_sizes(dv_jf_size *to, const dv_mask_size *sizes, size_t n) {
    for (size_t i = 0; i < n; i++)
        to[i] = (dv_jf_size){sizes[i].id, (uint32_t)sizes[i].pixels, (uint32_t)sizes[i].contour};
}

static void append_pair(dv_jf_frames *frames, const dv_mask_pair *pair) {
    const size_t at = frames->n_pairs++, n_radii = frames->n_radii;
    frames->pairs[at] = (dv_jf_pair){pair->truth_id, pair->pred_id, (uint32_t)pair->intersection};
    for (size_t r = 0; r < n_radii; r++) {
        frames->truth_matched[at * n_radii + r] = (uint32_t)pair->truth_matched[r];
        frames->pred_matched[at * n_radii + r] = (uint32_t)pair->pred_matched[r];
    }
}

dv_status dv_jf_frames_add(dv_jf_frames *frames, size_t frame, const dv_mask_counts *counts) {
    if (frames->height == 0) {
        /* Rooms for pairs hold n_radii numbers each; all sequences of a run have the same n_radii. */
        frames->height = counts->height;
        frames->width = counts->width;
        frames->n_radii = counts->n_radii;
        memcpy(frames->radii_px, counts->radii_px, sizeof frames->radii_px);
    }
    if (counts->height != frames->height || counts->width != frames->width)
        return dv_fail(DV_E_DATA, "%zux%zu, the frames before it %zux%zu (height x width)", counts->height,
                       counts->width, frames->height, frames->width);
    DV_TRY(reserve(frames, counts));
    frames->frames[frame] = (dv_jf_frame){
        .counted = true,
        .first_truth = frames->n_truth,
        .n_truth = counts->n_truth,
        .first_pred = frames->n_pred,
        .n_pred = counts->n_pred,
        .first_pair = frames->n_pairs,
        .n_pairs = counts->n_pairs,
    };
    append_sizes(frames->truth + frames->n_truth, counts->truth, counts->n_truth);
    append_sizes(frames->pred + frames->n_pred, counts->pred, counts->n_pred);
    frames->n_truth += counts->n_truth;
    frames->n_pred += counts->n_pred;
    for (size_t i = 0; i < counts->n_pairs; i++) append_pair(frames, &counts->pairs[i]);
    return DV_OK;
}

void dv_jf_frames_leave_out(dv_jf_frames *frames, size_t frame) {
    frames->frames[frame] = (dv_jf_frame){.counted = false};
}

void dv_jf_frames_clear(dv_jf_frames *frames) {
    free(frames->frames);
    free(frames->truth);
    free(frames->pred);
    free(frames->pairs);
    free(frames->truth_matched);
    free(frames->pred_matched);
    memset(frames, 0, sizeof *frames);
}

/* ---- Looking up ----------------------------------------------------------------------------------------------------
 */

static int compare_size(const void *id, const void *size) {
    return (int)*(const uint16_t *)id - (int)((const dv_jf_size *)size)->id;
}

static const dv_jf_size *find_size(const dv_jf_size *sizes, size_t n, uint16_t id) {
    return n ? bsearch(&id, sizes, n, sizeof *sizes, compare_size) : NULL;
}

static const dv_jf_size *find_truth(const dv_jf_frames *frames, size_t frame, uint16_t id) {
    const dv_jf_frame *const f = &frames->frames[frame];
    return find_size(frames->truth + f->first_truth, f->n_truth, id);
}

static const dv_jf_size *find_pred(const dv_jf_frames *frames, size_t frame, uint16_t id) {
    const dv_jf_frame *const f = &frames->frames[frame];
    return find_size(frames->pred + f->first_pred, f->n_pred, id);
}

static int compare_pair(const void *key, const void *pair) {
    const dv_jf_pair *const a = key, *const b = pair;
    const int by_truth = (int)a->truth_id - (int)b->truth_id;
    return by_truth ? by_truth : (int)a->pred_id - (int)b->pred_id;
}

static const dv_jf_pair *find_pair(const dv_jf_frames *frames, size_t frame, uint16_t truth_id, uint16_t pred_id) {
    const dv_jf_frame *const f = &frames->frames[frame];
    const dv_jf_pair key = {.truth_id = truth_id, .pred_id = pred_id};
    return f->n_pairs ? bsearch(&key, frames->pairs + f->first_pair, f->n_pairs, sizeof key, compare_pair) : NULL;
}

bool dv_jf_frames_truth_has(const dv_jf_frames *frames, size_t frame, uint16_t id) {
    return find_truth(frames, frame, id) != NULL;
}

bool dv_jf_frames_pred_has(const dv_jf_frames *frames, size_t frame, uint16_t id) {
    return find_pred(frames, frame, id) != NULL;
}

void dv_jf_frames_score(const dv_jf_frames *frames, size_t frame, uint16_t truth_id, uint16_t pred_id, double *j,
                        double *f) {
    static const dv_jf_size empty = {0};
    const dv_jf_size *truth = find_truth(frames, frame, truth_id), *pred = find_pred(frames, frame, pred_id);
    const dv_jf_pair *const pair = truth && pred ? find_pair(frames, frame, truth_id, pred_id) : NULL;
    if (!truth) truth = &empty;
    if (!pred) pred = &empty;
    *j = dv_jaccard(pair ? pair->intersection : 0, truth->pixels, pred->pixels);
    for (size_t r = 0; r < frames->n_radii; r++) {
        const size_t at = pair ? (size_t)(pair - frames->pairs) * frames->n_radii + r : 0;
        f[r] = dv_contour_f(truth->contour, pred->contour, pair ? frames->truth_matched[at] : 0,
                            pair ? frames->pred_matched[at] : 0);
    }
}
