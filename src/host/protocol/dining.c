#include "denseval/dining.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/unicode.h"
#include "protocol/dining_groups.h"
#include "protocol/dining_join.h"
#include "protocol/dining_judges.h"
#include "protocol/dining_read.h"
#include "protocol/dining_scores.h"

const char *dv_nutrient_name(size_t nutrient) {
    static const char *const names[DV_N_NUTRIENTS] = {"calories", "protein", "carbohydrates", "fat"};
    return nutrient < DV_N_NUTRIENTS ? names[nutrient] : "unknown";
}

const char *dv_dining_state_name(dv_dining_task task, dv_dining_state state) {
    static const char *const names[DV_N_DINING_STATES] = {"missing", "failed", "unparsable", "wrong",    "correct",
                                                          "parsed",  "no_key", "not_judged", "undecided"};
    if (task == DV_DINING_VQA && state == DV_DINING_CORRECT) return "yes";
    if (task == DV_DINING_VQA && state == DV_DINING_WRONG) return "no";
    return (size_t)state < DV_N_DINING_STATES ? names[state] : "unknown";
}

const char *dv_dining_repair_name(dv_dining_repair repair) {
    static const char *const names[DV_N_DINING_REPAIRS] = {"unit",  "kilojoule", "milligram", "comma",
                                                           "about", "range",     "name",      "partial"};
    return (size_t)repair < DV_N_DINING_REPAIRS ? names[repair] : "unknown";
}

const char *dv_dining_model_name(dv_dining_model model) {
    static const char *const names[DV_N_DINING_MODELS] = {"none",
                                                          "other",
                                                          "keye-vl-1.5-8b",
                                                          "mimo-vl-7b-rl-2508",
                                                          "minicpm-v-4.5",
                                                          "qwen-3-vl-4b-thinking",
                                                          "qwen-3-vl-8b-thinking",
                                                          "qwen-3-vl-30b-a3b-thinking"};
    return (size_t)model < DV_N_DINING_MODELS ? names[model] : "unknown";
}

/* ---- What is odd ---------------------------------------------------------------------------------------------------
 */

static void count_confusion(dv_dining_result *result) {
    for (size_t q = 0; q < result->n; q++) {
        const char right = result->questions[q].letter, named = result->answers[q].letter;
        if (right) result->confusion[right - 'A'][named ? named - 'A' : DV_N_OPTIONS]++;
    }
}

static dv_status list_odd(dv_dining_result *result) {
    for (size_t q = 0; q < result->n; q++) {
        const dv_dining_question *const question = &result->questions[q];
        if (result->answers[q].key_conflict) DV_TRY(dv_dining_list_add(&result->key_conflicts, q));
        if (question->unreadable) DV_TRY(dv_dining_list_add(&result->truth_unreadable, q));
        for (size_t i = 0; i < DV_N_NUTRIENTS; i++)
            result->n_missing_values[i] += !question->unreadable && !question->has_values[i];
    }
    return DV_OK;
}

static void log_odd(const dv_dining_options *options, const dv_dining_result *result) {
    const bool nutrition = options->task == DV_DINING_NUTRITION;
    if (result->truth_unreadable.n && !options->is_against)
        dv_log(DV_LOG_WARNING, "%s: question %llu: ground_truth: %s (questions of this kind: %zu)", options->truth,
               (unsigned long long)result->truth_unreadable.numbers[0],
               nutrition ? "is no object of nutrients: left out" : "is no option A to H: no answer is right",
               result->truth_unreadable.n);
}

static void count_repairs(dv_dining_result *result) {
    for (size_t q = 0; q < result->n; q++) {
        const unsigned repairs = result->answers[q].repairs;
        result->n_repaired += repairs != 0;
        for (size_t i = 0; i < DV_N_DINING_REPAIRS; i++) result->n_repairs[i] += repairs >> i & 1;
    }
}

static bool has_all_values(const dv_dining_answer *answer) {
    for (size_t i = 0; i < DV_N_NUTRIENTS; i++)
        if (!dv_dining_has_value(answer, i)) return false;
    return true;
}

/* Whether energy, protein, carbohydrates and fat can be of one dish: within a tenth of the stated energy; and whether
 * its ratio to the energy of the others is near 4.184. */
static void check_energy(dv_dining_energy *energy, size_t question, const double *values) {
    const double stated = values[0], expected = 4 * values[1] + 4 * values[2] + 9 * values[3];
    energy->n_checked++;
    if (!(fabs(stated - expected) > 0.1 * fabs(stated))) return;
    const bool kj = expected > 0 && fabs(stated / expected - 4.184) <= 0.4184;
    energy->n_flagged++;
    energy->n_kj += kj;
    if (energy->n_listed < DV_MOST_ATWATER)
        energy->flagged[energy->n_listed++] = (dv_dining_atwater){question, stated, expected, kj};
}

static dv_status check_energies(dv_dining_result *result) {
    DV_TRY(dv_alloc(DV_MOST_ATWATER, sizeof *result->truth_energy.flagged, "flagged dishes",
                    &result->truth_energy.flagged));
    DV_TRY(
        dv_alloc(DV_MOST_ATWATER, sizeof *result->pred_energy.flagged, "flagged dishes", &result->pred_energy.flagged));
    for (size_t q = 0; q < result->n; q++) {
        const bool *const has = result->questions[q].has_values;
        if (has[0] && has[1] && has[2] && has[3]) check_energy(&result->truth_energy, q, result->questions[q].values);
        if (has_all_values(&result->answers[q])) check_energy(&result->pred_energy, q, result->answers[q].values);
    }
    return DV_OK;
}

/* ---- Groups --------------------------------------------------------------------------------------------------------
 */

static dv_status score_field(const dv_dining_options *options, dv_dining_values *values, double *scratch,
                             dv_dining_result *result, dv_dining_field *field) {
    dv_dining_partition parts;
    dv_status status = dv_dining_partition_make(values, &parts);
    if (status == DV_OK) status = dv_alloc(values->n, sizeof *field->groups, "groups", &field->groups);
    for (size_t v = 0; status == DV_OK && v < values->n; v++) {
        const size_t first = parts.starts[v], n = parts.starts[v + 1] - first;
        status = dv_strdup(values->names[parts.order[v]], &field->groups[v].value);
        if (status != DV_OK) break;
        field->n = v + 1;
        dv_dining_summarise(result, options->task, parts.members + first, n, scratch, &field->groups[v].summary);
    }
    dv_dining_partition_clear(&parts);
    return status;
}

static dv_status score_fields(const dv_dining_options *options, dv_dining_values *fields, double *scratch,
                              dv_dining_result *result) {
    DV_TRY(dv_alloc(options->n_fields, sizeof *result->fields, "groups", &result->fields));
    for (size_t f = 0; f < options->n_fields; f++) {
        DV_TRY(dv_strdup(options->fields[f], &result->fields[f].name));
        result->n_fields = f + 1;
        DV_TRY(score_field(options, &fields[f], scratch, result, &result->fields[f]));
    }
    return DV_OK;
}

/* ---- Run -----------------------------------------------------------------------------------------------------------
 */

static dv_status check_counts(const dv_dining_options *options, const dv_dining_result *result) {
    if (options->allow_empty) return DV_OK;
    if (result->n == 0) return dv_fail(DV_E_DATA, "%s: holds no question", options->truth);
    for (size_t q = 0; q < result->n; q++)
        if (result->answers[q].line) return DV_OK;
    return dv_fail(DV_E_DATA, "%s: holds no record with an idx of %s: nothing is scored", options->pred,
                   options->truth);
}

static dv_status score(const dv_dining_options *options, dv_dining_values *fields, dv_dining_result *result) {
    double *scratch;
    DV_TRY(check_counts(options, result));
    count_confusion(result);
    DV_TRY(list_odd(result));
    count_repairs(result);
    log_odd(options, result);
    if (options->task == DV_DINING_NUTRITION) DV_TRY(check_energies(result));
    if (options->scoring == DV_DINING_COMPAT && options->task == DV_DINING_VQA) return DV_OK; /* the judges' count */
    if (options->scoring == DV_DINING_COMPAT) return dv_dining_summarise_compat(result, options->pred);
    DV_TRY(dv_alloc_unset(result->n + 1, sizeof *scratch, "errors of questions", &scratch));
    dv_dining_summarise(result, options->task, NULL, result->n, scratch, &result->summary);
    const dv_status status = score_fields(options, fields, scratch, result);
    free(scratch);
    return status;
}

static dv_status read_files(const dv_dining_options *options, dv_dining_result *result, dv_dining_values *fields) {
    dv_dining_verdicts verdicts = {0};
    dv_pool *pool;
    DV_TRY(dv_pool_create(options->n_threads, &pool));
    dv_status status = dv_dining_read_truth(options, pool, result, fields);
    if (status == DV_OK) status = dv_dining_read_answers(options, pool, result, &verdicts);
    if (status == DV_OK && options->task == DV_DINING_VQA)
        status = dv_dining_read_judges(options, pool, &verdicts, result);
    free(verdicts.records);
    dv_pool_free(pool);
    return status;
}

static dv_status run(const dv_dining_options *options, dv_dining_result *result) {
    dv_dining_values *fields;
    DV_TRY(dv_alloc(options->n_fields, sizeof *fields, "fields", &fields));
    dv_status status = read_files(options, result, fields);
    if (status == DV_OK) status = score(options, fields, result);
    for (size_t f = 0; f < options->n_fields; f++) dv_dining_values_clear(&fields[f]);
    free(fields);
    return status;
}

static dv_status check_options(const dv_dining_options *options) {
    const bool compat = options->scoring == DV_DINING_COMPAT;
    if (compat && options->n_fields)
        return dv_fail(DV_E_USAGE, "groups: the reference has none, so --scoring compat has none either");
    for (size_t f = 0; f < options->n_fields; f++)
        if (!dv_unicode_is_sound(options->fields[f], strlen(options->fields[f])))
            return dv_fail(DV_E_USAGE, "group by %s: is no UTF-8", options->fields[f]);
    if (compat && options->numbers == DV_DINING_NUMBERS_LENIENT)
        return dv_fail(DV_E_USAGE, "lenient numbers: the reference reads them in its own way alone");
    if (options->model && (!compat || options->task == DV_DINING_VQA))
        return dv_fail(DV_E_USAGE,
                       "a model to clean by: only the reference's scores of options and nutrients take one");
    return DV_OK;
}

dv_status dv_dining_run(const dv_dining_options *options, dv_dining_result *result) {
    *result = (dv_dining_result){0};
    DV_TRY(check_options(options));
    const dv_status status = run(options, result);
    if (status != DV_OK) dv_dining_result_clear(result);
    return status;
}

void dv_dining_result_clear(dv_dining_result *result) {
    dv_dining_join_clear(&result->join);
    free(result->key_conflicts.numbers);
    free(result->truth_unreadable.numbers);
    for (size_t f = 0; f < result->n_fields; f++) {
        for (size_t g = 0; g < result->fields[f].n; g++) free(result->fields[f].groups[g].value);
        free(result->fields[f].groups);
        free(result->fields[f].name);
    }
    free(result->fields);
    for (size_t i = 0; i < result->n_judges; i++) {
        free(result->judges[i].path);
        free(result->judges[i].verdicts);
    }
    free(result->judges);
    free(result->agreements);
    free(result->truth_energy.flagged);
    free(result->pred_energy.flagged);
    free(result->questions);
    free(result->answers);
    *result = (dv_dining_result){0};
}
