/* mask_pass_frame.h: one frame of a pass over masks, by one worker. */
#ifndef DV_PIPELINE_MASK_PASS_FRAME_H
#define DV_PIPELINE_MASK_PASS_FRAME_H

#include "core/check.h"
#include "pipeline/mask_pass.h"

/* What a worker keeps from frame to frame. */
typedef struct dv_mask_worker {
    void *counter;            /* of the device */
    dv_label_map truth, pred; /* owned */
    double read_s, count_s;
} dv_mask_worker;

/* What came of a frame. */
typedef struct dv_mask_outcome {
    bool ready;
    dv_mask_counts counts; /* filled where there is no fault */
    size_t n_faults;       /* 0..2: either file may be bad */
    struct {
        dv_status status; /* DV_E_DATA or DV_E_MISSING */
        char message[DV_MESSAGE_SIZE];
    } faults[2];
    uint64_t n_ignored;
    size_t n_mixed; /* 0..2: under single_object */
    bool identical;
    char truth_hash[DV_HASH_TEXT_SIZE], pred_hash[DV_HASH_TEXT_SIZE]; /* "": not read */
} dv_mask_outcome;

/* Reads, prepares and counts a frame. without_counts: its faults are all that is wanted. outcome: its counts are used
 * again, all else is set. Fails with what is no fault of the frame: DV_E_IO, DV_E_NOMEM, DV_E_BACKEND, DV_E_ARG. */
DV_MUST_USE dv_status dv_mask_frame_run(const dv_mask_pass *pass, dv_mask_worker *worker, size_t job,
                                        bool without_counts, dv_mask_outcome *outcome);

#endif
