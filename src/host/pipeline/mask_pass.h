/* mask_pass.h: one pass over pairs of masks: reads, prepares and counts them, frames in parallel, one frame a worker in
 * memory. */
#ifndef DV_PIPELINE_MASK_PASS_H
#define DV_PIPELINE_MASK_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/device.h"
#include "denseval/run.h"
#include "io/mask_set.h"

/* What a 255 of the truth is. */
typedef enum dv_mask_void {
    DV_VOID_BACKGROUND = 0, /* no object there */
    DV_VOID_IGNORE = 1,     /* no object there on either side, before contours are taken */
    DV_VOID_NONE = 2        /* nothing special: it is an id as others are */
} dv_mask_void;

/* A frame to score. */
typedef struct dv_mask_job {
    size_t truth_sequence, truth_frame, pred_sequence, pred_frame; /* indices into the two sets */
} dv_mask_job;

/* How masks are prepared. */
typedef struct dv_mask_policy {
    dv_mask_void truth_void;
    bool single_object; /* whatever is not 0 is object 1, on both sides; truth_void then has no effect */
    bool resize;        /* a prediction of another size is resized by nearest sampling: cell floor((2 i + 1) in /
                             (2 out)) of each side; else refused */
    uint16_t most_pred; /* larger predicted ids become 0 and are counted; 0: all stay */
} dv_mask_policy;

typedef struct dv_mask_pass {
    dv_mask_set *truth, *pred;
    const dv_mask_job *jobs;
    size_t n_jobs;
    dv_mask_policy policy;
    dv_mask_rules rules;
    dv_device *device;
    size_t n_threads;
    bool skip_bad;
    dv_progress_callback progress; /* NULL: none; from the calling thread */
    void *progress_user;
    /* Takes the counts of job `job`, once each, in rising order of jobs, from one thread at a time. counts: borrowed
     * for the call. */
    dv_status (*take)(void *user, size_t job, const dv_mask_counts *counts);
    void *user;
} dv_mask_pass;

typedef struct dv_mask_pass_result {
    size_t n_scored, n_skipped;
    bool *skipped;           /* [n_jobs], owned: bad frames that skip_bad left out */
    uint64_t ignored_pixels; /* of the scored frames: void pixels that became background, and pixels of predicted ids
                                above most_pred */
    size_t n_mixed;          /* masks of the scored frames, of both sides, that policy.single_object took more than one
                                value of for the object */
    bool identical;          /* every pair of masks that was scored has the same labels, before they are prepared */
    double read_s, count_s;  /* seconds of all threads together */
    char truth_hash[DV_HASH_TEXT_SIZE],
        pred_hash[DV_HASH_TEXT_SIZE]; /* of all frames' names and hashes, in order of jobs */
} dv_mask_pass_result;

/* Runs the pass. Bad frames (unreadable, sizes that differ: both are named with the frame) are listed, the first 20 in
 * full, once all were looked at, and fail it with DV_E_DATA (DV_E_MISSING where nothing but files is missing).
 * Other failures: what `take` fails with, DV_E_NOMEM, DV_E_BACKEND, DV_E_INTERRUPTED.
 * *result  release with dv_mask_pass_result_clear; zeroed on failure */
DV_MUST_USE dv_status dv_mask_pass_run(const dv_mask_pass *pass, dv_mask_pass_result *result);
void dv_mask_pass_result_clear(dv_mask_pass_result *result);

#endif
