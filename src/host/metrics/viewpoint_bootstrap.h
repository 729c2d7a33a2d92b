/* viewpoint_bootstrap.h: from the scores of every cell in every resample to what is said about them. */
#ifndef DV_METRICS_VIEWPOINT_BOOTSTRAP_H
#define DV_METRICS_VIEWPOINT_BOOTSTRAP_H

#include "denseval/viewpoint_bootstrap.h"
#include "denseval/viewpoint_resample.h"

/* Curves of the analysis are those of `in`, in the same order.
 * values  what was made of `in`; its normalised curves and steps are sorted on return
 * *out    zeroed but for n_objects; on failure to be cleared. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_viewpoint_summarise(const dv_analysis *analysis, const dv_viewpoint_draws *in,
                                             const dv_viewpoint_scores *values, dv_viewpoint_bootstrap *out);

#endif
