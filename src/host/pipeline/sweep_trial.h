/* sweep_trial.h: how fast this machine searches and scores, measured on some images of an encoder's file. */
#ifndef DV_PIPELINE_SWEEP_TRIAL_H
#define DV_PIPELINE_SWEEP_TRIAL_H

#include "denseval/sweep_estimate.h"
#include "pipeline/sweep_plan.h"

/* Runs the sweep of an encoder small: the banks of all its configurations with some of their images (sweep_thin.h), as
 * many queries as a search takes at once, the scoring of these for every configuration.
 * Fails as dv_features_read, dv_bank_build and the slots of the device, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_sweep_trial_run(const dv_sweep_plan *plan, const dv_sweep_options *options,
                                         dv_sweep_rates *rates);

#endif
