/* IoU of label maps: policy and the order of stages. */
#include "denseval/label_iou.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/class_mean.h"
#include "core/log.h"
#include "core/memory.h"
#include "protocol/label_iou_count.h"

/* ---- Means ---------------------------------------------------------------------------------------------------------
 */

/* The mIoU of a matrix without some classes. */
static dv_status miou_without(const dv_confusion *confusion, dv_absent absent, const bool *excluded, double *miou) {
    const dv_iou_policy policy = {.absent = absent, .excluded = excluded};
    dv_iou iou;
    DV_TRY(dv_iou_compute(confusion, &policy, &iou));
    *miou = iou.miou;
    dv_iou_clear(&iou);
    return DV_OK;
}

static dv_status fill_recipes(const dv_confusion *counts, dv_label_iou_recipes *recipes) {
    bool excluded[DV_FOODSEG103_CLASSES] = {[DV_FOODSEG103_CLASSES - 1] = true};
    DV_TRY(miou_without(counts, DV_ABSENT_ONE, excluded, &recipes->miou_0_102));
    excluded[DV_FOODSEG103_CLASSES - 1] = false;
    excluded[0] = true;
    return miou_without(counts, DV_ABSENT_ONE, excluded, &recipes->miou_1_103);
}

/* The classes that the map leads to are those of the mean. */
static dv_status fill_mapped(const dv_label_iou_options *options, dv_label_iou_result *result) {
    bool *excluded;
    if (!options->map) return DV_OK;
    DV_TRY(dv_alloc(options->n_classes, sizeof *excluded, "classes", &excluded));
    for (size_t c = 0; c < options->n_classes; c++) excluded[c] = true;
    for (size_t source = 0; source < DV_N_LABELS; source++) {
        const int32_t target = options->map->target[source];
        if (target <= 0 || dv_label_set_has(&options->pixels.ignored, (uint16_t)target)) continue;
        if (options->excluded && options->excluded[target]) continue;
        result->n_mapped += excluded[target];
        excluded[target] = false;
    }
    const dv_status status = miou_without(result->confusion, options->absent, excluded, &result->mapped_miou);
    free(excluded);
    return status;
}

static void fill_means_of_images(dv_label_iou_result *result) {
    dv_class_mean mean = {0}, boundary = {0};
    for (size_t i = 0; i < result->n_images; i++) {
        const dv_label_iou_image *const image = &result->images[i];
        if (!image->scored_pixels) continue;
        if (!isnan(image->miou)) dv_class_mean_add(&mean, image->miou);
        if (!isnan(image->boundary_miou)) dv_class_mean_add(&boundary, image->boundary_miou);
    }
    result->mean_of_images = dv_class_mean_value(&mean);
    result->boundary_mean_of_images = dv_class_mean_value(&boundary);
}

static dv_status fill_boundary(const dv_label_iou_options *options, const dv_boundary *boundary,
                               dv_label_iou_result *result) {
    if (!boundary) return DV_OK;
    DV_TRY(dv_alloc(options->n_classes, sizeof *result->boundary_iou, "classes", &result->boundary_iou));
    dv_boundary_iou(boundary, options->absent, options->excluded, result->boundary_iou, &result->boundary_miou);
    return DV_OK;
}

static dv_status fill_scores(const dv_label_iou_options *options, const dv_label_totals *totals,
                             const dv_label_parts *parts, dv_label_iou_result *result) {
    const dv_iou_policy policy = {.absent = options->absent, .excluded = options->excluded};
    DV_TRY(dv_iou_compute(result->confusion, &policy, &result->iou));
    DV_TRY(fill_mapped(options, result));
    if (totals->recipes) DV_TRY(fill_recipes(totals->recipes, &result->recipes));
    DV_TRY(fill_boundary(options, totals->boundary, result));
    fill_means_of_images(result);
    return dv_bootstrap_miou(parts->intersections, parts->unions, parts->truths, result->n_scored, options->n_classes,
                             options->absent, options->excluded, options->n_resamples, options->seed,
                             options->n_threads, &result->interval);
}

/* ---- Run -----------------------------------------------------------------------------------------------------------
 */

static dv_status make_parts(const dv_label_iou_options *options, size_t n_images, dv_label_parts *parts) {
    size_t n;
    if (!options->n_resamples) return DV_OK;
    DV_TRY(dv_mul_size(n_images, options->n_classes, "pixels of classes of images", &n));
    DV_TRY(dv_alloc(n, sizeof *parts->intersections, "pixels of classes of images", &parts->intersections));
    DV_TRY(dv_alloc(n, sizeof *parts->unions, "pixels of classes of images", &parts->unions));
    return dv_alloc(n, sizeof *parts->truths, "pixels of classes of images", &parts->truths);
}

static dv_status check_scored(const dv_label_iou_options *options, const dv_label_iou_result *result) {
    uint64_t n_pixels = 0;
    for (size_t i = 0; i < result->n_images; i++) n_pixels += result->images[i].scored_pixels;
    if (result->same) dv_log(DV_LOG_WARNING, "%s: holds the same label maps as the truth", options->pred);
    if (n_pixels || options->allow_empty) return DV_OK;
    return dv_fail(DV_E_DATA, "%s: nothing was scored of %zu images", options->truth, result->n_images);
}

static dv_status score(const dv_label_iou_options *options, const dv_label_plan *plan, dv_label_iou_result *result) {
    dv_label_parts parts = {NULL, NULL, NULL};
    dv_label_totals totals = {NULL, NULL};
    dv_status status = make_parts(options, plan->n_jobs, &parts);
    if (status == DV_OK && options->recipes) status = dv_label_matrix(options->n_classes, &totals.recipes);
    if (status == DV_OK && options->boundary_ratio > 0)
        status = dv_boundary_create(options->n_classes, &totals.boundary);
    if (status == DV_OK) status = dv_label_count(options, plan, &totals, &parts, result);
    if (status == DV_OK) status = check_scored(options, result);
    if (status == DV_OK) status = fill_scores(options, &totals, &parts, result);
    dv_confusion_free(totals.recipes);
    dv_boundary_free(totals.boundary);
    free(parts.intersections);
    free(parts.unions);
    free(parts.truths);
    return status;
}

static dv_status check(const dv_label_iou_options *options) {
    if (options->n_classes < 1 || options->n_classes > DV_MAX_SPARSE_CLASSES)
        return dv_fail(DV_E_ARG, "%zu classes: must be 1..%d", options->n_classes, DV_MAX_SPARSE_CLASSES);
    if (options->recipes && options->n_classes != DV_FOODSEG103_CLASSES)
        return dv_fail(DV_E_ARG, "%zu classes: FoodSeg103 has %d", options->n_classes, DV_FOODSEG103_CLASSES);
    return DV_OK;
}

dv_status dv_label_iou_run(const dv_label_iou_options *options, dv_label_iou_result *result) {
    dv_label_plan plan;
    *result = (dv_label_iou_result){.mapped_miou = NAN, .recipes = {NAN, NAN}, .boundary_miou = NAN};
    dv_status status = check(options);
    if (status == DV_OK) {
        status = dv_label_plan_make(options, &plan, result);
        if (status == DV_OK) status = score(options, &plan, result);
        dv_label_plan_clear(&plan);
    }
    if (status != DV_OK) dv_label_iou_result_clear(result);
    return status;
}

void dv_label_iou_result_clear(dv_label_iou_result *result) {
    if (!result) return;
    for (size_t i = 0; result->images && i < result->n_images; i++) free(result->images[i].name);
    free(result->images);
    dv_confusion_free(result->confusion);
    dv_iou_clear(&result->iou);
    free(result->boundary_iou);
    memset(result, 0, sizeof *result);
}
