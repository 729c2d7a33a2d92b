/* cmd_dining.c: `denseval dining`: what models say of dishes, scored as DiningBench does. */
#include <stdlib.h>
#include <string.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/output.h"
#include "app/targets.h"
#include "denseval/report.h"

typedef struct dining_args {
    const char *truth, *pred, *against, *fields, *records;
    size_t n_resamples;
    dv_dining_scoring scoring;
    dv_dining_numbers numbers;
    dv_dining_model model;
    dv_number_list edges;
    dv_path_list judges;
} dining_args;

static const dining_args defaults = {.n_resamples = 1000};

/* By the enum of denseval/dining.h. */
static const char *const scoring_words[] = {"strict", "compat"}, *const numbers_words[] = {"strict", "lenient"};

/* What every task takes. */
static const dv_option options[] = {
    {"truth", "FILE.jsonl", "questions, a JSON object a line, with ground_truth", DV_OPT_PATH,
     offsetof(dining_args, truth), 0, 0},
    {"pred", "FILE.jsonl", "answers, with idx (line of the question, from 0) and model_pred", DV_OPT_PATH,
     offsetof(dining_args, pred), 0, 0},
    {"scoring", "strict|compat",
     "every question counts, or what DiningBench's own programs print, odd denominators included [strict]",
     DV_OPT_CHOICE, offsetof(dining_args, scoring), 0, 0},
    {"against", "FILE.jsonl", "other answers to the same questions: differences, intervals, McNemar's test",
     DV_OPT_PATH, offsetof(dining_args, against), 0, 0},
    {"bootstrap", "B", "resamples of questions for the intervals of --against, 0: none [1000]", DV_OPT_COUNT,
     offsetof(dining_args, n_resamples), 0, 1e6},
    {"group-by", "FIELD[,...]", "scores of each value of these fields of the truth, too", DV_OPT_TEXT,
     offsetof(dining_args, fields), 0, 0},
    {"ranges", "N[,...]",
     "groups of numbers are ranges that begin at these, not single values: 1,3 gives <1, [1,3), >=3", DV_OPT_NUMBERS,
     offsetof(dining_args, edges), 0, 0},
    {"per-record", "FILE.csv", "table to write: what became of each question, with answer, key and verdicts",
     DV_OPT_PATH, offsetof(dining_args, records), 0, 0},
    {0},
};

static const dv_option number_options[] = {
    {"numbers", "strict|lenient",
     "four plain numbers, or also units, kJ, mg, commas, ranges, other names, each nutrient by itself [strict]",
     DV_OPT_CHOICE, offsetof(dining_args, numbers), 0, 0},
    {0},
};

static const dv_option clean_options[] = {
    {"clean",
     "none|other|keye-vl-1.5-8b|mimo-vl-7b-rl-2508|minicpm-v-4.5|qwen-3-vl-4b-thinking|qwen-3-vl-8b-thinking|"
     "qwen-3-vl-30b-a3b-thinking",
     "with --scoring compat: answers are the raw output of this model, to be cleaned as DiningBench does [none]",
     DV_OPT_CHOICE, offsetof(dining_args, model), 0, 0},
    {0},
};

static const dv_option judge_options[] = {
    {"judge", "FILE.jsonl[,...]",
     "verdicts, with idx and eval_result, of one or several judges; the first one decides [eval_result of --pred]",
     DV_OPT_PATHS, offsetof(dining_args, judges), 0, 0},
    {0},
};

/* ---- Fields --------------------------------------------------------------------------------------------------------
 */

typedef struct field_list {
    char *text; /* the names with NULs between them; owned */
    size_t n;
    const char **names; /* [n], owned; the texts are parts of `text` */
} field_list;

static void clear_fields(field_list *list) {
    free(list->names);
    free(list->text);
}

static dv_status split_fields(const char *text, field_list *list) {
    *list = (field_list){0};
    if (!text) return DV_OK;
    list->text = strdup(text);
    list->names = calloc(strlen(text) + 1, sizeof *list->names);
    if (!list->text || !list->names) return dv_app_fail(DV_E_NOMEM, "no memory for names of fields");
    for (char *at = list->text, *name; (name = strsep(&at, ","));) {
        if (!*name) return dv_app_fail(DV_E_USAGE, "--group-by %s: a name is empty", text);
        for (size_t i = 0; i < list->n; i++)
            if (strcmp(list->names[i], name) == 0)
                return dv_app_fail(DV_E_USAGE, "--group-by %s: %s is there twice", text, name);
        list->names[list->n++] = name;
    }
    return DV_OK;
}

/* The reference has scores of all records alone. */
static dv_status check_compat(const dining_args *args) {
    if (args->scoring != DV_DINING_COMPAT && args->model)
        return dv_app_fail(DV_E_USAGE, "--clean: strict scoring cleans all answers alike; needs --scoring compat");
    if (args->scoring != DV_DINING_COMPAT) return DV_OK;
    if (args->against)
        return dv_app_fail(DV_E_USAGE,
                           "--against: the reference compares nothing, so --scoring compat does not either");
    if (args->fields)
        return dv_app_fail(DV_E_USAGE, "--group-by: the reference has no groups, so --scoring compat has none either");
    if (args->numbers == DV_DINING_NUMBERS_LENIENT)
        return dv_app_fail(
            DV_E_USAGE,
            "--numbers lenient: the reference reads numbers in its own way alone, and so does --scoring compat");
    return DV_OK;
}

static dv_status check_edges(const dining_args *args) {
    if (args->edges.n && !args->fields) return dv_app_fail(DV_E_USAGE, "--ranges: needs --group-by");
    for (size_t i = 1; i < args->edges.n; i++)
        if (args->edges.values[i] <= args->edges.values[i - 1])
            return dv_app_fail(DV_E_USAGE, "--ranges: %d after %d: must rise", args->edges.values[i],
                               args->edges.values[i - 1]);
    return DV_OK;
}

/* ---- Results -------------------------------------------------------------------------------------------------------
 */

static void add_settings(dv_report *report, const dv_app_context *context, const dining_args *args,
                         const dv_dining_options *chosen) {
    dv_report_setting_text(report, "scoring", scoring_words[chosen->scoring]);
    if (chosen->task != DV_DINING_VQA) dv_report_setting_text(report, "clean", dv_dining_model_name(chosen->model));
    if (chosen->task == DV_DINING_NUTRITION) /* the reference has its own way with numbers */
        dv_report_setting_text(report, "numbers",
                               chosen->scoring == DV_DINING_STRICT ? numbers_words[chosen->numbers] : NULL);
    dv_report_setting_text(report, "group_by", args->fields);
    dv_report_setting_list(report, "ranges", chosen->edges, chosen->n_edges);
    if (chosen->task == DV_DINING_VQA) {
        const dv_names judges = {args->judges.n, args->judges.paths};
        dv_report_setting_names(report, "judges", &judges);
    }
    if (args->against) {
        dv_report_setting_count(report, "bootstrap", args->n_resamples);
        dv_report_setting_count(report, "seed", context->common.seed);
    }
    dv_report_setting_bool(report, "allow_empty", chosen->allow_empty);
}

static dv_status print_json(const dv_app_context *context, const dining_args *args, const dv_dining_options *chosen,
                            const dv_dining_result *result, const dv_dining_comparison *comparison,
                            dv_resources *resources) {
    dv_report *report;
    DV_TRY(dv_report_create("denseval dining v1", context->command, &report));
    add_settings(report, context, args, chosen);
    dv_report_dining(report, chosen, result);
    if (args->against) dv_report_dining_comparison(report, args->against, comparison);
    dv_resources_stop(resources);
    dv_report_resources(report, resources, NULL, NULL, 0);
    const dv_status status = dv_output_report(report);
    dv_report_free(report);
    return status;
}

static dv_status print_table(const dining_args *args, const dv_dining_options *chosen, const dv_dining_result *result,
                             const dv_dining_comparison *comparison) {
    char *text;
    DV_TRY(dv_report_dining_table(chosen, result, &text));
    dv_print("%s", text);
    free(text);
    if (args->against) {
        DV_TRY(dv_report_dining_comparison_table(args->against, comparison, &text));
        dv_print("%s", text);
        free(text);
    }
    if (args->records) dv_print("\nrecords: %s\n", args->records);
    return DV_OK;
}

/* ---- Command -------------------------------------------------------------------------------------------------------
 */

static dv_status check_target(const dv_app_context *context, const dining_args *args) {
    if (!args->records) return DV_OK;
    DV_TRY(dv_target_check_new(args->records, context->common.force));
    DV_TRY(dv_target_check_input("--per-record", args->records, args->truth));
    if (args->against) DV_TRY(dv_target_check_input("--per-record", args->records, args->against));
    DV_TRY(dv_target_check_inputs("--per-record", args->records, &args->judges));
    return dv_target_check_input("--per-record", args->records, args->pred);
}

static dv_status compare_with(const dv_app_context *context, const dining_args *args, dv_dining_task task,
                              const dv_dining_result *result, const dv_dining_result *other,
                              dv_dining_comparison *comparison) {
    return dv_dining_compare(task, result, other, args->n_resamples, context->common.seed, context->n_threads,
                             comparison);
}

/* The other answers are scored as these are; their verdicts stand in their file. */
static dv_status compare(const dv_app_context *context, const dining_args *args, const dv_dining_options *chosen,
                         const dv_dining_result *result, dv_dining_comparison *comparison) {
    dv_dining_options others = *chosen;
    dv_dining_result other;
    if (!args->against) return DV_OK;
    if (strcmp(args->against, args->pred) == 0 && args->judges.n == 0) /* its warnings are not said twice */
        return compare_with(context, args, chosen->task, result, result, comparison);
    others.is_against = true;
    others.pred = args->against;
    others.n_judges = 0;
    others.n_fields = 0;
    DV_TRY(dv_dining_run(&others, &other));
    const dv_status status = compare_with(context, args, chosen->task, result, &other, comparison);
    dv_dining_result_clear(&other);
    return status;
}

static dv_status run_task(const dv_app_context *context, const dining_args *args, dv_dining_task task,
                          const field_list *fields) {
    const dv_dining_options chosen = {
        .task = task,
        .scoring = args->scoring,
        .numbers = args->numbers,
        .model = args->model,
        .truth = args->truth,
        .pred = args->pred,
        .n_fields = fields->n,
        .fields = fields->names,
        .n_edges = args->edges.n,
        .edges = args->edges.values,
        .n_judges = args->judges.n,
        .judges = dv_path_list_items(&args->judges),
        .allow_empty = context->common.allow_empty,
        .n_threads = context->n_threads,
    };
    dv_dining_result result;
    dv_resources resources;
    dv_dining_comparison comparison;
    DV_TRY(check_compat(args));
    DV_TRY(check_edges(args));
    DV_TRY(check_target(context, args));
    dv_resources_start(&resources, context->n_threads);
    DV_TRY(dv_dining_run(&chosen, &result));
    dv_status status = compare(context, args, &chosen, &result, &comparison);
    if (status == DV_OK && args->records)
        status = dv_dining_save_records(args->records, context->common.force, &chosen, &result);
    if (status == DV_OK)
        status = context->common.json ? print_json(context, args, &chosen, &result, &comparison, &resources)
                                      : print_table(args, &chosen, &result, &comparison);
    dv_dining_result_clear(&result);
    return status;
}

static dv_status run_with_fields(const dv_app_context *context, const dining_args *args, dv_dining_task task) {
    field_list fields;
    dv_status status = split_fields(args->fields, &fields);
    if (status == DV_OK) status = run_task(context, args, task, &fields);
    clear_fields(&fields);
    return status;
}

static dv_status run_classification(const dv_app_context *context, void *arguments) {
    return run_with_fields(context, arguments, DV_DINING_CLASSIFICATION);
}

static dv_status run_nutrition(const dv_app_context *context, void *arguments) {
    return run_with_fields(context, arguments, DV_DINING_NUTRITION);
}

static dv_status run_vqa(const dv_app_context *context, void *arguments) {
    return run_with_fields(context, arguments, DV_DINING_VQA);
}

enum { COMMON = DV_COMMON_JSON | DV_COMMON_THREADS | DV_COMMON_SEED | DV_COMMON_FORCE | DV_COMMON_ALLOW_EMPTY };

static const dv_option_group cleaned[] = {{"Raw output", clean_options, 0}, {0}};

static const dv_command classification = {
    .name = "classification",
    .summary = "Accuracy of options that were named",
    .usage = "--truth FILE.jsonl --pred FILE.jsonl [OPTIONS]",
    .notes =
        "An answer is an option A to H that stands alone, in brackets, in a box, or after a word like answer; where "
        "several are named it is none. Thinking is left out. A missing answer is a wrong one.",
    .options = options,
    .shared = cleaned,
    .common = COMMON,
    .required = "truth pred",
    .args_size = sizeof(dining_args),
    .defaults = &defaults,
    .run = run_classification,
};

static const dv_option_group numbered[] = {{"Numbers", number_options, 0}, {"Raw output", clean_options, 0}, {0}};

static const dv_command nutrition = {
    .name = "nutrition",
    .summary = "Errors of energy and nutrients",
    .usage = "--truth FILE.jsonl --pred FILE.jsonl [OPTIONS]",
    .notes =
        "An answer is the last JSON object with calories, protein, carbohydrates and fat in a text. What is missing "
        "or cannot be read costs the truth, and 100 %. Energy in kcal, the others in grams.",
    .options = options,
    .shared = numbered,
    .common = COMMON,
    .required = "truth pred",
    .args_size = sizeof(dining_args),
    .defaults = &defaults,
    .run = run_nutrition,
};

static const dv_option_group judged[] = {{"Judges", judge_options, 0}, {0}};

static const dv_command vqa = {
    .name = "vqa",
    .summary = "Accuracy of free answers that a judge compared with the key",
    .usage = "--truth FILE.jsonl --pred FILE.jsonl [--judge FILE.jsonl] [OPTIONS]",
    .notes =
        "A verdict is its first word, yes or no, and counts only for the answer it was given for. What is undecided "
        "or not judged is not right, and the accuracy were all of it right stands beside.",
    .options = options,
    .shared = judged,
    .common = COMMON,
    .required = "truth pred",
    .args_size = sizeof(dining_args),
    .defaults = &defaults,
    .run = run_vqa,
};

static const dv_command *const subcommands[] = {&classification, &nutrition, &vqa, NULL};

const dv_command dv_cmd_dining = {
    .name = "dining",
    .summary = "Score answers about dishes",
    .usage = "SUBCOMMAND [OPTIONS]",
    .subcommands = subcommands,
};
