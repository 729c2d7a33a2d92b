/* jf_sequence.h: the scores of one sequence from the counts of its frames. */
#ifndef DV_PROTOCOL_JF_SEQUENCE_H
#define DV_PROTOCOL_JF_SEQUENCE_H

#include "protocol/jf_objects.h"

/* The predicted id of each object: the object's own, or that of the best assignment, where ties go to the lowest. As
 * in the evaluation of DAVIS 2017, proposals are 1 to the highest predicted id, then as many empty ones as are short.
 * matched  u16 [n_ids], written in full; 0 for a proposal that no frame shows
 * Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_jf_match(const dv_jf_options *options, const dv_jf_frames *frames, const uint16_t *ids,
                                  size_t n_ids, uint16_t *matched);

/* Scores these objects, and those extra ids where they count as objects: fills sizes, radii, skipped, objects and means
 * of a sequence whose n_frames is set. Fails with DV_E_NOMEM; what was filled is the caller's to clear. */
DV_MUST_USE dv_status dv_jf_sequence_score(const dv_jf_options *options, const dv_jf_frames *frames,
                                           const uint16_t *ids, size_t n_ids, const dv_jf_extra_id *extra,
                                           size_t n_extra, dv_jf_sequence *sequence);
void dv_jf_sequence_clear(dv_jf_sequence *sequence);

/* The means over all sequences of a result; sums run in their order. n_radii is set. */
void dv_jf_take_means(dv_jf_result *result);

#endif
