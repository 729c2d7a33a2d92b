/* retriever.h: a bank brought to a device, in one piece, in shards, or slab by slab, and searched block by block. */
#ifndef DV_PIPELINE_RETRIEVER_H
#define DV_PIPELINE_RETRIEVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Checks that bank and queries fit, opens the device and loads what stays resident. With options->memory_limit, a bank
 * that would leave no room for blocks of queries is read again for every block, a slab at a time. All is borrowed until
 * close. Fails with DV_E_NOMEM where the limit cannot hold a bank row and a query image (bytes wanted and allowed). */
DV_MUST_USE dv_status dv_retriever_open(dv_bank *bank, const dv_feature_info *queries, const dv_search_options *options,
                                        const dv_retriever_use *use, dv_retriever **out);
void dv_retriever_close(dv_retriever *retriever);

dv_device *dv_retriever_device(const dv_retriever *retriever);

/* How many query images make a block, 1 or more: the option, or what memory and threads suggest. */
size_t dv_retriever_block_images(const dv_retriever *retriever);

/* Is there no memory for a block that is read ahead? */
bool dv_retriever_one_block(const dv_retriever *retriever);

/* Top-k of every patch of a block, bank row ids.
 * block    rows of the query set, host memory; at most dv_retriever_block_images
 * ids      i64 [n_images * P, k], cosines f64 likewise: device memory */
DV_MUST_USE dv_status dv_retriever_search(dv_retriever *retriever, const dv_feature_block *block, int64_t *ids,
                                          double *cosines);

void dv_retriever_summary(const dv_retriever *retriever, dv_search_summary *summary);

#endif
