#include "pipeline/scoring.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/clock.h"
#include "core/memory.h"
#include "pipeline/retriever.h"

size_t dv_scoring_image_bytes(const dv_feature_info *queries, size_t n_classes) {
    const size_t patch_bytes = n_classes * sizeof(double) + sizeof(uint16_t);
    const size_t n_pixels = queries->preprocessing.input_h * queries->preprocessing.input_w;
    const size_t n_maps = 4; /* the truth in two blocks of the reader and on the device, the prediction */
    return queries->n_patches * patch_bytes + n_maps * n_pixels * sizeof(uint16_t) +
           n_classes * n_classes * sizeof(uint64_t);
}

/* One device buffer of n elements. */
static dv_status device_alloc(const dv_scoring *s, size_t n, size_t size, void *out) {
    size_t n_bytes;
    void *memory;
    DV_TRY(dv_mul_size(n, size, "a block of query images", &n_bytes));
    DV_TRY(s->spec.device->ops->alloc(s->spec.device, n_bytes, &memory));
    memcpy(out, &memory, sizeof memory);
    return DV_OK;
}

static dv_status alloc_block(dv_scoring *s) {
    const dv_scoring_spec *spec = &s->spec;
    const size_t n_patches = spec->block_images * spec->queries->n_patches;
    DV_TRY(device_alloc(s, n_patches * spec->k, sizeof *s->ids, &s->ids));
    DV_TRY(device_alloc(s, n_patches * spec->k, sizeof *s->cosines, &s->cosines));
    DV_TRY(device_alloc(s, n_patches * spec->n_classes, sizeof *s->soft, &s->soft));
    DV_TRY(device_alloc(s, n_patches, sizeof *s->pure, &s->pure));
    DV_TRY(device_alloc(s, spec->block_images * s->n_pixels, sizeof *s->truth, &s->truth));
    DV_TRY(device_alloc(s, spec->block_images * s->n_pixels, sizeof *s->pred, &s->pred));
    DV_TRY(dv_alloc(spec->block_images, sizeof(dv_confusion *), "confusion matrices of a block", &s->confusions));
    for (size_t i = 0; i < spec->block_images; i++) DV_TRY(dv_confusion_create(spec->n_classes, &s->confusions[i]));
    return DV_OK;
}

static dv_status upload_counts(dv_scoring *s) {
    const dv_scoring_spec *spec = &s->spec;
    const dv_device_ops *ops = spec->device->ops;
    const size_t n_counts = spec->n_rows * spec->n_classes, n_blank = spec->n_blank_rows * spec->n_classes;
    uint16_t *blank;
    DV_TRY(device_alloc(s, n_counts + n_blank, sizeof *s->counts, &s->counts));
    DV_TRY(dv_alloc(n_blank, sizeof *blank, "rows without label", &blank));
    dv_status status = ops->upload(spec->device, s->counts, spec->counts, n_counts * sizeof *s->counts);
    if (status == DV_OK && n_blank)
        status = ops->upload(spec->device, s->counts + n_counts, blank, n_blank * sizeof *blank);
    const dv_status copied = ops->synchronise(spec->device); /* before what it borrows is freed */
    free(blank);
    return status == DV_OK ? copied : status;
}

dv_status dv_scoring_make(const dv_scoring_spec *spec, dv_scoring *s) {
    const dv_feature_info *queries = spec->queries;
    const dv_preprocessing *size = &queries->preprocessing;
    *s = (dv_scoring){.spec = *spec};
    DV_TRY(dv_mul_size(size->input_h, size->input_w, "the pixels of an image", &s->n_pixels));
    DV_TRY(dv_upsampler_create(queries->grid_h, queries->grid_w, size->input_h, size->input_w, &s->upsampler));
    DV_TRY(upload_counts(s));
    return alloc_block(s);
}

void dv_scoring_clear(dv_scoring *s) {
    dv_device *device = s->spec.device;
    void *const buffers[] = {s->ids, s->cosines, s->soft, s->counts, s->pure, s->truth, s->pred};
    for (size_t i = 0; device && i < sizeof buffers / sizeof *buffers; i++) device->ops->release(device, buffers[i]);
    for (size_t i = 0; s->confusions && i < s->spec.block_images; i++) dv_confusion_free(s->confusions[i]);
    free(s->confusions);
    dv_upsampler_free(s->upsampler);
    *s = (dv_scoring){0};
}

dv_status dv_scoring_begin(dv_scoring *s, const dv_feature_block *block) {
    const dv_device_ops *ops = s->spec.device->ops;
    return ops->upload(s->spec.device, s->truth, block->labels, block->n_images * s->n_pixels * sizeof *s->truth);
}

/* Soft labels, then the predicted class of every pixel. */
static dv_status predict(dv_scoring *s, size_t n_images) {
    const dv_scoring_spec *spec = &s->spec;
    const dv_device_ops *ops = spec->device->ops;
    const size_t n_patches = n_images * spec->queries->n_patches;
    const double start_s = dv_steady_s();
    DV_TRY(ops->aggregate(spec->device, s->ids, s->cosines, n_patches, spec->k, spec->beta, s->counts, spec->n_classes,
                          s->soft, s->pure));
    DV_TRY(ops->synchronise(spec->device));
    const double aggregated_s = dv_steady_s();
    s->aggregate_s += aggregated_s - start_s;
    DV_TRY(ops->upsample_argmax(spec->device, s->upsampler, s->soft, s->pure, n_images, spec->n_classes, s->pred));
    DV_TRY(ops->synchronise(spec->device));
    s->segment_s += dv_steady_s() - aggregated_s;
    return DV_OK;
}

dv_status dv_scoring_run(dv_scoring *s, size_t n_images) {
    const dv_scoring_spec *spec = &s->spec;
    const dv_preprocessing *size = &spec->queries->preprocessing;
    DV_TRY(predict(s, n_images));
    const double start_s = dv_steady_s();
    for (size_t i = 0; i < n_images; i++) dv_confusion_clear(s->confusions[i]);
    /* No image is bad here: the reader refuses labels that are no class. */
    DV_TRY(spec->device->ops->confusion(spec->device, spec->pixels, s->truth, s->pred, n_images, size->input_h,
                                        size->input_w, s->confusions, NULL));
    s->segment_s += dv_steady_s() - start_s;
    return DV_OK;
}

void dv_class_counts(const dv_confusion *confusion, uint64_t *intersections, uint64_t *unions, uint64_t *truths) {
    const size_t n = dv_confusion_classes(confusion);
    const uint64_t *counts = dv_confusion_counts(confusion), *extra = dv_confusion_false_positives(confusion);
    for (size_t c = 0; c < n; c++) {
        uint64_t truth = 0, predicted = extra[c];
        for (size_t j = 0; j < n; j++) {
            truth += counts[c * n + j];
            predicted += counts[j * n + c];
        }
        intersections[c] = counts[c * n + c];
        truths[c] = truth;
        unions[c] = truth + predicted - counts[c * n + c];
    }
}
