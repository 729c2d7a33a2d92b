/* cmd_jf.c: `denseval jf`: J and F of video object segmentation. */
#include <stdlib.h>

#include "app/commands.h"
#include "app/jf_args.h"
#include "app/message.h"
#include "app/output.h"
#include "app/targets.h"
#include "denseval/report.h"

static const dv_jf_args defaults = {.bound = 0.008};

/* By the enums of denseval/jf.h. */
static const char *const protocol_words[] = {"davis2017-semi", "davis2017-unsup", "davis2016", "muvod"};
static const char *const objects_words[] = {"first-frame", "appearance", "seen", "all", "first-frame-max"};
static const char *const ends_words[] = {"protocol", "none", "both"};
static const char *const void_words[] = {"protocol", "background", "ignore"};
static const char *const extra_words[] = {"error", "false-positive", "ignore"};
static const char *const assign_words[] = {"protocol", "identity", "jf", "j"};

static const dv_option options[] = {
    {"truth", "DIR|H5", "true masks, DIR/SEQUENCE/FRAME.png, or a mask file", DV_OPT_PATH, offsetof(dv_jf_args, truth),
     0, 0},
    {"pred", "DIR|H5", "predicted masks of the same names", DV_OPT_PATH, offsetof(dv_jf_args, pred), 0, 0},
    {"protocol", "davis2017-semi|davis2017-unsup|davis2016", "whose rules hold [davis2017-semi]", DV_OPT_CHOICE,
     offsetof(dv_jf_args, protocol), 0, 0},
    {"matching", "dilate|bipartite",
     "contour pixels match within a disk, or as pairs of a maximum matching one to one [dilate]", DV_OPT_CHOICE,
     offsetof(dv_jf_args, matching), 0, 0},
    {"radius", "R[,R...]", "radii in pixels, one F each; the first one counts [from --bound]", DV_OPT_NUMBERS,
     offsetof(dv_jf_args, radii_px), 0, 65535},
    {"bound", "B", "radius as a share of the diagonal, rounded up [0.008]", DV_OPT_POSITIVE,
     offsetof(dv_jf_args, bound), 0, 0},
    {"palette", "none|voc", "refuse RGB masks, or read those in the colours of PASCAL VOC [none]", DV_OPT_CHOICE,
     offsetof(dv_jf_args, palette), 0, 0},
    {"resize", "none|nearest", "refuse predictions of another size, or resize them [none]", DV_OPT_CHOICE,
     offsetof(dv_jf_args, resize), 0, 0},
    {"out", "DIR", "result folder to make", DV_OPT_PATH, offsetof(dv_jf_args, out), 0, 0},
    {0},
};

static const dv_option davis_options[] = {
    {"objects", "first-frame|appearance|seen|all|first-frame-max", "which objects are scored [first-frame]",
     DV_OPT_CHOICE, offsetof(dv_jf_args, objects), 0, 0},
    {"ends", "protocol|none|both", "leave out what the protocol says, no frame, or the first and the last [protocol]",
     DV_OPT_CHOICE, offsetof(dv_jf_args, ends), 0, 0},
    {"void", "protocol|background|ignore",
     "255 of the truth is what the protocol says, background, or ignored on both sides [protocol]", DV_OPT_CHOICE,
     offsetof(dv_jf_args, voids), 0, 0},
    {"extra-ids", "error|false-positive|ignore", "what ids are that the prediction alone has [error]", DV_OPT_CHOICE,
     offsetof(dv_jf_args, extra_ids), 0, 0},
    {"assign", "protocol|identity|jf|j",
     "predicted ids are what the protocol says, the true ones, or proposals assigned by mean J&F or J [protocol]",
     DV_OPT_CHOICE, offsetof(dv_jf_args, assign), 0, 0},
    {"single-object", NULL, "one object: whatever is not 0", DV_OPT_FLAG, offsetof(dv_jf_args, single_object), 0, 0},
    {0},
};

static const dv_option_group groups[] = {
    {"Protocols of DAVIS", davis_options, 0},
    {0},
};

/* ---- Options of the library ----------------------------------------------------------------------------------------
 */

static dv_status take_radii(const dv_app_context *context, const dv_jf_args *args, dv_mask_rules *rules) {
    if (args->radii_px.n && dv_given(context, "bound"))
        return dv_app_fail(DV_E_USAGE, "--radius and --bound: one of them makes the radius");
    if (args->radii_px.n > DV_MAX_RADII)
        return dv_app_fail(DV_E_USAGE, "--radius: %zu radii, at most %d", args->radii_px.n, DV_MAX_RADII);
    rules->bound = args->bound;
    rules->bipartite = args->matching == DV_JF_MATCHING_BIPARTITE;
    rules->n_radii = args->radii_px.n;
    for (size_t i = 0; i < args->radii_px.n; i++) rules->radii_px[i] = (uint32_t)args->radii_px.values[i];
    return DV_OK;
}

static dv_status make_options(const dv_app_context *context, const dv_jf_args *args, dv_jf_options *chosen) {
    *chosen = (dv_jf_options){
        .truth = args->truth,
        .pred = args->pred,
        .protocol = args->protocol,
        .objects = args->objects,
        .ends = args->ends,
        .voids = args->voids,
        .extra_ids = args->extra_ids,
        .assign = args->assign,
        .single_object = args->single_object,
        .voc_palette = args->palette == DV_JF_PALETTE_VOC,
        .resize = args->resize == DV_JF_RESIZE_NEAREST,
        .skip_bad = context->common.skip_bad,
        .allow_empty = context->common.allow_empty,
        .backend = context->common.backend,
        .n_threads = context->n_threads,
        .progress = context->progress,
        .progress_user = context->progress_user,
    };
    DV_TRY(take_radii(context, args, &chosen->rules));
    dv_jf_options_resolve(chosen);
    return DV_OK;
}

/* ---- Results -------------------------------------------------------------------------------------------------------
 */

/* What was in force; of the masks alone, so that it is the same for every device and thread count. */
static void add_settings(dv_report *report, const dv_jf_options *chosen) {
    const dv_mask_rules *const rules = &chosen->rules;
    uint64_t radii_px[DV_MAX_RADII];
    for (size_t i = 0; i < rules->n_radii; i++) radii_px[i] = rules->radii_px[i];
    dv_report_setting_text(report, "protocol", protocol_words[chosen->protocol]);
    dv_report_setting_text(report, "matching", rules->bipartite ? "bipartite" : "dilate");
    if (rules->n_radii) {
        dv_report_setting_counts(report, "radius", radii_px, rules->n_radii);
        dv_report_setting_null(report, "bound");
    } else {
        dv_report_setting_null(report, "radius");
        dv_report_setting_real(report, "bound", rules->bound);
    }
    dv_report_setting_text(report, "objects", objects_words[chosen->objects]);
    dv_report_setting_text(report, "ends", ends_words[chosen->ends]);
    dv_report_setting_text(report, "void", chosen->single_object ? "none" : void_words[chosen->voids]);
    dv_report_setting_text(report, "extra_ids", extra_words[chosen->extra_ids]);
    dv_report_setting_text(report, "assign", assign_words[chosen->assign]);
    dv_report_setting_bool(report, "single_object", chosen->single_object);
    dv_report_setting_text(report, "palette", chosen->voc_palette ? "voc" : "none");
    dv_report_setting_text(report, "resize", chosen->resize ? "nearest" : "none");
    dv_report_setting_bool(report, "skip_bad", chosen->skip_bad);
    dv_report_setting_bool(report, "allow_empty", chosen->allow_empty);
}

static void add_resources(dv_report *report, const dv_app_context *context, const dv_jf_result *result,
                          const dv_resources *resources) {
    static const char *const stages[] = {"read", "count"};
    const double stage_s[] = {result->read_s, result->count_s}; /* of all threads together */
    dv_report_setting_text(report, "backend", context->common.backend);
    dv_report_resources(report, resources, stages, stage_s, sizeof stages / sizeof *stages);
}

static dv_status save(const dv_app_context *context, const dv_jf_args *args, const dv_jf_result *result,
                      const dv_resources *resources, dv_report *report) {
    dv_report *costs;
    if (!args->out) return DV_OK;
    DV_TRY(dv_report_create("denseval resources v1", context->command, &costs));
    add_resources(costs, context, result, resources);
    const dv_status status = dv_jf_save(args->out, context->common.force, result, report, costs);
    dv_report_free(costs);
    return status;
}

static dv_status print_table(const dv_jf_args *args, const dv_jf_result *result) {
    char *text;
    DV_TRY(dv_report_jf_table(result, &text));
    dv_print("%s", text);
    free(text);
    if (args->out) dv_print("\nresults: %s\n", args->out);
    return DV_OK;
}

static dv_status give(const dv_app_context *context, const dv_jf_args *args, const dv_jf_options *chosen,
                      const dv_jf_result *result, const dv_resources *resources) {
    dv_report *report;
    DV_TRY(dv_report_create("denseval jf v1", context->command, &report));
    add_settings(report, chosen);
    dv_report_jf(report, chosen, result);
    dv_status status = dv_report_failure(report);
    if (status == DV_OK) status = save(context, args, result, resources, report);
    if (status == DV_OK && context->common.json) {
        add_resources(report, context, result, resources);
        status = dv_output_report(report);
    } else if (status == DV_OK) {
        status = print_table(args, result);
    }
    dv_report_free(report);
    return status;
}

static dv_status check_target(const dv_app_context *context, const dv_jf_args *args) {
    if (!args->out) return DV_OK;
    DV_TRY(dv_target_check_new(args->out, context->common.force));
    DV_TRY(dv_target_check_input("--out", args->out, args->truth));
    return dv_target_check_input("--out", args->out, args->pred);
}

static dv_status run_jf(const dv_app_context *context, void *arguments) {
    const dv_jf_args *const args = arguments;
    dv_jf_options chosen;
    dv_jf_result result;
    dv_resources resources;
    DV_TRY(make_options(context, args, &chosen));
    DV_TRY(check_target(context, args));
    dv_resources_start(&resources, context->n_threads);
    dv_status status = dv_jf_run(&chosen, &result);
    dv_resources_stop(&resources);
    if (status == DV_OK) status = give(context, args, &chosen, &result, &resources);
    dv_jf_result_clear(&result);
    return status;
}

const dv_command dv_cmd_jf = {
    .name = "jf",
    .summary = "J and F of video object segmentation, by the protocols of DAVIS",
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
