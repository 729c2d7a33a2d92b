/* cmd_objects.c: `denseval objects`: IoU of objects that were segmented in 3D. */
#include <stdlib.h>
#include <string.h>

#include "app/commands.h"
#include "app/environment.h"
#include "app/message.h"
#include "app/output.h"
#include "app/targets.h"
#include "denseval/report.h"

typedef struct objects_args {
    const char *targets, *truth, *out;
    dv_path_list pred;
    dv_object_views views;
} objects_args;

/* By the enum of denseval/objects.h. */
static const char *const views_words[] = {"shown", "all", "pooled", "first"};

static const dv_option options[] = {
    {"targets", "TARGETS.json", "targets, their categories, scenes and views", DV_OPT_PATH,
     offsetof(objects_args, targets), 0, 0},
    {"truth", "DIR|H5", "true masks, DIR/TARGET/VIEW.png, or a mask file", DV_OPT_PATH, offsetof(objects_args, truth),
     0, 0},
    {"pred", "DIR|H5|NAME=DIR[,...]", "predicted masks of the same names, one or several methods", DV_OPT_PATHS,
     offsetof(objects_args, pred), 0, 0},
    {"views", "shown|all|pooled|first",
     "IoU of a target: mean over the views whose truth is not empty, over all, of their sums, or the first [shown]",
     DV_OPT_CHOICE, offsetof(objects_args, views), 0, 0},
    {"out", "DIR", "result folder to make", DV_OPT_PATH, offsetof(objects_args, out), 0, 0},
    {0},
};

/* ---- Methods -------------------------------------------------------------------------------------------------------
 */

/* Methods and the names that are no part of a path. */
typedef struct method_list {
    size_t n;
    dv_objects_method *methods; /* [n], owned */
    char **names;               /* [n], owned */
} method_list;

static void clear_methods(method_list *list) {
    for (size_t i = 0; list->names && i < list->n; i++) free(list->names[i]);
    free(list->names);
    free(list->methods);
}

/* What stands before the first '=', where that is no folder of the path; else the last folder of the path. */
static char *name_of(const char *text, const char **path) {
    const char *const sign = strchr(text, '=');
    const size_t n_before = sign ? (size_t)(sign - text) : 0;
    *path = text;
    if (sign && n_before && sign[1] && !memchr(text, '/', n_before)) {
        *path = sign + 1;
        return strndup(text, n_before);
    }
    size_t end = strlen(text);
    while (end > 1 && text[end - 1] == '/') end--;
    size_t begin = end;
    while (begin > 0 && text[begin - 1] != '/') begin--;
    return strndup(text + begin, end - begin);
}

static dv_status find_methods(const objects_args *args, method_list *list) {
    *list = (method_list){.n = args->pred.n};
    list->methods = calloc(list->n, sizeof *list->methods);
    list->names = calloc(list->n, sizeof *list->names);
    for (size_t i = 0; list->methods && list->names && i < list->n; i++) {
        list->names[i] = name_of(args->pred.paths[i], &list->methods[i].pred);
        if (!list->names[i]) return dv_app_fail(DV_E_NOMEM, "no memory for the names of methods");
        list->methods[i].name = list->names[i];
        for (size_t k = 0; k < i; k++)
            if (strcmp(list->names[i], list->names[k]) == 0)
                return dv_app_fail(DV_E_USAGE, "--pred: %s and %s are both called %s; NAME=DIR gives a name",
                                   args->pred.paths[k], args->pred.paths[i], list->names[i]);
    }
    return list->methods && list->names ? DV_OK : dv_app_fail(DV_E_NOMEM, "no memory for the names of methods");
}

/* ---- Results -------------------------------------------------------------------------------------------------------
 */

static void add_settings(dv_report *report, const dv_objects_options *chosen) {
    dv_report_setting_text(report, "views", views_words[chosen->views]);
    dv_report_setting_bool(report, "skip_bad", chosen->skip_bad);
    dv_report_setting_bool(report, "allow_empty", chosen->allow_empty);
}

static void add_resources(dv_report *report, const dv_app_context *context, const dv_objects_result *result,
                          const dv_resources *resources) {
    static const char *const stages[] = {"read", "count"};
    const double stage_s[] = {result->read_s, result->count_s}; /* of all threads together */
    dv_report_setting_text(report, "backend", context->common.backend);
    dv_report_resources(report, resources, stages, stage_s, sizeof stages / sizeof *stages);
}

static dv_status save(const dv_app_context *context, const objects_args *args, const dv_objects_options *chosen,
                      const dv_objects_result *result, const dv_resources *resources, dv_report *report) {
    dv_report *costs;
    dv_job job;
    if (!args->out) return DV_OK;
    DV_TRY(dv_report_create("denseval resources v1", context->command, &costs));
    add_resources(costs, context, result, resources);
    dv_environment_job(&job);
    dv_report_job_resources(costs, &job, resources);
    const dv_status status = dv_objects_save(args->out, context->common.force, chosen, result, report, costs);
    dv_report_free(costs);
    return status;
}

static dv_status print_table(const objects_args *args, const dv_objects_options *chosen,
                             const dv_objects_result *result) {
    char *text;
    DV_TRY(dv_report_objects_table(chosen, result, &text));
    dv_print("%s", text);
    free(text);
    if (args->out) dv_print("\nresults: %s\n", args->out);
    return DV_OK;
}

static dv_status give(const dv_app_context *context, const objects_args *args, const dv_objects_options *chosen,
                      const dv_objects_result *result, const dv_resources *resources) {
    dv_report *report;
    DV_TRY(dv_report_create("denseval objects v1", context->command, &report));
    add_settings(report, chosen);
    dv_report_objects(report, chosen, result);
    dv_status status = dv_report_failure(report);
    if (status == DV_OK) status = save(context, args, chosen, result, resources, report);
    if (status == DV_OK && context->common.json) {
        add_resources(report, context, result, resources);
        status = dv_output_report(report);
    } else if (status == DV_OK) {
        status = print_table(args, chosen, result);
    }
    dv_report_free(report);
    return status;
}

/* ---- Command -------------------------------------------------------------------------------------------------------
 */

static dv_status check_target(const dv_app_context *context, const objects_args *args, const method_list *methods) {
    if (!args->out) return DV_OK;
    DV_TRY(dv_target_check_new(args->out, context->common.force));
    DV_TRY(dv_target_check_input("--out", args->out, args->targets));
    DV_TRY(dv_target_check_input("--out", args->out, args->truth));
    for (size_t i = 0; i < methods->n; i++) DV_TRY(dv_target_check_input("--out", args->out, methods->methods[i].pred));
    return DV_OK;
}

static dv_status run_methods(const dv_app_context *context, const objects_args *args, const method_list *methods) {
    dv_resources resources;
    const dv_objects_options chosen = {
        .targets = args->targets,
        .truth = args->truth,
        .n_methods = methods->n,
        .methods = methods->methods,
        .views = args->views,
        .skip_bad = context->common.skip_bad,
        .allow_empty = context->common.allow_empty,
        .backend = context->common.backend,
        .n_threads = context->n_threads,
        .account = &resources.gpu,
        .progress = context->progress,
        .progress_user = context->progress_user,
    };
    dv_objects_result result;
    DV_TRY(check_target(context, args, methods));
    dv_resources_start(&resources, context->n_threads);
    dv_status status = dv_objects_run(&chosen, &result);
    dv_resources_stop(&resources);
    if (status == DV_OK) status = give(context, args, &chosen, &result, &resources);
    dv_objects_result_clear(&result);
    return status;
}

static dv_status run_objects(const dv_app_context *context, void *arguments) {
    const objects_args *const args = arguments;
    method_list methods;
    dv_status status = find_methods(args, &methods);
    if (status == DV_OK) status = run_methods(context, args, &methods);
    clear_methods(&methods);
    return status;
}

const dv_command dv_cmd_objects = {
    .name = "objects",
    .summary = "IoU of objects segmented in 3D, by category",
    .usage = "--targets TARGETS.json --truth DIR --pred DIR [OPTIONS]",
    .notes =
        "Targets and views are joined by name, and every target is scored in all its views but the reference view. "
        "Whatever is not 0 in a mask is object. Several methods, --pred A,B or --pred NAME=A,NAME=B, are scored side "
        "by side.",
    .options = options,
    .common = DV_COMMON_JSON | DV_COMMON_PROGRESS | DV_COMMON_THREADS | DV_COMMON_BACKEND | DV_COMMON_FORCE |
              DV_COMMON_SKIP_BAD | DV_COMMON_ALLOW_EMPTY,
    .required = "targets truth pred",
    .args_size = sizeof(objects_args),
    .run = run_objects,
};
