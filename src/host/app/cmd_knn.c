/* cmd_knn.c: `denseval knn`: the nearest bank rows of every query patch. */
#include <stdlib.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/search_args.h"

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

static dv_status print_json(const dv_app_context *context, const knn_args *args, const dv_search_summary *summary,
                            const dv_resources *resources) {
    static const char *const stages[] = {"search"};
    dv_report *report = NULL;
    char *text = NULL;
    dv_status status = dv_report_create("denseval knn result v1", context->command, &report);
    if (status == DV_OK) {
        dv_bank_args_report(report, context, &args->bank, args->search.bank);
        dv_search_args_report(report, context, &args->search);
        dv_report_text(report, "out", args->out);
        dv_report_knn(report, summary);
        dv_report_resources(report, resources, stages, &summary->search_s, 1);
        status = dv_report_json(report, &text);
    }
    if (status == DV_OK) dv_print("%s", text);
    free(text);
    dv_report_free(report);
    return status;
}

static void print_table(const knn_args *args, const dv_search_summary *summary) {
    dv_print("%zu queries against %zu bank rows, k %zu, backend %s\n", summary->n_query_rows, summary->n_bank_rows,
             summary->k, summary->backend);
    dv_print("saved to %s\n", args->out);
}

static dv_status search(const dv_app_context *context, const knn_args *args, dv_bank *bank,
                        dv_search_summary *summary) {
    dv_features *queries;
    DV_TRY(dv_features_open(dv_path_list_items(&args->search.queries), args->search.queries.n, &queries));
    const dv_search_options chosen = dv_search_args_options(context, &args->search, &args->bank);
    const size_t first = args->images.first;
    const size_t end = dv_given(context, "images") ? args->images.end : dv_features_info(queries)->n_images;
    const dv_status status =
        dv_knn_run(bank, queries, first, end - first, &chosen, args->out, context->common.force, summary);
    dv_features_close(queries);
    return status;
}

static dv_status run_knn(const dv_app_context *context, void *arguments) {
    knn_args *const args = arguments;
    DV_TRY(dv_bank_args_resolve(context, &args->bank));
    dv_resources resources;
    dv_resources_start(&resources, context->n_threads);
    dv_bank_handle handle;
    DV_TRY(dv_bank_handle_open(context, &args->bank, args->search.bank, true, &handle));
    dv_search_summary summary;
    dv_status status = search(context, args, handle.bank, &summary);
    dv_bank_handle_close(&handle);
    dv_resources_stop(&resources);
    if (status != DV_OK) return status;
    if (context->common.json) return print_json(context, args, &summary, &resources);
    print_table(args, &summary);
    return DV_OK;
}

const dv_command dv_cmd_knn = {
    .name = "knn",
    .summary = "Find the nearest bank rows of every query patch",
    .usage = "--bank BANK.h5 | --features F --queries Q --out KNN.h5 [OPTIONS]",
    .options = options,
    .shared = groups,
    .common = DV_COMMON_JSON | DV_COMMON_PROGRESS | DV_COMMON_THREADS | DV_COMMON_SEED | DV_COMMON_BACKEND |
              DV_COMMON_FORCE | DV_COMMON_MEMORY_LIMIT,
    .required = "queries out",
    .args_size = sizeof(knn_args),
    .defaults = &defaults,
    .run = run_knn,
};
