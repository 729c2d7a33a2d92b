#include <math.h>

#include "report/class_names.h"
#include "report/json_classes.h"
#include "report/json_report.h"

static void set_search(dv_report *report, const dv_search_summary *summary) {
    json_t *object = json_object();
    const double n = (double)summary->n_query_rows;
    dv_report_set(report, object, "backend", json_string(summary->backend));
    dv_report_set(report, object, "engine", json_string(summary->engine));
    dv_report_set(report, object, "exact", json_true());
    dv_report_set(report, object, "candidates_per_query",
                  dv_json_real(n > 0 ? (double)summary->stats.n_candidates / n : NAN));
    dv_report_set(report, object, "uncertified_queries", dv_json_count(summary->stats.n_uncertified));
    const dv_search_stats *stats = &summary->stats;
    if (stats->n_stages) {
        dv_report_set(report, object, "stages", dv_json_count(stats->n_stages));
        dv_report_set(report, object, "head_dim", stats->head_dim ? dv_json_count(stats->head_dim) : json_null());
        dv_report_set(report, object, "refined_per_query", dv_json_real(n > 0 ? (double)stats->n_refined / n : NAN));
        json_t *seconds = json_object();
        dv_report_set(report, seconds, "code", dv_json_real(stats->code_s));
        dv_report_set(report, seconds, "seed", dv_json_real(stats->seed_s));
        dv_report_set(report, seconds, "scan", dv_json_real(stats->scan_s));
        dv_report_set(report, seconds, "refine", dv_json_real(stats->refine_s));
        dv_report_set(report, seconds, "score", dv_json_real(stats->score_s));
        dv_report_set(report, object, "thread_seconds", seconds);
    }
    dv_report_set(report, object, "bank_slabs", dv_json_count(summary->n_slabs));
    dv_report_set(report, object, "bank_bytes_read", dv_json_count(summary->bank_bytes_read));
    dv_report_set(report, object, "queries_per_s", dv_json_real(summary->search_s > 0 ? n / summary->search_s : NAN));
    dv_report_top(report, "search", object);
}

/* The keys that the total and every bin have in common. */
static void set_group(dv_report *report, json_t *object, const dv_eval_group *group, const char *const *names,
                      const bool *excluded) {
    const dv_iou *iou = &group->iou;
    json_t *relabel = json_array();
    for (size_t c = 0; c < iou->n_classes; c++) dv_report_append(report, relabel, dv_json_count(iou->relabel[c]));
    dv_report_set(report, object, "images", dv_json_count(group->n_images));
    dv_report_set(report, object, "miou", dv_json_real(iou->miou));
    if (group->iou_relabelled.relabel)
        dv_report_set(report, object, "miou_relabelled", dv_json_real(group->iou_relabelled.miou));
    dv_report_set(report, object, "mean_accuracy", dv_json_real(iou->mean_accuracy));
    dv_report_set(report, object, "pixel_accuracy", dv_json_real(iou->pixel_accuracy));
    dv_report_set(report, object, "classes", dv_json_classes(report, iou, names, excluded));
    dv_report_set(report, object, "confusion", dv_json_confusion(report, group->confusion));
    if (group->iou_relabelled.relabel) {
        json_t *both = json_array();
        for (size_t c = 0; c < iou->n_classes; c++)
            dv_report_append(report, both, dv_json_count(group->iou_relabelled.relabel[c]));
        json_decref(relabel);
        relabel = both;
    }
    dv_report_set(report, object, "relabel", relabel);
}

static void set_bank(dv_report *report, const dv_bank_info *bank) {
    json_t *object = json_object();
    dv_report_set(report, object, "rows", dv_json_count(bank->n_rows));
    dv_report_set(report, object, "dim", dv_json_count(bank->dim));
    dv_report_set(report, object, "images", dv_json_count(bank->n_bank_images));
    dv_report_set(report, object, "unfilled_rows", dv_json_count(bank->n_unfilled_rows));
    dv_report_set(report, object, "skipped_zero_rows", dv_json_count(bank->n_skipped_zero_rows));
    dv_report_set(report, object, "skipped_images", dv_json_count(bank->n_skipped_images));
    dv_report_top(report, "bank", object);
}

void dv_report_eval(dv_report *report, const dv_eval_result *result, const dv_bank_info *bank,
                    const dv_feature_info *queries, const bool *excluded) {
    const char *const *names = dv_report_class_names(bank, queries);
    json_t *total = json_object();
    set_group(report, total, &result->total, names, excluded);
    const char *name;
    json_t *value;
    json_object_foreach(total, name, value) dv_report_top(report, name, json_incref(value));
    json_decref(total);
    dv_report_count(report, "patches", result->search.n_query_rows);
    dv_report_count(report, "ignored_pixels", dv_confusion_ignored(result->total.confusion));
    dv_report_count(report, "dropped_pixels", dv_confusion_dropped(result->total.confusion));
    dv_report_count(report, "dropped_images", result->n_dropped_images);
    dv_report_count(report, "skipped_images", result->n_skipped_images);
    dv_report_top(report, "partial", json_boolean(result->n_skipped_images || bank->n_skipped_images));
    if (result->interval.n_resamples)
        dv_report_top(report, "miou_interval_95", dv_json_interval(report, &result->interval));
    set_bank(report, bank);
    set_search(report, &result->search);
    if (!result->bins) return;
    json_t *bins = json_array();
    for (size_t i = 0; i < result->n_bins; i++) {
        json_t *bin = json_object();
        dv_report_set(report, bin, "bin", json_integer(result->bins[i].bin));
        set_group(report, bin, &result->bins[i], names, excluded);
        dv_report_append(report, bins, bin);
    }
    dv_report_top(report, "bins", bins);
}

void dv_report_knn(dv_report *report, const dv_search_summary *summary) {
    dv_report_count(report, "queries", summary->n_query_rows);
    dv_report_count(report, "rows", summary->n_bank_rows);
    dv_report_count(report, "k", summary->k);
    set_search(report, summary);
}

void dv_report_bank(dv_report *report, const dv_bank_info *bank) {
    dv_report_count(report, "rows", bank->n_rows);
    dv_report_count(report, "dim", bank->dim);
    dv_report_text(report, "dtype", dv_dtype_name(bank->dtype));
    dv_report_count(report, "classes", bank->n_classes);
    dv_report_count(report, "images", bank->n_bank_images);
    dv_report_count(report, "source_images", bank->n_images);
    dv_report_count(report, "unfilled_rows", bank->n_unfilled_rows);
    dv_report_count(report, "skipped_zero_rows", bank->n_skipped_zero_rows);
    dv_report_count(report, "skipped_images", bank->n_skipped_images);
    dv_report_top(report, "partial", json_boolean(bank->n_skipped_images));
}

void dv_report_overlay(dv_report *report, const dv_overlay_result *result) {
    dv_report_count(report, "pictures", result->n_written);
    dv_report_count(report, "pictures_without_prediction", result->n_pictures_without_prediction);
    dv_report_count(report, "predictions_without_picture", result->n_predictions_without_picture);
    dv_report_count(report, "skipped", result->n_skipped);
    if (result->sheet_path) dv_report_text(report, "sheet", result->sheet_path);
}
