/* grid.h: the banks of many configurations as parts of one: rows that belong to the same configurations are a segment.
 */
#ifndef DV_PIPELINE_GRID_H
#define DV_PIPELINE_GRID_H

#include <stddef.h>

#include "bank/plan.h"
#include "denseval/bank.h"

/* One configuration: the rows of the union bank that its own bank would have, in the same order, then unfilled ones. */
typedef struct dv_grid_config {
    size_t n_rows; /* unfilled ones included */
    size_t n_unfilled;
    size_t n_images; /* images that gave rows */
} dv_grid_config;

typedef struct dv_grid_segment {
    size_t *rows; /* [n_rows], rising: rows of the union bank */
    size_t n_rows;
    size_t *configs; /* [n_configs], rising: those that hold these rows; at least one */
    size_t n_configs;
} dv_grid_segment;

typedef struct dv_grid {
    size_t n_configs, n_segments;
    dv_grid_config *configs;
    dv_grid_segment
        *segments; /* those of the most configurations first: what they find shortens the search of the rest */
} dv_grid;

/* Every row of the bank is in one segment.
 * bank   dv_bank_build_nested of the plans [n_configs]; nothing is kept of either
 * *grid  release with dv_grid_clear, also after a failure and on a zeroed struct. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_grid_make(const dv_bank_info *bank, const dv_bank_plan *plans, size_t n_configs,
                                   dv_grid *grid);
void dv_grid_clear(dv_grid *grid);

#endif
