#include "report/json_classes.h"
#include "report/json_report.h"

static void set_means(dv_report *report, const dv_label_iou_options *options, const dv_label_iou_result *result) {
    dv_report_count(report, "images", result->n_scored);
    dv_report_real(report, "miou", result->iou.miou);
    if (result->interval.n_resamples)
        dv_report_top(report, "miou_interval_95", dv_json_interval(report, &result->interval));
    dv_report_real(report, "mean_accuracy", result->iou.mean_accuracy);
    dv_report_real(report, "pixel_accuracy", result->iou.pixel_accuracy);
    dv_report_real(report, "mean_of_images_miou", result->mean_of_images);
    if (options->map) {
        json_t *const mapped = json_object();
        dv_report_set(report, mapped, "classes", dv_json_count(result->n_mapped));
        dv_report_set(report, mapped, "miou", dv_json_real(result->mapped_miou));
        dv_report_top(report, "mapped", mapped);
    }
}

static void set_boundary(dv_report *report, const dv_label_iou_options *options, const dv_label_iou_result *result) {
    json_t *const boundary = json_object(), *const classes = json_array();
    dv_report_set(report, boundary, "ratio", dv_json_real(options->boundary_ratio));
    dv_report_set(report, boundary, "miou", dv_json_real(result->boundary_miou));
    dv_report_set(report, boundary, "mean_of_images_miou", dv_json_real(result->boundary_mean_of_images));
    for (size_t c = 0; c < options->n_classes; c++)
        dv_report_append(report, classes, dv_json_real(result->boundary_iou[c]));
    dv_report_set(report, boundary, "iou", classes);
    dv_report_top(report, "boundary", boundary);
}

static json_t *recipe_of(dv_report *report, double miou) {
    json_t *const recipe = json_object();
    dv_report_set(report, recipe, "miou", dv_json_real(miou));
    return recipe;
}

static void set_recipes(dv_report *report, const dv_label_iou_recipes *recipes) {
    json_t *const both = json_object();
    dv_report_set(report, both, "recipe_0_102", recipe_of(report, recipes->miou_0_102));
    dv_report_set(report, both, "recipe_1_103", recipe_of(report, recipes->miou_1_103));
    dv_report_top(report, "foodseg103", both);
}

static void set_pixels(dv_report *report, const dv_label_iou_result *result) {
    uint64_t scored = 0, correct = 0;
    for (size_t i = 0; i < result->n_images; i++) {
        scored += result->images[i].scored_pixels;
        correct += result->images[i].correct_pixels;
    }
    dv_report_count(report, "scored_pixels", scored);
    dv_report_count(report, "correct_pixels", correct);
    dv_report_count(report, "ignored_pixels", dv_confusion_ignored(result->confusion));
    dv_report_count(report, "dropped_pixels", dv_confusion_dropped(result->confusion));
}

void dv_report_label_iou(dv_report *report, const dv_label_iou_options *options, const dv_label_iou_result *result,
                         const char *const *names) {
    dv_report_hashed_input(report, options->truth, result->truth_bytes, result->truth_hash);
    dv_report_hashed_input(report, options->pred, result->pred_bytes, result->pred_hash);
    set_means(report, options, result);
    if (result->boundary_iou) set_boundary(report, options, result);
    if (options->recipes) set_recipes(report, &result->recipes);
    dv_report_top(report, "classes", dv_json_classes(report, &result->iou, names, options->excluded));
    if (dv_confusion_counts(result->confusion))
        dv_report_top(report, "confusion", dv_json_confusion(report, result->confusion));
    else
        dv_report_top(report, "confusion_cells", dv_json_confusion_cells(report, result->confusion));
    set_pixels(report, result);
    dv_report_count(report, "left_out_images", result->n_left_out);
    dv_report_count(report, "unused_predictions", result->n_unused);
    dv_report_top(report, "same", json_boolean(result->same));
    dv_report_top(report, "partial", json_boolean(result->n_left_out));
}
