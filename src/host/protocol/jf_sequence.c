#include "protocol/jf_sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

static size_t count_frames(const dv_jf_options *options, const dv_jf_frames *frames, const dv_jf_span *span,
                           uint16_t pred_id) {
    size_t n = 0;
    for (size_t frame = 0; frame < frames->n_frames; frame++)
        n += dv_jf_span_has(options, frames, span, pred_id, frame);
    return n;
}

static dv_status allocate_curves(dv_jf_object *object, size_t n_radii) {
    size_t n_values;
    DV_TRY(dv_mul_size(object->n_frames, n_radii, "F of an object", &n_values));
    DV_TRY(dv_alloc(object->n_frames, sizeof *object->frames, "frames of an object", &object->frames));
    DV_TRY(dv_alloc(object->n_frames, sizeof *object->shown, "frames of an object", &object->shown));
    DV_TRY(dv_alloc(object->n_frames, sizeof *object->j, "J of an object", &object->j));
    return dv_alloc(n_values, sizeof *object->f, "F of an object", &object->f);
}

/* Both curves of an object whose ids are set, and what is reported of them. */
static dv_status score_object(const dv_jf_options *options, const dv_jf_frames *frames, dv_jf_object *object) {
    const dv_jf_span span = dv_jf_span_of(options, frames, object->id, object->matched_id, object->extra);
    const size_t n_radii = frames->n_radii;
    object->n_frames = count_frames(options, frames, &span, object->matched_id);
    DV_TRY(allocate_curves(object, n_radii));
    size_t n = 0;
    for (size_t frame = 0; frame < frames->n_frames; frame++) {
        double f[DV_MAX_RADII];
        if (!dv_jf_span_has(options, frames, &span, object->matched_id, frame)) continue;
        dv_jf_frames_score(frames, frame, object->id, object->matched_id, &object->j[n], f);
        for (size_t r = 0; r < n_radii; r++) object->f[r * object->n_frames + n] = f[r];
        object->shown[n] = dv_jf_frames_truth_has(frames, frame, object->id);
        object->frames[n++] = frame;
    }
    object->j_statistics = dv_curve_summary(object->j, n);
    for (size_t r = 0; r < DV_MAX_RADII; r++) /* radii beyond n_radii too: NaN where no frame was read */
        object->f_statistics[r] = dv_curve_summary(r < n_radii ? object->f + r * n : object->f, r < n_radii ? n : 0);
    return DV_OK;
}

static void take_sequence_means(dv_jf_sequence *sequence) {
    size_t n = 0;
    double sum_j = 0, sum_f[DV_MAX_RADII] = {0};
    for (size_t i = 0; i < sequence->n_objects; i++) {
        const dv_jf_object *const object = &sequence->objects[i];
        if (object->n_frames == 0) continue;
        n++;
        sum_j += object->j_statistics.mean;
        for (size_t r = 0; r < DV_MAX_RADII; r++) sum_f[r] += object->f_statistics[r].mean;
    }
    sequence->j_mean = n ? sum_j / (double)n : NAN;
    for (size_t r = 0; r < DV_MAX_RADII; r++) sequence->f_mean[r] = n ? sum_f[r] / (double)n : NAN;
}

static void describe_sequence(const dv_jf_options *options, const dv_jf_frames *frames, dv_jf_sequence *sequence) {
    sequence->height = frames->height;
    sequence->width = frames->width;
    memcpy(sequence->radii_px, frames->radii_px, sizeof sequence->radii_px);
    for (size_t frame = 0; frame < frames->n_frames; frame++) {
        sequence->skipped[frame] = !frames->frames[frame].counted;
        sequence->scored[frame] = dv_jf_is_scored(options, frames, frame);
        sequence->n_scored_frames += sequence->scored[frame];
    }
}

dv_status dv_jf_sequence_score(const dv_jf_options *options, const dv_jf_frames *frames, const uint16_t *ids,
                               size_t n_ids, const dv_jf_extra_id *extra, size_t n_extra, dv_jf_sequence *sequence) {
    uint16_t *matched;
    const size_t n_added = options->extra_ids == DV_JF_EXTRA_FALSE_POSITIVE ? n_extra : 0;
    DV_TRY(dv_alloc(n_ids + n_added, sizeof *sequence->objects, "objects of a sequence", &sequence->objects));
    sequence->n_objects = n_ids + n_added;
    DV_TRY(dv_alloc(sequence->n_frames, sizeof *sequence->skipped, "frames left out", &sequence->skipped));
    DV_TRY(dv_alloc(sequence->n_frames, sizeof *sequence->scored, "scored frames", &sequence->scored));
    DV_TRY(dv_alloc(n_ids, sizeof *matched, "matched objects", &matched));
    dv_status status = dv_jf_match(options, frames, ids, n_ids, matched);
    for (size_t i = 0; status == DV_OK && i < n_ids; i++) {
        dv_jf_object *const object = &sequence->objects[i];
        object->id = ids[i];
        object->matched_id = matched[i];
        status = score_object(options, frames, object);
    }
    for (size_t i = 0; status == DV_OK && i < n_added; i++) {
        dv_jf_object *const object = &sequence->objects[n_ids + i];
        object->id = object->matched_id = extra[i].id;
        object->extra = true;
        status = score_object(options, frames, object);
    }
    free(matched);
    describe_sequence(options, frames, sequence);
    if (status == DV_OK) take_sequence_means(sequence);
    return status;
}

void dv_jf_sequence_clear(dv_jf_sequence *sequence) {
    for (size_t i = 0; i < sequence->n_objects; i++) {
        free(sequence->objects[i].frames);
        free(sequence->objects[i].shown);
        free(sequence->objects[i].j);
        free(sequence->objects[i].f);
    }
    for (size_t i = 0; sequence->frames && i < sequence->n_frames; i++) free(sequence->frames[i]);
    free(sequence->objects);
    free(sequence->skipped);
    free(sequence->scored);
    free(sequence->frames);
    free(sequence->name);
    memset(sequence, 0, sizeof *sequence);
}
