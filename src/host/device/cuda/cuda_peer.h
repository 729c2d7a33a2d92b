/* cuda_peer.h: the search that others make on a GPU: products in f32 by cuBLAS, then the k best of them as they are.
 * For its time and as a second opinion; nothing of it is exact. */
#ifndef DV_DEVICE_CUDA_CUDA_PEER_H
#define DV_DEVICE_CUDA_CUDA_PEER_H

#include <stddef.h>
#include <stdint.h>

#include "device/cuda/gemm.h"

/* Unit rows in device memory. */
typedef struct dv_unit_matrix {
    const float *rows; /* f32 [n_rows, dim] */
    size_t n_rows, dim;
} dv_unit_matrix;

/* Bytes of the scores of a tile of rows: f32 [n queries, tile_rows]. tile_rows 0: 16384, or all rows where they are
 * fewer. Fails with DV_E_NOMEM for a size that no memory has. */
DV_MUST_USE dv_status dv_cuda_sgemm_topk_workspace(size_t n, size_t n_rows, size_t tile_rows, size_t *n_bytes);

/* Scores all rows of a bank for all queries by dv_gemm_f32, tile by tile, and takes the k best of each query: score
 * falling, then row rising, of the floats that came out; so rows whose cosines differ by less than about dim 2^-24 may
 * stand in any order or be missing at the end. Queued; allocates nothing.
 * queries, bank  of the same dim; their rows are below 2^31 each
 * k              1..1024; where it is more than there are rows the rest is id -1, score -2
 * workspace      device memory of dv_cuda_sgemm_topk_workspace, for the same tile_rows
 * ids, scores    i64 and f32 [n queries, k], device memory
 * Fails with DV_E_ARG, DV_E_BACKEND. */
DV_MUST_USE dv_status dv_cuda_sgemm_topk(dv_gemm *gemm, const dv_unit_matrix *queries, const dv_unit_matrix *bank,
                                         size_t k, size_t tile_rows, float *workspace, int64_t *ids, float *scores,
                                         dv_stream stream);

#endif
