#include "report/json_report.h"

/* A list of two ids each. */
static json_t *pairs_of(dv_report *report, const dv_split_pairs *list, const dv_names *a, const dv_names *b) {
    json_t *const made = json_array();
    for (size_t i = 0; i < list->n; i++) {
        json_t *const pair = json_array();
        dv_report_append(report, pair, dv_json_text(a->names[list->pairs[i].a]));
        dv_report_append(report, pair, dv_json_text(b->names[list->pairs[i].b]));
        dv_report_append(report, made, pair);
    }
    return made;
}

static json_t *split_of(dv_report *report, const dv_splits_options *options, const dv_splits_result *result,
                        size_t split) {
    const dv_names *const ids = &result->ids[split];
    json_t *const made = json_object();
    dv_report_set(report, made, "path", dv_json_text(options->lists[split]));
    dv_report_set(report, made, "ids", dv_json_count(ids->n));
    dv_report_set(report, made, "repeated", dv_json_count(result->n_repeated[split]));
    if (options->images) dv_report_set(report, made, "same_pixels", pairs_of(report, &result->inside[split], ids, ids));
    return made;
}

void dv_report_splits(dv_report *report, const dv_splits_options *options, const dv_splits_result *result) {
    json_t *const leakage = json_object(), *const splits = json_array(), *const same_id = json_array();
    for (size_t split = 0; split < DV_N_SPLITS; split++) {
        dv_report_input(report, options->lists[split]);
        dv_report_append(report, splits, split_of(report, options, result, split));
    }
    if (options->images) dv_report_hashed_input(report, options->images, result->image_bytes, result->images_hash);
    for (size_t i = 0; i < result->same_id.n; i++)
        dv_report_append(report, same_id, dv_json_text(result->ids[0].names[result->same_id.pairs[i].a]));
    dv_report_set(report, leakage, "splits", splits);
    dv_report_set(report, leakage, "same_id", same_id);
    if (options->images) {
        dv_report_set(report, leakage, "same_pixels_other_id",
                      pairs_of(report, &result->same_pixels, &result->ids[0], &result->ids[1]));
        dv_report_set(report, leakage, "left_out_pictures", dv_json_count(result->n_left_out));
    }
    dv_report_top(report, "leakage", leakage);
}
