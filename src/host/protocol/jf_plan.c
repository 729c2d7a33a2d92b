#include "protocol/jf_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/fault_list.h"
#include "core/memory.h"
#include "protocol/mask_sides.h"

enum { NAME_SIZE = DV_MESSAGE_SIZE / 2 };

/* ---- Sequences of the truth ----------------------------------------------------------------------------------------
 */

static dv_status list_frames(const dv_mask_set *truth, size_t at, dv_jf_sequence *sequence) {
    const size_t n = dv_mask_set_n_frames(truth, at);
    DV_TRY(dv_strdup(dv_mask_set_sequence(truth, at), &sequence->name));
    DV_TRY(dv_alloc(n, sizeof *sequence->frames, "frames of a sequence", &sequence->frames));
    sequence->n_frames = n;
    for (size_t frame = 0; frame < n; frame++)
        DV_TRY(dv_strdup(dv_mask_set_frame(truth, at, frame), &sequence->frames[frame]));
    return DV_OK;
}

static dv_status list_sequences(const dv_mask_set *truth, dv_jf_result *result, size_t *n_frames) {
    const size_t n = dv_mask_set_n_sequences(truth);
    *n_frames = 0;
    DV_TRY(dv_alloc(n, sizeof *result->sequences, "sequences", &result->sequences));
    result->n_sequences = n;
    for (size_t i = 0; i < n; i++) {
        DV_TRY(list_frames(truth, i, &result->sequences[i]));
        *n_frames += result->sequences[i].n_frames;
    }
    return DV_OK;
}

/* ---- Joining -------------------------------------------------------------------------------------------------------
 */

void dv_jf_plan_add_missing(const dv_jf_plan *plan, size_t sequence, size_t frame, dv_fault_list *faults) {
    char name[NAME_SIZE], message[DV_MESSAGE_SIZE];
    dv_mask_set_name_frame(plan->truth, sequence, frame, name, sizeof name);
    snprintf(message, sizeof message, "%s: no frame %s/%s for the truth %s", dv_mask_set_path(plan->pred),
             dv_mask_set_sequence(plan->truth, sequence), dv_mask_set_frame(plan->truth, sequence, frame), name);
    dv_fault_list_add(faults, message);
}

void dv_jf_plan_add_missing_sequence(const dv_jf_plan *plan, size_t sequence, dv_fault_list *faults) {
    char message[DV_MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s: no sequence %s, of which the truth %s has %zu frames",
             dv_mask_set_path(plan->pred), dv_mask_set_sequence(plan->truth, sequence), dv_mask_set_path(plan->truth),
             dv_mask_set_n_frames(plan->truth, sequence));
    dv_fault_list_add(faults, message);
}

static void join_sequence(dv_jf_plan *plan, size_t sequence, dv_fault_list *faults) {
    const size_t pred_sequence = dv_mask_set_find_sequence(plan->pred, dv_mask_set_sequence(plan->truth, sequence));
    if (pred_sequence == SIZE_MAX) {
        dv_jf_plan_add_missing_sequence(plan, sequence, faults);
        return;
    }
    for (size_t frame = 0; frame < dv_mask_set_n_frames(plan->truth, sequence); frame++) {
        const size_t pred_frame =
            dv_mask_set_find_frame(plan->pred, pred_sequence, dv_mask_set_frame(plan->truth, sequence, frame));
        if (pred_frame == SIZE_MAX) {
            dv_jf_plan_add_missing(plan, sequence, frame, faults);
        } else {
            plan->places[plan->n_jobs] = (dv_jf_place){sequence, frame};
            plan->jobs[plan->n_jobs++] = (dv_mask_job){.truth_sequence = sequence,
                                                       .truth_frame = frame,
                                                       .pred_sequence = pred_sequence,
                                                       .pred_frame = pred_frame};
        }
    }
}

static dv_status join(dv_jf_plan *plan, bool skip_bad) {
    dv_fault_list faults = {.left_out = skip_bad};
    for (size_t i = 0; i < dv_mask_set_n_sequences(plan->truth); i++) join_sequence(plan, i, &faults);
    return dv_fault_list_judge(&faults, DV_E_MISSING, "sequences and frames are missing");
}

/* ---- What is there beside ------------------------------------------------------------------------------------------
 */

static void look_for_unused(const dv_jf_plan *plan, dv_jf_result *result) {
    dv_shown_names sequences = {.n = 0}, frames = {.n = 0};
    for (size_t i = 0; i < dv_mask_set_n_sequences(plan->pred); i++) {
        const char *const name = dv_mask_set_sequence(plan->pred, i);
        const size_t in_truth = dv_mask_set_find_sequence(plan->truth, name);
        if (in_truth == SIZE_MAX) {
            dv_show_name(&sequences, name, NULL);
            continue;
        }
        for (size_t frame = 0; frame < dv_mask_set_n_frames(plan->pred, i); frame++) {
            const char *const stem = dv_mask_set_frame(plan->pred, i, frame);
            if (dv_mask_set_find_frame(plan->truth, in_truth, stem) == SIZE_MAX) dv_show_name(&frames, name, stem);
        }
    }
    dv_warn_unused(plan->pred, "the truth", &sequences, "sequences");
    dv_warn_unused(plan->pred, "the truth", &frames, "frames");
    result->n_sequences_unused = sequences.n;
    result->n_frames_unused = frames.n;
}

static bool is_one_place(const char *a, const char *b) {
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

void dv_jf_plan_describe(const dv_jf_plan *plan, dv_jf_result *result) {
    result->truth_bytes = dv_mask_bytes(plan->truth, plan->jobs, plan->n_jobs, true);
    result->pred_bytes = dv_mask_bytes(plan->pred, plan->jobs, plan->n_jobs, false);
    result->same = is_one_place(dv_mask_set_path(plan->truth), dv_mask_set_path(plan->pred));
}

dv_status dv_jf_plan_make(const dv_jf_options *options, dv_jf_plan *plan, dv_jf_result *result) {
    const dv_mask_palette palette = options->voc_palette ? DV_PALETTE_VOC : DV_PALETTE_NONE;
    size_t n_frames;
    memset(plan, 0, sizeof *plan);
    DV_TRY(dv_mask_set_open(options->truth, 1, palette, &plan->truth));
    DV_TRY(dv_mask_set_open(options->pred, 1, palette, &plan->pred));
    DV_TRY(list_sequences(plan->truth, result, &n_frames));
    DV_TRY(dv_alloc(n_frames, sizeof *plan->jobs, "pairs of frames", &plan->jobs));
    DV_TRY(dv_alloc(n_frames, sizeof *plan->places, "pairs of frames", &plan->places));
    dv_log_passed_over(plan->truth);
    dv_log_passed_over(plan->pred);
    look_for_unused(plan, result);
    DV_TRY(join(plan, options->skip_bad));
    dv_jf_plan_describe(plan, result);
    return DV_OK;
}

void dv_jf_plan_clear(dv_jf_plan *plan) {
    free(plan->jobs);
    free(plan->places);
    dv_mask_set_close(plan->truth);
    dv_mask_set_close(plan->pred);
    memset(plan, 0, sizeof *plan);
}
