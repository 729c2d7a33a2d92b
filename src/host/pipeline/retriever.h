/* retriever.h: a bank brought to a device, in one piece, in shards, or slab by slab, and searched block by block. */
#ifndef DV_PIPELINE_RETRIEVER_H
#define DV_PIPELINE_RETRIEVER_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/bank.h"
#include "denseval/device.h"
#include "denseval/features.h"
#include "denseval/search.h"

typedef struct dv_retriever dv_retriever;

/* Checks that bank and queries fit, opens the device and loads what stays resident. A bank whose rows take more than
 * half of options->memory_limit is read again, a slab at a time, for every block. All is borrowed until close. */
DV_MUST_USE dv_status dv_retriever_open(dv_bank *bank, const dv_feature_info *queries, const dv_search_options *options,
                                        dv_retriever **out);
void dv_retriever_close(dv_retriever *retriever);

dv_device *dv_retriever_device(const dv_retriever *retriever);

/* How many query images make a block: the option, or what memory and threads suggest. `extra_bytes` is what else the
 * caller holds for an image. Fails with DV_E_NOMEM when the limit cannot hold one image (bytes wanted and allowed). */
DV_MUST_USE dv_status dv_retriever_block_images(const dv_retriever *retriever, size_t extra_bytes, size_t *n_images);

/* Top-k of every patch of a block, bank row ids.
 * block    rows of the query set, host memory; at most as many images as n_images of dv_retriever_block_images
 * ids      i64 [n_images * P, k], cosines f64 likewise: device memory */
DV_MUST_USE dv_status dv_retriever_search(dv_retriever *retriever, const dv_feature_block *block, int64_t *ids,
                                          double *cosines);

void dv_retriever_summary(const dv_retriever *retriever, dv_search_summary *summary);

/* Seconds of a steady clock, for the summary's wall times. */
double dv_clock_s(void);

#endif
