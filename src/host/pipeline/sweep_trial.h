/* sweep_trial.h: how fast this machine searches and scores, measured on some images of an encoder's file. */
#ifndef DV_PIPELINE_SWEEP_TRIAL_H
#define DV_PIPELINE_SWEEP_TRIAL_H

#include "denseval/sweep_estimate.h"
#include "pipeline/sweep_plan.h"

/* Reads the first images of the plan's file as bank, and some behind them as queries; the same ones where there are no
 * others.
 * n_rows  of a segment of the sweep's banks: what a query costs depends on it; larger ones are cut
 * Fails as dv_features_read and the slots of the device, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_sweep_trial_run(const dv_sweep_plan *plan, const dv_sweep_options *options, size_t n_rows,
                                         dv_sweep_rates *rates);

#endif
