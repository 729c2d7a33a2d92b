/* cpu_clusters.h: search of a bank of clusters: each query in its nearest cluster first, then where else its neighbours
 * may lie. */
#ifndef DV_DEVICE_CPU_CLUSTERS_H
#define DV_DEVICE_CPU_CLUSTERS_H

#include "device/cpu/cpu_search.h"

/* As dv_cpu_search, checked already, for an index with clusters. */
DV_MUST_USE dv_status dv_cpu_search_clusters(dv_host_device *host, dv_cpu_index *index, const dv_queries *queries,
                                             size_t k, int64_t *ids, double *cosines);

#endif
