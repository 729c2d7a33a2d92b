#include "app/search_args.h"

#include "app/environment.h"

static const char *const exclude_words[] = {"none", "image", "object"};

const dv_option dv_search_options_table[] = {
    {"bank", "BANK.h5", "memory bank to search, from bank build", DV_OPT_PATH, offsetof(dv_search_args, bank), 0, 0},
    {"queries", "Q", "feature files of the queries", DV_OPT_PATHS, offsetof(dv_search_args, queries), 0, 0},
    {"k", "N", "neighbours of each patch [30]", DV_OPT_COUNT, offsetof(dv_search_args, k), 1, 0},
    {"exclude", "none|image|object", "hide the rows of the query's own image or object [none]", DV_OPT_CHOICE,
     offsetof(dv_search_args, exclude), 0, 0},
    {"shards", "N", "search the bank in N parts; the result is the same [1]", DV_OPT_COUNT,
     offsetof(dv_search_args, shards), 1, 0},
    {"block-images", "N", "query images searched together; the result is the same [by memory]", DV_OPT_COUNT,
     offsetof(dv_search_args, block_images), 1, 0},
    {"stages", "auto|1|2", "stages of the cpu backend's filter; the result is the same [by a probe of the bank]",
     DV_OPT_CHOICE, offsetof(dv_search_args, stages), 0, 0},
    {"head-dim", "N", "elements of the first of two stages; the result is the same [by the probe]", DV_OPT_COUNT,
     offsetof(dv_search_args, head_dim), 1, 0},
    {"force-mixed", NULL, "allow bank and queries of different encoder or preprocessing", DV_OPT_FLAG,
     offsetof(dv_search_args, force_mixed), 0, 0},
    {0},
};

/* What a limit on the memory of the process leaves for a search: what is held by now, and code that has not run yet,
 * comes off. At least 1 byte, so that the search refuses it by its own numbers. */
static size_t memory_left(size_t limit) {
    const size_t step = (size_t)1 << 20, unseen = 2 * step; /* whole MiB: the same plan in every run */
    const size_t held = (dv_resident_bytes() + unseen + step - 1) / step * step;
    if (limit == 0) return 0;
    return limit > held ? limit - held : 1;
}

dv_search_options dv_search_args_options(const dv_app_context *context, const dv_search_args *args,
                                         const dv_bank_args *bank) {
    dv_job job;
    dv_environment_job(&job);
    return (dv_search_options){
        .k = args->k,
        .exclude = args->exclude,
        .backend = context->common.backend,
        .kernel = dv_environment_kernel(),
        .n_stages = (size_t)args->stages,
        .head_dim = args->head_dim,
        .n_threads = context->n_threads,
        .n_shards = args->shards,
        .images_per_block = args->block_images,
        .memory_limit = memory_left(context->common.memory_limit),
        .job_memory = job.memory_bytes,
        .zero_rows = bank->zero_rows,
        .force_mixed = args->force_mixed,
        .ranks = context->ranks,
        .split = context->common.split,
        .progress = context->progress,
        .progress_user = context->progress_user,
    };
}

void dv_search_args_report(dv_report *report, const dv_app_context *context, const dv_search_args *args) {
    dv_report_setting_count(report, "k", args->k);
    dv_report_setting_text(report, "backend", context->common.backend);
    dv_report_setting_text(report, "exclude", exclude_words[args->exclude]);
    dv_report_setting_count(report, "shards", args->shards);
    dv_report_setting_bool(report, "force_mixed", args->force_mixed);
    for (size_t i = 0; i < args->queries.n; i++) dv_report_input(report, args->queries.paths[i]);
}
