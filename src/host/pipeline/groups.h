/* groups.h: which rows a query may not see (`--exclude image|object`): ids of both sides as one numbering. */
#ifndef DV_PIPELINE_GROUPS_H
#define DV_PIPELINE_GROUPS_H

#include "denseval/bank.h"
#include "denseval/features.h"
#include "denseval/search.h"

typedef struct dv_groups {
    int32_t *of_row;         /* i32 [bank rows]; -2 for an unfilled row, which is never hidden. NULL without masks */
    int32_t *of_query_image; /* i32 [query images]; -1 where the bank does not know the id. NULL without masks */
    int32_t *of_block;       /* i32 [n_of_block], scratch of dv_groups_block */
    size_t n_of_block;
} dv_groups;

/* Joins by id, never by position. DV_E_DATA when a side has no object ids. Release with dv_groups_clear, also on a
 * zeroed struct. */
DV_MUST_USE dv_status dv_groups_make(const dv_bank_info *bank, const dv_feature_info *queries, dv_exclude exclude,
                                     dv_groups *groups);
void dv_groups_clear(dv_groups *groups);

/* Adds to n_of_group [bank images] how many of n_rows rows of the bank each group has. rows  NULL: the first ones */
void dv_groups_count(const dv_groups *groups, const size_t *rows, size_t n_rows, size_t *n_of_group);

/* DV_E_DATA when a query image sees fewer than k of n_rows rows: it is named.
 * n_of_group  of those rows; images  [n_images], those that are scored; NULL: all */
DV_MUST_USE dv_status dv_groups_check(const dv_groups *groups, const dv_feature_info *queries, const size_t *images,
                                      size_t n_images, const size_t *n_of_group, size_t n_rows, size_t k);

/* The group of every patch of a block, i32 [n_images * P], borrowed until the next call; NULL without masks. */
DV_MUST_USE dv_status dv_groups_block(dv_groups *groups, const dv_feature_block *block, size_t n_patches,
                                      const int32_t **out);

#endif
