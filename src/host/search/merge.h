/* merge.h: joining the sorted lists of shards, slabs and ranks in the total order of search/topk.h. */
#ifndef DV_SEARCH_MERGE_H
#define DV_SEARCH_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

/* The k best so far of each of n queries. What it holds does not depend on the order of the lists. One thread at a
 * time. */
typedef struct dv_merge dv_merge;

/* No neighbours yet. *out: the caller's until dv_merge_free; NULL on failure. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_merge_create(size_t n, size_t k, dv_merge **out);
void dv_merge_free(dv_merge *merge); /* NULL is allowed */

/* Merges the lists of one part, as a search slot writes them; the first id -1 ends a list. Cosines stay doubles: rows
 * equal as floats but not as doubles keep their order.
 * ids, cosines  i64 and f64 [n, k_part], borrowed for the call
 * first_row     added to each id. No row may be in two parts */
void dv_merge_add(dv_merge *merge, const int64_t *ids, const double *cosines, size_t k_part, int64_t first_row);

/* The same for queries first .. first + n - 1 alone, several threads at a time for queries of their own.
 * ids, cosines  i64 and f64 [n, k_part] */
void dv_merge_add_queries(dv_merge *merge, size_t first, size_t n, const int64_t *ids, const double *cosines,
                          size_t k_part);

/* The cosine of the k-th neighbour of a query, DV_NO_COSINE while it has fewer: rows below it change nothing. */
double dv_merge_least(const dv_merge *merge, size_t query);

/* Forgets the neighbours of queries first .. first + n - 1. */
void dv_merge_clear(dv_merge *merge, size_t first, size_t n);

/* Gives the first n queries the lists that they had: i64 and f64 [n, k], borrowed for the call. */
void dv_merge_resume(dv_merge *merge, size_t n, const int64_t *ids, const double *cosines);

/* i64 and f64 [n, k], in order, filled up with id -1 and cosine -2. Borrowed until the merge is freed. */
const int64_t *dv_merge_ids(const dv_merge *merge);
const double *dv_merge_cosines(const dv_merge *merge);

#endif
