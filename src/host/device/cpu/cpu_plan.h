/* cpu_plan.h: how one search is cut into tasks, and the memory the tasks work in. */
#ifndef DV_DEVICE_CPU_PLAN_H
#define DV_DEVICE_CPU_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/device.h"
#include "search/candidates.h"
#include "search/topk.h"

/* A task is a tile of queries against a part of the rows. There is one part, unless there are so few queries that
 * threads would stand idle. */
typedef struct dv_cpu_plan {
    size_t n_queries, n_rows, dim, k;
    size_t tile_queries, tile_rows;
    size_t n_tiles; /* of queries */
    size_t n_parts, part_rows;
    size_t capacity; /* of one list of candidates */
} dv_cpu_plan;

void dv_cpu_plan_make(const dv_device_options *options, size_t n_threads, size_t n_queries, size_t n_rows, size_t dim,
                      size_t k, dv_cpu_plan *plan);

/* What one worker works in. */
typedef struct dv_cpu_scratch {
    float *queries;     /* f32 [tile_queries, dim], unit rows */
    float *scores;      /* f32 [tile_queries, tile_rows] */
    float *maxima;      /* f32 [tile_rows] */
    float *gathered;    /* f32 [n_parts, capacity], scores of all parts of a query */
    double *values;     /* f64 [prepared size], one query */
    dv_neighbour *heap; /* [k] */
    uint64_t n_candidates, n_uncertified;
} dv_cpu_scratch;

/* Lists of candidates of one tile and part, or of one worker where there is one part. */
typedef struct dv_cpu_lists {
    dv_candidates *lists; /* [tile_queries] */
    float *scores;        /* f32 [tile_queries, capacity] */
    int32_t *rows;        /* i32 [tile_queries, capacity] */
} dv_cpu_lists;

typedef struct dv_cpu_memory {
    dv_cpu_scratch *workers; /* [n_workers] */
    size_t n_workers;
    dv_cpu_lists *lists; /* [n_lists] */
    size_t n_lists;
} dv_cpu_memory;

/* Fails with DV_E_NOMEM; *out: release with dv_cpu_memory_free in every case. */
DV_MUST_USE dv_status dv_cpu_memory_create(const dv_cpu_plan *plan, size_t n_threads, dv_cpu_memory *out);
void dv_cpu_memory_free(dv_cpu_memory *memory);

#endif
