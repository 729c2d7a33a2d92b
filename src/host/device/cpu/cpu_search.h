/* cpu_search.h: exact search by a filter in 8-bit codes with a proven bound. */
#ifndef DV_DEVICE_CPU_SEARCH_H
#define DV_DEVICE_CPU_SEARCH_H

#include "denseval/device.h"
#include "device/host_device.h"
#include "search/clusters.h"
#include "search/coded_bank.h"

typedef struct dv_cpu_index {
    dv_host_index base;
    dv_turn turn;         /* without signs: rows are coded as they are */
    dv_clusters clusters; /* parts of the bank; with them, the next is empty */
    dv_coded_bank coded;  /* without tiles where a row is too long for codes: each query is scanned in double */
} dv_cpu_index;

/* The k best of a coded bank, or of a part of one; fewer where it has not so many. Queries of length 0 get the first
 * rows of the whole index. */
DV_MUST_USE dv_status dv_cpu_search_coded(dv_host_device *host, dv_host_index *base, const dv_coded_bank *coded,
                                          const dv_queries *queries, size_t k, int64_t *ids, double *cosines);

/* Slot search of the cpu device. */
DV_MUST_USE dv_status dv_cpu_search(dv_device *device, void *index, const dv_queries *queries, size_t k, int64_t *ids,
                                    double *cosines);

#endif
