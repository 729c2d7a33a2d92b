/* sweep_cells.h: the sums of a finished encoder as cells and object counts. */
#ifndef DV_PIPELINE_SWEEP_CELLS_H
#define DV_PIPELINE_SWEEP_CELLS_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/cells.h"
#include "denseval/object_counts.h"
#include "pipeline/sweep_plan.h"
#include "pipeline/sweep_state.h"

/* Borrowed for the call. */
typedef struct dv_sweep_scores {
    const dv_sweep_options *options;
    size_t encoder; /* index */
    const dv_sweep_plan *plan;
    const dv_sweep_progress *progress; /* with bank_rows and a tally */
    const int32_t *sources;            /* those of dv_sweep_pass */
    size_t n_sources;
} dv_sweep_scores;

/* Appends the encoder's cells of the part, and fills the rows of counts that belong to them. DV_E_DATA where nothing
 * was scored in a bin, unless allow_empty; DV_E_NOMEM. */
DV_MUST_USE dv_status dv_sweep_cells_add(const dv_sweep_scores *scores, dv_cells *cells, dv_object_counts *counts);

#endif
