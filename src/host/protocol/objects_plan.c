#include "protocol/objects_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/fault_list.h"
#include "core/memory.h"
#include "protocol/mask_sides.h"

/* ---- Joining -------------------------------------------------------------------------------------------------------
 */

/* Where a target or a view of it lies in a set; SIZE_MAX and a fault: nowhere. */
static size_t find_target(const dv_mask_set *set, const dv_object_target *target, dv_fault_list *faults) {
    const size_t sequence = dv_mask_set_find_sequence(set, target->id);
    if (sequence != SIZE_MAX) return sequence;
    char message[DV_MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s: no target %s, of which %zu views are scored", dv_mask_set_path(set),
             target->id, target->views.n);
    dv_fault_list_add(faults, message);
    return SIZE_MAX;
}

static size_t find_view(const dv_mask_set *set, size_t sequence, const dv_object_target *target, size_t view,
                        dv_fault_list *faults) {
    if (sequence == SIZE_MAX) return SIZE_MAX;
    const size_t frame = dv_mask_set_find_frame(set, sequence, target->views.names[view]);
    if (frame != SIZE_MAX) return frame;
    char message[DV_MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s: no view %s/%s", dv_mask_set_path(set), target->id,
             target->views.names[view]);
    dv_fault_list_add(faults, message);
    return SIZE_MAX;
}

/* Apart from the methods: what the truth lacks is missing once. */
static void list_missing_truth(const dv_mask_set *truth, const dv_objects_result *result, dv_fault_list *faults) {
    for (size_t t = 0; t < result->n_targets; t++) {
        const size_t sequence = find_target(truth, &result->targets[t], faults);
        for (size_t view = 0; view < result->targets[t].views.n; view++)
            find_view(truth, sequence, &result->targets[t], view, faults);
    }
}

static void join_target(const dv_mask_set *truth, dv_objects_part *part, const dv_object_target *target, size_t number,
                        dv_fault_list *faults) {
    const size_t in_truth = dv_mask_set_find_sequence(truth, target->id);
    const size_t in_pred = find_target(part->pred, target, faults);
    for (size_t view = 0; view < target->views.n; view++) {
        const size_t pred_frame = find_view(part->pred, in_pred, target, view, faults);
        const size_t truth_frame =
            in_truth == SIZE_MAX ? SIZE_MAX : dv_mask_set_find_frame(truth, in_truth, target->views.names[view]);
        if (pred_frame == SIZE_MAX || truth_frame == SIZE_MAX) continue;
        part->places[part->n_jobs] = (dv_object_place){number, view};
        part->jobs[part->n_jobs++] = (dv_mask_job){in_truth, truth_frame, in_pred, pred_frame};
    }
}

static dv_status join(dv_objects_plan *plan, const dv_objects_result *result, bool skip_bad) {
    dv_fault_list faults = {.left_out = skip_bad};
    list_missing_truth(plan->truth, result, &faults);
    for (size_t i = 0; i < plan->n_parts; i++)
        for (size_t t = 0; t < result->n_targets; t++)
            join_target(plan->truth, &plan->parts[i], &result->targets[t], t, &faults);
    return dv_fault_list_judge(&faults, DV_E_MISSING, "targets and views are missing");
}

/* ---- What is there beside ------------------------------------------------------------------------------------------
 */

static const dv_object_target *find_described(const dv_objects_result *result, const char *id) {
    for (size_t t = 0; t < result->n_targets; t++)
        if (strcmp(result->targets[t].id, id) == 0) return &result->targets[t];
    return NULL;
}

/* The reference view may be there: it is not scored. */
static bool has_view(const dv_object_target *target, const char *name) {
    for (size_t view = 0; view < target->views.n; view++)
        if (strcmp(target->views.names[view], name) == 0) return true;
    return strcmp(target->reference_view, name) == 0;
}

static void look_for_unused(const char *path, const dv_mask_set *pred, const dv_objects_result *result,
                            dv_objects_scores *scores) {
    dv_shown_names targets = {.n = 0}, views = {.n = 0};
    for (size_t i = 0; i < dv_mask_set_n_sequences(pred); i++) {
        const char *const id = dv_mask_set_sequence(pred, i);
        const dv_object_target *const target = find_described(result, id);
        if (!target) dv_show_name(&targets, id, NULL);
        for (size_t view = 0; target && view < dv_mask_set_n_frames(pred, i); view++)
            if (!has_view(target, dv_mask_set_frame(pred, i, view)))
                dv_show_name(&views, id, dv_mask_set_frame(pred, i, view));
    }
    dv_warn_unused(pred, path, &targets, "targets");
    dv_warn_unused(pred, path, &views, "views");
    scores->n_targets_unused = targets.n;
    scores->n_views_unused = views.n;
}

/* ---- Plan ----------------------------------------------------------------------------------------------------------
 */

static dv_status open_part(const dv_objects_options *options, size_t method, size_t n_views, dv_objects_part *part,
                           dv_objects_result *result) {
    DV_TRY(dv_mask_set_open(options->methods[method].pred, 1, DV_PALETTE_NONE, &part->pred));
    DV_TRY(dv_alloc(n_views, sizeof *part->jobs, "pairs of masks", &part->jobs));
    DV_TRY(dv_alloc(n_views, sizeof *part->places, "views", &part->places));
    dv_log_passed_over(part->pred);
    look_for_unused(options->targets, part->pred, result, &result->methods[method]);
    return DV_OK;
}

dv_status dv_objects_plan_make(const dv_objects_options *options, dv_objects_plan *plan, dv_objects_result *result) {
    size_t n_views = 0;
    memset(plan, 0, sizeof *plan);
    for (size_t t = 0; t < result->n_targets; t++) n_views += result->targets[t].views.n;
    DV_TRY(dv_mask_set_open(options->truth, 1, DV_PALETTE_NONE, &plan->truth));
    dv_log_passed_over(plan->truth);
    DV_TRY(dv_alloc(options->n_methods, sizeof *plan->parts, "methods", &plan->parts));
    plan->n_parts = options->n_methods;
    for (size_t i = 0; i < plan->n_parts; i++) DV_TRY(open_part(options, i, n_views, &plan->parts[i], result));
    DV_TRY(join(plan, result, options->skip_bad));
    result->truth_bytes = dv_mask_bytes(plan->truth, plan->parts[0].jobs, plan->parts[0].n_jobs, true);
    for (size_t i = 0; i < plan->n_parts; i++)
        result->methods[i].pred_bytes =
            dv_mask_bytes(plan->parts[i].pred, plan->parts[i].jobs, plan->parts[i].n_jobs, false);
    return DV_OK;
}

void dv_objects_plan_clear(dv_objects_plan *plan) {
    for (size_t i = 0; i < plan->n_parts; i++) {
        dv_mask_set_close(plan->parts[i].pred);
        free(plan->parts[i].jobs);
        free(plan->parts[i].places);
    }
    free(plan->parts);
    dv_mask_set_close(plan->truth);
    memset(plan, 0, sizeof *plan);
}
