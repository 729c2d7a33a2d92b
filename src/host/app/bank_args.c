#include "app/bank_args.h"

#include "app/message.h"
#include "app/targets.h"

static const char *const memory_ignored_words[] = {"exclude", "background"};
static const char *const zero_rows_words[] = {"error", "skip", "keep"};
static const char *const last_batch_words[] = {"keep", "drop"};
static const char *const invalid_labels_words[] = {"error", "drop", "false-positive"};
static const char *const compat_words[] = {"none", "hummingbird"};

const dv_option dv_bank_options_table[] = {
    {"features", "F", "feature files that the bank is sampled from", DV_OPT_PATHS, offsetof(dv_bank_args, features), 0,
     0},
    {"memory-size", "N", "rows in all, 320k or 320000; each image gives N / (images x passes)", DV_OPT_SIZE,
     offsetof(dv_bank_args, memory_size), 1, 0},
    {"per-image", "N", "rows of each image and pass", DV_OPT_SIZE, offsetof(dv_bank_args, per_image), 1, 0},
    {"all", NULL, "every patch [the default]", DV_OPT_FLAG, offsetof(dv_bank_args, all), 0, 0},
    {"bins", "LIST", "only images of these viewpoint bins, 0,30,60,90 [all]", DV_OPT_NUMBERS,
     offsetof(dv_bank_args, bins), 0, 0},
    {"passes", "P", "samplings of each image [1]", DV_OPT_COUNT, offsetof(dv_bank_args, passes), 1, 65536},
    {"uniform", "FILE", "files whose /uniform replaces the seeded random numbers", DV_OPT_PATHS,
     offsetof(dv_bank_args, uniform), 0, 0},
    {"classes", "C", "number of classes, where the files have no class names", DV_OPT_COUNT,
     offsetof(dv_bank_args, classes), 1, DV_MAX_CLASSES},
    {"memory-ignored", "exclude|background", "ignored pixels in the bank: no class, or class 0 [exclude]",
     DV_OPT_CHOICE, offsetof(dv_bank_args, memory_ignored), 0, 0},
    {"zero-rows", "error|skip|keep", "feature rows of zeros: refused, left out, or kept [error]", DV_OPT_CHOICE,
     offsetof(dv_bank_args, zero_rows), 0, 0},
    {"last-batch", "keep|drop", "drop the images of a last incomplete batch of 4 [keep]", DV_OPT_CHOICE,
     offsetof(dv_bank_args, last_batch), 0, 0},
    {"ignore-pixels", "LIST", "labels that are ignored, 255 or 0,255 or none [255]", DV_OPT_TEXT,
     offsetof(dv_bank_args, ignore_pixels), 0, 0},
    {"invalid-labels", "error|drop|false-positive", "labels that are no class and not ignored [error]", DV_OPT_CHOICE,
     offsetof(dv_bank_args, invalid_labels), 0, 0},
    {"compat", "none|hummingbird", "policies of a published tool; a switch given beside it wins [none]", DV_OPT_CHOICE,
     offsetof(dv_bank_args, compat), 0, 0},
    {0},
};

static void apply_compat(const dv_app_context *context, dv_bank_args *args) {
    if (args->compat == DV_COMPAT_NONE) return;
    if (!dv_given(context, "memory-ignored")) args->memory_ignored = DV_MEMORY_BACKGROUND;
    if (!dv_given(context, "zero-rows")) args->zero_rows = DV_ZERO_KEEP;
    if (!dv_given(context, "last-batch")) args->last_batch = DV_LAST_BATCH_DROP;
    if (!dv_given(context, "invalid-labels")) args->invalid_labels = DV_INVALID_FALSE_POSITIVE;
}

dv_status dv_bank_args_resolve(const dv_app_context *context, dv_bank_args *args) {
    apply_compat(context, args);
    const int n_sizes = dv_given(context, "memory-size") + dv_given(context, "per-image") + dv_given(context, "all");
    if (n_sizes > 1)
        return dv_app_fail(DV_E_USAGE,
                           "--memory-size, --per-image, --all: only one of them says how large the bank is");
    const bool sampled = args->memory_size || args->per_image;
    if (!sampled && args->passes > 1)
        return dv_app_fail(DV_E_USAGE, "--passes %zu: needs --memory-size or --per-image", args->passes);
    if (!sampled && args->uniform.n) return dv_app_fail(DV_E_USAGE, "--uniform: needs --memory-size or --per-image");
    return DV_OK;
}

dv_status dv_bank_args_ignored(const dv_bank_args *args, dv_label_set *ignored) {
    const dv_status status = dv_label_set_parse(args->ignore_pixels, ignored);
    return status == DV_OK ? status : dv_app_prefix(status, "--ignore-pixels");
}

static dv_status build(const dv_app_context *context, const dv_bank_args *args, bool labels_optional,
                       dv_bank_handle *handle) {
    dv_bank_options options = {
        .memory_size = args->memory_size,
        .per_image = args->per_image,
        .passes = args->passes,
        .bins = args->bins.values,
        .n_bins = args->bins.n,
        .seed = context->common.seed,
        .uniform_paths = args->uniform.n ? dv_path_list_items(&args->uniform) : NULL,
        .n_uniform_paths = args->uniform.n,
        .n_classes = args->classes,
        .invalid = args->invalid_labels,
        .memory_ignored = args->memory_ignored,
        .zero_rows = args->zero_rows,
        .drop_last_batch = args->last_batch == DV_LAST_BATCH_DROP ? DV_COMPAT_BATCH : 0,
        .labels_optional = labels_optional,
        .skip_bad = context->common.skip_bad,
        .n_threads = context->n_threads,
        .ranks = context->ranks,
    };
    DV_TRY(dv_bank_args_ignored(args, &options.ignored));
    DV_TRY(dv_features_open(dv_path_list_items(&args->features), args->features.n, &handle->features));
    return dv_bank_build(handle->features, &options, &handle->bank);
}

/* Options that shape a bank say nothing about one that was built before. */
static dv_status refuse_with_bank_file(const dv_app_context *context) {
    static const char *const names[] = {"features", "memory-size", "per-image", "all",           "bins",
                                        "passes",   "uniform",     "classes",   "memory-ignored"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (dv_given(context, names[i]))
            return dv_app_fail(DV_E_USAGE, "--%s: goes with --features, not with --bank", names[i]);
    return DV_OK;
}

dv_status dv_bank_handle_open(const dv_app_context *context, const dv_bank_args *args, const char *bank_path,
                              bool labels_optional, dv_bank_handle *handle) {
    *handle = (dv_bank_handle){0};
    if (!bank_path && !args->features.n)
        return dv_app_fail(DV_E_USAGE, "--bank or --features: one of them must be given");
    if (bank_path) DV_TRY(refuse_with_bank_file(context));
    const dv_status status =
        bank_path ? dv_bank_open(bank_path, &handle->bank) : build(context, args, labels_optional, handle);
    if (status != DV_OK) dv_bank_handle_close(handle);
    return status;
}

dv_status dv_bank_args_check_target(const dv_app_context *context, const dv_bank_args *args, const char *bank_path,
                                    const char *option, const char *target) {
    DV_TRY(dv_target_check_new(target, context->common.force));
    DV_TRY(dv_target_check_input(option, target, bank_path));
    DV_TRY(dv_target_check_inputs(option, target, &args->features));
    return dv_target_check_inputs(option, target, &args->uniform);
}

void dv_bank_handle_close(dv_bank_handle *handle) {
    dv_bank_close(handle->bank);
    dv_features_close(handle->features);
    *handle = (dv_bank_handle){0};
}

static void report_sampling(dv_report *report, const dv_bank_args *args) {
    if (args->memory_size)
        dv_report_setting_count(report, "memory_size", args->memory_size);
    else if (args->per_image)
        dv_report_setting_count(report, "per_image", args->per_image);
    else
        dv_report_setting_bool(report, "all", true);
    dv_report_setting_count(report, "passes", args->passes);
    if (args->bins.n)
        dv_report_setting_list(report, "bins", args->bins.values, args->bins.n);
    else
        dv_report_setting_null(report, "bins");
    dv_report_setting_text(report, "random", args->uniform.n ? "uniform file" : "seed");
    if (args->classes)
        dv_report_setting_count(report, "classes", args->classes);
    else
        dv_report_setting_null(report, "classes");
    dv_report_setting_text(report, "memory_ignored", memory_ignored_words[args->memory_ignored]);
}

void dv_bank_args_report(dv_report *report, const dv_app_context *context, const dv_bank_args *args,
                         const char *bank_path) {
    dv_report_setting_text(report, "compat", compat_words[args->compat]);
    if (!bank_path) report_sampling(report, args);
    dv_report_setting_count(report, "seed", context->common.seed); /* with a bank file it still draws the bootstrap */
    dv_report_setting_text(report, "zero_rows", zero_rows_words[args->zero_rows]);
    dv_report_setting_text(report, "last_batch", last_batch_words[args->last_batch]);
    dv_report_setting_text(report, "ignore_pixels", args->ignore_pixels);
    dv_report_setting_text(report, "invalid_labels", invalid_labels_words[args->invalid_labels]);
    if (bank_path) dv_report_input(report, bank_path);
    for (size_t i = 0; i < args->features.n; i++) dv_report_input(report, args->features.paths[i]);
    for (size_t i = 0; i < args->uniform.n; i++) dv_report_input(report, args->uniform.paths[i]);
}
