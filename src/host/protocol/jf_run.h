/* jf_run.h: from a plan to scores, for whoever made the plan. */
#ifndef DV_PROTOCOL_JF_RUN_H
#define DV_PROTOCOL_JF_RUN_H

#include "denseval/device.h"
#include "protocol/jf_collect.h"

/* Zeroes the result and notes its radii. */
void dv_jf_result_begin(const dv_jf_options *options, dv_jf_result *result);

/* Counts the jobs of a plan and scores the sequences of *result, whose names and frames are there. Fails as dv_jf_run
 * does; *result is the caller's to clear.
 * options  resolved (dv_jf_options_resolve), or of DV_JF_MUVOD
 * entries  [n_sequences], or NULL: the objects are those of the masks */
DV_MUST_USE dv_status dv_jf_run_plan(const dv_jf_options *options, const dv_jf_plan *plan, const dv_jf_entry *entries,
                                     dv_device *device, dv_jf_result *result);

#endif
