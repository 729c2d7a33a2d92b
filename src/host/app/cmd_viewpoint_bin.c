/* cmd_viewpoint_bin.c: `denseval viewpoint bin`: COLMAP poses to viewpoint bins. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/output.h"
#include "app/targets.h"
#include "denseval/compat.h"
#include "denseval/number.h"
#include "denseval/report.h"
#include "denseval/viewpoint_bin.h"

enum { MAX_MASK_VALUE = 65534 };

typedef struct bin_args {
    dv_path_list colmap;
    dv_view_layout layout;
    const char *masks, *links, *bins, *reference, *up, *bin_tolerance;
    dv_view_angle angle;
    dv_sparse_model sparse_model;
    double max_missing;
    size_t mask_threshold;
    dv_compat compat;
} bin_args;

static const bin_args defaults = {
    .bins = "0:90:15", .reference = "first", .bin_tolerance = "half-step", .max_missing = 0.9};

static const char *const layout_words[] = {"models", "mvimgnet"};
static const char *const angle_words[] = {"rotation", "axis", "object"};
static const char *const sparse_words[] = {"0", "largest"};
static const char *const compat_words[] = {"none", "hummingbird"};

static const dv_option options[] = {
    {"colmap", "DIR", "folders with images.bin or images.txt, or with models 0, 1, ... below; more may follow as files",
     DV_OPT_PATHS, offsetof(bin_args, colmap), 0, 0},
    {"layout", "models|mvimgnet", "what --colmap holds: models, or CLASS/INSTANCE/{images,sparse/0} [models]",
     DV_OPT_CHOICE, offsetof(bin_args, layout), 0, 0},
    {"masks", "DIR", "CLASS/INSTANCE/PICTURE.png; a frame without one is not chosen", DV_OPT_PATH,
     offsetof(bin_args, masks), 0, 0},
    {"links", "DIR", "folder to make: CLASS/BIN/{img,mask} of links, and manifest.json", DV_OPT_PATH,
     offsetof(bin_args, links), 0, 0},
    {"bins", "A:B:STEP", "bins from A to B, whole degrees [0:90:15]", DV_OPT_TEXT, offsetof(bin_args, bins), 0, 0},
    {"angle", "rotation|axis|object", "of the relative rotation, between optical axes, or around the object [rotation]",
     DV_OPT_CHOICE, offsetof(bin_args, angle), 0, 0},
    {"up", "X,Y,Z", "axis of --angle object [normal of the best plane through the cameras]", DV_OPT_TEXT,
     offsetof(bin_args, up), 0, 0},
    {"reference", "first|NAME", "frame at angle 0: the first in natural order, or that of a name [first]", DV_OPT_TEXT,
     offsetof(bin_args, reference), 0, 0},
    {"bin-tolerance", "half-step|DEG|unlimited", "how far from its bin a frame may be [half-step]", DV_OPT_TEXT,
     offsetof(bin_args, bin_tolerance), 0, 0},
    {"sparse-model", "0|largest", "which of several models [0]", DV_OPT_CHOICE, offsetof(bin_args, sparse_model), 0, 0},
    {"max-missing", "SHARE", "captures of a class that may be missing [0.9]", DV_OPT_REAL,
     offsetof(bin_args, max_missing), 0, 1},
    {"mask-threshold", "VALUE", "read the masks; pixels above it are object, and a mask without any is none [not read]",
     DV_OPT_COUNT, offsetof(bin_args, mask_threshold), 0, MAX_MASK_VALUE},
    {"compat", "none|hummingbird", "choose frames as a published tool does; a switch given beside it wins [none]",
     DV_OPT_CHOICE, offsetof(bin_args, compat), 0, 0},
    {0},
};

/* A run in progress. */
typedef struct bin_run {
    const dv_app_context *context;
    bin_args *args;
    dv_view_options chosen;
    int32_t bins[DV_MAX_VIEW_BINS];
    double up[3], step_deg;
    dv_view_result result;
    dv_resources resources;
} bin_run;

/* Splits a copy of `text` at `separator` and parses `n` numbers. False where it has another form. */
static bool parse_numbers(const char *text, char separator, size_t n, double *values) {
    char *const copy = strdup(text), *rest = copy;
    const char delimiters[] = {separator, '\0'};
    size_t n_read = 0;
    bool good = copy != NULL;
    while (good && rest) {
        const char *const part = strsep(&rest, delimiters);
        good = n_read < n && dv_parse_double(part, &values[n_read++]) == DV_OK;
    }
    free(copy);
    return good && n_read == n;
}

static dv_status parse_bins(bin_run *run) {
    double range[3];
    const char *const text = run->args->bins;
    if (!parse_numbers(text, ':', 3, range) || range[0] != floor(range[0]) || range[1] != floor(range[1]) ||
        range[2] != floor(range[2]))
        return dv_app_fail(DV_E_USAGE, "--bins %s: must be A:B:STEP in whole degrees, 0:90:15", text);
    if (range[0] < 0 || range[1] > 180 || range[0] > range[1] || range[2] < 1)
        return dv_app_fail(DV_E_USAGE, "--bins %s: must rise within 0 to 180 by steps of 1 or more", text);
    if (fmod(range[1] - range[0], range[2]) != 0)
        return dv_app_fail(DV_E_USAGE, "--bins %s: no whole number of steps leads from %g to %g", text, range[0],
                           range[1]);
    const int32_t first = (int32_t)range[0], last = (int32_t)range[1], step = (int32_t)fmin(range[2], 181);
    for (int32_t bin = first; bin <= last; bin += step) run->bins[run->chosen.n_bins++] = bin;
    run->chosen.bins = run->bins;
    run->step_deg = range[2];
    return DV_OK;
}

static dv_status parse_tolerance(bin_run *run) {
    const char *const text = run->args->bin_tolerance;
    double *const tolerance_deg = &run->chosen.tolerance_deg;
    if (strcmp(text, "half-step") == 0)
        *tolerance_deg = run->step_deg / 2;
    else if (strcmp(text, "unlimited") == 0)
        *tolerance_deg = INFINITY;
    else if (dv_parse_double(text, tolerance_deg) != DV_OK || *tolerance_deg < 0 || *tolerance_deg > 180)
        return dv_app_fail(DV_E_USAGE, "--bin-tolerance %s: must be half-step, unlimited or 0 to 180 degrees", text);
    return DV_OK;
}

static dv_status parse_up(bin_run *run) {
    const char *const text = run->args->up;
    if (!text) return DV_OK;
    if (run->args->angle != DV_VIEW_OBJECT) return dv_app_fail(DV_E_USAGE, "--up %s: needs --angle object", text);
    if (!parse_numbers(text, ',', 3, run->up) || (run->up[0] == 0 && run->up[1] == 0 && run->up[2] == 0))
        return dv_app_fail(DV_E_USAGE, "--up %s: must be X,Y,Z, three numbers that are not all 0", text);
    run->chosen.up = run->up;
    return DV_OK;
}

static dv_status check_layout(const bin_run *run) {
    const bin_args *const args = run->args;
    if (args->layout != DV_VIEW_MVIMGNET && args->masks)
        return dv_app_fail(DV_E_USAGE, "--masks: needs --layout mvimgnet");
    if (args->layout != DV_VIEW_MVIMGNET && args->links)
        return dv_app_fail(DV_E_USAGE, "--links: needs --layout mvimgnet");
    if (args->layout != DV_VIEW_MVIMGNET && dv_given(run->context, "max-missing"))
        return dv_app_fail(DV_E_USAGE, "--max-missing: needs --layout mvimgnet");
    if (!args->masks && dv_given(run->context, "mask-threshold"))
        return dv_app_fail(DV_E_USAGE, "--mask-threshold: needs --masks");
    if (!args->links && run->context->common.force) return dv_app_fail(DV_E_USAGE, "--force: needs --links");
    return DV_OK;
}

static dv_status check_links(const bin_run *run) {
    const bin_args *const args = run->args;
    if (!args->links) return DV_OK;
    DV_TRY(dv_target_check_new(args->links, run->context->common.force));
    DV_TRY(dv_target_check_inputs("--links", args->links, &args->colmap));
    return dv_target_check_input("--links", args->links, args->masks);
}

static dv_status resolve(bin_run *run) {
    const dv_app_context *const context = run->context;
    bin_args *const args = run->args;
    for (size_t i = 0; i < context->files.n; i++) DV_TRY(dv_path_list_add(&args->colmap, context->files.paths[i]));
    if (args->compat == DV_COMPAT_HUMMINGBIRD && !dv_given(context, "bin-tolerance")) args->bin_tolerance = "unlimited";
    DV_TRY(check_layout(run));
    DV_TRY(check_links(run));
    DV_TRY(parse_bins(run));
    DV_TRY(parse_tolerance(run));
    DV_TRY(parse_up(run));
    dv_view_options *const chosen = &run->chosen;
    chosen->folders = dv_path_list_items(&args->colmap);
    chosen->n_folders = args->colmap.n;
    chosen->layout = args->layout;
    chosen->masks = args->masks;
    chosen->mask_threshold = dv_given(context, "mask-threshold") ? (int)args->mask_threshold : -1;
    chosen->angle = args->angle;
    chosen->reference = strcmp(args->reference, "first") == 0 ? NULL : args->reference;
    chosen->sparse_model = args->sparse_model;
    chosen->max_missing = args->max_missing;
    chosen->notebook = args->compat == DV_COMPAT_HUMMINGBIRD;
    chosen->skip_bad = context->common.skip_bad;
    chosen->progress = context->progress;
    chosen->progress_user = context->progress_user;
    return DV_OK;
}

static void add_settings(dv_report *report, const bin_run *run) {
    const bin_args *const args = run->args;
    dv_report_setting_names(report, "colmap", &(dv_names){.n = args->colmap.n, .names = args->colmap.paths});
    dv_report_setting_text(report, "layout", layout_words[args->layout]);
    dv_report_setting_text(report, "masks", args->masks);
    if (run->chosen.mask_threshold >= 0)
        dv_report_setting_count(report, "mask_threshold", args->mask_threshold);
    else
        dv_report_setting_null(report, "mask_threshold");
    dv_report_setting_list(report, "bins", run->bins, run->chosen.n_bins);
    dv_report_setting_text(report, "angle", angle_words[args->angle]);
    dv_report_setting_text(report, "up", args->up);
    dv_report_setting_text(report, "reference", args->reference);
    dv_report_setting_text(report, "bin_tolerance", args->bin_tolerance);
    dv_report_setting_text(report, "sparse_model", sparse_words[args->sparse_model]);
    dv_report_setting_real(report, "max_missing", args->max_missing);
    dv_report_setting_text(report, "compat", compat_words[args->compat]);
    dv_report_setting_bool(report, "skip_bad", run->context->common.skip_bad);
}

static dv_status make_manifest(const bin_run *run, char **text) {
    dv_report *report;
    DV_TRY(dv_report_create("denseval viewpoint manifest v1", run->context->command, &report));
    add_settings(report, run);
    dv_report_view_manifest(report, &run->chosen, &run->result);
    const dv_status status = dv_report_json(report, text);
    dv_report_free(report);
    return status;
}

static dv_status make_links(const bin_run *run) {
    if (!run->args->links) return DV_OK;
    char *manifest;
    DV_TRY(make_manifest(run, &manifest));
    const dv_status status =
        dv_viewpoint_link(&run->chosen, &run->result, run->args->links, run->context->common.force, manifest);
    free(manifest);
    return status;
}

static dv_status print_report(const bin_run *run) {
    dv_report *report;
    DV_TRY(dv_report_create("denseval viewpoint bin v1", run->context->command, &report));
    add_settings(report, run);
    dv_report_viewpoint_bin(report, &run->chosen, &run->result);
    if (run->args->links) dv_report_text(report, "links", run->args->links);
    dv_report_resources(report, &run->resources, NULL, NULL, 0);
    const dv_status status = dv_output_report(report);
    dv_report_free(report);
    return status;
}

static dv_status print_table(const bin_run *run) {
    char *text;
    DV_TRY(dv_report_viewpoint_bin_table(&run->chosen, &run->result, &text));
    dv_print("%s", text);
    if (run->args->links) dv_print("linked in %s\n", run->args->links);
    free(text);
    return DV_OK;
}

static dv_status run_bin(const dv_app_context *context, void *arguments) {
    bin_run run = {.context = context, .args = arguments};
    dv_resources_start(&run.resources, 1);
    DV_TRY(resolve(&run));
    dv_status status = dv_viewpoint_bin(&run.chosen, &run.result);
    if (status == DV_OK) status = make_links(&run);
    dv_resources_stop(&run.resources);
    if (status == DV_OK) status = context->common.json ? print_report(&run) : print_table(&run);
    dv_view_result_clear(&run.result);
    return status;
}

const dv_command dv_cmd_viewpoint_bin = {
    .name = "bin",
    .summary = "Choose a frame of each COLMAP model for every viewpoint bin",
    .usage = "--colmap DIR... [OPTIONS]",
    .notes = "A class is accepted where an object of it fills every bin; --links builds the accepted ones, ready for "
             "feature extraction.",
    .options = options,
    .common = DV_COMMON_JSON | DV_COMMON_PROGRESS | DV_COMMON_FORCE | DV_COMMON_SKIP_BAD,
    .required = "colmap",
    .args_size = sizeof(bin_args),
    .defaults = &defaults,
    .max_files = SIZE_MAX,
    .run = run_bin,
};
