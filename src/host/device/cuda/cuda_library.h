/* cuda_library.h: the filter of a search with products by cuBLASLt, which writes all sums to memory for a kernel that
 * looks for hits in them. Hits are those of dv_launch_filter: a second opinion, and a peer for its time. */
#ifndef DV_DEVICE_CUDA_CUDA_LIBRARY_H
#define DV_DEVICE_CUDA_CUDA_LIBRARY_H

#include "device/cuda/cuda_buffer.h"
#include "device/cuda/gemm.h"
#include "kernels/search.h"

/* Zeroed it is closed. */
typedef struct dv_cuda_library {
    dv_gemm *gemm;         /* owned; NULL: closed */
    int64_t most_tiles;    /* multiplied at once */
    dv_cuda_buffer scores; /* i32 [n_padded, tiles * 256] of the largest product so far */
} dv_cuda_library;

/* most_tiles  of 256 rows, multiplied at once; 0: 64, a quarter of a GiB of sums for 4096 queries
 * Fails as dv_gemm_open; release with dv_cuda_library_close, also after a failure. */
DV_MUST_USE dv_status dv_cuda_library_open(dv_cuda_library *library, size_t most_tiles);
void dv_cuda_library_close(dv_cuda_library *library); /* waits for queued work */

/* As dv_launch_filter. Fails with DV_E_BACKEND. */
DV_MUST_USE dv_status dv_cuda_library_filter(dv_cuda_library *library, const dv_query_codes *queries,
                                             const dv_bank_codes *bank, int64_t first_tile, int64_t n_tiles,
                                             const int32_t *thresholds, const dv_hit_lists *hits, dv_stream stream);

#endif
