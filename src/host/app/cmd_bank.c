/* cmd_bank.c: `denseval bank build`: sample a memory bank from feature files and save it. */
#include "app/bank_args.h"
#include "app/commands.h"
#include "app/message.h"
#include "app/output.h"

typedef struct build_args {
    dv_bank_args bank;
    const char *out;
} build_args;

static const build_args defaults = {.bank = DV_BANK_ARGS_DEFAULTS};

static const dv_option options[] = {
    {"out", "BANK.h5", "bank file to write", DV_OPT_PATH, offsetof(build_args, out), 0, 0},
    {0},
};

static const dv_option_group groups[] = {
    {"Memory bank", dv_bank_options_table, offsetof(build_args, bank)},
    {0},
};

/* *report stays NULL where nobody wants JSON; else it is the caller's, also after a failure. */
static dv_status begin_report(const dv_app_context *context, const build_args *args, dv_report **report) {
    if (!context->common.json) return DV_OK;
    DV_TRY(dv_report_create("denseval bank result v1", context->command, report));
    dv_bank_args_report(*report, context, &args->bank, NULL);
    dv_report_setting_bool(*report, "skip_bad", context->common.skip_bad);
    dv_report_text(*report, "out", args->out);
    return dv_report_failure(*report);
}

static dv_status print_report(dv_report *report, const dv_bank_info *info, const dv_resources *resources) {
    dv_report_bank(report, info);
    dv_report_resources(report, resources, NULL, NULL, 0);
    return dv_output_report(report);
}

static void print_table(const build_args *args, const dv_bank_info *info) {
    dv_print("%zu rows of %zu dimensions (%s), %zu classes, from %zu of %zu images\n", info->n_rows, info->dim,
             dv_dtype_name(info->dtype), info->n_classes, info->n_bank_images, info->n_images);
    if (info->n_unfilled_rows) dv_print("%zu of the rows are unfilled: zeros without a label\n", info->n_unfilled_rows);
    if (info->n_skipped_zero_rows) dv_print("%zu zero rows were left out\n", info->n_skipped_zero_rows);
    if (info->n_skipped_images) dv_print("%zu bad images were left out\n", info->n_skipped_images);
    dv_print("saved to %s\n", args->out);
}

static dv_status run_build(const dv_app_context *context, void *arguments) {
    build_args *const args = arguments;
    DV_TRY(dv_bank_args_resolve(context, &args->bank));
    DV_TRY(dv_bank_args_check_target(context, &args->bank, NULL, "--out", args->out));
    dv_resources resources;
    dv_resources_start(&resources, context->n_threads);
    dv_bank_handle handle;
    dv_report *report = NULL;
    DV_TRY(dv_bank_handle_open(context, &args->bank, NULL, false, &handle));
    dv_status status = begin_report(context, args, &report);
    if (status == DV_OK) status = dv_bank_save(handle.bank, args->out, context->common.force);
    dv_resources_stop(&resources);
    const dv_bank_info *info = dv_bank_get_info(handle.bank);
    if (status == DV_OK && report)
        status = print_report(report, info, &resources);
    else if (status == DV_OK)
        print_table(args, info);
    dv_report_free(report);
    dv_bank_handle_close(&handle);
    return status;
}

static const dv_command bank_build = {
    .name = "build",
    .summary = "Sample a memory bank from feature files",
    .usage = "--features F --out BANK.h5 [OPTIONS]",
    .notes = "Patches are drawn as Hummingbird does: the rarer the classes of a patch in its image, the likelier it is "
             "drawn. "
             "A smaller bank holds a prefix of each image's rows of a larger one.",
    .options = options,
    .shared = groups,
    .common = DV_COMMON_JSON | DV_COMMON_THREADS | DV_COMMON_SEED | DV_COMMON_FORCE | DV_COMMON_SKIP_BAD,
    .required = "features out",
    .args_size = sizeof(build_args),
    .defaults = &defaults,
    .run = run_build,
};

static const dv_command *const subcommands[] = {&bank_build, NULL};

const dv_command dv_cmd_bank = {
    .name = "bank",
    .summary = "Build memory banks",
    .usage = "SUBCOMMAND [OPTIONS]",
    .subcommands = subcommands,
};
