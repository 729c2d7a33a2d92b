/* jf.h: J (region similarity) and F (contour accuracy) of video object segmentation, by published protocols. */
#ifndef DENSEVAL_JF_H
#define DENSEVAL_JF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/gpu_account.h"
#include "denseval/hash.h"
#include "denseval/jf_statistics.h"
#include "denseval/mask_counts.h"
#include "denseval/run.h"
#include "denseval/status.h"

DV_C_BEGIN

typedef enum dv_jf_protocol {
    DV_JF_DAVIS2017_SEMI = 0,  /* identities given; first and last frame left out */
    DV_JF_DAVIS2017_UNSUP = 1, /* proposals, assigned by mean J and F; all frames; void ignored */
    DV_JF_DAVIS2016 = 2,       /* one object: whatever is not 0; first and last frame left out */
    DV_JF_MUVOD = 3            /* scenes of several cameras; not for dv_jf_run */
} dv_jf_protocol;

/* Which objects of a sequence are scored, and from when; docs/METRICS.md, "Objects of a sequence". */
typedef enum dv_jf_objects {
    DV_JF_FIRST_FRAME = 0,    /* ids in the truth's first frame */
    DV_JF_APPEARANCE = 1,     /* ids in any truth frame, each from the frame where the truth first shows it */
    DV_JF_SEEN = 2,           /* each from the first scored frame where truth or prediction shows it: vos-benchmark */
    DV_JF_ALL = 3,            /* ids in any truth frame, over all frames */
    DV_JF_FIRST_FRAME_MAX = 4 /* 1 to the highest id of the first frame, present or not: davis2017-evaluation */
} dv_jf_objects;

/* Of these the value 0 is what the protocol says. */
typedef enum dv_jf_ends { DV_JF_ENDS_PROTOCOL = 0, DV_JF_ENDS_NONE = 1, DV_JF_ENDS_BOTH = 2 } dv_jf_ends;
typedef enum dv_jf_void { DV_JF_VOID_PROTOCOL = 0, DV_JF_VOID_BACKGROUND = 1, DV_JF_VOID_IGNORE = 2 } dv_jf_void;
typedef enum dv_jf_assign {
    DV_JF_ASSIGN_PROTOCOL = 0,
    DV_JF_ASSIGN_IDENTITY = 1,
    DV_JF_ASSIGN_JF = 2, /* optimal on (mean J + mean F) / 2 */
    DV_JF_ASSIGN_J = 3   /* optimal on mean J: TrackEval */
} dv_jf_assign;

/* What an id is that the prediction alone has. Proposals, which an assignment is sought for, and the predicted ids of
 * davis2017-unsup are never any. */
typedef enum dv_jf_extra { DV_JF_EXTRA_ERROR = 0, DV_JF_EXTRA_FALSE_POSITIVE = 1, DV_JF_EXTRA_IGNORE = 2 } dv_jf_extra;

enum { DV_JF_MOST_PROPOSALS = 20 }; /* higher predicted ids are ignored where an assignment is sought */

/* Texts are borrowed for the call. */
typedef struct dv_jf_options {
    const char *truth, *pred; /* folders SEQUENCE/FRAME.png, or mask files in HDF5 */
    dv_jf_protocol protocol;
    dv_mask_rules rules; /* bound, radii, bipartite; the rest is set by the protocol */
    dv_jf_objects objects;
    dv_jf_ends ends;
    dv_jf_void voids;
    dv_jf_extra extra_ids;
    dv_jf_assign assign;
    bool single_object; /* set by davis2016. Object 1 is then declared, and so in every sequence */
    bool voc_palette;   /* RGB masks in the PASCAL VOC colours are read too */
    bool resize;        /* predictions of another size are resized, nearest */
    bool skip_bad, allow_empty;
    const char *backend;
    size_t n_threads;
    dv_gpu_account *account;       /* what is spent on GPUs is added; NULL: nobody wants it */
    dv_progress_callback progress; /* NULL: none */
    void *progress_user;
} dv_jf_options;

/* Puts what the protocol says in place of every ..._PROTOCOL. */
void dv_jf_options_resolve(dv_jf_options *options);

/* One object of one sequence over its scored frames. */
typedef struct dv_jf_object {
    uint16_t id;
    uint16_t matched_id; /* predicted id it was scored against; 0: an empty proposal */
    bool extra;          /* an id that the prediction alone has (DV_JF_EXTRA_FALSE_POSITIVE) */
    size_t n_frames;     /* scored; 0: nothing to score, all means are NaN */
    size_t *frames;      /* [n_frames] indices into the sequence's frames, rising; owned */
    bool *shown;         /* [n_frames] the truth shows it; owned */
    double *j;           /* f64 [n_frames]; owned */
    double *f;           /* f64 [n_radii, n_frames]; owned */
    dv_curve_statistics j_statistics, f_statistics[DV_MAX_RADII];
} dv_jf_object;

typedef struct dv_jf_sequence {
    char *name;           /* owned */
    size_t height, width; /* 0: no frame was read */
    uint32_t radii_px[DV_MAX_RADII];
    size_t n_frames; /* in the truth */
    char **frames;   /* [n_frames] stems, owned */
    bool *skipped;   /* [n_frames], owned: bad frames that skip_bad left out */
    bool *scored;    /* [n_frames], owned: neither an end that is left out nor skipped */
    size_t n_scored_frames;
    size_t n_objects;
    dv_jf_object *objects; /* by id, extra ones last; owned */
    /* Over its objects that have frames; NaN where none has. */
    double j_mean, f_mean[DV_MAX_RADII];
} dv_jf_sequence;

/* An id of a prediction that the truth of its sequence does not have. */
typedef struct dv_jf_extra_id {
    size_t sequence;
    uint16_t id;
    size_t n_frames; /* that show it */
    uint64_t pixels; /* in all of them */
} dv_jf_extra_id;

/* A mean under one way of averaging, at one radius. NaN where nothing was scored. */
typedef struct dv_jf_mean {
    size_t n; /* objects, sequences or object-frames */
    double jf, j, f;
} dv_jf_mean;

typedef struct dv_jf_result {
    size_t n_radii;                  /* 1 where rules.bound makes it */
    uint32_t radii_px[DV_MAX_RADII]; /* that were asked for; 0 where rules.bound makes it: see the sequences */
    size_t n_sequences;
    dv_jf_sequence *sequences; /* those of the truth in natural order; owned */
    size_t n_extra;
    dv_jf_extra_id *extra; /* [n_extra], by sequence, then id; owned */
    /* Mean over the objects of their means, recalls and decays; n counts the objects. */
    dv_curve_statistics j_statistics, f_statistics[DV_MAX_RADII];
    dv_jf_mean per_object[DV_MAX_RADII], per_sequence[DV_MAX_RADII], per_frame[DV_MAX_RADII];
    size_t n_frames_skipped;                    /* by skip_bad */
    size_t n_frames_unused, n_sequences_unused; /* of the prediction, which the truth does not have */
    uint64_t ignored_pixels;                    /* void, and predicted ids above DV_JF_MOST_PROPOSALS */
    bool same;                                  /* prediction and truth are one folder, or hold the same masks */
    uint64_t truth_bytes, pred_bytes;           /* of all files read */
    char truth_hash[DV_HASH_TEXT_SIZE], pred_hash[DV_HASH_TEXT_SIZE]; /* of all frames' names and contents, in order */
    double read_s, count_s;                                           /* seconds of all threads together */
} dv_jf_result;

/* Scores predictions by davis2017-semi, davis2017-unsup or davis2016. Sequences and frames are joined by name, and
 * every one of the truth is scored: what the prediction lacks is listed and DV_E_MISSING, what it has beside is logged
 * as a warning. Bad frames (unreadable; sizes that differ; extra ids under DV_JF_EXTRA_ERROR) are listed, the first 20
 * in full, and fail the run with DV_E_DATA once all were looked at. skip_bad leaves bad and missing frames out. Nothing
 * scored at all is DV_E_DATA unless allow_empty. Memory does not grow with the frames beyond what *result holds of
 * them. Other failures: DV_E_ARG (muvod, rules), DV_E_USAGE (backend), DV_E_BACKEND, DV_E_IO, DV_E_NOMEM,
 * DV_E_INTERRUPTED. *result  release with dv_jf_result_clear; zeroed on failure */
DV_MUST_USE dv_status dv_jf_run(const dv_jf_options *options, dv_jf_result *result);
void dv_jf_result_clear(dv_jf_result *result);

DV_C_END
#endif
