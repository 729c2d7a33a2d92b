/* groups.h: which rows a query may not see (`--exclude image|object`): ids of both sides as one numbering. */
#ifndef DV_PIPELINE_GROUPS_H
#define DV_PIPELINE_GROUPS_H

#include "denseval/bank.h"
#include "denseval/features.h"
#include "denseval/search.h"

typedef struct dv_groups {
    int32_t *of_row;         /* i32 [bank rows]; -2 for an unfilled row, which is never hidden. NULL without masks */
    int32_t *of_query_image; /* i32 [query images]; -1 where the bank does not know the id. NULL without masks */
} dv_groups;

/* Joins by id, never by position. DV_E_DATA when a side has no object ids, or when a query image sees fewer than k
 * rows (it is named). Release with dv_groups_clear, also on a zeroed struct. */
DV_MUST_USE dv_status dv_groups_make(const dv_bank_info *bank, const dv_feature_info *queries,
                                     const dv_search_options *options, dv_groups *groups);
void dv_groups_clear(dv_groups *groups);

#endif
