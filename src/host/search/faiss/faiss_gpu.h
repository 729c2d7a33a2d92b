/* faiss_gpu.h: a flat index of FAISS on the GPUs that FAISS sees, by its C API. Where the library has no GPU part,
 * faiss_no_gpu.c stands in for faiss_gpu.c and there are none. */
#ifndef DV_SEARCH_FAISS_FAISS_GPU_H
#define DV_SEARCH_FAISS_FAISS_GPU_H

#include <faiss/c_api/Index_c.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

enum { DV_FAISS_GPU_NEIGHBOURS = 2048 }; /* that FAISS's own GPU code selects at most in one search */

typedef struct dv_faiss_gpu dv_faiss_gpu;

/* *n: how many there are, 0 without a driver. Fails with DV_E_BACKEND. */
DV_MUST_USE dv_status dv_faiss_gpu_count(size_t *n);

/* Copies an IndexFlatIP to GPUs 0 .. n_gpus - 1, a run of its rows each, in single precision.
 * n_gpus  at least 1, at most the rows
 * *out    the caller's until dv_faiss_gpu_free; NULL on failure
 * Fails with DV_E_NOMEM; DV_E_BACKEND carries FAISS's own message. */
DV_MUST_USE dv_status dv_faiss_gpu_create(const FaissIndex *index, size_t n_gpus, dv_faiss_gpu **out);
void dv_faiss_gpu_free(dv_faiss_gpu *gpu); /* NULL is allowed */

/* As dv_faiss_engine_search, k at most DV_FAISS_GPU_NEIGHBOURS. Threads take turns. */
DV_MUST_USE dv_status dv_faiss_gpu_search(dv_faiss_gpu *gpu, const float *queries, size_t n, size_t k, float *scores,
                                          int64_t *ids);

#endif
