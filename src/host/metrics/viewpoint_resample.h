/* viewpoint_resample.h: the draws of denseval/viewpoint_resample.h on the host. */
#ifndef DV_METRICS_VIEWPOINT_RESAMPLE_H
#define DV_METRICS_VIEWPOINT_RESAMPLE_H

#include "core/parallel.h"
#include "denseval/viewpoint_resample.h"

/* Fills what `out` points to, a task a resample. Fails with DV_E_NOMEM, DV_E_INTERRUPTED. */
DV_MUST_USE dv_status dv_viewpoint_resample(dv_pool *pool, const dv_viewpoint_draws *in,
                                            const dv_viewpoint_scores *out);

/* Sums of a cell over objects, each as often as its weight says.
 * weights  u64 [n_objects]
 * sums     u64 [DV_COUNT_PARTS, n_classes] (metrics/resampling.h), written in full */
void dv_viewpoint_sum_cell(const dv_viewpoint_draws *in, size_t cell, const uint64_t *weights, uint64_t *sums);

#endif
