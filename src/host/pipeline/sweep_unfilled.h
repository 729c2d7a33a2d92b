/* sweep_unfilled.h: tells of configurations that ask for more rows than their bank images give. */
#ifndef DV_PIPELINE_SWEEP_UNFILLED_H
#define DV_PIPELINE_SWEEP_UNFILLED_H

#include "pipeline/grid.h"
#include "pipeline/sweep_plan.h"

/* A warning for each difficulty of the encoder that has banks with unfilled rows, which compat: hummingbird allows; it
 * names their sizes. grid: of the plan's configurations */
void dv_sweep_tell_unfilled(const dv_sweep_plan *plan, const dv_grid *grid);

#endif
