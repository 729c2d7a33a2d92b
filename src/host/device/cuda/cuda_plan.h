/* cuda_plan.h: how large the blocks of a search are, and the device memory that they take. */
#ifndef DV_DEVICE_CUDA_CUDA_PLAN_H
#define DV_DEVICE_CUDA_CUDA_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/dtype.h"
#include "device/cuda/cuda_parts.h"

struct dv_cuda_index;

/* Sizes of all blocks of a search. */
typedef struct dv_cuda_plan {
    dv_dtype dtype;       /* of the queries */
    size_t k, capacity;   /* capacity: hits of a query */
    size_t block_queries; /* most queries of a block, a multiple of 128 */
    size_t first_tiles, most_tiles, seed_tiles, slice_tiles;
    size_t stride; /* candidates that are scored at once, of a query */
} dv_cuda_plan;

/* Parts of the memory after those of the bank (cuda_index.h). */
enum dv_cuda_search_part {
    DV_CUDA_QUERIES = 10, /* these three as they came from the host, the rest as the kernels take it */
    DV_CUDA_STAGED_LEAST,
    DV_CUDA_STAGED_HIDDEN,
    DV_CUDA_QUERY_NORMS,
    DV_CUDA_QUERY_EXPONENTS,
    DV_CUDA_QUERY_PEAKS,
    DV_CUDA_VALUES,
    DV_CUDA_QUERY_CODES,
    DV_CUDA_QUERY_SCALES,
    DV_CUDA_REACHES,
    DV_CUDA_RESTS,
    DV_CUDA_HIDDEN,
    DV_CUDA_LEAST,
    DV_CUDA_LOWER,
    DV_CUDA_FATES,
    DV_CUDA_N_SCORED,
    DV_CUDA_IDS,
    DV_CUDA_COSINES,
    DV_CUDA_HITS,
    DV_CUDA_COUNTS,
    DV_CUDA_THRESHOLDS,
    DV_CUDA_MAXIMA,
    DV_CUDA_CHOSEN, /* of queries that are searched again, as those above */
    DV_CUDA_CHOSEN_VALUES,
    DV_CUDA_CHOSEN_NORMS,
    DV_CUDA_CHOSEN_CODES,
    DV_CUDA_CHOSEN_SCALES,
    DV_CUDA_CHOSEN_REACHES,
    DV_CUDA_CHOSEN_RESTS,
    DV_CUDA_CHOSEN_HIDDEN,
    DV_CUDA_CHOSEN_LOWER,
    DV_CUDA_N_PARTS
};
_Static_assert((int)DV_CUDA_N_PARTS <= (int)DV_CUDA_MOST_PARTS, "room for all parts");

/* Bytes of all parts of a search. */
size_t dv_cuda_plan_bytes(const struct dv_cuda_index *index, const dv_cuda_plan *plan);

/* Plans the search of queries (of their rows, number and dtype count) for n_free bytes, if that can be: the smallest
 * plan may take more. */
dv_cuda_plan dv_cuda_plan_make(const struct dv_cuda_index *index, const dv_rows *queries, size_t k, size_t n_free);

/* Makes index->plan for these queries, with the memory that it takes. Where that is refused, if only because others
 * took some since it was counted, smaller plans are tried down to 128 queries and the shortest lists. Allocates nothing
 * for a search like the last one. Fails with DV_E_BACKEND, naming the sizes. */
DV_MUST_USE dv_status dv_cuda_plan_reserve(struct dv_cuda_index *index, const dv_rows *queries, size_t k);

#endif
