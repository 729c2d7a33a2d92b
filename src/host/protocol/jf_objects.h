/* jf_objects.h: which ids of a sequence are scored, and in which frames (docs/METRICS.md, "Objects of a sequence"). */
#ifndef DV_PROTOCOL_JF_OBJECTS_H
#define DV_PROTOCOL_JF_OBJECTS_H

#include "denseval/jf.h"
#include "protocol/jf_frames.h"

/* Options are resolved (dv_jf_options_resolve) in all that follows. */

/* Is an assignment sought between objects and proposals? */
bool dv_jf_seeks_assignment(const dv_jf_options *options);

/* Was the frame counted, and is it no end that is left out? */
bool dv_jf_is_scored(const dv_jf_options *options, const dv_jf_frames *frames, size_t frame);

/* The ids that --objects names, rising. The first frame is the first that was counted.
 * *ids: the caller's until free(); NULL on failure. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_jf_objects_list(const dv_jf_options *options, const dv_jf_frames *frames, uint16_t **ids,
                                         size_t *n_ids);

/* Ids of the prediction that are neither in the truth nor among `ids`, rising, with frames and pixels; none where
 * predicted ids are proposals. `sequence` of each is 0.
 * *extra: the caller's until free(); NULL on failure. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_jf_extra_list(const dv_jf_options *options, const dv_jf_frames *frames, const uint16_t *ids,
                                       size_t n_ids, dv_jf_extra_id **extra, size_t *n_extra);

/* The frames that an object is scored in, of those that are scored at all. */
typedef struct dv_jf_span {
    size_t begin;    /* not before this frame */
    bool shown_only; /* and only where the prediction shows it */
} dv_jf_span;

/* Where a true object against a predicted one is scored. extra: see dv_jf_object */
dv_jf_span dv_jf_span_of(const dv_jf_options *options, const dv_jf_frames *frames, uint16_t truth_id, uint16_t pred_id,
                         bool extra);
bool dv_jf_span_has(const dv_jf_options *options, const dv_jf_frames *frames, const dv_jf_span *span, uint16_t pred_id,
                    size_t frame);

#endif
