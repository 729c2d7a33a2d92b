#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/features.h"
#include "io/feature_rules.h"
#include "report/json_info.h"
#include "report/json_report.h"

enum { N_LABELS = 65536, DEFAULT_IGNORED = 255 };

static int compare_bins(const void *a, const void *b) {
    const int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

/* `bins`: each bin, rising, with its images; null without bins. */
static dv_status set_bins(dv_report *report, json_t *object, const dv_feature_info *info) {
    if (!info->view_bins) {
        dv_report_set(report, object, "bins", json_null());
        return DV_OK;
    }
    int32_t *sorted;
    DV_TRY(dv_alloc(info->n_images, sizeof *sorted, "the bins of the images", &sorted));
    if (info->n_images) memcpy(sorted, info->view_bins, info->n_images * sizeof *sorted);
    qsort(sorted, info->n_images, sizeof *sorted, compare_bins);
    json_t *const bins = json_array();
    for (size_t first = 0, end; first < info->n_images; first = end) {
        for (end = first + 1; end < info->n_images && sorted[end] == sorted[first];) end++;
        json_t *const bin = json_object();
        dv_report_set(report, bin, "bin", json_integer(sorted[first]));
        dv_report_set(report, bin, "images", dv_json_count(end - first));
        dv_report_append(report, bins, bin);
    }
    dv_report_set(report, object, "bins", bins);
    free(sorted);
    return DV_OK;
}

static dv_status set_facts(dv_report *report, json_t *object, const dv_feature_info *info) {
    dv_report_set(report, object, "images", dv_json_count(info->n_images));
    dv_report_set(report, object, "patches", dv_json_count(info->n_patches));
    dv_report_set(report, object, "grid_h", dv_json_count(info->grid_h));
    dv_report_set(report, object, "grid_w", dv_json_count(info->grid_w));
    dv_report_set(report, object, "dim", dv_json_count(info->dim));
    dv_report_set(report, object, "dtype", json_string(dv_dtype_name(info->dtype)));
    dv_info_set_preprocessing(report, object, &info->preprocessing);
    dv_report_set(report, object, "labels", json_boolean(info->has_labels));
    dv_report_set(report, object, "classes", info->class_names ? dv_json_count(info->n_classes) : json_null());
    dv_info_set_texts(report, object, "class_names", info->class_names, info->n_classes);
    DV_TRY(dv_info_set_distinct(report, object, "objects", info->object_ids, info->n_images));
    return set_bins(report, object, info);
}

static void note_fault(void *user, size_t image, const char *what) {
    (void)image; /* the message names it */
    dv_fault_list_add(user, what);
}

/* Everything of a set, block by block, under the rules that other commands have by default; without class names nobody
 * says which labels are classes. pixels: u64 [N_LABELS], pixels of each label; NULL: the set has no labels. */
static dv_status read_all(dv_features *features, uint64_t *pixels, dv_fault_list *faults) {
    const dv_feature_info *const info = dv_features_info(features);
    dv_label_set ignored = {{0}};
    dv_label_set_add(&ignored, DEFAULT_IGNORED);
    const dv_feature_rules rules = {.zero_rows = DV_ZERO_ERROR,
                                    .n_classes = info->n_classes,
                                    .ignored = &ignored,
                                    .note = note_fault,
                                    .user = faults};
    const size_t image_bytes = info->n_patches * info->dim * dv_dtype_size(info->dtype);
    const size_t n_pixels = info->preprocessing.input_h * info->preprocessing.input_w;
    size_t n_block = image_bytes + 2 * n_pixels ? DV_INFO_BLOCK_BYTES / (image_bytes + 2 * n_pixels) : 1, n_bytes;
    if (n_block == 0) n_block = 1;
    if (n_block > info->n_images) n_block = info->n_images;
    void *rows = NULL;
    uint16_t *labels = NULL;
    dv_status status = dv_mul_size(n_block, image_bytes, "a block of features", &n_bytes);
    if (status == DV_OK) status = dv_alloc(n_bytes, 1, "a block of features", &rows);
    if (status == DV_OK && pixels) status = dv_alloc(n_block, n_pixels * sizeof *labels, "a block of labels", &labels);
    for (size_t first = 0; status == DV_OK && first < info->n_images; first += n_block) {
        const size_t n = n_block < info->n_images - first ? n_block : info->n_images - first;
        status = dv_context(dv_check_interrupted(), "%s", info->paths[0]);
        if (status == DV_OK) status = dv_features_read_by(features, first, n, &rules, rows, labels);
        for (size_t i = 0; status == DV_OK && pixels && i < n * n_pixels; i++) pixels[labels[i]]++;
    }
    free(labels);
    free(rows);
    return status;
}

/* The numbers of --uniform, where the file has any. */
static dv_status check_uniforms(dv_features *features, dv_fault_list *faults) {
    const dv_status status = dv_features_load_uniforms(features);
    if (status == DV_E_DATA) dv_fault_list_add(faults, dv_last_error());
    return status == DV_E_DATA || status == DV_E_MISSING ? DV_OK : status;
}

static void set_label_pixels(dv_report *report, json_t *object, const uint64_t *pixels) {
    json_t *const list = json_array();
    for (size_t label = 0; label < N_LABELS; label++) {
        if (!pixels[label]) continue;
        json_t *const entry = json_object();
        dv_report_set(report, entry, "label", dv_json_count(label));
        dv_report_set(report, entry, "pixels", dv_json_count(pixels[label]));
        dv_report_append(report, list, entry);
    }
    dv_report_set(report, object, "label_pixels", list);
}

static dv_status check_features(dv_report *report, json_t *object, dv_features *features, dv_fault_list *faults) {
    const dv_feature_info *const info = dv_features_info(features);
    uint64_t *pixels = NULL;
    dv_status status = DV_OK;
    if (info->has_labels) status = dv_alloc(N_LABELS, sizeof *pixels, "label counts", &pixels);
    if (status == DV_OK) status = read_all(features, pixels, faults);
    if (status == DV_OK) status = check_uniforms(features, faults);
    if (status == DV_OK) {
        dv_report_set(report, object, "finite", json_true());
        dv_report_set(report, object, "zero_rows", dv_json_count(0)); /* else the file is refused */
        if (pixels) set_label_pixels(report, object, pixels);
    }
    free(pixels);
    return status;
}

dv_status dv_info_features(dv_report *report, json_t *object, const char *path, dv_fault_list *faults) {
    dv_features *features = NULL;
    DV_TRY(dv_features_open(&path, 1, &features));
    dv_status status = set_facts(report, object, dv_features_info(features));
    if (status == DV_OK && faults)
        status = check_features(report, object, features, faults);
    else if (status == DV_OK)
        dv_report_set(report, object, "finite", json_null());
    dv_features_close(features);
    return status;
}
