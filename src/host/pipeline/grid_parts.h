/* grid_parts.h: the segments of a grid on a device, all at once or one after the other. */
#ifndef DV_PIPELINE_GRID_PARTS_H
#define DV_PIPELINE_GRID_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/exchange.h"
#include "denseval/bank.h"
#include "denseval/device.h"
#include "pipeline/grid.h"

/* A run of the rows of a segment. */
typedef struct dv_grid_part {
    const dv_grid_segment *segment;
    const size_t *rows; /* [n_rows], of the union bank; borrowed from the segment */
    size_t n_rows;
    unsigned char *host_rows; /* dtype [n_rows, dim]; borrowed by the index */
    int32_t *groups;          /* [n_rows]; NULL without masks; borrowed by the index */
    void *index;              /* NULL: not loaded */
} dv_grid_part;

typedef struct dv_grid_parts {
    /* Given, and borrowed until dv_grid_parts_clear. */
    dv_bank *bank; /* the union bank of the grid */
    const dv_grid *grid;
    dv_device *device;
    const int32_t *row_groups; /* i32 [rows of the bank]; NULL: no masks */
    size_t memory_limit;       /* bytes; 0: none */
    dv_share rows;             /* of the bank: those that this rank searches */
    /* Made. */
    const dv_bank_info *info;
    bool
        resident; /* all parts stay loaded; else dv_grid_parts_load brings one and dv_grid_parts_unload takes it away */
    size_t n_parts;
    dv_grid_part *parts;      /* in the order of the segments */
    dv_search_stats finished; /* of indexes that were freed */
    uint64_t n_rows_read;     /* bank rows, from files */
} dv_grid_parts;

/* Cuts the segments and loads what stays resident: all, unless the rows take more than half of the memory limit.
 * Release with dv_grid_parts_clear, also after a failure. Fails as dv_bank_read and the slot bank_load, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_grid_parts_make(dv_grid_parts *parts);
void dv_grid_parts_clear(dv_grid_parts *parts);

/* Both do nothing where all parts are resident. */
DV_MUST_USE dv_status dv_grid_parts_load(dv_grid_parts *parts, dv_grid_part *part);
void dv_grid_parts_unload(dv_grid_parts *parts, dv_grid_part *part);

/* Of all searches so far, but n_queries. */
void dv_grid_parts_stats(const dv_grid_parts *parts, dv_search_stats *stats);

#endif
