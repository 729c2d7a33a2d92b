/* jf_plan.h: joins the frames of truth and prediction, by name. */
#ifndef DV_PROTOCOL_JF_PLAN_H
#define DV_PROTOCOL_JF_PLAN_H

#include "core/fault_list.h"
#include "denseval/jf.h"
#include "pipeline/mask_pass.h"

/* Where the counts of a job belong: indices into the sequences of the result, and into the frames of that one. */
typedef struct dv_jf_place {
    size_t sequence, frame;
} dv_jf_place;

typedef struct dv_jf_plan {
    dv_mask_set *truth, *pred;
    dv_mask_job *jobs;   /* [n_jobs], by place; owned */
    dv_jf_place *places; /* [n_jobs], owned */
    size_t n_jobs;
} dv_jf_plan;

/* Opens both sets and joins them. Names and frames of the sequences, what of the prediction is unused, bytes, and
 * whether both are one folder go into *result, which the caller clears. What the prediction lacks is listed and
 * DV_E_MISSING, or with skip_bad left out of the jobs. Fails as dv_mask_set_open does.
 * *plan: release with dv_jf_plan_clear, on failure too */
DV_MUST_USE dv_status dv_jf_plan_make(const dv_jf_options *options, dv_jf_plan *plan, dv_jf_result *result);
void dv_jf_plan_clear(dv_jf_plan *plan);

/* Bytes, and whether both sides are one folder, into *result. */
void dv_jf_plan_describe(const dv_jf_plan *plan, dv_jf_result *result);

/* Adds that the prediction lacks a frame, or a whole sequence, of the truth to the faults; indices are those of the
 * truth's set. */
void dv_jf_plan_add_missing(const dv_jf_plan *plan, size_t sequence, size_t frame, dv_fault_list *faults);
void dv_jf_plan_add_missing_sequence(const dv_jf_plan *plan, size_t sequence, dv_fault_list *faults);

#endif
