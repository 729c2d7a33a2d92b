/* jf_plan.h: joins the frames of truth and prediction, by name. */
#ifndef DV_PROTOCOL_JF_PLAN_H
#define DV_PROTOCOL_JF_PLAN_H

#include "denseval/jf.h"
#include "pipeline/mask_pass.h"

typedef struct dv_jf_plan {
    dv_mask_set *truth, *pred;
    dv_mask_job *jobs; /* [n_jobs], by sequence and frame of the truth; owned */
    size_t n_jobs;
} dv_jf_plan;

/* Opens both sets and joins them. Names and frames of the sequences, what of the prediction is unused, bytes, and
 * whether both are one folder go into *result, which the caller clears. What the prediction lacks is listed and
 * DV_E_MISSING, or with skip_bad left out of the jobs. Fails as dv_mask_set_open does.
 * *plan: release with dv_jf_plan_clear, on failure too */
DV_MUST_USE dv_status dv_jf_plan_make(const dv_jf_options *options, dv_jf_plan *plan, dv_jf_result *result);
void dv_jf_plan_clear(dv_jf_plan *plan);

#endif
