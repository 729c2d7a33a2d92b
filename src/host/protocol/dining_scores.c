#include "protocol/dining_scores.h"

#include <math.h>
#include <string.h>

#include "core/check.h"

/* ---- Errors --------------------------------------------------------------------------------------------------------
 */

/* The k-th smallest of n numbers, which are put in another order: those before place k are not larger, those behind it
 * not smaller. Source: Wirth, Algorithms + Data Structures = Programs, 1976, section 2.3.2. */
static double select_smallest(double *values, size_t n, size_t k) {
    ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, place = (ptrdiff_t)k;
    while (low < high) {
        const double pivot = values[place];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot) i++;
            while (pivot < values[j]) j--;
            if (i > j) break;
            const double held = values[i];
            values[i++] = values[j];
            values[j--] = held;
        }
        if (j < place) low = i;
        if (place < i) high = j;
    }
    return values[k];
}

static double median_of(double *values, size_t n) {
    if (n == 0) return (double)NAN;
    const double upper = select_smallest(values, n, n / 2);
    if (n % 2) return upper;
    double lower = values[0];
    for (size_t i = 1; i < n / 2; i++)
        if (values[i] > lower) lower = values[i];
    return (lower + upper) / 2;
}

typedef struct error_sums {
    size_t n, n_mape;
    double absolute, squared, percent;
} error_sums;

/* What is not parsed costs the truth, and 100 %. */
static void add_error(error_sums *sums, double truth, const double *parsed, double *errors) {
    const double error = parsed ? fabs(*parsed - truth) : fabs(truth);
    if (errors) errors[sums->n] = error;
    sums->n++;
    sums->absolute += error;
    sums->squared += error * error;
    if (truth == 0) return;
    sums->n_mape++;
    sums->percent += parsed ? fabs((*parsed - truth) / truth) * 100 : 100;
}

static double mean_of(double sum, size_t n, double nothing) {
    return n ? sum / (double)n : nothing;
}

static dv_dining_error finish(const error_sums *sums, double nothing) {
    return (dv_dining_error){.n = sums->n,
                             .n_mape = sums->n_mape,
                             .mae = mean_of(sums->absolute, sums->n, nothing),
                             .rmse = sqrt(mean_of(sums->squared, sums->n, nothing)),
                             .mape = mean_of(sums->percent, sums->n_mape, nothing),
                             .median = nothing};
}

static double average_mape(const dv_dining_errors *errors) {
    double sum = 0;
    for (size_t i = 0; i < DV_N_NUTRIENTS; i++) sum += errors->nutrients[i].mape;
    return sum / DV_N_NUTRIENTS; /* NaN where one is */
}

bool dv_dining_has_value(const dv_dining_answer *answer, size_t nutrient) {
    return answer->state == DV_DINING_PARSED && !isnan(answer->values[nutrient]);
}

/* ---- Strict --------------------------------------------------------------------------------------------------------
 */

static void sum_errors(const dv_dining_result *result, const uint32_t *members, size_t n, bool valid, double *scratch,
                       dv_dining_errors *errors) {
    for (size_t i = 0; i < DV_N_NUTRIENTS; i++) {
        error_sums sums = {0};
        for (size_t m = 0; m < n; m++) {
            const size_t q = members ? members[m] : m;
            const bool parsed = dv_dining_has_value(&result->answers[q], i);
            if (!result->questions[q].has_values[i] || (valid && !parsed)) continue;
            add_error(&sums, result->questions[q].values[i], parsed ? &result->answers[q].values[i] : NULL, scratch);
        }
        errors->nutrients[i] = finish(&sums, (double)NAN);
        errors->nutrients[i].median = median_of(scratch, sums.n);
    }
    errors->average_mape = average_mape(errors);
}

void dv_dining_summarise(const dv_dining_result *result, dv_dining_task task, const uint32_t *members, size_t n,
                         double *scratch, dv_dining_summary *summary) {
    *summary = (dv_dining_summary){.n = n};
    for (size_t m = 0; m < n; m++) summary->states[result->answers[members ? members[m] : m].state]++;
    if (task == DV_DINING_NUTRITION) {
        sum_errors(result, members, n, false, scratch, &summary->all);
        sum_errors(result, members, n, true, scratch, &summary->valid);
        return;
    }
    const size_t n_correct = summary->states[DV_DINING_CORRECT],
                 n_answered = n_correct + summary->states[DV_DINING_WRONG];
    const size_t n_open = summary->states[DV_DINING_UNDECIDED] + summary->states[DV_DINING_NOT_JUDGED];
    n -= summary->states[DV_DINING_NO_KEY];
    summary->accuracy = mean_of((double)n_correct, n, (double)NAN);
    summary->accuracy_high = mean_of((double)(n_correct + n_open), n, (double)NAN);
    summary->accuracy_answered = mean_of((double)n_correct, n_answered, (double)NAN);
    summary->coverage = mean_of((double)n_answered, n, (double)NAN);
}

/* ---- Compat --------------------------------------------------------------------------------------------------------
 */

static dv_status crash(const char *pred, uint64_t line, const char *why) {
    return dv_fail(DV_E_DATA,
                   "%s: line %llu: %s: the reference ends with an exception here, which --scoring compat cannot score",
                   pred, (unsigned long long)line, why);
}

/* Python's floats are not squared beyond what a double holds, and its integers are not made floats there. */
static dv_status sum_errors_compat(const dv_dining_result *result, size_t n, const char *pred,
                                   dv_dining_errors *errors) {
    for (size_t i = 0; i < DV_N_NUTRIENTS; i++) {
        error_sums sums = {0};
        for (size_t q = 0; q < n; q++) {
            const dv_dining_answer *const answer = &result->answers[q];
            const double truth = result->questions[q].values[i];
            const bool parsed = answer->state == DV_DINING_PARSED;
            if (answer->line && !result->questions[q].has_values[i] && isinf(truth))
                return crash(pred, answer->line, "the truth is too large an integer");
            if (!answer->line || !result->questions[q].has_values[i]) continue;
            const double error = fabs(parsed ? answer->values[i] - truth : truth);
            if (isfinite(error) && isinf(error * error)) return crash(pred, answer->line, "the error is too large");
            add_error(&sums, truth, parsed ? &answer->values[i] : NULL, NULL);
        }
        errors->nutrients[i] = finish(&sums, 0);
    }
    errors->average_mape = average_mape(errors);
    return DV_OK;
}

/* Nutrition: is the answer never looked at, for its truth cannot be read? */
static bool is_passed_over(const dv_dining_result *result, size_t q) {
    return result->questions[q].unreadable && result->answers[q].line;
}

static dv_status check_text(const dv_dining_result *result, size_t n_paired, const char *pred) {
    for (size_t q = 0; q < n_paired; q++)
        if (result->answers[q].line && !result->answers[q].is_text && !is_passed_over(result, q))
            return crash(pred, result->answers[q].line, "model_pred: is no text");
    return DV_OK;
}

dv_status dv_dining_summarise_compat(dv_dining_result *result, const char *pred) {
    const size_t n = result->n, n_keys = result->join.n_keys, n_paired = n < n_keys ? n : n_keys;
    dv_dining_summary *const summary = &result->summary;
    dv_dining_compat *const compat = &result->compat;
    *compat = (dv_dining_compat){.n_paired = n_paired, .n_truth = n, .n_keys = n_keys};
    compat->n_fail_load = result->join.bad.n + (n > n_keys ? n - n_keys : 0);
    DV_TRY(check_text(result, n_paired, pred));
    summary->n = n_paired;
    for (size_t q = 0; q < n_paired; q++) {
        if (is_passed_over(result, q))
            compat->n_truth_missing++;
        else
            summary->states[result->answers[q].state]++;
    }
    compat->n_unreadable = summary->states[DV_DINING_UNREADABLE];
    compat->n_correct = summary->states[DV_DINING_CORRECT];
    summary->accuracy = mean_of((double)compat->n_correct, n_paired, 0);
    return sum_errors_compat(result, n_paired, pred, &summary->all);
}
