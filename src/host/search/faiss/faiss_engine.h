/* faiss_engine.h: the few FAISS calls that are needed, by its C API, as statuses of ours. */
#ifndef DV_SEARCH_FAISS_ENGINE_H
#define DV_SEARCH_FAISS_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

/* IndexFlatIP, or IndexShards over several of them; on all GPUs that FAISS sees, if any. Searched by any number of
 * threads once it is full. */
typedef struct dv_faiss_engine dv_faiss_engine;

/* The version of the library, for example "1.7.3"; "unknown" where it does not tell. Static lifetime. */
const char *dv_faiss_version(void);

/* DV_E_BACKEND, with the version, the call that failed in this thread, and FAISS's own message. */
DV_MUST_USE dv_status dv_faiss_failure(const char *call);

/* An empty index for n_rows rows. *out: the caller's until dv_faiss_engine_free; NULL on failure.
 * n_shards  1..n_rows; shard s holds rows n_rows s / n_shards and on. GPUs have a shard each, whatever it says
 * Fails with DV_E_NOMEM; DV_E_BACKEND carries FAISS's own message. */
DV_MUST_USE dv_status dv_faiss_engine_create(size_t dim, size_t n_rows, size_t n_shards, dv_faiss_engine **out);
void dv_faiss_engine_free(dv_faiss_engine *engine); /* NULL is allowed */

/* Adds the next n rows, f32 [n, dim], which are copied. The last of n_rows makes the index ready. DV_E_BACKEND. */
DV_MUST_USE dv_status dv_faiss_engine_add(dv_faiss_engine *engine, const float *rows, size_t n);

/* The most neighbours that one search finds: n_rows, on GPUs no more than 2048. */
size_t dv_faiss_engine_most(const dv_faiss_engine *engine);

/* The k largest inner products of each query, falling; equal ones in any order. On the calling thread alone, or on the
 * GPUs while other threads wait. queries f32 [n, dim]; k 1..dv_faiss_engine_most; scores f32 [n, k]; ids i64 [n, k], -1
 * where FAISS found none. DV_E_BACKEND. */
DV_MUST_USE dv_status dv_faiss_engine_search(const dv_faiss_engine *engine, const float *queries, size_t n, size_t k,
                                             float *scores, int64_t *ids);

#endif
