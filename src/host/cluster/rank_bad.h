/* rank_bad.h: the bad images of ranks that read a share of a set each. */
#ifndef DV_CLUSTER_RANK_BAD_H
#define DV_CLUSTER_RANK_BAD_H

#include "core/fault_list.h"
#include "denseval/ranks.h"

/* Logs on rank 0, in the order of the images, what one reader of all n_images would have logged, and ends on all ranks
 * as it would have ended. Every rank must call it. */
DV_MUST_USE dv_status dv_rank_bad_judge(dv_ranks *ranks, const dv_kept_faults *mine, size_t n_images);

#endif
