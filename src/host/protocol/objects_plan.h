/* objects_plan.h: joins the views of targets with the masks of the truth and of every method, by name. */
#ifndef DV_PROTOCOL_OBJECTS_PLAN_H
#define DV_PROTOCOL_OBJECTS_PLAN_H

#include "denseval/objects.h"
#include "pipeline/mask_pass.h"

/* A target, and one of its views. */
typedef struct dv_object_place {
    size_t target, view;
} dv_object_place;

/* The pairs of masks of one method. */
typedef struct dv_objects_part {
    dv_mask_set *pred;
    size_t n_jobs;
    dv_mask_job *jobs;       /* [n_jobs], in the order of the targets and their views; owned */
    dv_object_place *places; /* [n_jobs], what a job is of; owned */
} dv_objects_part;

typedef struct dv_objects_plan {
    dv_mask_set *truth;
    size_t n_parts;
    dv_objects_part *parts; /* by method, owned */
} dv_objects_plan;

/* Opens all sets and joins them with the targets of *result. What a prediction has beside goes into the scores of its
 * method, bytes too. What is missing anywhere is listed and DV_E_MISSING, or with skip_bad left out of the jobs. Fails
 * as dv_mask_set_open does. *plan: release with dv_objects_plan_clear, on failure too */
DV_MUST_USE dv_status dv_objects_plan_make(const dv_objects_options *options, dv_objects_plan *plan,
                                           dv_objects_result *result);
void dv_objects_plan_clear(dv_objects_plan *plan);

#endif
