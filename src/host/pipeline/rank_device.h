/* rank_device.h: the device of a rank, with its part of the GPUs of the node. */
#ifndef DV_PIPELINE_RANK_DEVICE_H
#define DV_PIPELINE_RANK_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/device.h"
#include "denseval/ranks.h"

typedef struct dv_gpu_share {
    size_t first, n;
    bool is_shared; /* other ranks have the same */
} dv_gpu_share;

/* Of n_gpus that n_ranks see, those of one of them: runs of equal length, the first ones longer by one where they do
 * not go even; where there are more ranks than GPUs one each, dealt round. No GPUs: none. n_ranks is at least 1. */
dv_gpu_share dv_gpu_share_of(size_t n_gpus, size_t n_ranks, size_t rank);

/* As dv_device_open, with the share that this rank has of the GPUs which other ranks of its node see too; a rank that
 * sees others than they do keeps all of them. Every rank must call it. backend: NULL or "auto" as of dv_search_options
 */
DV_MUST_USE dv_status dv_rank_device_open(dv_ranks *ranks, const char *backend, const dv_device_options *options,
                                          dv_device **out);

#endif
