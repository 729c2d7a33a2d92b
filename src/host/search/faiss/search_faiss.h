/* search_faiss.h: exact search on top of FAISS: more neighbours than asked for, canonical cosines, and a certificate
 * that no row outside them can matter. A query without one is asked again for twice as many, and at last scanned in
 * full. */
#ifndef DV_SEARCH_FAISS_SEARCH_FAISS_H
#define DV_SEARCH_FAISS_SEARCH_FAISS_H

#include <stddef.h>
#include <stdint.h>

#include "core/parallel.h"
#include "denseval/device.h"
#include "denseval/status.h"
#include "search/score.h"

typedef struct dv_faiss_index dv_faiss_index;

/* Copies unit rows into FAISS, in several shards where there are more rows than shard_rows.
 * scored, group  borrowed until dv_faiss_index_free; group may be NULL
 * shard_rows     rows a shard, 0: the library's choice. Results do not depend on it
 * Fails with DV_E_NOMEM, DV_E_BACKEND. *out is NULL on failure. */
DV_MUST_USE dv_status dv_faiss_index_create(const dv_scored_rows *scored, const int32_t *group, size_t shard_rows,
                                            dv_pool *pool, dv_faiss_index **out);
void dv_faiss_index_free(dv_faiss_index *index); /* NULL is allowed */

/* Bytes that making an index or searching in it takes at most, beside the rows as floats. */
size_t dv_faiss_scratch_bytes(size_t dim, size_t k, size_t n_threads);

/* As the search slot of a device; sizes were checked. Adds to *stats.
 * tile_queries  queries that FAISS is given at once, 0: the library's choice */
DV_MUST_USE dv_status dv_faiss_search(const dv_faiss_index *index, const dv_queries *queries, size_t k,
                                      size_t tile_queries, dv_pool *pool, int64_t *ids, double *cosines,
                                      dv_search_stats *stats);

#endif
