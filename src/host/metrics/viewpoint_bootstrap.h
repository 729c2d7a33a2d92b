/* viewpoint_bootstrap.h: from the scores of every cell in every resample to what is said about them. */
#ifndef DV_METRICS_VIEWPOINT_BOOTSTRAP_H
#define DV_METRICS_VIEWPOINT_BOOTSTRAP_H

#include "denseval/viewpoint_bootstrap.h"

typedef struct dv_resampled {
    size_t n_resamples;
    double *miou, *miou_objects; /* f64 [n_cells, n_resamples]; NaN: no value */
    bool *usable;                /* bool [n_cells] */
} dv_resampled;

/* *out: zeroed but for n_objects; on failure to be cleared. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_viewpoint_summarise(const dv_analysis *analysis, const dv_resampled *values,
                                             dv_viewpoint_bootstrap *out);

#endif
