/* cmd_viewpoint_analyze.c: `denseval viewpoint analyze`: Experiments A, B and C from result files. */
#include <stdlib.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/output.h"
#include "app/targets.h"
#include "denseval/analysis.h"
#include "denseval/cells.h"

typedef struct analyze_args {
    dv_path_list results; /* those of the file arguments too */
    const char *out;
    dv_steps steps;
    double threshold;
    dv_number_list bins;
} analyze_args;

static const analyze_args defaults = {.threshold = 0.1};
static const char *const step_names[] = {"validation", "all"}; /* by dv_steps */

static const dv_option options[] = {
    {"results", "FILE", "result CSVs or results.json; more may follow as file arguments", DV_OPT_PATHS,
     offsetof(analyze_args, results), 0, 0},
    {"out", "DIR", "folder to make", DV_OPT_PATH, offsetof(analyze_args, out), 0, 0},
    {"steps", "validation|all",
     "whether the step from the reference bin to the first validation bin may break [validation]", DV_OPT_CHOICE,
     offsetof(analyze_args, steps), 0, 0},
    {"threshold", "T", "a step of at most -T of the normalised curve is a breaking point [0.1]", DV_OPT_POSITIVE,
     offsetof(analyze_args, threshold), 0, 0},
    {"bins", "LIST", "bins that every run should have, 0,15,30 [those of all files, filled up to a regular grid]",
     DV_OPT_NUMBERS, offsetof(analyze_args, bins), 0, 0},
    {0},
};

/* The result files of the option and those behind it. */
static dv_status collect_results(const dv_app_context *context, analyze_args *args) {
    for (size_t i = 0; i < context->files.n; i++) DV_TRY(dv_path_list_add(&args->results, context->files.paths[i]));
    for (size_t i = 1; i < args->bins.n; i++)
        if (args->bins.values[i] <= args->bins.values[i - 1])
            return dv_app_fail(DV_E_USAGE, "--bins: %ld stands behind %ld, but bins must rise",
                               (long)args->bins.values[i], (long)args->bins.values[i - 1]);
    return DV_OK;
}

static dv_status begin_report(const dv_app_context *context, const analyze_args *args, dv_report **report) {
    DV_TRY(dv_report_create("denseval analysis v1", context->command, report));
    dv_report_setting_text(*report, "steps", step_names[args->steps]);
    dv_report_setting_real(*report, "threshold", args->threshold);
    if (args->bins.values)
        dv_report_setting_list(*report, "bins", args->bins.values, args->bins.n);
    else
        dv_report_setting_null(*report, "bins");
    for (size_t i = 0; i < args->results.n; i++) dv_report_input(*report, args->results.paths[i]);
    return dv_report_failure(*report);
}

static dv_status print_table(const dv_analysis *analysis) {
    char *text;
    DV_TRY(dv_analysis_table(analysis, &text));
    dv_print("%s", text);
    free(text);
    return DV_OK;
}

static dv_status analyze(const analyze_args *args, const dv_cells *cells, bool force, dv_report *report,
                         dv_analysis *analysis) {
    const dv_analysis_options chosen = {
        .steps = args->steps, .threshold = args->threshold, .bins = args->bins.values, .n_bins = args->bins.n};
    dv_run_times times = {0};
    DV_TRY(dv_analysis_compute(cells, &chosen, analysis));
    dv_status status = dv_run_times_read(dv_path_list_items(&args->results), args->results.n, &times);
    if (status == DV_OK) status = dv_analysis_save(args->out, force, analysis, &times, report);
    dv_run_times_clear(&times);
    return status;
}

static dv_status run_analyze(const dv_app_context *context, void *arguments) {
    analyze_args *const args = arguments;
    DV_TRY(collect_results(context, args));
    DV_TRY(dv_target_check_new(args->out, context->common.force));
    DV_TRY(dv_target_check_inputs("--out", args->out, &args->results));
    dv_resources resources;
    dv_cells cells;
    dv_report *report = NULL;
    dv_analysis analysis = {0};
    dv_resources_start(&resources, context->n_threads);
    DV_TRY(dv_cells_read(dv_path_list_items(&args->results), args->results.n, &cells));
    dv_status status = begin_report(context, args, &report);
    if (status == DV_OK) status = analyze(args, &cells, context->common.force, report, &analysis);
    dv_resources_stop(&resources);
    if (status == DV_OK && context->common.json) {
        dv_report_resources(report, &resources, NULL, NULL, 0);
        status = dv_output_report(report);
    } else if (status == DV_OK) {
        status = print_table(&analysis);
    }
    dv_analysis_clear(&analysis);
    dv_report_free(report);
    dv_cells_clear(&cells);
    return status;
}

const dv_command dv_cmd_viewpoint_analyze = {
    .name = "analyze",
    .summary = "Tables of the multi-view benchmark from result files",
    .usage = "--results FILE... --out DIR [OPTIONS]",
    .notes = "Result files are the published CSVs, or results.json and results.csv of a sweep; several make one set. "
             "Experiment A is the mIoU by difficulty, B the normalised curve with its breaking points, C the gain of "
             "larger memories.",
    .options = options,
    .common = DV_COMMON_FORCE | DV_COMMON_JSON,
    .required = "results out",
    .args_size = sizeof(analyze_args),
    .defaults = &defaults,
    .max_files = SIZE_MAX,
    .run = run_analyze,
};
