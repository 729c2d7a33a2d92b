/* cuda_block.h: a block of queries on the GPU, prepared for its search. */
#ifndef DV_DEVICE_CUDA_CUDA_BLOCK_H
#define DV_DEVICE_CUDA_CUDA_BLOCK_H

#include "device/cuda/cuda_index.h"

/* Sizes of all blocks of a search. */
typedef struct dv_cuda_plan {
    size_t k, capacity;             /* capacity: hits of a query */
    size_t block_queries, n_padded; /* most queries of a block; padded to 128 */
    size_t first_tiles, most_tiles, seed_tiles, slice_tiles;
    size_t stride; /* candidates that are scored at once, of a query */
} dv_cuda_plan;

/* Plans the search of n queries, for the memory that is there. Fails with DV_E_BACKEND. */
DV_MUST_USE dv_status dv_cuda_plan_make(const dv_cuda_index *index, size_t n, size_t k, dv_cuda_plan *out);

typedef struct dv_cuda_block {
    const dv_queries *queries; /* of the whole search */
    size_t first, n;           /* which of them */
    dv_prepared_queries prepared;
    dv_query_codes codes;
    dv_hit_lists hits;
    dv_scored_lists lists;
    double *lower;                /* f64 [n]: no wanted row has a smaller cosine */
    const double *least;          /* f64 [n] or NULL */
    uint32_t *overflows, *chosen; /* u32 [n] */
    int32_t *thresholds, *maxima;
    unsigned long long *n_scored;
    /* The same on the host. */
    double *norms, *lower_here;
    int32_t *hidden_here;
} dv_cuda_block;

/* Brings a block to the device and codes it. Release with dv_cuda_block_clear, also after a failure. Fails with
 * DV_E_ARG where a query is not finite, DV_E_NOMEM, DV_E_BACKEND. */
DV_MUST_USE dv_status dv_cuda_block_prepare(dv_cuda_index *index, const dv_cuda_plan *plan, const dv_queries *queries,
                                            size_t first, dv_cuda_block *block);
void dv_cuda_block_clear(dv_cuda_index *index, dv_cuda_block *block); /* waits for queued work */

/* Memory for the codes of n chosen queries of a block, without masks where the block has none. */
DV_MUST_USE dv_status dv_cuda_block_chosen(dv_cuda_index *index, const dv_cuda_block *block, size_t n,
                                           dv_query_codes *codes, dv_prepared_queries *prepared, double **lower);

#endif
