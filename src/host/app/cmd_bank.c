/* cmd_bank.c: `denseval bank build`: sample a memory bank from feature files and save it. */
#include <stdlib.h>

#include "app/bank_args.h"
#include "app/commands.h"
#include "app/message.h"

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

static dv_status print_json(const dv_app_context *context, const build_args *args, const dv_bank_info *info,
                            const dv_resources *resources) {
    dv_report *report = NULL;
    char *text = NULL;
    dv_status status = dv_report_create("denseval bank result v1", context->command, &report);
    if (status == DV_OK) {
        dv_bank_args_report(report, context, &args->bank, NULL);
        dv_report_text(report, "out", args->out);
        dv_report_bank(report, info);
        dv_report_resources(report, resources, NULL, NULL, 0);
        status = dv_report_json(report, &text);
    }
    if (status == DV_OK) dv_print("%s", text);
    free(text);
    dv_report_free(report);
    return status;
}

static void print_table(const build_args *args, const dv_bank_info *info) {
    dv_print("%zu rows of %zu dimensions (%s), %zu classes, from %zu of %zu images\n", info->n_rows, info->dim,
             dv_dtype_name(info->dtype), info->n_classes, info->n_bank_images, info->n_images);
    if (info->n_unfilled_rows) dv_print("%zu of the rows are unfilled: zeros without a label\n", info->n_unfilled_rows);
    if (info->n_skipped_zero_rows) dv_print("%zu zero rows were left out\n", info->n_skipped_zero_rows);
    dv_print("saved to %s\n", args->out);
}

static dv_status run_build(const dv_app_context *context, void *arguments) {
    build_args *const args = arguments;
    DV_TRY(dv_bank_args_resolve(context, &args->bank));
    dv_resources resources;
    dv_resources_start(&resources, context->n_threads);
    dv_bank_handle handle;
    DV_TRY(dv_bank_handle_open(context, &args->bank, NULL, false, &handle));
    dv_status status = dv_bank_save(handle.bank, args->out, context->common.force);
    dv_resources_stop(&resources);
    const dv_bank_info *info = dv_bank_get_info(handle.bank);
    if (status == DV_OK && context->common.json)
        status = print_json(context, args, info, &resources);
    else if (status == DV_OK)
        print_table(args, info);
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
    .common = DV_COMMON_JSON | DV_COMMON_THREADS | DV_COMMON_SEED | DV_COMMON_FORCE,
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
