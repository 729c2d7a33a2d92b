#include "pipeline/mask_pass_frame.h"

#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "pipeline/mask_pass_prepare.h"

/* Takes a fault of the frame in; passes on what is none. */
static dv_status add_fault(dv_mask_outcome *outcome, dv_status status) {
    if (status != DV_E_DATA && status != DV_E_MISSING) return status;
    outcome->faults[outcome->n_faults].status = status;
    snprintf(outcome->faults[outcome->n_faults].message, DV_MESSAGE_SIZE, "%s", dv_last_error());
    outcome->n_faults++;
    return DV_OK;
}

static dv_status read_both(const dv_mask_pass *pass, const dv_mask_job *job, dv_label_map *truth, dv_label_map *pred,
                           dv_mask_outcome *outcome) {
    DV_TRY(add_fault(outcome,
                     dv_mask_set_read(pass->truth, job->truth_sequence, job->truth_frame, truth, outcome->truth_hash)));
    return add_fault(outcome,
                     dv_mask_set_read(pass->pred, job->pred_sequence, job->pred_frame, pred, outcome->pred_hash));
}

static dv_status fit_sizes(const dv_mask_pass *pass, const dv_mask_job *job, const dv_label_map *truth,
                           dv_label_map *pred, dv_mask_outcome *outcome) {
    if (truth->height == pred->height && truth->width == pred->width) return DV_OK;
    if (pass->policy.resize) return dv_mask_resize(pred, truth->height, truth->width);
    char name[DV_MESSAGE_SIZE / 2];
    dv_mask_set_name_frame(pass->pred, job->pred_sequence, job->pred_frame, name, sizeof name);
    return add_fault(outcome, dv_fail(DV_E_DATA, "%s: %zux%zu, truth %zux%zu (height x width)", name, pred->height,
                                      pred->width, truth->height, truth->width));
}

static bool are_identical(const dv_label_map *a, const dv_label_map *b) {
    return a->height == b->height && a->width == b->width &&
           memcmp(a->labels, b->labels, a->height * a->width * sizeof *a->labels) == 0;
}

static dv_status score(const dv_mask_pass *pass, dv_mask_worker *worker, const dv_mask_job *job, bool without_counts,
                       dv_mask_outcome *outcome) {
    dv_label_map *const truth = &worker->truth, *const pred = &worker->pred;
    outcome->identical = are_identical(truth, pred);
    DV_TRY(fit_sizes(pass, job, truth, pred, outcome));
    if (outcome->n_faults || without_counts) return DV_OK;
    if (pass->policy.single_object)
        outcome->n_mixed = (size_t)dv_mask_is_mixed(truth->labels, truth->height * truth->width) +
                           (size_t)dv_mask_is_mixed(pred->labels, pred->height * pred->width);
    outcome->n_ignored = dv_mask_prepare(&pass->policy, truth->labels, pred->labels, truth->height * truth->width);
    return pass->device->ops->count_masks(pass->device, worker->counter, truth->labels, pred->labels, truth->height,
                                          truth->width, &outcome->counts);
}

dv_status dv_mask_frame_run(const dv_mask_pass *pass, dv_mask_worker *worker, size_t job, bool without_counts,
                            dv_mask_outcome *outcome) {
    const dv_mask_job *const what = &pass->jobs[job];
    outcome->n_faults = 0;
    outcome->n_ignored = 0;
    outcome->n_mixed = 0;
    outcome->identical = false;
    outcome->truth_hash[0] = outcome->pred_hash[0] = '\0';
    const double begin = dv_steady_s();
    dv_status status = read_both(pass, what, &worker->truth, &worker->pred, outcome);
    const double middle = dv_steady_s();
    worker->read_s += middle - begin;
    if (status == DV_OK && !outcome->n_faults) {
        status = score(pass, worker, what, without_counts, outcome);
        worker->count_s += dv_steady_s() - middle;
    }
    return status;
}
