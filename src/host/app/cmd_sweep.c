/* cmd_sweep.c: `denseval sweep`: a grid of encoders, memory sizes and difficulties in one pass over the queries. */
#include <stdlib.h>

#include "app/commands.h"
#include "app/environment.h"
#include "app/message.h"
#include "app/output.h"
#include "app/sweep_args.h"
#include "app/sweep_table.h"
#include "app/targets.h"
#include "denseval/sweep.h"
#include "denseval/viewpoint_bootstrap.h"

static const dv_option options[] = {
    {"out", "DIR", "result folder; a run that was interrupted there goes on", DV_OPT_PATH, offsetof(dv_sweep_args, out),
     0, 0},
    {"unless-done", NULL, "leave DIR as it is where it holds the whole result of this very run, and succeed",
     DV_OPT_FLAG, offsetof(dv_sweep_args, unless_done), 0, 0},
    {"cells", "A/B", "the A-th of B parts of the cells, to be joined by sweep merge [all]", DV_OPT_TEXT,
     offsetof(dv_sweep_args, cells), 0, 0},
    {"exclude", "none|image|object",
     "hide the rows of the query's own image or object, whatever the configuration says [as it says]", DV_OPT_CHOICE,
     offsetof(dv_sweep_args, exclude), 0, 0},
    {"bootstrap", "B", "resample the objects B times, for 95 % intervals in the analysis [0]", DV_OPT_COUNT,
     offsetof(dv_sweep_args, bootstrap), 0, DV_MOST_RESAMPLES},
    {"plots", "auto|none|required", "draw figures where gnuplot is found, never, or fail without it [auto]",
     DV_OPT_CHOICE, offsetof(dv_sweep_args, plots), 0, 0},
    {"block-images", "N", "query images searched together; the result is the same [by memory]", DV_OPT_COUNT,
     offsetof(dv_sweep_args, block_images), 1, 0},
    {"print-slurm", NULL,
     "print a Slurm script of such a run, with estimates of time and memory, and run nothing; not with --cells, "
     "--split, --force or --json",
     DV_OPT_FLAG, offsetof(dv_sweep_args, print_slurm), 0, 0},
    {"jobs", "N", "with --print-slurm: parts that the cells are split in [one an encoder]", DV_OPT_COUNT,
     offsetof(dv_sweep_args, jobs), 1, 0},
    {"gpus", "N", "with --print-slurm: GPUs of each part [0]", DV_OPT_COUNT, offsetof(dv_sweep_args, gpus), 0, 0},
    {0},
};

static void print_tables(const dv_cells *cells, const char *tables, const char *out, size_t n_restarts) {
    dv_sweep_table_print(cells);
    dv_print("\n%s", tables ? tables : "");
    dv_print("results: %s", out);
    if (n_restarts) dv_print(", in %zu starts", n_restarts + 1);
    dv_print("\n");
}

static dv_status print_result(const dv_app_context *context, const char *out, dv_sweep_result *result) {
    if (result->finished) { /* the log says so */
        if (context->common.json) dv_print("%s", result->finished_json);
        return DV_OK;
    }
    if (!context->common.json) {
        print_tables(&result->cells, result->tables, out, result->n_restarts);
        return DV_OK;
    }
    dv_report_resources(result->report, &result->resources, dv_sweep_stages, result->stage_s, DV_SWEEP_STAGES);
    if (result->spent) dv_report_ranks(result->report, result->spent, result->n_ranks);
    return dv_output_report(result->report);
}

static dv_status sweep(const dv_app_context *context, const dv_sweep_args *args, const dv_sweep_config *config) {
    dv_sweep_options chosen = dv_sweep_args_options(context, args);
    dv_sweep_part part;
    dv_job job;
    dv_sweep_result result;
    dv_environment_job(&job);
    DV_TRY(dv_sweep_check_target(args->out, context->files.paths[0], config));
    dv_status status = dv_sweep_split(args->cells, dv_sweep_config_cells(config), &part);
    if (status != DV_OK) return dv_app_prefix(status, "--cells");
    chosen.part = args->cells ? &part : NULL;
    chosen.job = &job;
    status = dv_sweep_run(config, &chosen, args->out, &result);
    if (status == DV_OK && dv_ranks_index(context->ranks) == 0) status = print_result(context, args->out, &result);
    dv_sweep_result_clear(&result);
    return status;
}

static dv_status check_options(const dv_app_context *context, const dv_sweep_args *args) {
    static const char *const only[] = {"jobs", "gpus"};
    for (size_t i = 0; !args->print_slurm && i < sizeof only / sizeof *only; i++)
        if (dv_given(context, only[i])) return dv_app_fail(DV_E_USAGE, "--%s: goes with --print-slurm alone", only[i]);
    if (args->out || args->print_slurm) return DV_OK;
    return dv_app_fail(DV_E_USAGE, "--out DIR: must be given; see denseval sweep --help");
}

static dv_status run_sweep(const dv_app_context *context, void *arguments) {
    const dv_sweep_args *const args = arguments;
    dv_sweep_config config;
    DV_TRY(check_options(context, args));
    DV_TRY(dv_sweep_config_read(context->files.paths[0], &config));
    if (dv_given(context, "exclude")) config.exclude = args->exclude;
    const dv_status status =
        args->print_slurm ? dv_sweep_print_slurm(context, args, &config) : sweep(context, args, &config);
    dv_sweep_config_clear(&config);
    return status;
}

typedef struct merge_args {
    const char *out;
    dv_plots plots;
    bool unless_done;
} merge_args;

static const dv_option merge_options[] = {
    {"out", "DIR", "result folder to make", DV_OPT_PATH, offsetof(merge_args, out), 0, 0},
    {"unless-done", NULL, "leave DIR as it is where it holds the whole result of these very parts, and succeed",
     DV_OPT_FLAG, offsetof(merge_args, unless_done), 0, 0},
    {"plots", "auto|none|required", "draw figures where gnuplot is found, never, or fail without it [auto]",
     DV_OPT_CHOICE, offsetof(merge_args, plots), 0, 0},
    {0},
};

static dv_status run_merge(const dv_app_context *context, void *arguments) {
    const merge_args *const args = arguments;
    dv_sweep_merged merged;
    if (!args->unless_done) DV_TRY(dv_target_check_new(args->out, context->common.force));
    DV_TRY(dv_target_check_inputs("--out", args->out, &context->files));
    DV_TRY(dv_sweep_merge(dv_path_list_items(&context->files), context->files.n, &merged));
    const dv_sweep_merge_options chosen = {.n_threads = context->n_threads,
                                           .plots = args->plots,
                                           .force = context->common.force,
                                           .unless_done = args->unless_done};
    const dv_status status = dv_sweep_merged_save(&merged, &chosen, args->out);
    if (status == DV_OK && context->common.json) {
        dv_print("%s", merged.json);
    } else if (status == DV_OK && !merged.finished) {
        print_tables(&merged.cells, merged.tables, args->out, 0);
    }
    dv_sweep_merged_clear(&merged);
    return status;
}

static const dv_command sweep_merge = {
    .name = "merge",
    .summary = "Join the results of all parts of a sweep (--cells)",
    .usage = "DIR... --out DIR [OPTIONS]",
    .notes = "The files are those of the sweep in one piece, to the byte, its analysis and figures included; only "
             "resources.json differs: it tells what the parts have spent together. A part that is missing, of another "
             "configuration or of other inputs is an error.",
    .options = merge_options,
    .common = DV_COMMON_JSON | DV_COMMON_THREADS | DV_COMMON_FORCE,
    .required = "out",
    .args_size = sizeof(merge_args),
    .min_files = 1,
    .max_files = SIZE_MAX,
    .run = run_merge,
};

static const dv_command *const subcommands[] = {&sweep_merge, NULL};

const dv_command dv_cmd_sweep = {
    .name = "sweep",
    .summary = "Score encoders x memory sizes x difficulties x viewpoint bins in one pass over the queries",
    .usage = "CONFIG.yaml --out DIR [OPTIONS]",
    .notes =
        "Banks are nested: each row is searched once and feeds every configuration that holds it; each "
        "configuration gets the result that bank build and eval give. A run that is interrupted (SIGTERM, SIGUSR1, "
        "a crash) goes on when the same command is given again, to the same files.",
    .subcommands = subcommands,
    .options = options,
    .common = DV_COMMON_JSON | DV_COMMON_PROGRESS | DV_COMMON_THREADS | DV_COMMON_BACKEND | DV_COMMON_FORCE |
              DV_COMMON_MEMORY_LIMIT | DV_COMMON_SKIP_BAD | DV_COMMON_ALLOW_EMPTY | DV_COMMON_RANKS,
    .args_size = sizeof(dv_sweep_args),
    .min_files = 1,
    .max_files = 1,
    .run = run_sweep,
};
