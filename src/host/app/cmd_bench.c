/* cmd_bench.c: `denseval bench`: correctness first, then time, one row a shape. */
#include "app/bench_stages.h"
#include "app/commands.h"
#include "app/message.h"

enum {
    COMMON = DV_COMMON_JSON | DV_COMMON_PROGRESS | DV_COMMON_THREADS | DV_COMMON_SEED | DV_COMMON_BACKEND |
             DV_COMMON_MEMORY_LIMIT
};
#define NOTES                                                                                                          \
    "Results are compared with the backend reference first; a wrong one ends with exit code 70. What each column "     \
    "means "                                                                                                           \
    "stands in docs/PERFORMANCE.md."

/* A stage's own options, which must come first (the table counts from there), and how often it runs. */
typedef struct search_args {
    dv_bench_search_args search;
    dv_bench_args timing;
} search_args;

typedef struct aggregate_args {
    dv_bench_aggregate_args aggregate;
    dv_bench_args timing;
} aggregate_args;

typedef struct confusion_args {
    dv_bench_confusion_args confusion;
    dv_bench_args timing;
} confusion_args;

typedef struct io_args {
    dv_bench_io_args io;
    dv_bench_args timing;
} io_args;

typedef struct jf_args {
    dv_bench_jf_args jf;
    dv_bench_args timing;
} jf_args;

#define TIMING(type)                                                                                                   \
    {                                                                                                                  \
        {"Timing and the device", dv_bench_options_table, offsetof(type, timing)}, {                                   \
            0                                                                                                          \
        }                                                                                                              \
    }

static const dv_option_group search_groups[] = TIMING(search_args), aggregate_groups[] = TIMING(aggregate_args),
                             confusion_groups[] = TIMING(confusion_args), io_groups[] = TIMING(io_args),
                             jf_groups[] = TIMING(jf_args),
                             all_groups[] = {{"Timing and the device", dv_bench_options_table, 0}, {0}};

static const search_args search_defaults = {.timing = DV_BENCH_ARGS_DEFAULTS, .search = DV_BENCH_SEARCH_DEFAULTS};
static const aggregate_args aggregate_defaults = {.timing = DV_BENCH_ARGS_DEFAULTS,
                                                  .aggregate = DV_BENCH_AGGREGATE_DEFAULTS};
static const confusion_args confusion_defaults = {.timing = DV_BENCH_ARGS_DEFAULTS,
                                                  .confusion = DV_BENCH_CONFUSION_DEFAULTS};
static const io_args io_defaults = {.timing = DV_BENCH_ARGS_DEFAULTS, .io = DV_BENCH_IO_DEFAULTS};
static const jf_args jf_defaults = {.timing = DV_BENCH_ARGS_DEFAULTS, .jf = DV_BENCH_JF_DEFAULTS};
static const dv_bench_args all_defaults = DV_BENCH_ARGS_DEFAULTS;

static dv_status run_search(const dv_app_context *context, void *arguments) {
    const search_args *const args = arguments;
    DV_TRY(dv_bench_search_check(context, &args->search));
    if (args->search.save_data) return dv_bench_search_save(context, &args->search);
    dv_bench bench;
    dv_status status = dv_bench_open(context, &args->timing, &bench);
    if (status == DV_OK) status = dv_bench_search(&bench, &args->search);
    return dv_bench_close(&bench, status);
}

static dv_status run_aggregate(const dv_app_context *context, void *arguments) {
    const aggregate_args *const args = arguments;
    dv_bench bench;
    dv_status status = dv_bench_open(context, &args->timing, &bench);
    if (status == DV_OK) status = dv_bench_aggregate(&bench, &args->aggregate);
    return dv_bench_close(&bench, status);
}

static dv_status run_confusion(const dv_app_context *context, void *arguments) {
    const confusion_args *const args = arguments;
    dv_bench bench;
    dv_status status = dv_bench_open(context, &args->timing, &bench);
    if (status == DV_OK) status = dv_bench_confusion(&bench, &args->confusion);
    return dv_bench_close(&bench, status);
}

static dv_status run_io(const dv_app_context *context, void *arguments) {
    const io_args *const args = arguments;
    dv_bench bench;
    dv_status status = dv_bench_open(context, &args->timing, &bench);
    if (status == DV_OK) status = dv_bench_io(&bench, &args->io);
    return dv_bench_close(&bench, status);
}

static dv_status run_jf(const dv_app_context *context, void *arguments) {
    const jf_args *const args = arguments;
    DV_TRY(dv_bench_jf_check(&args->jf));
    dv_bench bench;
    dv_status status = dv_bench_open(context, &args->timing, &bench);
    if (status == DV_OK) status = dv_bench_jf(&bench, &args->jf);
    return dv_bench_close(&bench, status);
}

/* The slow one last. */
static dv_status run_all(const dv_app_context *context, void *arguments) {
    dv_bench bench;
    dv_status status = dv_bench_open(context, arguments, &bench);
    if (status == DV_OK) status = dv_bench_io(&bench, &io_defaults.io);
    if (status == DV_OK) status = dv_bench_confusion(&bench, &confusion_defaults.confusion);
    if (status == DV_OK) status = dv_bench_jf(&bench, &jf_defaults.jf);
    if (status == DV_OK) status = dv_bench_aggregate(&bench, &aggregate_defaults.aggregate);
    if (status == DV_OK) status = dv_bench_search(&bench, &search_defaults.search);
    return dv_bench_close(&bench, status);
}

static const dv_command bench_search = {
    .name = "search",
    .summary = "Time the exact search for the nearest bank rows",
    .usage = "[OPTIONS]",
    .notes = NOTES,
    .options = dv_bench_search_options,
    .shared = search_groups,
    .common = COMMON | DV_COMMON_FORCE,
    .args_size = sizeof(search_args),
    .defaults = &search_defaults,
    .run = run_search,
};

static const dv_command bench_aggregate = {
    .name = "aggregate",
    .summary = "Time the vote of the neighbours",
    .usage = "[OPTIONS]",
    .notes = NOTES,
    .options = dv_bench_aggregate_options,
    .shared = aggregate_groups,
    .common = COMMON,
    .args_size = sizeof(aggregate_args),
    .defaults = &aggregate_defaults,
    .run = run_aggregate,
};

static const dv_command bench_confusion = {
    .name = "confusion",
    .summary = "Time the count of true and predicted classes",
    .usage = "[OPTIONS]",
    .notes = NOTES,
    .options = dv_bench_confusion_options,
    .shared = confusion_groups,
    .common = COMMON,
    .args_size = sizeof(confusion_args),
    .defaults = &confusion_defaults,
    .run = run_confusion,
};

static const dv_command bench_io = {
    .name = "io",
    .summary = "Time the reading of feature files",
    .usage = "[OPTIONS]",
    .notes = NOTES,
    .options = dv_bench_io_options,
    .shared = io_groups,
    .common = COMMON,
    .args_size = sizeof(io_args),
    .defaults = &io_defaults,
    .run = run_io,
};

static const dv_command bench_jf = {
    .name = "jf",
    .summary = "Time the counting of masks and their contours",
    .usage = "[OPTIONS]",
    .notes = NOTES,
    .options = dv_bench_jf_options,
    .shared = jf_groups,
    .common = COMMON,
    .args_size = sizeof(jf_args),
    .defaults = &jf_defaults,
    .run = run_jf,
};

static const dv_command bench_all = {
    .name = "all",
    .summary = "Time every stage with its defaults",
    .usage = "[OPTIONS]",
    .notes = NOTES,
    .shared = all_groups,
    .common = COMMON,
    .args_size = sizeof(dv_bench_args),
    .defaults = &all_defaults,
    .run = run_all,
};

static const dv_command *const stages[] = {
    &bench_search, &bench_aggregate, &bench_confusion, &bench_io, &bench_jf, &bench_all, NULL};

const dv_command dv_cmd_bench = {
    .name = "bench",
    .summary = "Time a stage of the evaluation against what this machine can do",
    .usage = "STAGE [OPTIONS]",
    .subcommands = stages,
};
