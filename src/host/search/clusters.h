/* clusters.h: a bank that falls into dense clusters, each in codes about its own middle. Where hundreds of thousands of
 * rows are nearly as near as the k-th one, whole codes cannot tell them apart; what is left of a row beside the middle
 * of its cluster is shorter, and so are the bounds. */
#ifndef DV_SEARCH_CLUSTERS_H
#define DV_SEARCH_CLUSTERS_H

#include <stddef.h>
#include <stdint.h>

#include "core/parallel.h"
#include "denseval/status.h"
#include "search/coded_bank.h"

enum { DV_MOST_PARTS = 65 }; /* 64 clusters, and what is in none */

/* Each row is in one part. Read-only once made, so several threads may share it. */
typedef struct dv_clusters {
    size_t n;             /* parts; 0: the bank is not one of clusters */
    dv_coded_bank *parts; /* [n], one stage each; the last one has no centre where it holds what is in no cluster */
} dv_clusters;

/* Looks for clusters where a sample says that codes of whole rows would leave more than a few thousand candidates a
 * query; arguments as of dv_coded_bank_create. *out: n is 0 where there is nothing to gain. Blocking. Fails with
 * DV_E_NOMEM; release with dv_clusters_free. */
DV_MUST_USE dv_status dv_clusters_create(dv_row_source source, const int32_t *group, const float *peaks,
                                         size_t tile_rows, dv_pool *pool, dv_clusters *out);
/* Bytes that it takes at most meanwhile, beside the parts; 0 where a bank is never cut. */
size_t dv_clusters_create_bytes(size_t n_rows, size_t dim, size_t n_threads);

void dv_clusters_free(dv_clusters *clusters); /* also on a zeroed struct */

/* At least every cosine, less eta, of a query of length 1 and a row of the part: <query, middle> + the longest rest.
 * middle  <query, mu> */
static inline double dv_cluster_reach(const dv_coded_bank *part, double middle) {
    return middle + part->codes.extent * (1.0 + 0x1p-40) + DV_CENTRE_ERROR;
}

#endif
