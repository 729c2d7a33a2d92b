/* jf_frames.h: what was counted in the frames of one sequence, kept until its scores are taken. */
#ifndef DV_PROTOCOL_JF_FRAMES_H
#define DV_PROTOCOL_JF_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/mask_counts.h"

/* Pixels and contour pixels fit in 32 bits: sides are at most 65535. */
typedef struct dv_jf_size {
    uint16_t id;
    uint32_t pixels, contour;
} dv_jf_size;

typedef struct dv_jf_pair {
    uint16_t truth_id, pred_id;
    uint32_t intersection;
} dv_jf_pair;

typedef struct dv_jf_frame {
    bool counted; /* else it was left out */
    size_t first_truth, n_truth, first_pred, n_pred, first_pair, n_pairs;
} dv_jf_frame;

/* Zeroed it is empty. */
typedef struct dv_jf_frames {
    size_t n_frames; /* of the sequence */
    size_t height, width, n_radii;
    uint32_t radii_px[DV_MAX_RADII];
    dv_jf_frame *frames;                    /* [n_frames] */
    dv_jf_size *truth, *pred;               /* of frame after frame, by id */
    dv_jf_pair *pairs;                      /* by truth id, then predicted id */
    uint32_t *truth_matched, *pred_matched; /* [pairs, n_radii] */
    size_t n_truth, n_pred, n_pairs;        /* in use */
    size_t frame_capacity, truth_capacity, pred_capacity, pair_capacity;
} dv_jf_frames;

/* Empties it for a sequence of so many frames; memory stays for it. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_jf_frames_begin(dv_jf_frames *frames, size_t n_frames);

/* Takes the counts of a frame in. The first frame decides sizes and radii; another size is DV_E_DATA naming both, and
 * the frame stays uncounted. Also fails with DV_E_NOMEM. counts: borrowed for the call */
DV_MUST_USE dv_status dv_jf_frames_add(dv_jf_frames *frames, size_t frame, const dv_mask_counts *counts);

/* Drops the counts of a frame. */
void dv_jf_frames_leave_out(dv_jf_frames *frames, size_t frame);

void dv_jf_frames_clear(dv_jf_frames *frames);

/* J, and F at each radius, of a true and a predicted object in a counted frame. An id without pixels, 0 too, is an
 * empty object.  f  f64 [n_radii] */
void dv_jf_frames_score(const dv_jf_frames *frames, size_t frame, uint16_t truth_id, uint16_t pred_id, double *j,
                        double *f);

/* Has the side this object in the frame? */
bool dv_jf_frames_truth_has(const dv_jf_frames *frames, size_t frame, uint16_t id);
bool dv_jf_frames_pred_has(const dv_jf_frames *frames, size_t frame, uint16_t id);

#endif
