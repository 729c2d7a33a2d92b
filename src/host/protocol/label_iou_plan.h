/* label_iou_plan.h: joins label maps of truth and prediction by name. */
#ifndef DV_PROTOCOL_LABEL_IOU_PLAN_H
#define DV_PROTOCOL_LABEL_IOU_PLAN_H

#include "denseval/label_iou.h"
#include "pipeline/mask_pass.h"

typedef struct dv_label_plan {
    dv_mask_set *truth, *pred;
    size_t n_jobs;
    dv_mask_job *jobs; /* [n_jobs], in the order of the truth; owned */
} dv_label_plan;

/* Opens both sets and joins them. Missing predictions are listed and DV_E_MISSING, or with skip_bad left out of the
 * jobs; both they and predictions without truth go into *result, bytes too. Fails as dv_mask_set_open does.
 * *plan: release with dv_label_plan_clear, on failure too */
DV_MUST_USE dv_status dv_label_plan_make(const dv_label_iou_options *options, dv_label_plan *plan,
                                         dv_label_iou_result *result);
void dv_label_plan_clear(dv_label_plan *plan);

#endif
