/* cuda_search.h: exact top-k search in a bank on a GPU. */
#ifndef DV_DEVICE_CUDA_CUDA_SEARCH_H
#define DV_DEVICE_CUDA_CUDA_SEARCH_H

#include "device/cuda/cuda_index.h"

/* What a caller can do wrong, but for queries that are not finite. Fails with DV_E_ARG, and with DV_E_BACKEND where k
 * is above 7936. */
DV_MUST_USE dv_status dv_cuda_search_check(const dv_bank_rows *bank, const dv_queries *queries, size_t k);

/* As slot search (denseval/device.h): the bits are those of every other device. Blocking.
 * queries       host memory, borrowed for the call
 * ids, cosines  i64 and f64 [n, k], device memory
 * Fails with DV_E_ARG, DV_E_NOMEM, DV_E_BACKEND. */
DV_MUST_USE dv_status dv_cuda_search(dv_cuda_index *index, const dv_queries *queries, size_t k, int64_t *ids,
                                     double *cosines);

#endif
