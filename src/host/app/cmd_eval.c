/* cmd_eval.c: `denseval eval`: score frozen features by retrieval from a memory bank. */
#include <stdlib.h>

#include "app/accounts.h"
#include "app/commands.h"
#include "app/message.h"
#include "app/output.h"
#include "app/search_args.h"
#include "app/targets.h"
#include "denseval/eval.h"

typedef struct eval_args {
    dv_bank_args bank;
    dv_search_args search;
    double beta;
    const char *exclude_classes;
    dv_absent absent;
    dv_relabel relabel;
    const char *predictions;
    size_t bootstrap;
} eval_args;

static const eval_args defaults = {
    .bank = DV_BANK_ARGS_DEFAULTS, .search = DV_SEARCH_ARGS_DEFAULTS, .beta = 0.02, .exclude_classes = "none"};

static const char *const absent_words[] = {"skip", "zero", "one", "truth-only"};
static const char *const relabel_words[] = {"none", "hungarian", "both"};

static const dv_option options[] = {
    {"beta", "B", "temperature of the softmax over cosines [0.02]", DV_OPT_POSITIVE, offsetof(eval_args, beta), 0, 0},
    {"exclude-classes", "LIST", "classes that are left out of the means [none]", DV_OPT_TEXT,
     offsetof(eval_args, exclude_classes), 0, 0},
    {"absent", "skip|zero|one|truth-only", "what an absent class scores [skip]", DV_OPT_CHOICE,
     offsetof(eval_args, absent), 0, 0},
    {"relabel", "none|hungarian|both", "match predicted classes to true ones before scoring [none]", DV_OPT_CHOICE,
     offsetof(eval_args, relabel), 0, 0},
    {"predictions", "DIR", "write an indexed PNG of every query image", DV_OPT_PATH, offsetof(eval_args, predictions),
     0, 0},
    {"bootstrap", "B", "95 % interval of mIoU from B resamples of the images [0]", DV_OPT_COUNT,
     offsetof(eval_args, bootstrap), 0, 10000000},
    {0},
};

static const dv_option_group groups[] = {
    {"Search", dv_search_options_table, offsetof(eval_args, search)},
    {"Memory bank from features, instead of --bank", dv_bank_options_table, offsetof(eval_args, bank)},
    {0},
};

/* A run in progress. */
typedef struct eval_run {
    const dv_app_context *context;
    const eval_args *args;
    dv_bank_handle bank;
    dv_features *queries;
    bool excluded[DV_MAX_CLASSES];
    dv_report *report; /* NULL: nobody wants JSON */
    dv_eval_result result;
    dv_resources resources;
    dv_accounts accounts;
    double bank_s;
} eval_run;

static dv_status parse_excluded(const eval_args *args, size_t n_classes, bool *excluded) {
    dv_label_set set = {{0}};
    size_t n_excluded = 0;
    const dv_status status = dv_label_set_parse(args->exclude_classes, &set);
    if (status != DV_OK) return dv_app_prefix(status, "--exclude-classes");
    for (size_t label = 0; label <= UINT16_MAX; label++) {
        if (!dv_label_set_has(&set, (uint16_t)label)) continue;
        if (label >= n_classes)
            return dv_app_fail(DV_E_USAGE, "--exclude-classes %zu: there are %zu classes", label, n_classes);
        excluded[label] = true;
        n_excluded++;
    }
    if (n_excluded == n_classes)
        return dv_app_fail(DV_E_USAGE, "--exclude-classes %s: no class is left to score", args->exclude_classes);
    return DV_OK;
}

static void apply_compat(const dv_app_context *context, eval_args *args) {
    if (args->bank.compat == DV_COMPAT_NONE) return;
    if (!dv_given(context, "relabel")) args->relabel = DV_RELABEL_HUNGARIAN;
    if (!dv_given(context, "absent")) args->absent = DV_ABSENT_ZERO;
}

static dv_status score(eval_run *run) {
    const eval_args *args = run->args;
    const dv_bank_info *bank = dv_bank_get_info(run->bank.bank);
    DV_TRY(parse_excluded(args, bank->n_classes, run->excluded));
    dv_eval_options chosen = {
        .search = dv_search_args_options(run->context, &args->search, &args->bank),
        .beta = args->beta,
        .pixels = {.invalid = args->bank.invalid_labels},
        .absent = args->absent,
        .relabel = args->relabel,
        .excluded = run->excluded,
        .drop_last_batch = args->bank.last_batch == DV_LAST_BATCH_DROP ? DV_COMPAT_BATCH : 0,
        .predictions = args->predictions,
        .force = run->context->common.force,
        .skip_bad = run->context->common.skip_bad,
        .allow_empty = run->context->common.allow_empty,
        .n_resamples = args->bootstrap,
        .seed = run->context->common.seed,
    };
    chosen.search.account = &run->resources.gpu;
    DV_TRY(dv_bank_args_ignored(&args->bank, &chosen.pixels.ignored));
    return dv_eval_run(run->bank.bank, run->queries, &chosen, &run->result);
}

static void report_settings(dv_report *report, const eval_run *run) {
    const eval_args *args = run->args;
    dv_bank_args_report(report, run->context, &args->bank, args->search.bank);
    dv_search_args_report(report, run->context, &args->search);
    dv_report_setting_real(report, "beta", args->beta);
    dv_report_setting_text(report, "exclude_classes", args->exclude_classes);
    dv_report_setting_text(report, "absent", absent_words[args->absent]);
    dv_report_setting_text(report, "relabel", relabel_words[args->relabel]);
    dv_report_setting_text(report, "score_at", "input");
    dv_report_setting_count(report, "bootstrap", args->bootstrap);
    dv_report_setting_bool(report, "skip_bad", run->context->common.skip_bad);
    dv_report_setting_bool(report, "allow_empty", run->context->common.allow_empty);
}

static dv_status begin_report(eval_run *run) {
    if (!run->context->common.json || dv_ranks_index(run->context->ranks) > 0) return DV_OK;
    DV_TRY(dv_report_create("denseval eval v1", run->context->command, &run->report));
    report_settings(run->report, run);
    return dv_report_failure(run->report);
}

static dv_status print_report(const eval_run *run) {
    static const char *const stages[] = {"bank", "search", "aggregate", "segment"};
    const double stage_s[] = {run->bank_s, run->result.search.search_s, run->result.aggregate_s, run->result.segment_s};
    dv_report_eval(run->report, &run->result, dv_bank_get_info(run->bank.bank), dv_features_info(run->queries),
                   run->excluded);
    dv_report_resources(run->report, &run->resources, stages, stage_s, sizeof stages / sizeof *stages);
    dv_accounts_report(run->report, &run->accounts);
    return dv_output_report(run->report);
}

static dv_status print_table(const eval_run *run) {
    char *text;
    DV_TRY(dv_report_eval_table(&run->result, dv_bank_get_info(run->bank.bank), dv_features_info(run->queries),
                                run->excluded, &text));
    dv_print("%s", text);
    if (run->args->predictions) dv_print("\npredictions: %s\n", run->args->predictions);
    free(text);
    return DV_OK;
}

static dv_status open_inputs(eval_run *run) {
    const dv_path_list *queries = &run->args->search.queries;
    DV_TRY(dv_features_open(dv_path_list_items(queries), queries->n, &run->queries));
    dv_resources bank;
    dv_resources_start(&bank, 1);
    DV_TRY(dv_bank_handle_open(run->context, &run->args->bank, run->args->search.bank, false, &run->bank));
    dv_resources_stop(&bank);
    run->bank_s = bank.wall_s;
    return DV_OK;
}

static dv_status check_predictions(const dv_app_context *context, const eval_args *args) {
    if (!args->predictions) return DV_OK;
    DV_TRY(dv_bank_args_check_target(context, &args->bank, args->search.bank, "--predictions", args->predictions));
    return dv_target_check_inputs("--predictions", args->predictions, &args->search.queries);
}

static dv_status run_eval(const dv_app_context *context, void *arguments) {
    eval_args *const args = arguments;
    DV_TRY(dv_bank_args_resolve(context, &args->bank));
    apply_compat(context, args);
    DV_TRY(check_predictions(context, args));
    eval_run run = {.context = context, .args = args};
    dv_resources_start(&run.resources, context->n_threads);
    dv_status status = open_inputs(&run);
    if (status == DV_OK) status = begin_report(&run);
    if (status == DV_OK) status = score(&run);
    dv_resources_stop(&run.resources);
    if (status == DV_OK) status = dv_accounts_take(context, &run.resources, &run.accounts);
    if (status == DV_OK && dv_ranks_index(context->ranks) == 0)
        status = run.report ? print_report(&run) : print_table(&run);
    dv_accounts_clear(&run.accounts);
    dv_report_free(run.report);
    dv_eval_result_clear(&run.result);
    dv_bank_handle_close(&run.bank);
    dv_features_close(run.queries);
    return status;
}

const dv_command dv_cmd_eval = {
    .name = "eval",
    .summary = "Score frozen features by retrieval: mIoU of all images and of each viewpoint bin",
    .usage = "--bank BANK.h5 | --features F [bank options] --queries Q [OPTIONS]",
    .notes = "Every query patch finds its k nearest bank rows by cosine, exactly; their soft labels vote with softmax "
             "weights; "
             "the patch labels are upsampled to pixels and compared with the truth.",
    .options = options,
    .shared = groups,
    .common = DV_COMMON_JSON | DV_COMMON_PROGRESS | DV_COMMON_THREADS | DV_COMMON_SEED | DV_COMMON_BACKEND |
              DV_COMMON_FORCE | DV_COMMON_MEMORY_LIMIT | DV_COMMON_SKIP_BAD | DV_COMMON_ALLOW_EMPTY | DV_COMMON_RANKS,
    .required = "queries",
    .args_size = sizeof(eval_args),
    .defaults = &defaults,
    .run = run_eval,
};
