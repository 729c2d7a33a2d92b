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
#include "pipeline/scoring.h"
#include "pipeline/selection.h"

/* Everything that one evaluation holds. */
typedef struct evaluation {
    const dv_eval_options *options;
    const dv_bank_info *bank;
    dv_features *features;
    const dv_feature_info *queries;
    dv_selection selection;
    dv_retriever *retriever;
    dv_scoring scoring;
    dv_predictions *predictions; /* NULL: not wanted */
    dv_pool *pool;
    size_t block_images, n_classes;
    uint16_t *host_pred; /* [block_images, H, W]; with predictions only */
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

static dv_status prepare_scoring(evaluation *e) {
    e->block_images = dv_retriever_block_images(e->retriever);
    const dv_scoring_spec spec = {.device = dv_retriever_device(e->retriever),
                                  .queries = e->queries,
                                  .pixels = &e->options->pixels,
                                  .block_images = e->block_images,
                                  .k = e->options->search.k,
                                  .n_classes = e->n_classes,
                                  .beta = e->options->beta,
                                  .counts = e->bank->counts,
                                  .n_rows = e->bank->n_rows};
    DV_TRY(dv_scoring_make(&spec, &e->scoring));
    if (!e->predictions) return DV_OK;
    return dv_alloc(e->block_images * e->scoring.n_pixels, sizeof *e->host_pred, "predictions of a block",
                    &e->host_pred);
}

static dv_status open_retriever(evaluation *e, dv_bank *bank) {
    const dv_preprocessing *size = &e->queries->preprocessing;
    const size_t map_bytes = size->input_h * size->input_w * sizeof *e->host_pred;
    const dv_retriever_use use = {.n_images = e->selection.n_images,
                                  .image_bytes = dv_scoring_image_bytes(e->queries, e->n_classes) +
                                                 (e->predictions ? map_bytes : 0),
                                  .fixed_bytes = e->bank->n_rows * e->n_classes * sizeof *e->bank->counts};
    return dv_retriever_open(bank, e->queries, &e->options->search, &use, &e->retriever);
}

static dv_status prepare(evaluation *e, dv_bank *bank) {
    e->n_classes = e->bank->n_classes;
    DV_TRY(dv_selection_make(e->queries, e->options->drop_last_batch, &e->selection));
    if (e->selection.n_images == 0 && !e->options->allow_empty)
        return dv_fail(DV_E_DATA, "no query image is left to score: %zu were dropped as last incomplete batches of %zu",
                       e->selection.n_dropped, e->options->drop_last_batch);
    DV_TRY(alloc_result(e));
    if (e->options->predictions)
        DV_TRY(dv_predictions_begin(e->options->predictions, e->options->force, &e->predictions));
    DV_TRY(dv_pool_create(e->options->search.n_threads, &e->pool));
    DV_TRY(open_retriever(e, bank));
    return prepare_scoring(e);
}

static dv_status add_image(evaluation *e, size_t image, const dv_confusion *confusion) {
    dv_eval_group *total = &e->result->total;
    const size_t base = e->n_done * e->n_classes;
    if (e->intersections) dv_class_counts(confusion, e->intersections + base, e->unions + base, e->truths + base);
    e->n_done++;
    total->n_images++;
    DV_TRY(dv_confusion_merge(total->confusion, confusion));
    if (!e->selection.bin_of) return DV_OK;
    dv_eval_group *group = &e->result->bins[e->selection.bin_of[image]];
    group->n_images++;
    return dv_confusion_merge(group->confusion, confusion);
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
                                e->host_pred + task * e->scoring.n_pixels, e->queries->preprocessing.input_h,
                                e->queries->preprocessing.input_w);
}

static dv_status write_predictions(evaluation *e, const dv_feature_block *block) {
    if (!e->predictions) return DV_OK;
    const dv_scoring *scoring = &e->scoring;
    dv_device *device = scoring->spec.device;
    const size_t n_bytes = block->n_images * scoring->n_pixels * sizeof *scoring->pred;
    DV_TRY(device->ops->download(device, e->host_pred, scoring->pred, n_bytes));
    DV_TRY(device->ops->synchronise(device));
    png_batch batch = {.e = e, .block = block};
    return dv_pool_run(e->pool, block->n_images, write_one_png, &batch);
}

static dv_status score_blocks(evaluation *e, dv_feature_reader *reader) {
    for (;;) {
        const dv_feature_block *block;
        DV_TRY(dv_feature_reader_next(reader, &block));
        if (!block) return DV_OK;
        DV_TRY(dv_scoring_begin(&e->scoring, block));
        DV_TRY(dv_retriever_search(e->retriever, block, e->scoring.ids, e->scoring.cosines));
        DV_TRY(dv_scoring_run(&e->scoring, block->n_images));
        for (size_t i = 0; i < block->n_images; i++) DV_TRY(add_image(e, block->images[i], e->scoring.confusions[i]));
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
                                               .bad_images = e->options->skip_bad ? DV_BAD_SKIP : DV_BAD_LIST,
                                               .one_block = dv_retriever_one_block(e->retriever)};
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
    result->aggregate_s = e->scoring.aggregate_s;
    result->segment_s = e->scoring.segment_s;
    if (!e->predictions) return DV_OK;
    dv_predictions *predictions = e->predictions;
    e->predictions = NULL; /* the commit frees it in every case */
    return dv_predictions_commit(predictions);
}

static void release(evaluation *e) {
    dv_scoring_clear(&e->scoring);
    dv_predictions_abandon(e->predictions);
    dv_retriever_close(e->retriever);
    dv_pool_free(e->pool);
    dv_selection_clear(&e->selection);
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
