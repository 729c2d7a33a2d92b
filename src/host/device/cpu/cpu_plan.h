/* cpu_plan.h: how one search is cut into tasks, and the memory the tasks work in. */
#ifndef DV_DEVICE_CPU_PLAN_H
#define DV_DEVICE_CPU_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/device.h"
#include "search/filter.h"

/* A task is a block of queries against all tiles. Where there are so few queries that threads would stand idle, the
 * tiles of each chunk are dealt to several parts. Chunks depend on the bank and k alone, so that what is rescored does
 * not depend on threads. */
typedef struct dv_cpu_plan {
    size_t n_queries, k;
    bool biased; /* as the kernel wants its queries */
    size_t block_queries, n_blocks;
    size_t n_parts;
    size_t n_seed_tiles;         /* tiles that the first lower bounds come from; 0 in a small bank */
    size_t first_tiles, n_tiles; /* tiles of the first chunk; each later one doubles what was seen */
} dv_cpu_plan;

void dv_cpu_plan_make(const dv_device_options *options, size_t n_threads, size_t n_queries, const dv_coded_bank *bank,
                      size_t k, bool biased, dv_cpu_plan *plan);

/* The end of the chunk that begins at tile `begin` of the order. */
size_t dv_cpu_plan_chunk_end(const dv_cpu_plan *plan, size_t begin);

/* Where one part of a block collects what it finds in a chunk. */
typedef struct dv_cpu_part {
    dv_hits hits;
    int32_t *thresholds; /* i32 [padded block_queries] */
    double scan_s;
} dv_cpu_part;

/* Filters: one a worker, or one a block where there are parts. Each has its slice filter and list of flagged queries.
 */
typedef struct dv_cpu_memory {
    size_t n_filters, n_parts; /* n_parts: of all blocks together */
    dv_filter *filters, *slices;
    size_t **flagged;   /* [n_filters], each [block_queries] */
    dv_cpu_part *parts; /* [n_blocks, parts of a block], or NULL */
} dv_cpu_memory;

/* Fails with DV_E_NOMEM; *out: release with dv_cpu_memory_free in every case. */
DV_MUST_USE dv_status dv_cpu_memory_create(const dv_cpu_plan *plan, const dv_coded_bank *bank, size_t n_threads,
                                           dv_cpu_memory *out);
void dv_cpu_memory_free(dv_cpu_memory *memory);

#endif
