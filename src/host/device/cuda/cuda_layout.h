/* cuda_layout.h: how a bank lies on several GPUs: all of it on each, or a shard on each. */
#ifndef DV_DEVICE_CUDA_CUDA_LAYOUT_H
#define DV_DEVICE_CUDA_CUDA_LAYOUT_H

#include <stddef.h>

#include "denseval/device.h"

typedef enum dv_cuda_layout {
    DV_CUDA_BY_MEMORY,  /* dv_cuda_layout_choose says */
    DV_CUDA_REPLICATED, /* every GPU has every row and searches for some of the queries */
    DV_CUDA_SPLIT       /* every GPU has some of the rows and searches for every query */
} dv_cuda_layout;

enum { DV_CUDA_WIDE = 128 }; /* codes that are wider than half of it are padded to a multiple of it, others to half */

/* Elements of a coded row, and tiles of a bank. */
size_t dv_cuda_coded_dim(size_t dim);
size_t dv_cuda_coded_tiles(size_t n_rows);

/* Bytes of device memory that an index with this bank takes: rows as they are stored, their codes, and what is known of
 * each row. The bank lies in memory, so no sum overflows. */
size_t dv_cuda_index_bytes(const dv_bank_rows *bank);

/* About the bytes of a search for 4096 queries of 30 neighbours. Blocks are smaller where that is not free. */
size_t dv_cuda_workspace_bytes(size_t dim);

/* Replicated where an index, a search and 256 MB take at most 85 % of n_free, the bytes that the GPU with the least
 * memory has free; else split. Never DV_CUDA_BY_MEMORY. */
dv_cuda_layout dv_cuda_layout_choose(const dv_bank_rows *bank, size_t n_free);

/* Where shard i of n begins, 0 <= i <= n: shards follow one another and differ by at most one row. */
size_t dv_cuda_first_row(size_t n_rows, size_t n, size_t i);

#endif
