/* sweep_thin.h: the banks of an encoder with some of their images: as nested as the whole ones, and soon tried. */
#ifndef DV_PIPELINE_SWEEP_THIN_H
#define DV_PIPELINE_SWEEP_THIN_H

#include <stddef.h>

#include "pipeline/sweep_plan.h"

/* Plans that keep the same images each, of every part of the set: so many that together they have about 2^16 rows, or
 * fewer, where 64 MB of features hold no more images. Each has an image at least, and no fewer than k rows, unfilled
 * ones included.
 * less    a share of 1/less of those images
 * *plans  [plan->n_configs], released with dv_sweep_thin_free; NULL on failure. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_sweep_thin_make(const dv_sweep_plan *plan, size_t less, dv_bank_plan **plans);
void dv_sweep_thin_free(dv_bank_plan *plans, size_t n_configs); /* NULL is allowed */

/* How many segments (see grid.h) the search of an encoder visits, told from thin plans. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_sweep_thin_segments(const dv_sweep_plan *plan, size_t *n_segments);

#endif
