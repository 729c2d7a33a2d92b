/* IoU of targets that were segmented in 3D: policy and the order of stages. */
#include "denseval/objects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/fault_list.h"
#include "core/log.h"
#include "core/memory.h"
#include "io/json_targets.h"
#include "protocol/objects_plan.h"
#include "protocol/objects_scores.h"

enum { NAME_SIZE = DV_MESSAGE_SIZE / 2 };

/* ---- Targets and methods -------------------------------------------------------------------------------------------
 */

static bool has_scene(const dv_objects_result *result, const char *scene) {
    for (size_t s = 0; s < result->n_scenes; s++)
        if (strcmp(result->scenes[s], scene) == 0) return true;
    return false;
}

/* The targets are handed over. */
static dv_status take_targets(const dv_targets *targets, dv_objects_result *result) {
    result->n_targets = targets->n;
    result->targets = targets->targets;
    DV_TRY(dv_alloc(targets->n, sizeof *result->scenes, "scenes", &result->scenes));
    for (size_t t = 0; t < targets->n; t++)
        if (!has_scene(result, targets->targets[t].scene))
            result->scenes[result->n_scenes++] = targets->targets[t].scene;
    return DV_OK;
}

static dv_status make_scores(const dv_objects_method *method, const dv_objects_result *result,
                             dv_objects_scores *scores) {
    DV_TRY(dv_strdup(method->name, &scores->name));
    DV_TRY(dv_strdup(method->pred, &scores->pred));
    DV_TRY(dv_alloc(result->n_targets, sizeof *scores->targets, "scores of targets", &scores->targets));
    for (size_t t = 0; t < result->n_targets; t++)
        DV_TRY(dv_alloc(result->targets[t].views.n, sizeof *scores->targets[t].views, "counts of views",
                        &scores->targets[t].views));
    return DV_OK;
}

static dv_status take_methods(const dv_objects_options *options, dv_objects_result *result) {
    if (options->n_methods == 0) return dv_fail(DV_E_ARG, "no method to score");
    for (size_t i = 0; i < options->n_methods; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(options->methods[i].name, options->methods[k].name) == 0)
                return dv_fail(DV_E_USAGE, "%s and %s: both are called %s", options->methods[k].pred,
                               options->methods[i].pred, options->methods[i].name);
    DV_TRY(dv_alloc(options->n_methods, sizeof *result->methods, "methods", &result->methods));
    result->n_methods = options->n_methods;
    for (size_t i = 0; i < options->n_methods; i++)
        DV_TRY(make_scores(&options->methods[i], result, &result->methods[i]));
    return DV_OK;
}

/* ---- Counting ------------------------------------------------------------------------------------------------------
 */

/* What takes the counts of one method. */
typedef struct counting {
    const dv_targets *targets;
    const dv_objects_plan *plan;
    const dv_objects_part *part;
    dv_objects_scores *scores;
    dv_fault_list faults;
} counting;

static void add_size_fault(counting *c, const dv_mask_job *job, const dv_mask_counts *counts) {
    char name[NAME_SIZE], message[DV_MESSAGE_SIZE];
    dv_mask_set_name_frame(c->plan->truth, job->truth_sequence, job->truth_frame, name, sizeof name);
    snprintf(message, sizeof message, "%s: %zux%zu, by the file of targets %zux%zu (height x width)", name,
             counts->height, counts->width, c->targets->height, c->targets->width);
    dv_fault_list_add(&c->faults, message);
}

static dv_status take(void *user, size_t job, const dv_mask_counts *counts) {
    counting *const c = user;
    const dv_object_place *const place = &c->part->places[job];
    if (c->targets->height && (counts->height != c->targets->height || counts->width != c->targets->width)) {
        add_size_fault(c, &c->part->jobs[job], counts);
        return DV_OK;
    }
    c->scores->targets[place->target].views[place->view] =
        (dv_object_view){.counted = true,
                         .truth_pixels = counts->n_truth ? counts->truth[0].pixels : 0,
                         .pred_pixels = counts->n_pred ? counts->pred[0].pixels : 0,
                         .intersection = counts->n_pairs ? counts->pairs[0].intersection : 0};
    return DV_OK;
}

static dv_status count_part(const dv_objects_options *options, counting *c, dv_device *device,
                            dv_mask_pass_result *counted) {
    const dv_mask_pass pass = {
        .truth = c->plan->truth,
        .pred = c->part->pred,
        .jobs = c->part->jobs,
        .n_jobs = c->part->n_jobs,
        .policy = {.single_object = true},
        .rules = {.areas_only = true},
        .device = device,
        .n_threads = options->n_threads,
        .skip_bad = options->skip_bad,
        .progress = options->progress,
        .progress_user = options->progress_user,
        .take = take,
        .user = c,
    };
    DV_TRY(dv_mask_pass_run(&pass, counted));
    return dv_fault_list_judge(&c->faults, DV_E_DATA, "masks have another size");
}

static void take_pass(const dv_mask_pass_result *counted, dv_objects_result *result, dv_objects_scores *scores) {
    scores->same = counted->identical;
    scores->n_mixed = counted->n_mixed;
    memcpy(result->truth_hash, counted->truth_hash, sizeof result->truth_hash); /* the same of every method */
    memcpy(scores->pred_hash, counted->pred_hash, sizeof scores->pred_hash);
    result->read_s += counted->read_s;
    result->count_s += counted->count_s;
    if (scores->n_mixed)
        dv_log(DV_LOG_INFO, "%s: %zu masks of it or of the truth have more than one value besides 0: all are object",
               scores->pred, scores->n_mixed);
    if (scores->same) dv_log(DV_LOG_WARNING, "%s: holds the same masks as the truth", scores->pred);
}

static void fill_scores(const dv_objects_result *result, dv_objects_scores *scores) {
    for (size_t t = 0; t < result->n_targets; t++) {
        dv_object_score *const score = &scores->targets[t];
        const size_t n_views = result->targets[t].views.n;
        dv_object_score_fill(score, n_views);
        scores->n_views_left_out += n_views - score->n_shown - score->n_hidden;
    }
}

static dv_status score_method(const dv_objects_options *options, const dv_targets *targets, const dv_objects_plan *plan,
                              size_t method, dv_device *device, dv_objects_result *result) {
    dv_mask_pass_result counted = {0};
    dv_objects_scores *const scores = &result->methods[method];
    counting c = {.targets = targets,
                  .plan = plan,
                  .part = &plan->parts[method],
                  .scores = scores,
                  .faults = {.left_out = options->skip_bad}};
    dv_status status = count_part(options, &c, device, &counted);
    if (status == DV_OK) {
        take_pass(&counted, result, scores);
        fill_scores(result, scores);
        status = dv_objects_scores_group(result, options->views, scores);
    }
    dv_mask_pass_result_clear(&counted);
    if (status != DV_OK || scores->all.box.n || options->allow_empty) return status;
    return dv_fail(DV_E_DATA, "%s: nothing was scored of %zu targets", scores->pred, result->n_targets);
}

/* ---- Run -----------------------------------------------------------------------------------------------------------
 */

static dv_status score(const dv_objects_options *options, const dv_targets *targets, dv_objects_result *result) {
    dv_objects_plan plan;
    dv_device *device = NULL;
    const dv_device_options device_options = {.n_threads = options->n_threads, .account = options->account};
    dv_status status = dv_objects_plan_make(options, &plan, result);
    if (status == DV_OK)
        status = dv_device_open(options->backend ? options->backend : "auto", &device_options, &device);
    for (size_t i = 0; i < result->n_methods && status == DV_OK; i++)
        status = score_method(options, targets, &plan, i, device, result);
    if (device) device->ops->close(device);
    dv_objects_plan_clear(&plan);
    return status;
}

dv_status dv_objects_run(const dv_objects_options *options, dv_objects_result *result) {
    dv_targets targets;
    memset(result, 0, sizeof *result);
    DV_TRY(dv_targets_read(options->targets, &targets));
    dv_status status = take_targets(&targets, result);
    if (status == DV_OK) status = take_methods(options, result);
    if (status == DV_OK) status = score(options, &targets, result);
    if (status != DV_OK) dv_objects_result_clear(result);
    return status;
}

static void clear_scores(const dv_objects_result *result, dv_objects_scores *scores) {
    for (size_t t = 0; scores->targets && t < result->n_targets; t++) free(scores->targets[t].views);
    for (size_t s = 0; scores->scenes && s < result->n_scenes; s++) free(scores->scenes[s].values);
    for (int c = 0; c < DV_N_OBJECT_CATEGORIES; c++) free(scores->categories[c].values);
    free(scores->all.values);
    free(scores->scenes);
    free(scores->targets);
    free(scores->pred);
    free(scores->name);
}

void dv_objects_result_clear(dv_objects_result *result) {
    if (!result) return;
    dv_targets targets = {.n = result->n_targets, .targets = result->targets};
    for (size_t i = 0; i < result->n_methods; i++) clear_scores(result, &result->methods[i]);
    free(result->methods);
    free(result->scenes);
    dv_targets_clear(&targets);
    memset(result, 0, sizeof *result);
}
