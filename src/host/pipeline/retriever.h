/* retriever.h: a bank brought to a device, in one piece, in shards, or slab by slab, and searched block by block. */
#ifndef DV_PIPELINE_RETRIEVER_H
#define DV_PIPELINE_RETRIEVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/exchange.h"
#include "denseval/bank.h"
#include "denseval/device.h"
#include "denseval/features.h"
#include "denseval/search.h"

typedef struct dv_retriever dv_retriever;

/* What the caller of a retriever will ask of it, and holds itself: a memory limit counts that too. */
typedef struct dv_retriever_use {
    size_t n_images;    /* query images in all */
    size_t image_bytes; /* of each image of a block, beside its rows, ids and cosines */
    size_t fixed_bytes; /* whatever the block is */
} dv_retriever_use;

/* Checks that bank and queries fit, agrees with other ranks how to share the work, opens the device and loads what
 * stays resident: of a bank that is split over ranks the rows of this one. With options->memory_limit, a bank that
 * would leave no room for blocks of queries is read again for every block, a slab at a time. All is borrowed until
 * close. Fails with DV_E_NOMEM where the limit cannot hold a bank row and a query image (bytes wanted and allowed). */
DV_MUST_USE dv_status dv_retriever_open(dv_bank *bank, const dv_feature_info *queries, const dv_search_options *options,
                                        const dv_retriever_use *use, dv_retriever **out);
void dv_retriever_close(dv_retriever *retriever);

dv_device *dv_retriever_device(const dv_retriever *retriever);

/* How many query images make a block, 1 or more: the option, or what memory and threads suggest. */
size_t dv_retriever_block_images(const dv_retriever *retriever);

/* Is there no memory for a block that is read ahead? */
bool dv_retriever_one_block(const dv_retriever *retriever);

/* Which of n query images this rank is to read: its share, or where the bank is split all of them, in the same blocks
 * as the other ranks. */
dv_share dv_retriever_images(const dv_retriever *retriever, size_t n);

/* Do several ranks read a share of the queries each? */
bool dv_retriever_queries_are_split(const dv_retriever *retriever);

/* The part of a block whose lists this rank gets: all of it, or where the bank is split a share, which may be empty. */
dv_feature_block dv_retriever_own(const dv_retriever *retriever, const dv_feature_block *block);

/* Top-k of the patches of dv_retriever_own, bank row ids. Where the bank is split all ranks call it, with the same
 * block. block    rows of the query set, host memory; at most dv_retriever_block_images ids      i64 [n_images * P, k],
 * cosines f64 likewise: device memory with room for all of the block */
DV_MUST_USE dv_status dv_retriever_search(dv_retriever *retriever, const dv_feature_block *block, int64_t *ids,
                                          double *cosines);

/* Of all ranks, on rank 0; on the others of their own part. All ranks call it. */
DV_MUST_USE dv_status dv_retriever_summary(const dv_retriever *retriever, dv_search_summary *summary);

#endif
