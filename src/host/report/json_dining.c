#include <math.h>

#include "report/dining_letters.h"
#include "report/json_report.h"

/* DiningBench's programs print nan and inf, which JSON has no numbers for. */
static json_t *real_of(const dv_dining_options *options, double value) {
    if (options->scoring == DV_DINING_STRICT || isfinite(value)) return dv_json_real(value);
    return json_string(isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

/* ---- Errors --------------------------------------------------------------------------------------------------------
 */

static json_t *error_of(dv_report *report, const dv_dining_options *options, const dv_dining_error *error) {
    json_t *const made = json_object();
    dv_report_set(report, made, "mae", real_of(options, error->mae));
    dv_report_set(report, made, "rmse", real_of(options, error->rmse));
    dv_report_set(report, made, "mape", real_of(options, error->mape));
    dv_report_set(report, made, "n", dv_json_count(error->n));
    dv_report_set(report, made, "n_mape", dv_json_count(error->n_mape));
    if (options->scoring == DV_DINING_STRICT)
        dv_report_set(report, made, "median_abs_error", dv_json_real(error->median));
    return made;
}

static void set_errors(dv_report *report, const dv_dining_options *options, json_t *object,
                       const dv_dining_errors *errors) {
    json_t *const nutrients = json_object();
    for (size_t i = 0; i < DV_N_NUTRIENTS; i++)
        dv_report_set(report, nutrients, dv_nutrient_name(i), error_of(report, options, &errors->nutrients[i]));
    dv_report_set(report, object, "nutrients", nutrients);
    dv_report_set(report, object, "average_mape", real_of(options, errors->average_mape));
}

/* ---- Scores --------------------------------------------------------------------------------------------------------
 */

static void set_count(dv_report *report, json_t *object, const char *name, size_t count) {
    dv_report_set(report, object, name, dv_json_count(count));
}

static void set_classification(dv_report *report, json_t *object, const dv_dining_summary *summary) {
    dv_report_set(report, object, "accuracy", dv_json_real(summary->accuracy));
    dv_report_set(report, object, "accuracy_answered", dv_json_real(summary->accuracy_answered));
    dv_report_set(report, object, "coverage", dv_json_real(summary->coverage));
    set_count(report, object, "correct", summary->states[DV_DINING_CORRECT]);
    set_count(report, object, "wrong", summary->states[DV_DINING_WRONG]);
}

static void set_nutrition(dv_report *report, const dv_dining_options *options, json_t *object,
                          const dv_dining_summary *summary) {
    json_t *const valid = json_object();
    set_errors(report, options, object, &summary->all);
    set_errors(report, options, valid, &summary->valid);
    dv_report_set(report, object, "valid_only", valid);
    set_count(report, object, "parsed", summary->states[DV_DINING_PARSED]);
}

static void set_judged(dv_report *report, json_t *object, const dv_dining_summary *summary) {
    dv_report_set(report, object, "scored", dv_json_count(summary->n - summary->states[DV_DINING_NO_KEY]));
    dv_report_set(report, object, "accuracy", dv_json_real(summary->accuracy));
    dv_report_set(report, object, "accuracy_low", dv_json_real(summary->accuracy));
    dv_report_set(report, object, "accuracy_high", dv_json_real(summary->accuracy_high));
    dv_report_set(report, object, "accuracy_judged", dv_json_real(summary->accuracy_answered));
    set_count(report, object, "yes", summary->states[DV_DINING_CORRECT]);
    set_count(report, object, "no", summary->states[DV_DINING_WRONG]);
    set_count(report, object, "undecided", summary->states[DV_DINING_UNDECIDED]);
    set_count(report, object, "not_judged", summary->states[DV_DINING_NOT_JUDGED]);
    set_count(report, object, "no_key", summary->states[DV_DINING_NO_KEY]);
}

/* The strict scores of all questions, or of a group. */
static void set_summary(dv_report *report, const dv_dining_options *options, json_t *object,
                        const dv_dining_summary *summary) {
    set_count(report, object, "records", summary->n);
    if (options->task == DV_DINING_NUTRITION)
        set_nutrition(report, options, object, summary);
    else if (options->task == DV_DINING_VQA)
        set_judged(report, object, summary);
    else
        set_classification(report, object, summary);
    set_count(report, object, "unparsable",
              summary->states[DV_DINING_UNREADABLE] + summary->states[DV_DINING_UNDECIDED]);
    set_count(report, object, "failed", summary->states[DV_DINING_FAILED]);
    set_count(report, object, "missing", summary->states[DV_DINING_MISSING]);
}

static json_t *list_of(dv_report *report, const dv_dining_list *list) {
    json_t *const made = json_array();
    for (size_t i = 0; i < list->n; i++) dv_report_append(report, made, dv_json_count(list->numbers[i]));
    return made;
}

static json_t *join_of(dv_report *report, const dv_dining_join *join) {
    json_t *const made = json_object();
    dv_report_set(report, made, "bad_lines", list_of(report, &join->bad));
    dv_report_set(report, made, "duplicate", list_of(report, &join->duplicate));
    dv_report_set(report, made, "unknown", list_of(report, &join->unknown));
    dv_report_set(report, made, "no_index", list_of(report, &join->no_index));
    dv_report_set(report, made, "text_index", list_of(report, &join->text_index));
    return made;
}

/* ---- Options -------------------------------------------------------------------------------------------------------
 */

static json_t *option_of(dv_report *report, const dv_dining_result *result, size_t option, uint64_t right,
                         uint64_t named) {
    json_t *const made = json_object();
    const char letter[] = {(char)('A' + option), '\0'};
    const double correct = (double)result->confusion[option][option];
    dv_report_set(report, made, "option", json_string(letter));
    dv_report_set(report, made, "n", dv_json_count(right));
    dv_report_set(report, made, "named", dv_json_count(named));
    dv_report_set(report, made, "correct", dv_json_count(result->confusion[option][option]));
    dv_report_set(report, made, "accuracy", dv_json_real(right ? correct / (double)right : (double)NAN));
    dv_report_set(report, made, "precision", dv_json_real(named ? correct / (double)named : (double)NAN));
    return made;
}

/* Options up to the last one that is a key or an answer. */
static void put_options(dv_report *report, const dv_dining_result *result) {
    json_t *const options = json_array(), *const confusion = json_array();
    size_t n = 0;
    uint64_t right, named;
    for (size_t i = 0; i < DV_N_OPTIONS; i++) {
        dv_dining_letter_count(result, i, &right, &named);
        if (right || named) n = i + 1;
    }
    for (size_t i = 0; i < n; i++) {
        json_t *const row = json_array();
        dv_dining_letter_count(result, i, &right, &named);
        dv_report_append(report, options, option_of(report, result, i, right, named));
        for (size_t k = 0; k < n; k++) dv_report_append(report, row, dv_json_count(result->confusion[i][k]));
        dv_report_append(report, row, dv_json_count(result->confusion[i][DV_N_OPTIONS]));
        dv_report_append(report, confusion, row);
    }
    dv_report_top(report, "options", options);
    dv_report_top(report, "confusion", confusion);
}

/* ---- Energy --------------------------------------------------------------------------------------------------------
 */

static json_t *energy_of(dv_report *report, const dv_dining_energy *energy) {
    json_t *const made = json_object(), *const dishes = json_array();
    set_count(report, made, "checked", energy->n_checked);
    set_count(report, made, "flagged", energy->n_flagged);
    set_count(report, made, "look_like_kj", energy->n_kj);
    for (size_t i = 0; i < energy->n_listed; i++) {
        const dv_dining_atwater *const dish = &energy->flagged[i];
        json_t *const row = json_object();
        set_count(report, row, "idx", dish->question);
        dv_report_set(report, row, "calories", dv_json_real(dish->calories));
        dv_report_set(report, row, "atwater", dv_json_real(dish->expected));
        dv_report_set(report, row, "difference", dv_json_real(dish->calories - dish->expected));
        dv_report_set(report, row, "looks_like_kj", json_boolean(dish->looks_like_kj));
        dv_report_append(report, dishes, row);
    }
    dv_report_set(report, made, "dishes", dishes);
    return made;
}

static void put_energies(dv_report *report, const dv_dining_result *result) {
    json_t *const made = json_object(), *const missing = json_object();
    for (size_t i = 0; i < DV_N_NUTRIENTS; i++)
        set_count(report, missing, dv_nutrient_name(i), result->n_missing_values[i]);
    dv_report_top(report, "truth_missing_values", missing);
    dv_report_set(report, made, "truth", energy_of(report, &result->truth_energy));
    dv_report_set(report, made, "predictions", energy_of(report, &result->pred_energy));
    dv_report_top(report, "atwater", made);
}

static void put_repairs(dv_report *report, const dv_dining_result *result) {
    json_t *const made = json_object();
    set_count(report, made, "answers", result->n_repaired);
    for (size_t i = 0; i < DV_N_DINING_REPAIRS; i++)
        set_count(report, made, dv_dining_repair_name((dv_dining_repair)i), result->n_repairs[i]);
    dv_report_top(report, "repairs", made);
}

/* ---- Judges --------------------------------------------------------------------------------------------------------
 */

static json_t *judge_of(dv_report *report, const dv_dining_judge *judge) {
    json_t *const made = json_object();
    dv_report_set(report, made, "file", dv_json_text(judge->path));
    dv_report_set(report, made, "accuracy", dv_json_real(judge->accuracy));
    set_count(report, made, "yes", judge->counts[DV_VERDICT_YES]);
    set_count(report, made, "no", judge->counts[DV_VERDICT_NO]);
    set_count(report, made, "undecided", judge->counts[DV_VERDICT_UNDECIDED]);
    set_count(report, made, "not_judged", judge->counts[DV_VERDICT_NONE]);
    set_count(report, made, "stale", judge->n_stale);
    return made;
}

static void put_judges(dv_report *report, const dv_dining_result *result) {
    json_t *const judges = json_array(), *const pairs = json_array();
    for (size_t i = 0; i < result->n_judges; i++)
        dv_report_append(report, judges, judge_of(report, &result->judges[i]));
    for (size_t i = 0; i < result->n_agreements; i++) {
        const dv_dining_agreement *const pair = &result->agreements[i];
        json_t *const made = json_object();
        dv_report_set(report, made, "first", dv_json_text(result->judges[pair->first].path));
        dv_report_set(report, made, "second", dv_json_text(result->judges[pair->second].path));
        set_count(report, made, "n", pair->n);
        dv_report_set(report, made, "agreement", dv_json_real(pair->raw));
        dv_report_set(report, made, "kappa", dv_json_real(pair->kappa));
        dv_report_append(report, pairs, made);
    }
    dv_report_top(report, "judges", judges);
    dv_report_top(report, "agreements", pairs);
}

/* ---- Report --------------------------------------------------------------------------------------------------------
 */

static json_t *groups_of(dv_report *report, const dv_dining_options *options, const dv_dining_result *result) {
    json_t *const made = json_object();
    for (size_t f = 0; f < result->n_fields; f++) {
        json_t *const field = json_object();
        for (size_t g = 0; g < result->fields[f].n; g++) {
            json_t *const group = json_object();
            set_summary(report, options, group, &result->fields[f].groups[g].summary);
            dv_report_set(report, field, result->fields[f].groups[g].value, group);
        }
        dv_report_set(report, made, result->fields[f].name, field);
    }
    return made;
}

static void put_compat(dv_report *report, const dv_dining_options *options, const dv_dining_result *result) {
    const dv_dining_compat *const compat = &result->compat;
    json_t *const counts = json_object();
    dv_report_count(report, "records", compat->n_truth);
    if (options->task == DV_DINING_NUTRITION) {
        json_t *const scores = json_object();
        set_errors(report, options, scores, &result->summary.all);
        dv_report_top(report, "nutrients", json_incref(json_object_get(scores, "nutrients")));
        dv_report_top(report, "average_mape", json_incref(json_object_get(scores, "average_mape")));
        json_decref(scores);
        set_count(report, counts, "truth_missing", compat->n_truth_missing);
    } else {
        dv_report_top(report, "accuracy", dv_json_real(result->summary.accuracy));
        set_count(report, counts, "correct", compat->n_correct);
    }
    set_count(report, counts, "paired", compat->n_paired);
    dv_report_top(report, "reference", counts);
    if (options->task == DV_DINING_VQA) return;
    dv_report_count(report, "unparsable", compat->n_unreadable);
    dv_report_count(report, "missing", result->summary.states[DV_DINING_MISSING]);
    set_count(report, counts, "predictions", compat->n_keys);
    set_count(report, counts, "fail_load", compat->n_fail_load);
}

static void put_strict(dv_report *report, const dv_dining_options *options, const dv_dining_result *result) {
    json_t *const scores = json_object();
    const char *name;
    json_t *value;
    set_summary(report, options, scores, &result->summary);
    json_object_foreach(scores, name, value) dv_report_top(report, name, json_incref(value));
    json_decref(scores);
    if (options->task == DV_DINING_NUTRITION) {
        put_energies(report, result);
    } else if (options->task == DV_DINING_VQA) {
        put_judges(report, result);
    } else {
        put_options(report, result);
    }
    if (options->task != DV_DINING_VQA) {
        dv_report_top(report, "key_conflict", list_of(report, &result->key_conflicts));
        dv_report_top(report, "truth_unreadable", list_of(report, &result->truth_unreadable));
    }
    if (options->numbers == DV_DINING_NUMBERS_LENIENT) put_repairs(report, result);
    dv_report_top(report, "groups", groups_of(report, options, result));
}

/* Its hash as it was read, or, where it was not read whole, of the file as it is. */
static void put_input(dv_report *report, const char *path, const dv_file_hash *hash) {
    if (hash->text[0])
        dv_report_hashed_input(report, path, hash->size_bytes, hash->text);
    else
        dv_report_input(report, path);
}

void dv_report_dining(dv_report *report, const dv_dining_options *options, const dv_dining_result *result) {
    put_input(report, options->truth, &result->truth_hash);
    put_input(report, options->pred, &result->pred_hash);
    for (size_t i = 0; i < options->n_judges; i++) put_input(report, options->judges[i], &result->judges[i].hash);
    if (options->scoring == DV_DINING_COMPAT)
        put_compat(report, options, result);
    else
        put_strict(report, options, result);
    dv_report_top(report, "join", join_of(report, &result->join));
}
