/* cmd_viewpoint_analyze.c: `denseval viewpoint analyze`: Experiments A, B and C from result files. */
#include <stdlib.h>
#include <string.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/output.h"
#include "app/targets.h"
#include "denseval/analysis.h"
#include "denseval/cells.h"
#include "denseval/device.h"
#include "denseval/sweep_merge.h"
#include "denseval/viewpoint_bootstrap.h"

typedef struct analyze_args {
    dv_path_list results; /* those of the file arguments too */
    const char *out;
    dv_steps steps;
    double threshold;
    dv_number_list bins;
    size_t bootstrap; /* 0: no intervals */
    dv_plots plots;
} analyze_args;

static const analyze_args defaults = {.threshold = 0.1};
static const char *const step_names[] = {"validation", "all"};        /* by dv_steps */
static const char *const plot_names[] = {"auto", "none", "required"}; /* by dv_plots */

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
    {"bootstrap", "B",
     "resample the objects B times, for 95 % intervals; needs object_counts.h5 beside the results [0]", DV_OPT_COUNT,
     offsetof(analyze_args, bootstrap), 0, DV_MOST_RESAMPLES},
    {"plots", "auto|none|required", "draw figures where gnuplot is found, never, or fail without it [auto]",
     DV_OPT_CHOICE, offsetof(analyze_args, plots), 0, 0},
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

/* The counts that intervals are made of, once a folder. */
static void add_counts_inputs(dv_report *report, const dv_path_list *results) {
    const char *last = "";
    size_t last_length = SIZE_MAX;
    for (size_t i = 0; i < results->n; i++) {
        const char *const path = results->paths[i], *const slash = strrchr(path, '/');
        const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
        if (length == last_length && memcmp(path, last, length) == 0) continue;
        char *const counts = malloc(length + sizeof DV_SWEEP_COUNTS);
        if (!counts) return; /* no memory: what follows fails too */
        memcpy(counts, path, length);
        memcpy(counts + length, DV_SWEEP_COUNTS, sizeof DV_SWEEP_COUNTS);
        dv_report_input(report, counts);
        free(counts);
        last = path;
        last_length = length;
    }
}

static dv_status begin_report(const dv_app_context *context, const analyze_args *args, const dv_run_times *times,
                              dv_report **report) {
    DV_TRY(dv_report_create("denseval analysis v1", context->command, report));
    dv_report_setting_text(*report, "steps", step_names[args->steps]);
    dv_report_setting_real(*report, "threshold", args->threshold);
    if (args->bins.values)
        dv_report_setting_list(*report, "bins", args->bins.values, args->bins.n);
    else
        dv_report_setting_null(*report, "bins");
    dv_report_setting_count(*report, "bootstrap", args->bootstrap);
    dv_report_setting_count(*report, "seed", context->common.seed);
    dv_report_setting_text(*report, "plots", plot_names[args->plots]);
    for (size_t i = 0; i < args->results.n; i++) dv_report_input(*report, args->results.paths[i]);
    for (size_t i = 0; i < times->n; i++) dv_report_input(*report, times->runs[i].resources);
    if (args->bootstrap) add_counts_inputs(*report, &args->results);
    return dv_report_failure(*report);
}

static dv_status print_table(const dv_analysis *analysis) {
    char *text;
    DV_TRY(dv_analysis_table(analysis, &text));
    dv_print("%s", text);
    free(text);
    return DV_OK;
}

/* device: NULL where none was asked for */
static dv_status resample(const dv_app_context *context, const analyze_args *args, const dv_analysis *analysis,
                          dv_device *device, dv_viewpoint_bootstrap *bootstrap) {
    dv_object_counts counts;
    dv_viewpoint_bootstrap_options chosen = {.n_resamples = args->bootstrap,
                                             .seed = context->common.seed,
                                             .n_threads = context->n_threads,
                                             .device = device};
    DV_TRY(dv_analysis_counts_read(dv_path_list_items(&args->results), args->results.n, analysis->cells, &counts,
                                   &chosen.absent));
    const dv_status status = dv_viewpoint_bootstrap_compute(analysis, &counts, &chosen, bootstrap);
    dv_object_counts_clear(&counts);
    return status;
}

/* All that is made and has to be released. */
typedef struct work {
    dv_device *device; /* NULL: none was asked for */
    dv_cells cells;
    dv_run_times times;
    dv_analysis analysis;
    dv_viewpoint_bootstrap bootstrap;
    dv_report *report;
} work;

static dv_status analyze(const dv_app_context *context, const analyze_args *args, work *w) {
    const char *const *const paths = dv_path_list_items(&args->results);
    const dv_analysis_options chosen = {
        .steps = args->steps, .threshold = args->threshold, .bins = args->bins.values, .n_bins = args->bins.n};
    const dv_analysis_extras extras = {.times = &w->times, .bootstrap = args->bootstrap ? &w->bootstrap : NULL};
    DV_TRY(dv_cells_read(paths, args->results.n, &w->cells));
    DV_TRY(dv_run_times_read(paths, args->results.n, &w->times));
    DV_TRY(dv_analysis_compute(&w->cells, &chosen, &w->analysis));
    if (args->bootstrap) DV_TRY(resample(context, args, &w->analysis, w->device, &w->bootstrap));
    DV_TRY(begin_report(context, args, &w->times, &w->report));
    return dv_analysis_save(args->out, context->common.force, &w->analysis, &extras, args->plots, w->report);
}

static dv_status open_device(const dv_app_context *context, dv_gpu_account *account, dv_device **device) {
    const dv_device_options chosen = {.n_threads = context->n_threads, .account = account};
    return dv_given(context, "backend") ? dv_device_open(context->common.backend, &chosen, device) : DV_OK;
}

static dv_status run_analyze(const dv_app_context *context, void *arguments) {
    analyze_args *const args = arguments;
    DV_TRY(collect_results(context, args));
    DV_TRY(dv_target_check_new(args->out, context->common.force));
    DV_TRY(dv_target_check_inputs("--out", args->out, &args->results));
    dv_resources resources;
    work w = {0};
    dv_resources_start(&resources, context->n_threads);
    dv_status status = open_device(context, &resources.gpu, &w.device);
    if (status == DV_OK) status = analyze(context, args, &w);
    dv_resources_stop(&resources);
    if (status == DV_OK && context->common.json) {
        dv_report_resources(w.report, &resources, NULL, NULL, 0);
        status = dv_output_report(w.report);
    } else if (status == DV_OK) {
        status = print_table(&w.analysis);
        if (status == DV_OK) dv_print("results: %s\n", args->out);
    }
    dv_report_free(w.report);
    dv_viewpoint_bootstrap_clear(&w.bootstrap);
    dv_analysis_clear(&w.analysis);
    dv_run_times_clear(&w.times);
    dv_cells_clear(&w.cells);
    if (w.device) w.device->ops->close(w.device);
    return status;
}

const dv_command dv_cmd_viewpoint_analyze = {
    .name = "analyze",
    .summary = "Tables of the multi-view benchmark from result files",
    .usage = "--results FILE... --out DIR [OPTIONS]",
    .notes = "Result files are the published CSVs, or results.json and results.csv of a sweep; several make one set. "
             "Experiment A is the mIoU by difficulty, B the normalised curve with its breaking points, C the gain of "
             "larger memories. The folder holds their tables and figures, those of each class and analysis.json.",
    .options = options,
    .common = DV_COMMON_FORCE | DV_COMMON_JSON | DV_COMMON_THREADS | DV_COMMON_SEED | DV_COMMON_BACKEND,
    .required = "results out",
    .args_size = sizeof(analyze_args),
    .defaults = &defaults,
    .max_files = SIZE_MAX,
    .run = run_analyze,
};
