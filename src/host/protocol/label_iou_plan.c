#include "protocol/label_iou_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/fault_list.h"
#include "core/memory.h"
#include "protocol/mask_sides.h"

enum { DEPTH = 0, SEQUENCE = 0 }; /* a set is one sequence */

static void add_missing(const dv_label_plan *plan, size_t frame, dv_fault_list *faults) {
    char message[DV_MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s: no prediction of %s", dv_mask_set_path(plan->pred),
             dv_mask_set_frame(plan->truth, SEQUENCE, frame));
    dv_fault_list_add(faults, message);
}

static dv_status join(dv_label_plan *plan, bool skip_bad, size_t *n_missing) {
    const size_t n = dv_mask_set_n_frames(plan->truth, SEQUENCE);
    dv_fault_list faults = {.left_out = skip_bad};
    DV_TRY(dv_alloc(n, sizeof *plan->jobs, "pairs of label maps", &plan->jobs));
    for (size_t frame = 0; frame < n; frame++) {
        const size_t found =
            dv_mask_set_find_frame(plan->pred, SEQUENCE, dv_mask_set_frame(plan->truth, SEQUENCE, frame));
        if (found == SIZE_MAX)
            add_missing(plan, frame, &faults);
        else
            plan->jobs[plan->n_jobs++] = (dv_mask_job){SEQUENCE, frame, SEQUENCE, found};
    }
    *n_missing = faults.n;
    return dv_fault_list_judge(&faults, DV_E_MISSING, "predictions are missing");
}

static size_t warn_of_unused(const dv_label_plan *plan) {
    dv_shown_names unused = {.n = 0};
    for (size_t frame = 0; frame < dv_mask_set_n_frames(plan->pred, SEQUENCE); frame++) {
        const char *const name = dv_mask_set_frame(plan->pred, SEQUENCE, frame);
        if (dv_mask_set_find_frame(plan->truth, SEQUENCE, name) == SIZE_MAX) dv_show_name(&unused, name, NULL);
    }
    dv_warn_unused(plan->pred, dv_mask_set_path(plan->truth), &unused, "label maps");
    return unused.n;
}

dv_status dv_label_plan_make(const dv_label_iou_options *options, dv_label_plan *plan, dv_label_iou_result *result) {
    memset(plan, 0, sizeof *plan);
    DV_TRY(dv_mask_set_open(options->truth, DEPTH, DV_PALETTE_NONE, &plan->truth));
    DV_TRY(dv_mask_set_open(options->pred, DEPTH, DV_PALETTE_NONE, &plan->pred));
    dv_log_passed_over(plan->truth);
    dv_log_passed_over(plan->pred);
    result->n_unused = warn_of_unused(plan);
    DV_TRY(join(plan, options->skip_bad, &result->n_left_out));
    result->truth_bytes = dv_mask_bytes(plan->truth, plan->jobs, plan->n_jobs, true);
    result->pred_bytes = dv_mask_bytes(plan->pred, plan->jobs, plan->n_jobs, false);
    return DV_OK;
}

void dv_label_plan_clear(dv_label_plan *plan) {
    dv_mask_set_close(plan->truth);
    dv_mask_set_close(plan->pred);
    free(plan->jobs);
    memset(plan, 0, sizeof *plan);
}
