#include "pipeline/sweep_trial.h"

#include <stdint.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/clock.h"
#include "core/memory.h"
#include "pipeline/scoring.h"

enum {
    BANK_ROWS = 1 << 15,      /* at most, so that a trial takes about a second */
    BANK_BYTES = 256 << 20,   /* likewise */
    QUERIES_PER_THREAD = 512, /* what one search of a sweep holds, see grid_search.c */
    SMALL = 8,                /* the bank of the second search is smaller by this */
    REPEATS = 3,
    SCORED_IMAGES = 2
};

typedef struct trial {
    const dv_sweep_plan *plan;
    const dv_feature_info *info;
    const dv_sweep_options *options;
    dv_device *device;
    size_t n_bank_images, n_query_images, n_rows, n_queries, k;
    unsigned char *bank, *queries; /* dtype [n_rows, dim], [n_query_images * P, dim] */
    uint16_t *labels;              /* u16 [n_query_images, H, W] */
    int64_t *ids;                  /* device memory [n_queries, k] */
    double *cosines;               /* likewise */
    dv_sweep_rates *rates;
} trial;

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t image_bytes(const dv_feature_info *info) {
    return info->n_patches * info->dim * dv_dtype_size(info->dtype);
}

/* How much of the file is tried. */
static void choose_sizes(trial *t, size_t segment_rows) {
    const dv_feature_info *info = t->info;
    const size_t threads = t->options->n_threads ? t->options->n_threads : 1;
    const size_t wanted = least(segment_rows > t->plan->config->k ? segment_rows : t->plan->config->k, BANK_ROWS);
    const size_t most = least((wanted - 1) / info->n_patches + 1, BANK_BYTES / image_bytes(info));
    t->n_query_images = least(info->n_images, threads * QUERIES_PER_THREAD / info->n_patches + 1);
    const size_t others = info->n_images - t->n_query_images;
    t->n_bank_images = least(others ? others : info->n_images, most ? most : 1);
    t->n_rows = least(t->n_bank_images * info->n_patches, wanted);
    t->n_queries = least(t->n_query_images * info->n_patches, threads * QUERIES_PER_THREAD);
    t->k = least(t->plan->config->k, t->n_rows);
}

static dv_status read_images(trial *t) {
    const dv_feature_info *info = t->info;
    const size_t n_pixels = info->preprocessing.input_h * info->preprocessing.input_w;
    const size_t n = t->n_bank_images + t->n_query_images;
    DV_TRY(dv_alloc(t->n_bank_images, image_bytes(info), "the bank of a trial", &t->bank));
    DV_TRY(dv_alloc(t->n_query_images, image_bytes(info), "the queries of a trial", &t->queries));
    DV_TRY(dv_alloc(t->n_query_images * n_pixels, sizeof *t->labels, "the labels of a trial", &t->labels));
    const double start_s = dv_steady_s();
    DV_TRY(dv_features_read(t->plan->features, 0, t->n_bank_images, DV_ZERO_KEEP, t->bank, NULL));
    DV_TRY(dv_features_read(t->plan->features, info->n_images - t->n_query_images, t->n_query_images, DV_ZERO_KEEP,
                            t->queries, t->labels));
    t->rates->read_bytes_s = (dv_steady_s() - start_s) / ((double)n * (double)image_bytes(info));
    return DV_OK;
}

static dv_status open_device(trial *t) {
    const dv_device_options options = {.n_threads = t->options->n_threads, .kernel = t->options->kernel};
    const dv_search_shape shape = {
        .n_rows = t->n_rows, .dim = t->info->dim, .dtype = t->info->dtype, .n_queries = t->n_queries, .k = t->k};
    dv_search_memory memory = {0};
    void *room;
    DV_TRY(dv_device_open(t->options->backend ? t->options->backend : "auto", &options, &t->device));
    t->rates->backend = t->device->ops->name;
    if (t->device->ops->search_memory) t->device->ops->search_memory(t->device, &shape, &memory);
    t->rates->index_row_bytes = memory.row_bytes;
    t->rates->search_bytes = memory.fixed_bytes;
    DV_TRY(t->device->ops->alloc(t->device, t->n_queries * t->k * sizeof *t->ids, &room));
    t->ids = room;
    DV_TRY(t->device->ops->alloc(t->device, t->n_queries * t->k * sizeof *t->cosines, &room));
    t->cosines = room;
    return DV_OK;
}

/* Seconds of one search: the median, after one that is not counted. */
static dv_status time_search(trial *t, void *index, size_t k, double *seconds) {
    const dv_queries queries = {
        .rows = {.data = t->queries, .dtype = t->info->dtype, .n_rows = t->n_queries, .dim = t->info->dim}};
    double times[REPEATS + 1];
    for (size_t i = 0; i <= REPEATS; i++) {
        DV_TRY(dv_check_interrupted());
        const double start_s = dv_steady_s();
        DV_TRY(t->device->ops->search(t->device, index, &queries, k, t->ids, t->cosines));
        DV_TRY(t->device->ops->synchronise(t->device));
        times[i] = dv_steady_s() - start_s;
    }
    const double a = times[1], b = times[2], c = times[3];
    _Static_assert(REPEATS == 3, "the median of three");
    *seconds = a > b ? (b > c ? b : a > c ? c : a) : (a > c ? a : b > c ? c : b);
    return DV_OK;
}

static dv_status time_bank(trial *t, size_t n_rows, double *load_s, double *search_s) {
    const dv_bank_rows rows = {
        .rows = {.data = t->bank, .dtype = t->info->dtype, .n_rows = n_rows, .dim = t->info->dim}};
    void *index;
    const double start_s = dv_steady_s();
    DV_TRY(t->device->ops->bank_load(t->device, &rows, &index));
    *load_s = dv_steady_s() - start_s;
    const dv_status status = time_search(t, index, least(t->k, n_rows), search_s);
    t->device->ops->bank_free(t->device, index);
    return status;
}

/* Two banks tell what a pair costs and what a visit does, as a straight line; noise must not make either negative. */
static dv_status measure_search(trial *t) {
    double load_s, small_load_s, search_s, small_s;
    const size_t n_small = t->n_rows / SMALL ? t->n_rows / SMALL : 1;
    const double n_queries = (double)t->n_queries, n_rows = (double)t->n_rows;
    DV_TRY(time_bank(t, n_small, &small_load_s, &small_s));
    DV_TRY(time_bank(t, t->n_rows, &load_s, &search_s));
    const double least_pair_s = search_s / n_queries / n_rows / 4;
    double pair_s = n_small < t->n_rows ? (search_s - small_s) / n_queries / (double)(t->n_rows - n_small) : 0;
    if (pair_s < least_pair_s) pair_s = least_pair_s;
    const double visit_s = search_s / n_queries - pair_s * n_rows;
    t->rates->row_pair_s = pair_s;
    t->rates->visit_s = visit_s > 0 ? visit_s : 0;
    t->rates->load_row_s = load_s / n_rows;
    return DV_OK;
}

/* Pixels of two classes in every patch: no patch is of one class, so every pixel is blended. */
static dv_status make_counts(const trial *t, size_t n_classes, uint16_t **counts) {
    DV_TRY(dv_alloc(t->n_rows * n_classes, sizeof **counts, "the labels of a trial", counts));
    for (size_t row = 0; row < t->n_rows; row++) {
        (*counts)[row * n_classes + row % n_classes] = 1;
        (*counts)[row * n_classes + (row + 1) % n_classes] += 1;
    }
    return DV_OK;
}

static dv_status score(trial *t, dv_scoring *scoring, size_t n_images) {
    const dv_device_ops *ops = t->device->ops;
    const dv_feature_block block = {.n_images = n_images, .labels = t->labels};
    const size_t n = n_images * t->info->n_patches * t->k;
    int64_t *ids;
    double *cosines = NULL;
    DV_TRY(dv_alloc(n, sizeof *ids, "the neighbours of a trial", &ids));
    dv_status status = dv_alloc(n, sizeof *cosines, "the neighbours of a trial", &cosines);
    for (size_t i = 0; status == DV_OK && i < n; i++) {
        ids[i] = (int64_t)(i % t->n_rows);
        cosines[i] = 1 - 0.001 * (double)(i % t->k);
    }
    if (status == DV_OK) status = ops->upload(t->device, scoring->ids, ids, n * sizeof *ids);
    if (status == DV_OK) status = ops->upload(t->device, scoring->cosines, cosines, n * sizeof *cosines);
    if (status == DV_OK) status = dv_scoring_begin(scoring, &block);
    if (status == DV_OK) status = ops->synchronise(t->device);
    free(ids);
    free(cosines);
    const double start_s = dv_steady_s();
    if (status == DV_OK) status = dv_scoring_run(scoring, n_images);
    t->rates->score_image_s = (dv_steady_s() - start_s) / (double)n_images;
    return status;
}

static dv_status measure_scoring(trial *t) {
    const size_t threads = t->options->n_threads ? t->options->n_threads : 1;
    const size_t n_images = least(t->n_query_images, SCORED_IMAGES * threads), n_classes = t->info->n_classes;
    const dv_pixel_policy pixels = {.ignored = t->plan->config->ignored, .invalid = DV_INVALID_DROP};
    uint16_t *counts;
    dv_scoring scoring = {0};
    DV_TRY(make_counts(t, n_classes, &counts));
    const dv_scoring_spec spec = {.device = t->device,
                                  .queries = t->info,
                                  .pixels = &pixels,
                                  .block_images = n_images,
                                  .k = t->k,
                                  .n_classes = n_classes,
                                  .beta = t->plan->config->beta,
                                  .counts = counts,
                                  .n_rows = t->n_rows};
    dv_status status = dv_scoring_make(&spec, &scoring);
    if (status == DV_OK) status = score(t, &scoring, n_images); /* fills caches and memory */
    if (status == DV_OK) status = score(t, &scoring, n_images);
    dv_scoring_clear(&scoring);
    free(counts);
    return status;
}

dv_status dv_sweep_trial_run(const dv_sweep_plan *plan, const dv_sweep_options *options, size_t n_rows,
                             dv_sweep_rates *rates) {
    trial t = {.plan = plan, .info = plan->info, .options = options, .rates = rates};
    *rates = (dv_sweep_rates){0};
    choose_sizes(&t, n_rows);
    dv_status status = read_images(&t);
    if (status == DV_OK) status = open_device(&t);
    if (status == DV_OK) status = measure_search(&t);
    if (status == DV_OK) status = measure_scoring(&t);
    if (t.device) {
        t.device->ops->release(t.device, t.ids);
        t.device->ops->release(t.device, t.cosines);
        t.device->ops->close(t.device);
    }
    free(t.bank);
    free(t.queries);
    free(t.labels);
    return status;
}
