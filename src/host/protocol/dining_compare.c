#include "denseval/dining_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "denseval/random.h"
#include "metrics/resampling.h"
#include "protocol/dining_scores.h"

enum { N_NUTRITION = 2 * DV_N_NUTRIENTS }; /* metrics that a question has a value of; the average has none */

/* ---- McNemar -------------------------------------------------------------------------------------------------------
 */

/* 2^-n times the sum of n over k, k = 0..most: exact while the sum is below 2^53. */
static double lower_tail(size_t n, size_t most) {
    enum { MOST_POWER = 512 };
    double term = 1, sum = 1;
    long power = -(long)n; /* of two, that both are to be multiplied by */
    for (size_t k = 1; k <= most; k++) {
        term = term * (double)(n - k + 1) / (double)k;
        sum += term;
        if (sum < ldexp(1, MOST_POWER)) continue;
        term = ldexp(term, -MOST_POWER);
        sum = ldexp(sum, -MOST_POWER);
        power += MOST_POWER;
    }
    return scalbln(sum, power);
}

void dv_mcnemar_test(dv_mcnemar *test) {
    const size_t a = test->first_only, b = test->second_only, n = a + b;
    test->statistic = (double)NAN;
    test->p = 1;
    if (n == 0) return;
    const double apart = fmax(fabs((double)a - (double)b) - 1, 0);
    test->statistic = apart * apart / (double)n;
    test->p = fmin(2 * lower_tail(n, a < b ? a : b), 1);
}

static void count_pairs(const dv_dining_result *first, const dv_dining_result *second, dv_mcnemar *test) {
    *test = (dv_mcnemar){0};
    for (size_t q = 0; q < first->n; q++) {
        if (first->answers[q].state == DV_DINING_NO_KEY) continue;
        const bool a = first->answers[q].state == DV_DINING_CORRECT, b = second->answers[q].state == DV_DINING_CORRECT;
        *(a && b ? &test->both : a ? &test->first_only : b ? &test->second_only : &test->neither) += 1;
    }
    dv_mcnemar_test(test);
}

/* ---- Differences ---------------------------------------------------------------------------------------------------
 */

typedef struct resampler {
    size_t n, n_metrics, n_resamples;
    double *pairs; /* f64 [n, n_metrics]: first - second; NaN: the question does not count; owned */
    double *means; /* f64 [DV_MOST_DINING_METRICS, n_resamples], owned */
    uint64_t seed;
} resampler;

static void fill_accuracy(resampler *r, const dv_dining_result *first, const dv_dining_result *second) {
    for (size_t q = 0; q < r->n; q++) {
        const int a = first->answers[q].state == DV_DINING_CORRECT, b = second->answers[q].state == DV_DINING_CORRECT;
        r->pairs[q] = first->answers[q].state == DV_DINING_NO_KEY ? (double)NAN : (double)(a - b);
    }
}

/* The error of an answer, as the strict scores count it; relative ones in percent. */
static double error_of(const dv_dining_result *result, size_t q, size_t nutrient, bool relative) {
    const double truth = result->questions[q].values[nutrient], said = result->answers[q].values[nutrient];
    if (!dv_dining_has_value(&result->answers[q], nutrient)) return relative ? 100 : fabs(truth);
    return relative ? fabs((said - truth) / truth) * 100 : fabs(said - truth);
}

static void fill_nutrition(resampler *r, const dv_dining_result *first, const dv_dining_result *second) {
    for (size_t q = 0; q < r->n; q++)
        for (size_t m = 0; m < N_NUTRITION; m++) {
            const size_t nutrient = m % DV_N_NUTRIENTS;
            const bool relative = m >= DV_N_NUTRIENTS;
            const bool counts =
                first->questions[q].has_values[nutrient] && !(relative && first->questions[q].values[nutrient] == 0);
            r->pairs[q * N_NUTRITION + m] =
                counts ? error_of(first, q, nutrient, relative) - error_of(second, q, nutrient, relative) : (double)NAN;
        }
}

/* One resample. Of nutrition the average of the four MAPE, too: the mean of their differences. */
static dv_status resample(void *context, size_t b, size_t worker) {
    const resampler *const r = context;
    double sums[N_NUTRITION] = {0};
    size_t counts[N_NUTRITION] = {0};
    (void)worker;
    DV_TRY(dv_check_interrupted());
    for (size_t i = 0; i < r->n; i++) {
        const double *const row = r->pairs + dv_random_below(r->seed, b, i, r->n) * r->n_metrics;
        for (size_t m = 0; m < r->n_metrics; m++)
            if (!isnan(row[m])) {
                sums[m] += row[m];
                counts[m]++;
            }
    }
    double percent = 0;
    for (size_t m = 0; m < r->n_metrics; m++) {
        const double mean = counts[m] ? sums[m] / (double)counts[m] : (double)NAN;
        r->means[m * r->n_resamples + b] = mean;
        if (m >= DV_N_NUTRIENTS) percent += mean;
    }
    if (r->n_metrics == N_NUTRITION) r->means[N_NUTRITION * r->n_resamples + b] = percent / DV_N_NUTRIENTS;
    return DV_OK;
}

static dv_status draw(resampler *r, size_t n_threads, dv_dining_comparison *comparison) {
    dv_pool *pool;
    size_t n;
    if (r->n == 0 || r->n_resamples == 0) return DV_OK;
    DV_TRY(dv_mul_size(r->n_resamples, DV_MOST_DINING_METRICS, "resamples", &n));
    DV_TRY(dv_alloc(n, sizeof *r->means, "resamples", &r->means));
    DV_TRY(dv_pool_create(n_threads, &pool));
    const dv_status status = dv_pool_run(pool, r->n_resamples, resample, r);
    dv_pool_free(pool);
    for (size_t m = 0; status == DV_OK && m < comparison->n_differences; m++)
        comparison->differences[m].interval = dv_interval_of(r->means + m * r->n_resamples, r->n_resamples);
    return status;
}

/* ---- Scores --------------------------------------------------------------------------------------------------------
 */

static void put_difference(dv_dining_comparison *comparison, size_t n, double first, double second) {
    dv_dining_difference *const made = &comparison->differences[comparison->n_differences++];
    made->n = n;
    made->first = first;
    made->second = second;
    made->difference = first - second;
    made->interval = (dv_interval){.low = (double)NAN, .high = (double)NAN};
}

static void name_nutrition(dv_dining_comparison *comparison) {
    for (size_t m = 0; m < N_NUTRITION; m++)
        snprintf(comparison->differences[m].metric, sizeof comparison->differences[m].metric, "%s_%s",
                 m < DV_N_NUTRIENTS ? "mae" : "mape", dv_nutrient_name(m % DV_N_NUTRIENTS));
    snprintf(comparison->differences[N_NUTRITION].metric, sizeof comparison->differences->metric, "average_mape");
}

static void compare_scores(dv_dining_task task, const dv_dining_summary *first, const dv_dining_summary *second,
                           dv_dining_comparison *comparison) {
    if (task != DV_DINING_NUTRITION) {
        put_difference(comparison, first->n - first->states[DV_DINING_NO_KEY], first->accuracy, second->accuracy);
        snprintf(comparison->differences[0].metric, sizeof comparison->differences[0].metric, "accuracy");
        return;
    }
    for (size_t m = 0; m < N_NUTRITION; m++) {
        const dv_dining_error *const a = &first->all.nutrients[m % DV_N_NUTRIENTS];
        const dv_dining_error *const b = &second->all.nutrients[m % DV_N_NUTRIENTS];
        if (m < DV_N_NUTRIENTS)
            put_difference(comparison, a->n, a->mae, b->mae);
        else
            put_difference(comparison, a->n_mape, a->mape, b->mape);
    }
    put_difference(comparison, 0, first->all.average_mape, second->all.average_mape);
    name_nutrition(comparison);
}

dv_status dv_dining_compare(dv_dining_task task, const dv_dining_result *first, const dv_dining_result *second,
                            size_t n_resamples, uint64_t seed, size_t n_threads, dv_dining_comparison *comparison) {
    const bool nutrition = task == DV_DINING_NUTRITION;
    resampler r = {.n = first->n, .n_metrics = nutrition ? N_NUTRITION : 1, .n_resamples = n_resamples, .seed = seed};
    size_t n_pairs;
    *comparison = (dv_dining_comparison){0};
    if (first->n != second->n)
        return dv_fail(DV_E_ARG, "%zu and %zu questions: must be of the same truth", first->n, second->n);
    DV_TRY(dv_mul_size(r.n, r.n_metrics, "pairs", &n_pairs));
    DV_TRY(dv_alloc(n_pairs, sizeof *r.pairs, "pairs", &r.pairs));
    if (nutrition)
        fill_nutrition(&r, first, second);
    else
        fill_accuracy(&r, first, second);
    compare_scores(task, &first->summary, &second->summary, comparison);
    comparison->has_mcnemar = !nutrition;
    if (!nutrition) count_pairs(first, second, &comparison->mcnemar);
    const dv_status status = draw(&r, n_threads, comparison);
    free(r.pairs);
    free(r.means);
    return status;
}
