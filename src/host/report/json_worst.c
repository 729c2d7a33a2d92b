#include "report/json_report.h"

void dv_report_jf_worst(dv_report *report, const dv_jf_result *result, const dv_jf_worst *worst, size_t n_worst) {
    json_t *const list = json_array();
    for (size_t i = 0; i < n_worst; i++) {
        const dv_jf_sequence *const sequence = &result->sequences[worst[i].sequence];
        json_t *const made = json_object();
        dv_report_set(report, made, "sequence", dv_json_text(sequence->name));
        dv_report_set(report, made, "frame", dv_json_text(sequence->frames[worst[i].frame]));
        dv_report_set(report, made, "id", dv_json_count(sequence->objects[worst[i].object].id));
        dv_report_set(report, made, "j", dv_json_real(worst[i].j));
        dv_report_set(report, made, "f", dv_json_real(worst[i].f));
        dv_report_append(report, list, made);
    }
    dv_report_top(report, "worst", list);
}
