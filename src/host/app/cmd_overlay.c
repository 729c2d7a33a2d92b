/* cmd_overlay.c: `denseval overlay`: pictures with truth and prediction drawn over them. */
#include <sys/stat.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/output.h"
#include "app/targets.h"
#include "denseval/labels.h"
#include "denseval/overlay.h"
#include "denseval/report.h"

typedef enum exif_policy { EXIF_RAW = 0, EXIF_APPLY = 1 } exif_policy;

typedef struct overlay_args {
    const char *images, *truth, *pred, *out, *ignore_pixels;
    dv_overlay_mode mode;
    exif_policy exif;
    bool sheet;
    size_t columns, limit;
} overlay_args;

static const overlay_args defaults = {.ignore_pixels = "255"};
static const char *const mode_names[] = {"side-by-side", "blend", "difference"}; /* by dv_overlay_mode */

static const dv_option options[] = {
    {"images", "DIR", "folder of JPEG or PNG pictures, searched with its sub-folders", DV_OPT_PATH,
     offsetof(overlay_args, images), 0, 0},
    {"truth", "DIR|H5", "folder of label PNGs, or a feature file with labels; difference needs it", DV_OPT_PATH,
     offsetof(overlay_args, truth), 0, 0},
    {"pred", "DIR", "folder of predicted label PNGs", DV_OPT_PATH, offsetof(overlay_args, pred), 0, 0},
    {"out", "DIR", "folder to make", DV_OPT_PATH, offsetof(overlay_args, out), 0, 0},
    {"mode", "side-by-side|blend|difference", "what is drawn [side-by-side]", DV_OPT_CHOICE,
     offsetof(overlay_args, mode), 0, 0},
    {"sheet", NULL, "also draw a contact sheet, OUT/sheet.png", DV_OPT_FLAG, offsetof(overlay_args, sheet), 0, 0},
    {"columns", "N", "overlays beside each other on the sheet [nearest to a square]", DV_OPT_COUNT,
     offsetof(overlay_args, columns), 1, 1000},
    {"limit", "N", "the first N pictures in natural order alone [all]", DV_OPT_COUNT, offsetof(overlay_args, limit), 1,
     0},
    {"ignore-pixels", "LIST", "truth labels that are ignored, 255 or 0,255 or none [255]", DV_OPT_TEXT,
     offsetof(overlay_args, ignore_pixels), 0, 0},
    {"exif", "raw|apply", "use pixels as stored, or turn pictures as they say [raw]", DV_OPT_CHOICE,
     offsetof(overlay_args, exif), 0, 0},
    {0},
};

static void set_count_or_null(dv_report *report, const char *name, size_t value) {
    if (value)
        dv_report_setting_count(report, name, value);
    else
        dv_report_setting_null(report, name);
}

static void add_settings(dv_report *report, const dv_app_context *context, const overlay_args *args) {
    dv_report_setting_text(report, "images", args->images);
    dv_report_setting_text(report, "truth", args->truth);
    dv_report_setting_text(report, "pred", args->pred);
    dv_report_setting_text(report, "mode", mode_names[args->mode]);
    dv_report_setting_bool(report, "sheet", args->sheet);
    set_count_or_null(report, "columns", args->columns);
    set_count_or_null(report, "limit", args->limit);
    dv_report_setting_text(report, "ignore_pixels", args->ignore_pixels);
    dv_report_setting_text(report, "exif", args->exif == EXIF_APPLY ? "apply" : "raw");
    dv_report_setting_bool(report, "skip_bad", context->common.skip_bad);
}

/* Folders have no content hash; their paths stand among the settings. */
static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static dv_status begin_report(const dv_app_context *context, const overlay_args *args, dv_report **report) {
    if (!context->common.json) return DV_OK;
    DV_TRY(dv_report_create("denseval overlay v1", context->command, report));
    add_settings(*report, context, args);
    if (args->truth && is_file(args->truth)) dv_report_input(*report, args->truth);
    return dv_report_failure(*report);
}

static dv_status print_report(dv_report *report, const dv_overlay_result *result, const dv_resources *resources) {
    dv_report_overlay(report, result);
    dv_report_resources(report, resources, NULL, NULL, 0);
    return dv_output_report(report);
}

static void print_table(const overlay_args *args, const dv_overlay_result *result) {
    dv_print("%zu pictures drawn to %s\n", result->n_written, args->out);
    dv_print("%zu pictures without a prediction, %zu predictions without a picture, %zu bad ones left out\n",
             result->n_pictures_without_prediction, result->n_predictions_without_picture, result->n_skipped);
    if (result->sheet_path) dv_print("contact sheet: %s\n", result->sheet_path);
}

static dv_status run_overlay(const dv_app_context *context, void *arguments) {
    const overlay_args *const args = arguments;
    DV_TRY(dv_target_check_new(args->out, context->common.force));
    DV_TRY(dv_target_check_input("--out", args->out, args->images));
    DV_TRY(dv_target_check_input("--out", args->out, args->truth));
    DV_TRY(dv_target_check_input("--out", args->out, args->pred));
    if (args->columns && !args->sheet) return dv_app_fail(DV_E_USAGE, "--columns: needs --sheet");
    dv_overlay_options chosen = {
        .images = args->images,
        .truth = args->truth,
        .pred = args->pred,
        .out = args->out,
        .mode = args->mode,
        .sheet = args->sheet,
        .sheet_columns = args->columns,
        .limit = args->limit,
        .apply_exif = args->exif == EXIF_APPLY,
        .force = context->common.force,
        .skip_bad = context->common.skip_bad,
    };
    dv_status status = dv_label_set_parse(args->ignore_pixels, &chosen.ignored);
    if (status != DV_OK) return dv_app_prefix(status, "--ignore-pixels");
    dv_resources resources;
    dv_report *report = NULL; /* NULL: nobody wants JSON */
    dv_overlay_result result = {0};
    dv_resources_start(&resources, context->n_threads);
    status = begin_report(context, args, &report);
    if (status == DV_OK) status = dv_overlay_run(&chosen, &result);
    dv_resources_stop(&resources);
    if (status == DV_OK && report)
        status = print_report(report, &result, &resources);
    else if (status == DV_OK)
        print_table(args, &result);
    dv_report_free(report);
    dv_overlay_result_clear(&result);
    return status;
}

const dv_command dv_cmd_overlay = {
    .name = "overlay",
    .summary = "Draw truth and predictions over pictures",
    .usage = "--images DIR --pred DIR --out DIR [--truth DIR|H5] [OPTIONS]",
    .options = options,
    .common = DV_COMMON_FORCE | DV_COMMON_SKIP_BAD | DV_COMMON_JSON,
    .required = "images pred out",
    .args_size = sizeof(overlay_args),
    .defaults = &defaults,
    .run = run_overlay,
};
