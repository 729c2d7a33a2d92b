/* cmd_knn.c: `denseval knn`: the nearest bank rows of every query patch. */
#include <stdio.h>

#include "app/accounts.h"
#include "app/commands.h"
#include "app/message.h"
#include "app/output.h"
#include "app/search_args.h"
#include "app/targets.h"

typedef struct knn_args {
    dv_bank_args bank;
    dv_search_args search;
    dv_range images;
    const char *out;
} knn_args;

static const knn_args defaults = {.bank = DV_BANK_ARGS_DEFAULTS, .search = DV_SEARCH_ARGS_DEFAULTS};

static const dv_option options[] = {
    {"out", "KNN.h5", "file to write the ids and cosines to", DV_OPT_PATH, offsetof(knn_args, out), 0, 0},
    {"images", "A:B", "query images A to B - 1 [all]", DV_OPT_RANGE, offsetof(knn_args, images), 0, 0},
    {0},
};

static const dv_option_group groups[] = {
    {"Search", dv_search_options_table, offsetof(knn_args, search)},
    {"Memory bank from features, instead of --bank", dv_bank_options_table, offsetof(knn_args, bank)},
    {0},
};

/* A run in progress. */
typedef struct knn_run {
    const dv_app_context *context;
    const knn_args *args;
    dv_features *queries;
    dv_bank_handle bank;
    dv_report *report; /* NULL: nobody wants JSON */
    dv_search_summary summary;
    dv_resources resources;
    dv_accounts accounts;
} knn_run;

static dv_status begin_report(knn_run *run) {
    const knn_args *args = run->args;
    if (!run->context->common.json || dv_ranks_index(run->context->ranks) > 0) return DV_OK;
    DV_TRY(dv_report_create("denseval knn result v1", run->context->command, &run->report));
    dv_bank_args_report(run->report, run->context, &args->bank, args->search.bank);
    dv_search_args_report(run->report, run->context, &args->search);
    char range[64];
    snprintf(range, sizeof range, "%zu:%zu", args->images.first, args->images.end);
    dv_report_setting_text(run->report, "images", dv_given(run->context, "images") ? range : "all");
    dv_report_text(run->report, "out", args->out);
    return dv_report_failure(run->report);
}

static dv_status open_inputs(knn_run *run) {
    const dv_path_list *queries = &run->args->search.queries;
    DV_TRY(dv_features_open(dv_path_list_items(queries), queries->n, &run->queries));
    return dv_bank_handle_open(run->context, &run->args->bank, run->args->search.bank, true, &run->bank);
}

static dv_status search(knn_run *run) {
    const knn_args *args = run->args;
    dv_search_options chosen = dv_search_args_options(run->context, &args->search, &args->bank);
    chosen.account = &run->resources.gpu;
    const size_t first = args->images.first;
    const size_t end = dv_given(run->context, "images") ? args->images.end : dv_features_info(run->queries)->n_images;
    return dv_knn_run(run->bank.bank, run->queries, first, end - first, &chosen, args->out, run->context->common.force,
                      &run->summary);
}

static dv_status print_report(const knn_run *run) {
    static const char *const stages[] = {"search"};
    dv_report_knn(run->report, &run->summary);
    dv_report_resources(run->report, &run->resources, stages, &run->summary.search_s, 1);
    dv_accounts_report(run->report, &run->accounts);
    return dv_output_report(run->report);
}

static void print_table(const knn_run *run) {
    const dv_search_summary *summary = &run->summary;
    dv_print("%zu queries against %zu bank rows, k %zu, backend %s\n", summary->n_query_rows, summary->n_bank_rows,
             summary->k, summary->backend);
    dv_print("saved to %s\n", run->args->out);
}

static dv_status run_knn(const dv_app_context *context, void *arguments) {
    knn_args *const args = arguments;
    DV_TRY(dv_bank_args_resolve(context, &args->bank));
    DV_TRY(dv_bank_args_check_target(context, &args->bank, args->search.bank, "--out", args->out));
    DV_TRY(dv_target_check_inputs("--out", args->out, &args->search.queries));
    knn_run run = {.context = context, .args = args};
    dv_resources_start(&run.resources, context->n_threads);
    dv_status status = open_inputs(&run);
    if (status == DV_OK) status = begin_report(&run);
    if (status == DV_OK) status = search(&run);
    dv_resources_stop(&run.resources);
    if (status == DV_OK) status = dv_accounts_take(context, &run.resources, &run.accounts);
    const bool prints = status == DV_OK && dv_ranks_index(context->ranks) == 0;
    if (prints && run.report) status = print_report(&run);
    if (prints && !run.report) print_table(&run);
    dv_accounts_clear(&run.accounts);
    dv_report_free(run.report);
    dv_bank_handle_close(&run.bank);
    dv_features_close(run.queries);
    return status;
}

const dv_command dv_cmd_knn = {
    .name = "knn",
    .summary = "Find the nearest bank rows of every query patch",
    .usage = "--bank BANK.h5 | --features F --queries Q --out KNN.h5 [OPTIONS]",
    .options = options,
    .shared = groups,
    .common = DV_COMMON_JSON | DV_COMMON_PROGRESS | DV_COMMON_THREADS | DV_COMMON_SEED | DV_COMMON_BACKEND |
              DV_COMMON_FORCE | DV_COMMON_MEMORY_LIMIT | DV_COMMON_RANKS,
    .required = "queries out",
    .args_size = sizeof(knn_args),
    .defaults = &defaults,
    .run = run_knn,
};
