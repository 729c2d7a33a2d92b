#include "denseval/eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bank/file.h"
#include "cluster/exchange.h"
#include "cluster/rank_bad.h"
#include "cluster/same.h"
#include "core/check.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "io/feature_bad.h"
#include "pipeline/eval_join.h"
#include "pipeline/fit.h"
#include "pipeline/image_counts.h"
#include "pipeline/pictures.h"
#include "pipeline/retriever.h"
#include "pipeline/scoring.h"
#include "pipeline/selection.h"

/* Everything that one evaluation holds. */
typedef struct evaluation {
    const dv_eval_options *options;
    const dv_bank_info *bank;
    dv_features *features;
    const dv_feature_info *queries;
    dv_ranks *ranks;
    dv_selection selection;
    dv_retriever *retriever;
    dv_share images; /* of the selection, that this rank reads */
    dv_scoring scoring;
    dv_pictures *pictures; /* NULL: not wanted */
    dv_pool *pool;
    size_t block_images, n_classes;
    dv_image_counts counts; /* of the selected images, for the bootstrap only */
    size_t n_read;
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
    return dv_image_counts_make(e->selection.n_images, e->n_classes, &e->counts);
}

static dv_status prepare_scoring(evaluation *e) {
    e->block_images = dv_retriever_block_images(e->retriever);
    e->images = dv_retriever_images(e->retriever, e->selection.n_images);
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
    return e->pictures ? dv_pictures_expect(e->pictures, e->images.n, e->block_images) : DV_OK;
}

static dv_status open_retriever(evaluation *e, dv_bank *bank) {
    const dv_preprocessing *size = &e->queries->preprocessing;
    const size_t map_bytes = size->input_h * size->input_w * sizeof(uint16_t);
    const dv_retriever_use use = {.n_images = e->selection.n_images,
                                  .image_bytes =
                                      dv_scoring_image_bytes(e->queries, e->n_classes) + (e->pictures ? map_bytes : 0),
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
    DV_TRY(dv_pool_create(e->options->search.n_threads, &e->pool));
    const dv_pictures_spec pictures = {.path = e->options->predictions,
                                       .force = e->options->force,
                                       .ranks = e->ranks,
                                       .queries = e->queries,
                                       .pool = e->pool};
    if (pictures.path) DV_TRY(dv_pictures_begin(&pictures, &e->pictures));
    DV_TRY(open_retriever(e, bank));
    return prepare_scoring(e);
}

/* place: in the selection */
static dv_status add_image(evaluation *e, size_t image, size_t place, const dv_confusion *confusion) {
    dv_eval_group *total = &e->result->total;
    if (e->counts.scored) dv_image_counts_set(&e->counts, place, confusion);
    total->n_images++;
    DV_TRY(dv_confusion_merge(total->confusion, confusion));
    if (!e->selection.bin_of) return DV_OK;
    dv_eval_group *group = &e->result->bins[e->selection.bin_of[image]];
    group->n_images++;
    return dv_confusion_merge(group->confusion, confusion);
}

/* Searches for a block, and scores what this rank has of it. */
static dv_status score_block(evaluation *e, const dv_feature_block *block) {
    const dv_feature_block own = dv_retriever_own(e->retriever, block);
    DV_TRY(dv_scoring_begin(&e->scoring, &own));
    DV_TRY(dv_retriever_search(e->retriever, block, e->scoring.ids, e->scoring.cosines));
    DV_TRY(dv_scoring_run(&e->scoring, own.n_images));
    for (size_t i = 0; i < own.n_images; i++)
        DV_TRY(add_image(e, own.images[i], e->images.first + own.places[i], e->scoring.confusions[i]));
    return e->pictures ? dv_pictures_put(e->pictures, &own, e->scoring.spec.device, e->scoring.pred) : DV_OK;
}

static dv_status score_blocks(evaluation *e, dv_feature_reader *reader) {
    const dv_search_options *search = &e->options->search;
    for (;;) {
        const dv_feature_block *block;
        DV_TRY(dv_feature_reader_next(reader, &block));
        if (!block) break;
        DV_TRY(score_block(e, block));
        e->n_read += block->n_images;
        const size_t n_seen = e->n_read + dv_feature_reader_skipped(reader);
        if (search->progress) search->progress(search->progress_user, "images", n_seen, e->images.n);
    }
    return e->pictures ? dv_pictures_end(e->pictures) : DV_OK;
}

static dv_status score_all(evaluation *e) {
    if (e->selection.n_images == 0) return DV_OK;
    const dv_pixel_policy *pixels = &e->options->pixels;
    const bool shared = dv_retriever_queries_are_split(e->retriever);
    const dv_feature_reader_options options = {.images = e->selection.images + e->images.first,
                                               .n_images = e->images.n,
                                               .images_per_block = e->block_images,
                                               .want_rows = true,
                                               .want_labels = true,
                                               .zero_rows = e->options->search.zero_rows,
                                               .n_classes = pixels->invalid == DV_INVALID_ERROR ? e->n_classes : 0,
                                               .ignored = &pixels->ignored,
                                               .bad_images = e->options->skip_bad ? DV_BAD_SKIP : DV_BAD_LIST,
                                               .one_block = dv_retriever_one_block(e->retriever),
                                               .keep_bad = shared};
    dv_feature_reader *reader;
    DV_TRY(dv_feature_reader_open(e->features, &options, &reader));
    dv_status status = score_blocks(e, reader);
    if (status == DV_OK && shared)
        status = dv_rank_bad_judge(e->ranks, dv_feature_reader_bad(reader), e->selection.n_images);
    if (shared || dv_ranks_index(e->ranks) == 0) e->result->n_skipped_images = dv_feature_reader_skipped(reader);
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

/* Brings everything to rank 0, the last that others have to do with. */
static dv_status join(evaluation *e) {
    dv_eval_result *result = e->result;
    DV_TRY(dv_eval_join(e->ranks, result));
    if (e->counts.scored) DV_TRY(dv_image_counts_join(e->ranks, &e->counts));
    result->aggregate_s = e->scoring.aggregate_s;
    result->segment_s = e->scoring.segment_s;
    return dv_retriever_summary(e->retriever, &result->search);
}

static dv_status finish(evaluation *e) {
    dv_eval_result *result = e->result;
    const dv_eval_options *options = e->options;
    DV_TRY(score_group(options, &result->total));
    if (result->total.n_images == 0 && result->n_skipped_images && !options->allow_empty)
        return dv_fail(DV_E_DATA, "nothing was scored: all %zu query images are bad", result->n_skipped_images);
    if (isnan(result->total.iou.pixel_accuracy) && !options->allow_empty)
        return dv_fail(DV_E_DATA, "nothing was scored: every pixel of the %zu query images is ignored or no class",
                       result->total.n_images);
    for (size_t i = 0; i < result->n_bins; i++) DV_TRY(score_group(options, &result->bins[i]));
    if (options->n_resamples) {
        dv_image_counts *counts = &e->counts;
        dv_image_counts_pack(counts);
        DV_TRY(dv_bootstrap_miou(counts->intersections, counts->unions, counts->truths, counts->n_images, e->n_classes,
                                 options->absent, options->excluded, options->n_resamples, options->seed,
                                 options->search.n_threads, &result->interval));
    }
    if (!e->pictures) return DV_OK;
    dv_pictures *pictures = e->pictures;
    e->pictures = NULL; /* the commit frees it in every case */
    return dv_pictures_commit(pictures);
}

static void release(evaluation *e) {
    dv_scoring_clear(&e->scoring);
    dv_pictures_abandon(e->pictures);
    dv_retriever_close(e->retriever);
    dv_pool_free(e->pool);
    dv_selection_clear(&e->selection);
    dv_image_counts_clear(&e->counts);
}

dv_status dv_eval_run(dv_bank *bank, dv_features *queries, const dv_eval_options *options, dv_eval_result *result) {
    *result = (dv_eval_result){0};
    DV_TRY(check_options(options));
    DV_TRY(dv_bank_same(options->search.ranks, bank));
    DV_TRY(dv_ranks_same_features(options->search.ranks, dv_features_info(queries)));
    evaluation e = {.options = options,
                    .ranks = options->search.ranks,
                    .bank = dv_bank_get_info(bank),
                    .features = queries,
                    .queries = dv_features_info(queries),
                    .result = result};
    dv_status status = dv_context(dv_fit_classes(e.bank, e.queries), "%s", e.queries->paths[0]);
    if (status == DV_OK) status = prepare(&e, bank);
    if (status == DV_OK) status = score_all(&e);
    if (status == DV_OK) status = join(&e);
    if (status == DV_OK && dv_ranks_index(e.ranks) == 0) status = finish(&e);
    dv_ranks_hush(e.ranks, status);
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
