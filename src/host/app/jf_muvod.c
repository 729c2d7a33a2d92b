/* jf_muvod.c: `denseval jf --protocol muvod`: J&F over the cameras of scenes. */
#include "app/jf_muvod.h"

#include <stdlib.h>
#include <string.h>

#include "app/environment.h"
#include "app/message.h"
#include "app/output.h"
#include "app/targets.h"
#include "denseval/muvod.h"
#include "denseval/report.h"

/* A comma list as names; items point into *text, both the caller's until free(). */
static dv_status split_list(const char *option, const char *list, char **text, const char ***items, size_t *n) {
    *items = NULL;
    *n = 0;
    *text = list ? strdup(list) : NULL;
    if (!list) return DV_OK;
    *items = calloc(strlen(list) + 1, sizeof **items); /* no list has more parts than letters */
    if (!*text || !*items) return dv_app_fail(DV_E_NOMEM, "no memory for a list of names");
    for (char *rest = *text; rest;) {
        const char *const part = strsep(&rest, ",");
        if (!*part) return dv_app_fail(DV_E_USAGE, "--%s %s: an empty name", option, list);
        (*items)[(*n)++] = part;
    }
    return DV_OK;
}

/* What the options of the library point to. */
typedef struct muvod_lists {
    char *camera_text, *scene_text;
    const char **cameras, **scenes;
} muvod_lists;

static void clear_lists(muvod_lists *lists) {
    free(lists->camera_text);
    free(lists->scene_text);
    free(lists->cameras);
    free(lists->scenes);
}

/* common: what the protocols share, as the options say */
static dv_status make_options(const dv_jf_args *args, const dv_jf_options *common, muvod_lists *lists,
                              dv_muvod_options *chosen) {
    *chosen = (dv_muvod_options){
        .meta = args->meta,
        .truth = common->truth,
        .pred = common->pred,
        .sparse_pred = args->sparse_pred,
        .quarter = args->cameras && strcmp(args->cameras, "quarter") == 0,
        .set = args->set,
        .policy = {.reference_included = args->reference == DV_JF_REFERENCE_INCLUDE,
                   .visible_frames = args->frames == DV_JF_FRAMES_VISIBLE,
                   .unseen_scored = args->unseen == DV_JF_UNSEEN_SCORE,
                   .pooled_by_object = args->pooling == DV_JF_POOLING_OBJECT},
        .rules = common->rules,
        .extra_ids = common->extra_ids,
        .voc_palette = common->voc_palette,
        .resize = common->resize,
        .skip_bad = common->skip_bad,
        .allow_empty = common->allow_empty,
        .backend = common->backend,
        .n_threads = common->n_threads,
        .progress = common->progress,
        .progress_user = common->progress_user,
    };
    DV_TRY(split_list("scenes", args->scenes, &lists->scene_text, &lists->scenes, &chosen->n_scenes));
    chosen->scenes = lists->scenes;
    if (chosen->quarter) return DV_OK;
    DV_TRY(split_list("cameras", args->cameras, &lists->camera_text, &lists->cameras, &chosen->n_cameras));
    chosen->cameras = lists->cameras;
    return DV_OK;
}

static void add_settings(dv_report *report, const dv_jf_args *args, const dv_jf_options *common,
                         const dv_muvod_options *chosen) {
    const dv_muvod_policy *const policy = &chosen->policy;
    dv_jf_args_report(report, common);
    dv_report_setting_text(report, "set", chosen->set == DV_MUVOD_BASIC ? "basic" : "complete");
    dv_report_setting_text(report, "cameras", args->cameras);
    dv_report_setting_text(report, "scenes", args->scenes);
    dv_report_setting_text(report, "reference_frame", policy->reference_included ? "include" : "exclude");
    dv_report_setting_text(report, "frames", policy->visible_frames ? "visible" : "all");
    dv_report_setting_text(report, "unseen", policy->unseen_scored ? "score" : "skip");
    dv_report_setting_text(report, "pooling", policy->pooled_by_object ? "object" : "camera");
}

static dv_status save(const dv_app_context *context, const dv_jf_args *args, const dv_muvod_options *chosen,
                      const dv_muvod_result *result, const dv_resources *resources, dv_report *report) {
    dv_report *costs;
    dv_job job;
    if (!args->out) return DV_OK;
    DV_TRY(dv_report_create("denseval resources v1", context->command, &costs));
    dv_jf_add_resources(costs, context, &result->jf, resources);
    dv_environment_job(&job);
    dv_report_job_resources(costs, &job, resources);
    const dv_status status = dv_muvod_save(args->out, context->common.force, chosen, result, report, costs);
    dv_report_free(costs);
    return status;
}

static dv_status print_table(const dv_jf_args *args, const dv_muvod_options *chosen, const dv_muvod_result *result) {
    char *text;
    DV_TRY(dv_report_muvod_table(chosen, result, &text));
    dv_print("%s", text);
    free(text);
    if (args->out) dv_print("\nresults: %s\n", args->out);
    return DV_OK;
}

static dv_status give(const dv_app_context *context, const dv_jf_args *args, const dv_jf_options *common,
                      const dv_muvod_options *chosen, const dv_muvod_result *result, const dv_resources *resources) {
    dv_report *report;
    DV_TRY(dv_report_create("denseval jf v1", context->command, &report));
    add_settings(report, args, common, chosen);
    dv_report_muvod(report, chosen, result);
    dv_status status = dv_report_failure(report);
    if (status == DV_OK) status = save(context, args, chosen, result, resources, report);
    if (status == DV_OK && context->common.json) {
        dv_jf_add_resources(report, context, &result->jf, resources);
        status = dv_output_report(report);
    } else if (status == DV_OK) {
        status = print_table(args, chosen, result);
    }
    dv_report_free(report);
    return status;
}

static dv_status run(const dv_app_context *context, const dv_jf_args *args, const dv_jf_options *common,
                     const dv_muvod_options *chosen) {
    dv_resources resources;
    dv_muvod_result result;
    dv_muvod_options measured = *chosen;
    dv_resources_start(&resources, context->n_threads);
    measured.account = &resources.gpu;
    dv_status status = dv_muvod_run(&measured, &result);
    dv_resources_stop(&resources);
    if (status == DV_OK) status = give(context, args, common, chosen, &result, &resources);
    dv_muvod_result_clear(&result);
    return status;
}

dv_status dv_jf_muvod(const dv_app_context *context, const dv_jf_args *args) {
    dv_jf_options common;
    dv_muvod_options chosen;
    muvod_lists lists = {0};
    DV_TRY(dv_jf_args_refuse(context, dv_jf_davis_options, "davis2017-semi, davis2017-unsup or davis2016"));
    if (!args->meta) return dv_app_fail(DV_E_USAGE, "--protocol muvod: needs --meta");
    if (args->radii_px.n > 1) return dv_app_fail(DV_E_USAGE, "--radius: one radius with --protocol muvod");
    DV_TRY(dv_target_check_input("--out", args->out, args->meta));
    DV_TRY(dv_target_check_input("--out", args->out, args->sparse_pred));
    DV_TRY(dv_jf_args_options(context, args, &common));
    dv_status status = make_options(args, &common, &lists, &chosen);
    if (status == DV_OK) status = run(context, args, &common, &chosen);
    clear_lists(&lists);
    return status;
}
