/* J and F by the protocols of DAVIS: policy and the order of stages. */
#include "denseval/jf.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/log.h"
#include "protocol/jf_collect.h"
#include "protocol/jf_plan.h"
#include "protocol/jf_run.h"
#include "protocol/jf_sequence.h"

void dv_jf_options_resolve(dv_jf_options *options) {
    const bool is_unsup = options->protocol == DV_JF_DAVIS2017_UNSUP;
    if (options->protocol == DV_JF_DAVIS2016) options->single_object = true;
    if (options->ends == DV_JF_ENDS_PROTOCOL) options->ends = is_unsup ? DV_JF_ENDS_NONE : DV_JF_ENDS_BOTH;
    if (options->voids == DV_JF_VOID_PROTOCOL) options->voids = is_unsup ? DV_JF_VOID_IGNORE : DV_JF_VOID_BACKGROUND;
    if (options->assign == DV_JF_ASSIGN_PROTOCOL) options->assign = is_unsup ? DV_JF_ASSIGN_JF : DV_JF_ASSIGN_IDENTITY;
    if (is_unsup || dv_jf_seeks_assignment(options)) options->extra_ids = DV_JF_EXTRA_IGNORE;
}

static dv_status check_options(const dv_jf_options *options) {
    if (options->protocol != DV_JF_DAVIS2017_SEMI && options->protocol != DV_JF_DAVIS2017_UNSUP &&
        options->protocol != DV_JF_DAVIS2016)
        return dv_fail(DV_E_ARG, "protocol %d: is none of DAVIS", (int)options->protocol);
    if (!options->truth || !options->pred) return dv_fail(DV_E_ARG, "truth and prediction must be given");
    if (options->rules.n_radii > DV_MAX_RADII)
        return dv_fail(DV_E_ARG, "%zu radii: at most %d", options->rules.n_radii, DV_MAX_RADII);
    return DV_OK;
}

static dv_mask_void void_policy(const dv_jf_options *options) {
    if (options->protocol == DV_JF_MUVOD) return DV_VOID_NONE;
    return options->voids == DV_JF_VOID_IGNORE ? DV_VOID_IGNORE : DV_VOID_BACKGROUND;
}

static dv_status count(const dv_jf_options *options, dv_jf_collector *collector, dv_device *device,
                       dv_mask_pass_result *counted) {
    const bool seeks_assignment = dv_jf_seeks_assignment(options);
    dv_mask_pass pass = {
        .truth = collector->plan->truth,
        .pred = collector->plan->pred,
        .jobs = collector->plan->jobs,
        .n_jobs = collector->plan->n_jobs,
        .policy = {.truth_void = void_policy(options),
                   .single_object = options->single_object,
                   .resize = options->resize,
                   .most_pred = seeks_assignment ? DV_JF_MOST_PROPOSALS : 0},
        .rules = options->rules,
        .device = device,
        .n_threads = options->n_threads,
        .skip_bad = options->skip_bad,
        .progress = options->progress,
        .progress_user = options->progress_user,
        .take = dv_jf_collect_take,
        .user = collector,
    };
    pass.rules.all_pairs = seeks_assignment;
    pass.rules.areas_only = false;
    return dv_mask_pass_run(&pass, counted);
}

static void take_pass(const dv_mask_pass_result *counted, dv_jf_result *result) {
    result->ignored_pixels = counted->ignored_pixels;
    result->same |= counted->identical;
    result->read_s = counted->read_s;
    result->count_s = counted->count_s;
    memcpy(result->truth_hash, counted->truth_hash, sizeof result->truth_hash);
    memcpy(result->pred_hash, counted->pred_hash, sizeof result->pred_hash);
}

/* The outcome in words, where it is not what one wants. */
static dv_status judge(const dv_jf_options *options, const dv_jf_result *result) {
    const char *const hint =
        result->ignored_pixels && !options->single_object
            ? "; is 255 the object and not void, there are --protocol davis2016 and --single-object"
            : "";
    if (result->same)
        dv_log(DV_LOG_WARNING, "%s: is the same folder as the truth %s, or holds the same masks", options->pred,
               options->truth);
    if (result->per_object[0].n || options->allow_empty) return DV_OK;
    return dv_fail(DV_E_DATA, "%s: nothing was scored in %zu sequences%s", options->truth, result->n_sequences, hint);
}

dv_status dv_jf_run_plan(const dv_jf_options *options, const dv_jf_plan *plan, const dv_jf_entry *entries,
                         dv_device *device, dv_jf_result *result) {
    dv_mask_pass_result counted = {0};
    dv_jf_collector collector = {.options = options, .plan = plan, .entries = entries, .result = result};
    dv_status status = dv_jf_collect_begin(&collector);
    if (status == DV_OK) status = count(options, &collector, device, &counted);
    if (status == DV_OK) status = dv_jf_collect_end(&collector);
    if (status == DV_OK) {
        take_pass(&counted, result);
        dv_jf_take_means(result);
        status = judge(options, result);
    }
    dv_mask_pass_result_clear(&counted);
    dv_jf_collect_clear(&collector);
    return status;
}

static dv_status score(const dv_jf_options *options, dv_device *device, dv_jf_result *result) {
    dv_jf_plan plan;
    dv_status status = dv_jf_plan_make(options, &plan, result);
    if (status == DV_OK) status = dv_jf_run_plan(options, &plan, NULL, device, result);
    dv_jf_plan_clear(&plan);
    return status;
}

void dv_jf_result_begin(const dv_jf_options *options, dv_jf_result *result) {
    memset(result, 0, sizeof *result);
    result->n_radii = options->rules.n_radii ? options->rules.n_radii : 1;
    memcpy(result->radii_px, options->rules.radii_px, options->rules.n_radii * sizeof *result->radii_px);
}

dv_status dv_jf_run(const dv_jf_options *options, dv_jf_result *result) {
    memset(result, 0, sizeof *result);
    DV_TRY(check_options(options));
    dv_jf_options resolved = *options;
    dv_device *device;
    const dv_device_options device_options = {.n_threads = options->n_threads, .account = options->account};
    dv_jf_options_resolve(&resolved);
    dv_jf_result_begin(&resolved, result);
    DV_TRY(dv_device_open(options->backend ? options->backend : "auto", &device_options, &device));
    const dv_status status = score(&resolved, device, result);
    device->ops->close(device);
    if (status != DV_OK) dv_jf_result_clear(result);
    return status;
}

void dv_jf_result_clear(dv_jf_result *result) {
    if (!result) return;
    for (size_t i = 0; i < result->n_sequences; i++) dv_jf_sequence_clear(&result->sequences[i]);
    free(result->sequences);
    free(result->extra);
    memset(result, 0, sizeof *result);
}
