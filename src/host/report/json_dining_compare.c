#include "report/json_report.h"

static json_t *difference_of(dv_report *report, const dv_dining_difference *difference) {
    json_t *const made = json_object(), *const interval = json_object();
    dv_report_set(report, made, "metric", json_string(difference->metric));
    if (difference->n) dv_report_set(report, made, "n", dv_json_count(difference->n));
    dv_report_set(report, made, "first", dv_json_real(difference->first));
    dv_report_set(report, made, "second", dv_json_real(difference->second));
    dv_report_set(report, made, "difference", dv_json_real(difference->difference));
    dv_report_set(report, interval, "low", dv_json_real(difference->interval.low));
    dv_report_set(report, interval, "high", dv_json_real(difference->interval.high));
    dv_report_set(report, interval, "resamples", dv_json_count(difference->interval.n_resamples));
    dv_report_set(report, made, "interval_95", interval);
    return made;
}

static json_t *mcnemar_of(dv_report *report, const dv_mcnemar *test) {
    json_t *const made = json_object();
    dv_report_set(report, made, "both", dv_json_count(test->both));
    dv_report_set(report, made, "first_only", dv_json_count(test->first_only));
    dv_report_set(report, made, "second_only", dv_json_count(test->second_only));
    dv_report_set(report, made, "neither", dv_json_count(test->neither));
    dv_report_set(report, made, "statistic", dv_json_real(test->statistic));
    dv_report_set(report, made, "p", dv_json_real(test->p));
    return made;
}

void dv_report_dining_comparison(dv_report *report, const char *against, const dv_dining_comparison *comparison) {
    json_t *const made = json_object(), *const differences = json_array();
    dv_report_input(report, against);
    dv_report_set(report, made, "file", dv_json_text(against));
    for (size_t i = 0; i < comparison->n_differences; i++)
        dv_report_append(report, differences, difference_of(report, &comparison->differences[i]));
    dv_report_set(report, made, "differences", differences);
    if (comparison->has_mcnemar) dv_report_set(report, made, "mcnemar", mcnemar_of(report, &comparison->mcnemar));
    dv_report_top(report, "against", made);
}
