/* dining_compare.h: two sets of answers to the same questions: what differs, and whether by chance. */
#ifndef DENSEVAL_DINING_COMPARE_H
#define DENSEVAL_DINING_COMPARE_H

#include "denseval/bootstrap.h"
#include "denseval/dining.h"

DV_C_BEGIN

/* Of classification and VQA: accuracy; of nutrition: MAE and MAPE of each nutrient, then the average MAPE. */
enum { DV_MOST_DINING_METRICS = 2 * DV_N_NUTRIENTS + 1 };

typedef struct dv_dining_difference {
    char metric[32];                  /* "accuracy", "mae_calories", ..., "mape_fat", "average_mape" */
    size_t n;                         /* questions that count; 0 for the average */
    double first, second, difference; /* first - second; NaN where nothing counts */
    dv_interval interval;             /* of the difference, 95 %; questions drawn with replacement */
} dv_dining_difference;

/* Questions by who is right. Source: McNemar, Psychometrika 12, 1947; the exact p is that of the binomial test. */
typedef struct dv_mcnemar {
    size_t both, first_only, second_only, neither;
    double statistic; /* (|first_only - second_only| - 1)^2 / (first_only + second_only); NaN: they never differ */
    double p;         /* exact and two-sided; 1 where they never differ */
} dv_mcnemar;

typedef struct dv_dining_comparison {
    size_t n_differences;
    dv_dining_difference differences[DV_MOST_DINING_METRICS];
    bool has_mcnemar; /* not of nutrition */
    dv_mcnemar mcnemar;
} dv_dining_comparison;

/* Compares strict results of the same truth. Missing and unreadable answers count as they do in the scores. Draw i of
 * resample b is dv_random_below(seed, b, i, n), the same for every thread count and metric. Fails with DV_E_ARG
 * (different numbers of questions), DV_E_NOMEM, DV_E_INTERRUPTED. */
DV_MUST_USE dv_status dv_dining_compare(dv_dining_task task, const dv_dining_result *first,
                                        const dv_dining_result *second, size_t n_resamples, uint64_t seed,
                                        size_t n_threads, dv_dining_comparison *comparison);

/* The counts decide the rest. */
void dv_mcnemar_test(dv_mcnemar *test);

DV_C_END
#endif
