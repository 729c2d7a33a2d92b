/* cmd_jf.c: `denseval jf`: J and F of video object segmentation. */
#include <stdlib.h>

#include "app/commands.h"
#include "app/environment.h"
#include "app/jf_args.h"
#include "app/jf_muvod.h"
#include "app/message.h"
#include "app/output.h"
#include "app/targets.h"
#include "denseval/plot.h"
#include "denseval/report.h"

static const dv_jf_args defaults = {.bound = 0.008};

/* By the enums of denseval/jf.h. */
static const char *const objects_words[] = {"first-frame", "appearance", "seen", "all", "first-frame-max"};
static const char *const ends_words[] = {"protocol", "none", "both"};
static const char *const void_words[] = {"protocol", "background", "ignore"};
static const char *const extra_words[] = {"error", "false-positive", "ignore"};
static const char *const assign_words[] = {"protocol", "identity", "jf", "j"};

static const dv_option options[] = {
    {"truth", "DIR|H5", "true masks, DIR/SEQUENCE/FRAME.png (muvod: DIR/SCENE/CAMERA/FRAME.png), or a mask file",
     DV_OPT_PATH, offsetof(dv_jf_args, truth), 0, 0},
    {"pred", "DIR|H5", "predicted masks of the same names", DV_OPT_PATH, offsetof(dv_jf_args, pred), 0, 0},
    {"protocol", "davis2017-semi|davis2017-unsup|davis2016|muvod", "whose rules hold [davis2017-semi]", DV_OPT_CHOICE,
     offsetof(dv_jf_args, protocol), 0, 0},
    {"matching", "dilate|bipartite",
     "contour pixels match within a disk, or as pairs of a maximum matching one to one [dilate]", DV_OPT_CHOICE,
     offsetof(dv_jf_args, matching), 0, 0},
    {"radius", "R[,R...]", "radii in pixels, one F each; the first one counts [from --bound]", DV_OPT_NUMBERS,
     offsetof(dv_jf_args, radii_px), 0, 65535},
    {"bound", "B", "radius as a share of the diagonal, rounded up [0.008]", DV_OPT_POSITIVE,
     offsetof(dv_jf_args, bound), 0, 1},
    {"palette", "none|voc", "refuse RGB masks, or read those in the colours of PASCAL VOC [none]", DV_OPT_CHOICE,
     offsetof(dv_jf_args, palette), 0, 0},
    {"resize", "none|nearest", "refuse predictions of another size, or resize them [none]", DV_OPT_CHOICE,
     offsetof(dv_jf_args, resize), 0, 0},
    {"extra-ids", "error|false-positive|ignore", "what ids are that the prediction alone has [error]", DV_OPT_CHOICE,
     offsetof(dv_jf_args, extra_ids), 0, 0},
    {"out", "DIR", "result folder to make", DV_OPT_PATH, offsetof(dv_jf_args, out), 0, 0},
    {0},
};

static const dv_option_group groups[] = {
    {"Protocols of DAVIS", dv_jf_davis_options, 0},
    {"Protocol muvod", dv_jf_muvod_options, 0},
    {0},
};

/* ---- Results -------------------------------------------------------------------------------------------------------
 */

/* What was in force; of the masks alone, so that it is the same for every device and thread count. */
static void add_settings(dv_report *report, const dv_jf_options *chosen) {
    dv_jf_args_report(report, chosen);
    dv_report_setting_text(report, "objects", objects_words[chosen->objects]);
    dv_report_setting_text(report, "ends", ends_words[chosen->ends]);
    dv_report_setting_text(report, "void", chosen->single_object ? "none" : void_words[chosen->voids]);
    dv_report_setting_text(report, "extra_ids", extra_words[chosen->extra_ids]);
    dv_report_setting_text(report, "assign", assign_words[chosen->assign]);
    dv_report_setting_bool(report, "single_object", chosen->single_object);
}

void dv_jf_add_resources(dv_report *report, const dv_app_context *context, const dv_jf_result *result,
                         const dv_resources *resources) {
    static const char *const stages[] = {"read", "count"};
    const double stage_s[] = {result->read_s, result->count_s}; /* of all threads together */
    dv_report_setting_text(report, "backend", context->common.backend);
    dv_report_resources(report, resources, stages, stage_s, sizeof stages / sizeof *stages);
}

/* What is given beside the scores. */
typedef struct extras {
    dv_jf_worst *worst; /* [n_worst], owned */
    size_t n_worst;
} extras;

static void add_extras(dv_report *report, const dv_jf_args *args, const dv_jf_result *result, const extras *beside) {
    if (!args->n_worst) return;
    dv_report_setting_count(report, "worst", args->n_worst);
    if (args->images) dv_report_setting_text(report, "images", args->images);
    dv_report_jf_worst(report, result, beside->worst, beside->n_worst);
}

static dv_status save(const dv_app_context *context, const dv_jf_args *args, const dv_jf_options *chosen,
                      const dv_jf_result *result, const extras *beside, const dv_resources *resources,
                      dv_report *report) {
    const dv_jf_figures figures = {.options = chosen,
                                   .n_worst = beside->n_worst,
                                   .worst = beside->worst,
                                   .images = args->images,
                                   .curves = args->plots};
    dv_report *costs;
    dv_job job;
    if (!args->out) return DV_OK;
    DV_TRY(dv_report_create("denseval resources v1", context->command, &costs));
    dv_jf_add_resources(costs, context, result, resources);
    dv_environment_job(&job);
    dv_report_job_resources(costs, &job, resources);
    const dv_status status = dv_jf_save(args->out, context->common.force, result, &figures, report, costs);
    dv_report_free(costs);
    return status;
}

static dv_status print_table(const dv_jf_args *args, const dv_jf_result *result, const extras *beside) {
    char *text;
    DV_TRY(dv_report_jf_table(result, &text));
    dv_print("%s", text);
    free(text);
    if (args->n_worst) {
        DV_TRY(dv_report_jf_worst_table(result, beside->worst, beside->n_worst, &text));
        dv_print("\n%s", text);
        free(text);
    }
    if (args->out) dv_print("\nresults: %s\n", args->out);
    return DV_OK;
}

static dv_status give_all(const dv_app_context *context, const dv_jf_args *args, const dv_jf_options *chosen,
                          const dv_jf_result *result, const extras *beside, const dv_resources *resources) {
    dv_report *report;
    DV_TRY(dv_report_create("denseval jf v1", context->command, &report));
    add_settings(report, chosen);
    dv_report_jf(report, chosen, result);
    add_extras(report, args, result, beside);
    dv_status status = dv_report_failure(report);
    if (status == DV_OK) status = save(context, args, chosen, result, beside, resources, report);
    if (status == DV_OK && context->common.json) {
        dv_jf_add_resources(report, context, result, resources);
        status = dv_output_report(report);
    } else if (status == DV_OK) {
        status = print_table(args, result, beside);
    }
    dv_report_free(report);
    return status;
}

static dv_status give(const dv_app_context *context, const dv_jf_args *args, const dv_jf_options *chosen,
                      const dv_jf_result *result, const dv_resources *resources) {
    extras beside = {.n_worst = 0};
    DV_TRY(dv_jf_worst_find(result, args->n_worst, &beside.worst, &beside.n_worst));
    const dv_status status = give_all(context, args, chosen, result, &beside, resources);
    free(beside.worst);
    return status;
}

/* Before any work: options that need each other, and gnuplot. */
static dv_status check_extras(const dv_jf_args *args) {
    char why[256];
    if (args->images && !(args->n_worst && args->out))
        return dv_app_fail(DV_E_USAGE, "--images needs --worst and --out");
    if (!args->plots) return DV_OK;
    if (!args->out) return dv_app_fail(DV_E_USAGE, "--plots needs --out");
    return dv_plot_usable(why, sizeof why) ? DV_OK : dv_app_fail(DV_E_BACKEND, "--plots: %s", why);
}

static dv_status check_target(const dv_app_context *context, const dv_jf_args *args) {
    if (!args->out) return DV_OK;
    DV_TRY(dv_target_check_new(args->out, context->common.force));
    DV_TRY(dv_target_check_input("--out", args->out, args->truth));
    DV_TRY(dv_target_check_input("--out", args->out, args->images));
    return dv_target_check_input("--out", args->out, args->pred);
}

static dv_status run_davis(const dv_app_context *context, const dv_jf_args *args) {
    dv_jf_options chosen;
    dv_jf_result result;
    dv_resources resources;
    DV_TRY(dv_jf_args_refuse(context, dv_jf_muvod_options, "muvod"));
    DV_TRY(dv_jf_args_options(context, args, &chosen));
    DV_TRY(check_extras(args));
    dv_resources_start(&resources, context->n_threads);
    chosen.account = &resources.gpu;
    dv_status status = dv_jf_run(&chosen, &result);
    dv_resources_stop(&resources);
    if (status == DV_OK) status = give(context, args, &chosen, &result, &resources);
    dv_jf_result_clear(&result);
    return status;
}

static dv_status run_jf(const dv_app_context *context, void *arguments) {
    const dv_jf_args *const args = arguments;
    DV_TRY(check_target(context, args));
    return args->protocol == DV_JF_MUVOD ? dv_jf_muvod(context, args) : run_davis(context, args);
}

const dv_command dv_cmd_jf = {
    .name = "jf",
    .summary = "J and F of video object segmentation, by the protocols of DAVIS and MUVOD",
    .usage = "--truth DIR --pred DIR [--protocol P] [OPTIONS]",
    .notes =
        "Sequences and frames are joined by name, and every one of the truth is scored. J is the intersection over "
        "union of an object's masks, F the harmonic mean of precision and recall of its contour.",
    .options = options,
    .shared = groups,
    .common = DV_COMMON_JSON | DV_COMMON_PROGRESS | DV_COMMON_THREADS | DV_COMMON_BACKEND | DV_COMMON_FORCE |
              DV_COMMON_SKIP_BAD | DV_COMMON_ALLOW_EMPTY,
    .required = "truth pred",
    .args_size = sizeof(dv_jf_args),
    .defaults = &defaults,
    .run = run_jf,
};
