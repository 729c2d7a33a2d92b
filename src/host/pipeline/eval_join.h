/* eval_join.h: the counts of an evaluation that ranks share. */
#ifndef DV_PIPELINE_EVAL_JOIN_H
#define DV_PIPELINE_EVAL_JOIN_H

#include "denseval/eval.h"

/* Brings the counts of all groups, and of images left out, to rank 0; every rank must call it, with the same bins. */
DV_MUST_USE dv_status dv_eval_join(dv_ranks *ranks, dv_eval_result *result);

#endif
