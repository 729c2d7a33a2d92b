/* cuda_block.h: a block of queries on the GPU, prepared for its search. */
#ifndef DV_DEVICE_CUDA_CUDA_BLOCK_H
#define DV_DEVICE_CUDA_CUDA_BLOCK_H

#include "device/cuda/cuda_index.h"

/* All memory is the index's, of its plan. */
typedef struct dv_cuda_block {
    const dv_queries *queries; /* of the whole search */
    size_t first, n;           /* which of them */
    dv_prepared_queries prepared;
    dv_query_codes codes;
    dv_hit_lists hits;
    dv_scored_lists lists;
    double *lower;            /* f64 [n]: no wanted row has a smaller cosine */
    const double *least;      /* f64 [n] or NULL */
    uint32_t *fates, *chosen; /* u32 [n] */
    int32_t *thresholds, *maxima;
    unsigned long long *n_scored;
    uint32_t *fates_here; /* u32 [n], pinned, on the host: once the work up to dv_cuda_block_fetch is done */
} dv_cuda_block;

/* Sends the block that begins with query `first` to the device as it is, beside whatever the device does; the queries
 * need not stay. One block at a time: the next one waits there until this one is prepared. Fails with DV_E_BACKEND. */
DV_MUST_USE dv_status dv_cuda_block_send(dv_cuda_index *index, const dv_queries *queries, size_t first);

/* Queues the coding of the block that was sent. */
DV_MUST_USE dv_status dv_cuda_block_prepare(dv_cuda_index *index, const dv_queries *queries, size_t first,
                                            dv_cuda_block *block);

/* Queues the way of the fates to the host. */
DV_MUST_USE dv_status dv_cuda_block_fetch(dv_cuda_index *index, const dv_cuda_block *block);

/* Queues copies of the n queries of a block whose numbers in it `chosen` lists (host memory, borrowed for the call), to
 * be searched by themselves, and the bounds that they begin with. */
DV_MUST_USE dv_status dv_cuda_block_choose(dv_cuda_index *index, const dv_cuda_block *block, const uint32_t *chosen,
                                           size_t n, dv_query_codes *codes, dv_prepared_queries *prepared,
                                           double **lower);

#endif
