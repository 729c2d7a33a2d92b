#include "protocol/muvod_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/name_list.h"
#include "protocol/mask_sides.h"

enum { MUVOD_DEPTH = 2 };

/* ---- Sequences -----------------------------------------------------------------------------------------------------
 */

static dv_status list_frames(const dv_muvod_camera *camera, dv_jf_sequence *sequence) {
    const dv_names *const frames = &camera->scene->frames;
    DV_TRY(dv_path_join(camera->scene->name, camera->name, &sequence->name));
    DV_TRY(dv_alloc(frames->n, sizeof *sequence->frames, "frames of a camera", &sequence->frames));
    for (size_t i = 0; i < frames->n; i++) {
        if (camera->skips_reference && i == camera->scene->reference_frame) continue;
        DV_TRY(dv_strdup(frames->names[i], &sequence->frames[sequence->n_frames]));
        sequence->n_frames++;
    }
    return DV_OK;
}

static dv_status list_sequences(const dv_muvod_choice *choice, dv_jf_result *result, size_t *n_frames) {
    *n_frames = 0;
    DV_TRY(dv_alloc(choice->n_cameras, sizeof *result->sequences, "cameras", &result->sequences));
    result->n_sequences = choice->n_cameras;
    for (size_t i = 0; i < choice->n_cameras; i++) {
        DV_TRY(list_frames(&choice->cameras[i], &result->sequences[i]));
        *n_frames += result->sequences[i].n_frames;
    }
    return DV_OK;
}

/* ---- Joining -------------------------------------------------------------------------------------------------------
 */

static void add_missing_truth(const dv_jf_plan *plan, const char *sequence, const char *frame, dv_fault_list *faults) {
    char message[DV_MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s: no %s %s%s%s, which the metadata list", dv_mask_set_path(plan->truth),
             frame ? "frame" : "camera", sequence, frame ? "/" : "", frame ? frame : "");
    dv_fault_list_add(faults, message);
}

static void join_frame(dv_jf_plan *plan, const dv_jf_place *place, const dv_mask_job *job, dv_fault_list *faults) {
    if (job->pred_frame == SIZE_MAX) {
        dv_jf_plan_add_missing(plan, job->truth_sequence, job->truth_frame, faults);
        return;
    }
    plan->places[plan->n_jobs] = *place;
    plan->jobs[plan->n_jobs++] = *job;
}

static void join_camera(dv_jf_plan *plan, const dv_jf_sequence *sequence, size_t at, dv_fault_list *faults) {
    const size_t truth = dv_mask_set_find_sequence(plan->truth, sequence->name);
    const size_t pred = dv_mask_set_find_sequence(plan->pred, sequence->name);
    if (truth == SIZE_MAX)
        add_missing_truth(plan, sequence->name, NULL, faults);
    else if (pred == SIZE_MAX)
        dv_jf_plan_add_missing_sequence(plan, truth, faults);
    for (size_t i = 0; truth != SIZE_MAX && pred != SIZE_MAX && i < sequence->n_frames; i++) {
        const char *const frame = sequence->frames[i];
        const dv_jf_place place = {at, i};
        const dv_mask_job job = {.truth_sequence = truth,
                                 .truth_frame = dv_mask_set_find_frame(plan->truth, truth, frame),
                                 .pred_sequence = pred,
                                 .pred_frame = dv_mask_set_find_frame(plan->pred, pred, frame)};
        if (job.truth_frame == SIZE_MAX)
            add_missing_truth(plan, sequence->name, frame, faults);
        else
            join_frame(plan, &place, &job, faults);
    }
}

static dv_status join(dv_jf_plan *plan, bool skip_bad, const dv_jf_result *result) {
    dv_fault_list faults = {.left_out = skip_bad};
    for (size_t i = 0; i < result->n_sequences; i++) join_camera(plan, &result->sequences[i], i, &faults);
    return dv_fault_list_judge(&faults, DV_E_MISSING, "cameras and frames are missing");
}

dv_status dv_muvod_plan_make(const dv_muvod_options *options, const dv_muvod_choice *choice, const char *pred,
                             dv_jf_plan *plan, dv_jf_result *result) {
    const dv_mask_palette palette = options->voc_palette ? DV_PALETTE_VOC : DV_PALETTE_NONE;
    size_t n_frames;
    memset(plan, 0, sizeof *plan);
    DV_TRY(dv_mask_set_open(options->truth, MUVOD_DEPTH, palette, &plan->truth));
    DV_TRY(dv_mask_set_open(pred, MUVOD_DEPTH, palette, &plan->pred));
    DV_TRY(list_sequences(choice, result, &n_frames));
    DV_TRY(dv_alloc(n_frames, sizeof *plan->jobs, "pairs of frames", &plan->jobs));
    DV_TRY(dv_alloc(n_frames, sizeof *plan->places, "pairs of frames", &plan->places));
    dv_log_passed_over(plan->truth);
    dv_log_passed_over(plan->pred);
    DV_TRY(join(plan, options->skip_bad, result));
    dv_jf_plan_describe(plan, result);
    return DV_OK;
}
