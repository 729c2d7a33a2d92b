#include "protocol/jf_objects.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"

enum { N_IDS = UINT16_MAX + 1 };

bool dv_jf_seeks_assignment(const dv_jf_options *options) {
    return options->assign == DV_JF_ASSIGN_JF || options->assign == DV_JF_ASSIGN_J;
}

bool dv_jf_is_scored(const dv_jf_options *options, const dv_jf_frames *frames, size_t frame) {
    const bool is_end = frame == 0 || frame + 1 == frames->n_frames;
    return frames->frames[frame].counted && !(is_end && options->ends == DV_JF_ENDS_BOTH);
}

/* ---- Which ids -----------------------------------------------------------------------------------------------------
 */

static void mark_truth(const dv_jf_frames *frames, size_t frame, bool *is_object) {
    const dv_jf_frame *const f = &frames->frames[frame];
    for (size_t i = 0; i < f->n_truth; i++) is_object[frames->truth[f->first_truth + i].id] = true;
}

static void mark_first_frame(const dv_jf_frames *frames, bool up_to_max, bool *is_object) {
    size_t frame = 0;
    while (frame < frames->n_frames && !frames->frames[frame].counted) frame++;
    if (frame == frames->n_frames) return;
    mark_truth(frames, frame, is_object);
    const dv_jf_frame *const f = &frames->frames[frame];
    const size_t highest = f->n_truth ? frames->truth[f->first_truth + f->n_truth - 1].id : 0;
    for (size_t id = 1; up_to_max && id < highest; id++) is_object[id] = true;
}

static void mark_objects(const dv_jf_options *options, const dv_jf_frames *frames, bool *is_object) {
    switch (options->objects) {
    case DV_JF_FIRST_FRAME:
    case DV_JF_FIRST_FRAME_MAX:
        mark_first_frame(frames, options->objects == DV_JF_FIRST_FRAME_MAX, is_object);
        break;
    case DV_JF_APPEARANCE:
    case DV_JF_ALL:
        for (size_t frame = 0; frame < frames->n_frames; frame++) mark_truth(frames, frame, is_object);
        break;
    case DV_JF_SEEN: /* vos-benchmark looks at no other frames than it scores */
        for (size_t frame = 0; frame < frames->n_frames; frame++)
            if (dv_jf_is_scored(options, frames, frame)) mark_truth(frames, frame, is_object);
        break;
    }
    if (options->single_object) is_object[1] = true;
}

dv_status dv_jf_objects_list(const dv_jf_options *options, const dv_jf_frames *frames, uint16_t **ids, size_t *n_ids) {
    bool *is_object;
    size_t n = 0;
    *ids = NULL;
    *n_ids = 0;
    DV_TRY(dv_alloc(N_IDS, sizeof *is_object, "ids of a sequence", &is_object));
    mark_objects(options, frames, is_object);
    for (size_t id = 1; id < N_IDS; id++) n += is_object[id];
    const dv_status status = dv_alloc(n, sizeof **ids, "objects of a sequence", ids);
    if (status == DV_OK)
        for (size_t id = 1; id < N_IDS; id++)
            if (is_object[id]) (*ids)[(*n_ids)++] = (uint16_t)id;
    free(is_object);
    return status;
}

/* ---- Extra ids -----------------------------------------------------------------------------------------------------
 */

static void mark_known(const dv_jf_frames *frames, const uint16_t *ids, size_t n_ids, bool *is_known) {
    for (size_t i = 0; i < n_ids; i++) is_known[ids[i]] = true;
    for (size_t i = 0; i < frames->n_truth; i++) is_known[frames->truth[i].id] = true;
}

static int compare_extra(const void *a, const void *b) {
    return (int)((const dv_jf_extra_id *)a)->id - (int)((const dv_jf_extra_id *)b)->id;
}

/* place: [N_IDS], 1 + the index of an id in the list; 0: it has none yet */
static dv_status sum_extra(const dv_jf_frames *frames, const bool *is_known, uint32_t *place, dv_jf_extra_id **extra,
                           size_t *n_extra) {
    for (size_t i = 0; i < frames->n_pred; i++)
        if (!is_known[frames->pred[i].id] && place[frames->pred[i].id] == 0)
            place[frames->pred[i].id] = (uint32_t)++ * n_extra;
    DV_TRY(dv_alloc(*n_extra, sizeof **extra, "ids of the prediction alone", extra));
    for (size_t i = 0; i < frames->n_pred; i++) {
        const uint16_t id = frames->pred[i].id;
        if (place[id] == 0) continue;
        dv_jf_extra_id *const one = &(*extra)[place[id] - 1];
        one->id = id;
        one->n_frames++;
        one->pixels += frames->pred[i].pixels;
    }
    qsort(*extra, *n_extra, sizeof **extra, compare_extra);
    return DV_OK;
}

dv_status dv_jf_extra_list(const dv_jf_options *options, const dv_jf_frames *frames, const uint16_t *ids, size_t n_ids,
                           dv_jf_extra_id **extra, size_t *n_extra) {
    bool *is_known;
    uint32_t *place = NULL;
    *extra = NULL;
    *n_extra = 0;
    if (dv_jf_seeks_assignment(options) || options->protocol == DV_JF_DAVIS2017_UNSUP) return DV_OK;
    DV_TRY(dv_alloc(N_IDS, sizeof *is_known, "ids of a sequence", &is_known));
    dv_status status = dv_alloc(N_IDS, sizeof *place, "ids of a sequence", &place);
    if (status == DV_OK) {
        mark_known(frames, ids, n_ids, is_known);
        status = sum_extra(frames, is_known, place, extra, n_extra);
    }
    free(place);
    free(is_known);
    return status;
}

/* ---- Which frames --------------------------------------------------------------------------------------------------
 */

dv_jf_span dv_jf_span_of(const dv_jf_options *options, const dv_jf_frames *frames, uint16_t truth_id, uint16_t pred_id,
                         bool extra) {
    dv_jf_span span = {.begin = 0, .shown_only = extra && options->objects != DV_JF_SEEN};
    if (options->objects == DV_JF_SEEN) {
        while (span.begin < frames->n_frames && !(dv_jf_is_scored(options, frames, span.begin) &&
                                                  (dv_jf_frames_truth_has(frames, span.begin, truth_id) ||
                                                   dv_jf_frames_pred_has(frames, span.begin, pred_id))))
            span.begin++;
    } else if (options->objects == DV_JF_APPEARANCE && !extra) {
        while (span.begin < frames->n_frames && !dv_jf_frames_truth_has(frames, span.begin, truth_id)) span.begin++;
    }
    return span;
}

bool dv_jf_span_has(const dv_jf_options *options, const dv_jf_frames *frames, const dv_jf_span *span, uint16_t pred_id,
                    size_t frame) {
    return frame >= span->begin && dv_jf_is_scored(options, frames, frame) &&
           (!span->shown_only || dv_jf_frames_pred_has(frames, frame, pred_id));
}
