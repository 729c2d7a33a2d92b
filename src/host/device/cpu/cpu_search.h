/* cpu_search.h: exact search by a filter in f32 with a proven bound. */
#ifndef DV_DEVICE_CPU_SEARCH_H
#define DV_DEVICE_CPU_SEARCH_H

#include "denseval/device.h"
#include "device/host_device.h"
#include "search/tile_scan.h"

typedef struct dv_cpu_index {
    dv_host_index base;
    float *unit; /* f32 [n_rows, dim], rows of length 1; owned */
    double bound;
    dv_next_kernel next;
} dv_cpu_index;

/* Slot search of the cpu device. */
DV_MUST_USE dv_status dv_cpu_search(dv_device *device, void *index, const dv_queries *queries, size_t k, int64_t *ids,
                                    double *cosines);

#endif
