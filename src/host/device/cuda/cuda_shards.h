/* cuda_shards.h: a bank on all GPUs of the device: whole on each, or in shards whose lists are merged. */
#ifndef DV_DEVICE_CUDA_CUDA_SHARDS_H
#define DV_DEVICE_CUDA_CUDA_SHARDS_H

#include "device/cuda/cuda_buffer.h"
#include "device/cuda/cuda_gpus.h"
#include "device/cuda/cuda_index.h"
#include "device/cuda/cuda_layout.h"

/* How a bank is spread; no result depends on it. Zeroed: one shard or replica a GPU, as memory says. */
typedef struct dv_cuda_spread {
    size_t n_shards; /* dealt out over the GPUs one by one, also where these are fewer; 0: as many as GPUs */
    dv_cuda_layout layout;
    size_t most_queries; /* that a shard answers before its lists are fetched; 0: as many as fill 64 MB, by 128 */
} dv_cuda_spread;

/* A part of the bank, or all of it once more, on one GPU. */
typedef struct dv_cuda_shard {
    const dv_cuda_gpu *gpu;
    size_t first_row, n_rows; /* of the whole bank */
    dv_cuda_index *index;
    dv_cuda_buffer lists_there; /* ids i64 [n, k], then cosines f64 [n, k]: of the search that runs */
    dv_cuda_buffer lists_here;  /* the same in pinned memory; rows of the whole bank */
} dv_cuda_shard;

typedef struct dv_cuda_shards {
    const dv_cuda_gpus *gpus;
    dv_bank_rows bank;     /* on the host, borrowed from the caller of create */
    dv_cuda_spread spread; /* as chosen */
    dv_cuda_shard *each;   /* [spread.n_shards]; shard i on GPU i modulo gpus->n */
} dv_cuda_shards;

/* The least free memory of the GPUs. Makes the first one current. */
DV_MUST_USE dv_status dv_cuda_least_free(const dv_cuda_gpus *gpus, size_t *out);

/* Brings a bank to the GPUs. Blocking, as all that follows; the first GPU is current afterwards.
 * gpus   borrowed until dv_cuda_shards_free
 * bank   host memory, borrowed likewise
 * *out   the caller's until dv_cuda_shards_free; NULL on failure
 * Fails as slot bank_load (denseval/device.h); where one shard of several fails, the message begins with its device. */
DV_MUST_USE dv_status dv_cuda_shards_create(const dv_cuda_gpus *gpus, const dv_bank_rows *bank,
                                            const dv_cuda_options *options, const dv_cuda_spread *spread,
                                            dv_cuda_shards **out);
void dv_cuda_shards_free(dv_cuda_shards *shards); /* NULL is allowed */

/* As dv_cuda_search.
 * ids, cosines  i64 and f64 [n, k], memory of the first GPU; what is queued on its stream may still use them */
DV_MUST_USE dv_status dv_cuda_shards_search(dv_cuda_shards *shards, const dv_queries *queries, size_t k, int64_t *ids,
                                            double *cosines);

/* Of all searches. Queries count once; one that several shards scanned in full is uncertified in each of them. */
void dv_cuda_shards_stats(const dv_cuda_shards *shards, dv_search_stats *out);

/* The first row that is not finite; n_rows: there is none. */
size_t dv_cuda_first_not_finite(const dv_rows *rows);

#endif
