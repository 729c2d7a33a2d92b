/* rank_lists.h: where the bank is split over ranks: what they tell each other of the lists of one block of queries. */
#ifndef DV_PIPELINE_RANK_LISTS_H
#define DV_PIPELINE_RANK_LISTS_H

#include <stddef.h>
#include <stdint.h>

#include "cluster/exchange.h"
#include "denseval/device.h"
#include "denseval/features.h"

typedef struct dv_rank_lists dv_rank_lists;

typedef struct dv_rank_lists_spec {
    dv_ranks *ranks;
    dv_device *device;
    size_t most_images, n_patches, k; /* the same on all ranks */
} dv_rank_lists_spec;

/* Host bytes of an image of a block. */
size_t dv_rank_lists_image_bytes(size_t n_patches, size_t k);

/* *out: the caller's until dv_rank_lists_free; NULL on failure. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_rank_lists_create(const dv_rank_lists_spec *spec, dv_rank_lists **out);
void dv_rank_lists_free(dv_rank_lists *lists); /* NULL is allowed */

/* The part of a block that is a rank's share. */
dv_feature_block dv_rank_lists_own(dv_ranks *ranks, const dv_feature_info *queries, const dv_feature_block *block);

/* No list is known yet of a block. */
void dv_rank_lists_begin(dv_rank_lists *lists, size_t n_images);

/* Takes in the k-th cosine of every query so far, the largest of all ranks: no rank wants a row below it. All ranks
 * call it. cosines  f64 [n_images * P, k], device memory */
DV_MUST_USE dv_status dv_rank_lists_share_least(dv_rank_lists *lists, const double *cosines);

/* f64 [n_images * P], as shared so far. Borrowed until the lists are freed. */
const double *dv_rank_lists_least(const dv_rank_lists *lists);

/* Merges the lists of all ranks, in a tree, for the images of each rank's share of the block. All ranks call it.
 * ids, cosines  [n_images * P, k], host memory, borrowed for the call
 * own_ids, own_cosines  the share's, borrowed until the next call */
DV_MUST_USE dv_status dv_rank_lists_merge_host(dv_rank_lists *lists, const int64_t *ids, const double *cosines,
                                               const int64_t **own_ids, const double **own_cosines);

/* The same in device memory: the share's lists stand at the beginning of ids and cosines then. */
DV_MUST_USE dv_status dv_rank_lists_merge(dv_rank_lists *lists, int64_t *ids, double *cosines);

#endif
