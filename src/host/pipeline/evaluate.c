#include "denseval/eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "pipeline/fit.h"
#include "pipeline/predictions.h"
#include "pipeline/retriever.h"
#include "pipeline/selection.h"

/* Everything that one evaluation holds. */
typedef struct evaluation {
    const dv_eval_options *options;
    const dv_bank_info *bank;
    dv_features *features;
    const dv_feature_info *queries;
    dv_selection selection;
    dv_retriever *retriever;
    dv_device *device;
    dv_upsampler *upsampler;
    dv_predictions *predictions; /* NULL: not wanted */
    dv_pool *pool;
    size_t block_images, n_classes, n_pixels;
    /* Device memory of a block. */
    int64_t *ids;
    double *cosines, *soft;
    uint16_t *counts, *pure, *truth, *pred;
    dv_confusion **confusions; /* [block_images], of one image each */
    uint16_t *host_pred;       /* [block_images, n_pixels]; with predictions only */
    /* u64 [selected images, n_classes], for the bootstrap only. */
    uint64_t *intersections, *unions, *truths;
    size_t n_done;
    dv_eval_result *result;
} evaluation;

static dv_status check_options(const dv_eval_options *options) {
    if (!(options->beta > 0) || !isfinite(options->beta))
        return dv_fail(DV_E_USAGE, "beta %.17g: must be above 0", options->beta);
    return DV_OK;
}

/* Soft labels; the truth in two blocks of the reader and on the device, predictions there and to be written; counts. */
static size_t image_scratch_bytes(const evaluation *e) {
    const size_t patch_bytes = e->n_classes * sizeof(double) + sizeof(uint16_t), n_maps = e->predictions ? 5 : 4;
    return e->queries->n_patches * patch_bytes + n_maps * e->n_pixels * sizeof(uint16_t) +
           e->n_classes * e->n_classes * sizeof(uint64_t);
}

/* One device buffer of n elements. */
static dv_status device_alloc(evaluation *e, size_t n, size_t size, void *out) {
    size_t n_bytes;
    void *memory;
    DV_TRY(dv_mul_size(n, size, "a block of query images", &n_bytes));
    DV_TRY(e->device->ops->alloc(e->device, n_bytes, &memory));
    memcpy(out, &memory, sizeof memory);
    return DV_OK;
}

static dv_status alloc_block(evaluation *e) {
    const size_t n_patches = e->block_images * e->queries->n_patches, k = e->options->search.k;
    DV_TRY(device_alloc(e, n_patches * k, sizeof *e->ids, &e->ids));
    DV_TRY(device_alloc(e, n_patches * k, sizeof *e->cosines, &e->cosines));
    DV_TRY(device_alloc(e, n_patches * e->n_classes, sizeof *e->soft, &e->soft));
    DV_TRY(device_alloc(e, n_patches, sizeof *e->pure, &e->pure));
    DV_TRY(device_alloc(e, e->block_images * e->n_pixels, sizeof *e->truth, &e->truth));
    DV_TRY(device_alloc(e, e->block_images * e->n_pixels, sizeof *e->pred, &e->pred));
    DV_TRY(dv_alloc(e->block_images, sizeof(dv_confusion *), "confusion matrices of a block", &e->confusions));
    for (size_t i = 0; i < e->block_images; i++) DV_TRY(dv_confusion_create(e->n_classes, &e->confusions[i]));
    if (e->predictions)
        DV_TRY(dv_alloc(e->block_images * e->n_pixels, sizeof *e->host_pred, "predictions of a block", &e->host_pred));
    return DV_OK;
}

static dv_status upload_counts(evaluation *e) {
    const size_t n_counts = e->bank->n_rows * e->n_classes;
    DV_TRY(device_alloc(e, n_counts, sizeof *e->counts, &e->counts));
    DV_TRY(e->device->ops->upload(e->device, e->counts, e->bank->counts, n_counts * sizeof *e->counts));
    return e->device->ops->synchronise(e->device);
}

static dv_status alloc_result(evaluation *e) {
    dv_eval_result *result = e->result;
    result->n_classes = e->n_classes;
    result->n_dropped_images = e->selection.n_dropped;
    DV_TRY(dv_confusion_create(e->n_classes, &result->total.confusion));
    if (e->selection.n_bins) {
        DV_TRY(dv_alloc(e->selection.n_bins, sizeof *result->bins, "the bins", &result->bins));
        result->n_bins = e->selection.n_bins;
    }
    for (size_t i = 0; i < result->n_bins; i++) {
        result->bins[i].bin = e->selection.bins[i];
        DV_TRY(dv_confusion_create(e->n_classes, &result->bins[i].confusion));
    }
    if (e->options->n_resamples == 0) return DV_OK;
    size_t n_counts;
    DV_TRY(dv_mul_size(e->selection.n_images, e->n_classes, "counts of the images", &n_counts));
    DV_TRY(dv_alloc(n_counts, sizeof(uint64_t), "counts of the images", &e->intersections));
    DV_TRY(dv_alloc(n_counts, sizeof(uint64_t), "counts of the images", &e->unions));
    return dv_alloc(n_counts, sizeof(uint64_t), "counts of the images", &e->truths);
}

static dv_status prepare(evaluation *e, dv_bank *bank) {
    const dv_preprocessing *size = &e->queries->preprocessing;
    e->n_classes = e->bank->n_classes;
    DV_TRY(dv_mul_size(size->input_h, size->input_w, "the pixels of an image", &e->n_pixels));
    DV_TRY(dv_selection_make(e->queries, e->options->drop_last_batch, &e->selection));
    if (e->selection.n_images == 0 && !e->options->allow_empty)
        return dv_fail(DV_E_DATA, "no query image is left to score: %zu were dropped as last incomplete batches of %zu",
                       e->selection.n_dropped, e->options->drop_last_batch);
    DV_TRY(alloc_result(e));
    if (e->options->predictions)
        DV_TRY(dv_predictions_begin(e->options->predictions, e->options->force, &e->predictions));
    DV_TRY(dv_pool_create(e->options->search.n_threads, &e->pool));
    DV_TRY(dv_upsampler_create(e->queries->grid_h, e->queries->grid_w, size->input_h, size->input_w, &e->upsampler));
    DV_TRY(dv_retriever_open(bank, e->queries, &e->options->search, &e->retriever));
    e->device = dv_retriever_device(e->retriever);
    DV_TRY(dv_retriever_block_images(e->retriever, image_scratch_bytes(e), &e->block_images));
    if (e->block_images > e->selection.n_images) e->block_images = e->selection.n_images ? e->selection.n_images : 1;
    DV_TRY(upload_counts(e));
    return alloc_block(e);
}

/* Soft labels, then the predicted class of every pixel, in device memory. */
static dv_status predict(evaluation *e, size_t n_images) {
    const dv_device_ops *ops = e->device->ops;
    const size_t n_patches = n_images * e->queries->n_patches;
    const double start_s = dv_clock_s();
    DV_TRY(ops->aggregate(e->device, e->ids, e->cosines, n_patches, e->options->search.k, e->options->beta, e->counts,
                          e->n_classes, e->soft, e->pure));
    DV_TRY(ops->synchronise(e->device));
    const double aggregated_s = dv_clock_s();
    e->result->aggregate_s += aggregated_s - start_s;
    DV_TRY(ops->upsample_argmax(e->device, e->upsampler, e->soft, e->pure, n_images, e->n_classes, e->pred));
    DV_TRY(ops->synchronise(e->device));
    e->result->segment_s += dv_clock_s() - aggregated_s;
    return DV_OK;
}

static void keep_image_counts(evaluation *e, const dv_confusion *confusion) {
    if (!e->intersections) return;
    const uint64_t *counts = dv_confusion_counts(confusion), *extra = dv_confusion_false_positives(confusion);
    const size_t n = e->n_classes, base = e->n_done * n;
    for (size_t c = 0; c < n; c++) {
        uint64_t truth = 0, predicted = extra[c];
        for (size_t j = 0; j < n; j++) {
            truth += counts[c * n + j];
            predicted += counts[j * n + c];
        }
        e->intersections[base + c] = counts[c * n + c];
        e->truths[base + c] = truth;
        e->unions[base + c] = truth + predicted - counts[c * n + c];
    }
}

static dv_status add_image(evaluation *e, size_t image, const dv_confusion *confusion) {
    dv_eval_group *total = &e->result->total;
    keep_image_counts(e, confusion);
    e->n_done++;
    total->n_images++;
    DV_TRY(dv_confusion_merge(total->confusion, confusion));
    if (!e->selection.bin_of) return DV_OK;
    dv_eval_group *group = &e->result->bins[e->selection.bin_of[image]];
    group->n_images++;
    return dv_confusion_merge(group->confusion, confusion);
}

static dv_status count(evaluation *e, const dv_feature_block *block) {
    const dv_device_ops *ops = e->device->ops;
    const dv_preprocessing *size = &e->queries->preprocessing;
    const double start_s = dv_clock_s();
    for (size_t i = 0; i < block->n_images; i++) dv_confusion_clear(e->confusions[i]);
    DV_TRY(ops->upload(e->device, e->truth, block->labels, block->n_images * e->n_pixels * sizeof *e->truth));
    /* No image is bad here: the reader refuses labels that are no class. */
    DV_TRY(ops->confusion(e->device, &e->options->pixels, e->truth, e->pred, block->n_images, size->input_h,
                          size->input_w, e->confusions, NULL));
    for (size_t i = 0; i < block->n_images; i++) DV_TRY(add_image(e, block->images[i], e->confusions[i]));
    e->result->segment_s += dv_clock_s() - start_s;
    return DV_OK;
}

typedef struct png_batch {
    evaluation *e;
    const dv_feature_block *block;
} png_batch;

static dv_status write_one_png(void *context, size_t task, size_t worker) {
    (void)worker;
    const png_batch *batch = context;
    const evaluation *e = batch->e;
    return dv_predictions_write(e->predictions, e->queries->image_ids[batch->block->images[task]],
                                e->host_pred + task * e->n_pixels, e->queries->preprocessing.input_h,
                                e->queries->preprocessing.input_w);
}

static dv_status write_predictions(evaluation *e, const dv_feature_block *block) {
    if (!e->predictions) return DV_OK;
    const size_t n_bytes = block->n_images * e->n_pixels * sizeof *e->pred;
    DV_TRY(e->device->ops->download(e->device, e->host_pred, e->pred, n_bytes));
    DV_TRY(e->device->ops->synchronise(e->device));
    png_batch batch = {.e = e, .block = block};
    return dv_pool_run(e->pool, block->n_images, write_one_png, &batch);
}

static dv_status score_blocks(evaluation *e, dv_feature_reader *reader) {
    for (;;) {
        const dv_feature_block *block;
        DV_TRY(dv_feature_reader_next(reader, &block));
        if (!block) return DV_OK;
        DV_TRY(dv_retriever_search(e->retriever, block, e->ids, e->cosines));
        DV_TRY(predict(e, block->n_images));
        DV_TRY(count(e, block));
        DV_TRY(write_predictions(e, block));
        const dv_search_options *search = &e->options->search;
        const size_t n_seen = e->n_done + dv_feature_reader_skipped(reader);
        if (search->progress) search->progress(search->progress_user, "images", n_seen, e->selection.n_images);
    }
}

static dv_status score_all(evaluation *e) {
    if (e->selection.n_images == 0) return DV_OK;
    const dv_pixel_policy *pixels = &e->options->pixels;
    const dv_feature_reader_options options = {.images = e->selection.images,
                                               .n_images = e->selection.n_images,
                                               .images_per_block = e->block_images,
                                               .want_rows = true,
                                               .want_labels = true,
                                               .zero_rows = e->options->search.zero_rows,
                                               .n_classes = pixels->invalid == DV_INVALID_ERROR ? e->n_classes : 0,
                                               .ignored = &pixels->ignored,
                                               .bad_images = e->options->skip_bad ? DV_BAD_SKIP : DV_BAD_LIST};
    dv_feature_reader *reader;
    DV_TRY(dv_feature_reader_open(e->features, &options, &reader));
    const dv_status status = score_blocks(e, reader);
    e->result->n_skipped_images = dv_feature_reader_skipped(reader);
    dv_feature_reader_close(reader);
    return status;
}

static dv_status score_group(const dv_eval_options *options, dv_eval_group *group) {
    dv_iou_policy policy = {.absent = options->absent,
                            .excluded = options->excluded,
                            .hungarian = options->relabel == DV_RELABEL_HUNGARIAN};
    DV_TRY(dv_iou_compute(group->confusion, &policy, &group->iou));
    if (options->relabel != DV_RELABEL_BOTH) return DV_OK;
    policy.hungarian = true;
    return dv_iou_compute(group->confusion, &policy, &group->iou_relabelled);
}

static dv_status finish(evaluation *e) {
    dv_eval_result *result = e->result;
    const dv_eval_options *options = e->options;
    DV_TRY(score_group(options, &result->total));
    if (e->n_done == 0 && result->n_skipped_images && !options->allow_empty)
        return dv_fail(DV_E_DATA, "nothing was scored: all %zu query images are bad", result->n_skipped_images);
    if (isnan(result->total.iou.pixel_accuracy) && !options->allow_empty)
        return dv_fail(DV_E_DATA, "nothing was scored: every pixel of the %zu query images is ignored or no class",
                       e->n_done);
    for (size_t i = 0; i < result->n_bins; i++) DV_TRY(score_group(options, &result->bins[i]));
    if (options->n_resamples)
        DV_TRY(dv_bootstrap_miou(e->intersections, e->unions, e->truths, e->n_done, e->n_classes, options->absent,
                                 options->excluded, options->n_resamples, options->seed, options->search.n_threads,
                                 &result->interval));
    dv_retriever_summary(e->retriever, &result->search);
    if (!e->predictions) return DV_OK;
    dv_predictions *predictions = e->predictions;
    e->predictions = NULL; /* the commit frees it in every case */
    return dv_predictions_commit(predictions);
}

static void release(evaluation *e) {
    if (e->device) {
        void *const buffers[] = {e->ids, e->cosines, e->soft, e->counts, e->pure, e->truth, e->pred};
        for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) e->device->ops->release(e->device, buffers[i]);
    }
    dv_predictions_abandon(e->predictions);
    dv_retriever_close(e->retriever);
    dv_upsampler_free(e->upsampler);
    dv_pool_free(e->pool);
    dv_selection_clear(&e->selection);
    for (size_t i = 0; e->confusions && i < e->block_images; i++) dv_confusion_free(e->confusions[i]);
    free(e->confusions);
    free(e->host_pred);
    free(e->intersections);
    free(e->unions);
    free(e->truths);
}

dv_status dv_eval_run(dv_bank *bank, dv_features *queries, const dv_eval_options *options, dv_eval_result *result) {
    *result = (dv_eval_result){0};
    DV_TRY(check_options(options));
    evaluation e = {.options = options,
                    .bank = dv_bank_get_info(bank),
                    .features = queries,
                    .queries = dv_features_info(queries),
                    .result = result};
    dv_status status = dv_context(dv_fit_classes(e.bank, e.queries), "%s", e.queries->paths[0]);
    if (status == DV_OK) status = prepare(&e, bank);
    if (status == DV_OK) status = score_all(&e);
    if (status == DV_OK) status = finish(&e);
    release(&e);
    if (status != DV_OK) dv_eval_result_clear(result);
    return status;
}

static void clear_group(dv_eval_group *group) {
    dv_confusion_free(group->confusion);
    dv_iou_clear(&group->iou);
    dv_iou_clear(&group->iou_relabelled);
}

void dv_eval_result_clear(dv_eval_result *result) {
    clear_group(&result->total);
    for (size_t i = 0; i < result->n_bins; i++) clear_group(&result->bins[i]);
    free(result->bins);
    *result = (dv_eval_result){0};
}
