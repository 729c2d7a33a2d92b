#include "pipeline/sweep_trial.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bank/nested.h"
#include "core/check.h"
#include "core/clock.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "pipeline/grid.h"
#include "pipeline/grid_search.h"
#include "pipeline/scoring.h"
#include "pipeline/sweep_thin.h"

enum {
    QUERIES_PER_THREAD = 512, /* what one search of a sweep holds, see grid_search.c */
    LESS = 8,                 /* the banks of the second search are smaller by this */
    TRIES = 3,
    READ_TRIES = 8,
    READ_IMAGES = 8 /* at most, in each */
};

typedef struct trial {
    const dv_sweep_plan *plan;
    const dv_feature_info *info;
    const dv_sweep_options *options;
    size_t n_threads;
    dv_pool *pool;
    size_t n_pixels, image_bytes;
    size_t n_wanted, n_images; /* queries, and those that were not bad */
    size_t *wanted, *images;
    unsigned char *rows; /* dtype [n_images * P, dim] */
    uint16_t *labels;    /* u16 [n_images, H, W] */
    dv_sweep_rates *rates;
} trial;

/* The banks of all configurations, with some of their images. */
typedef struct banks {
    dv_bank_plan *plans;
    dv_bank *bank;
    dv_grid grid;
    dv_search_options options;
    dv_grid_search *search;
    double n_rows, n_segments;
    double make_s;  /* an image */
    double query_s; /* a query against all of it */
} banks;

static dv_feature_block query_block(const trial *t) {
    return (dv_feature_block){.n_images = t->n_images, .images = t->images, .rows = t->rows, .labels = t->labels};
}

/* What a GPU does takes no processor time. Else that of all threads, shared by them: other programs on the same
 * processors, or fewer processors than threads, do not matter then. */
static double now_s(const trial *t, const dv_device *device) {
    return device->ops->gpus ? dv_steady_s() : dv_processor_s() / (double)t->n_threads;
}

/* ---- Reading -------------------------------------------------------------------------------------------------------
 */

static dv_status alloc_queries(trial *t) {
    const dv_feature_info *info = t->info;
    const size_t wanted = t->n_threads * QUERIES_PER_THREAD / info->n_patches;
    const size_t most = t->plan->n_images ? t->plan->n_images : 1;
    t->n_wanted = wanted < 1 ? 1 : wanted < most ? wanted : most;
    t->n_pixels = info->preprocessing.input_h * info->preprocessing.input_w;
    t->image_bytes = info->n_patches * info->dim * dv_dtype_size(info->dtype);
    DV_TRY(dv_alloc(t->n_wanted, sizeof *t->wanted, "the queries of a trial", &t->wanted));
    DV_TRY(dv_alloc(t->n_wanted, sizeof *t->images, "the queries of a trial", &t->images));
    DV_TRY(dv_alloc(t->n_wanted, t->image_bytes, "the queries of a trial", &t->rows));
    return dv_alloc(t->n_wanted * t->n_pixels, sizeof *t->labels, "the labels of a trial", &t->labels);
}

static void keep_block(trial *t, const dv_feature_block *block) {
    t->n_images = block->n_images;
    memcpy(t->images, block->images, block->n_images * sizeof *t->images);
    memcpy(t->rows, block->rows, block->n_images * t->image_bytes);
    memcpy(t->labels, block->labels, block->n_images * t->n_pixels * sizeof *t->labels);
}

/* The first n of the wanted images, but bad ones where these are left out. */
static dv_status read_wanted(trial *t, size_t n) {
    const dv_feature_reader_options options = {.images = t->wanted,
                                               .n_images = n,
                                               .images_per_block = n,
                                               .want_rows = true,
                                               .want_labels = true,
                                               .zero_rows = t->plan->config->zero_rows,
                                               .bad_images = t->options->skip_bad ? DV_BAD_SKIP : DV_BAD_FAIL};
    const dv_feature_block *block;
    dv_feature_reader *reader;
    t->n_images = 0;
    DV_TRY(dv_feature_reader_open(t->plan->features, &options, &reader));
    const dv_status status = dv_feature_reader_next(reader, &block);
    if (status == DV_OK && block) keep_block(t, block);
    dv_feature_reader_close(reader);
    return status;
}

/* Neighbouring images, as a sweep reads them; other ones in each try, so that none finds what the last one read. */
static dv_status time_reading(trial *t) {
    const size_t n = t->n_wanted < READ_IMAGES ? t->n_wanted : READ_IMAGES;
    double least_s = INFINITY;
    for (size_t i = 0; i < READ_TRIES; i++) {
        const size_t first = (t->info->n_images - n) * i / (READ_TRIES - 1);
        for (size_t j = 0; j < n; j++) t->wanted[j] = first + j;
        const double start_s = dv_steady_s();
        DV_TRY(read_wanted(t, n));
        least_s = fmin(least_s, dv_steady_s() - start_s);
    }
    t->rates->read_bytes_s = least_s / ((double)n * (double)(t->image_bytes + t->n_pixels));
    return DV_OK;
}

/* From all parts of the set: those of one bin, or of an object, would find more, or less, than others do. */
static dv_status read_queries(trial *t) {
    for (size_t i = 0; i < t->n_wanted; i++)
        t->wanted[i] = t->plan->n_images ? t->plan->images[i * t->plan->n_images / t->n_wanted] : 0;
    DV_TRY(read_wanted(t, t->n_wanted));
    if (t->n_images) return DV_OK;
    return dv_fail(DV_E_DATA, "%s: all %zu images of a trial are bad", t->info->paths[0], t->n_wanted);
}

/* ---- Searching -----------------------------------------------------------------------------------------------------
 */

static dv_status make_banks(const trial *t, size_t less, banks *b) {
    const dv_sweep_plan *plan = t->plan;
    DV_TRY(dv_sweep_thin_make(plan, less, &b->plans));
    const double start_s = dv_steady_s(), start_cpu_s = dv_processor_s();
    DV_TRY(dv_bank_build_nested(plan->features, &plan->bank, b->plans, plan->n_configs, &b->bank));
    const dv_bank_info *info = dv_bank_get_info(b->bank);
    DV_TRY(dv_grid_make(info, b->plans, plan->n_configs, &b->grid));
    b->options = (dv_search_options){.k = plan->config->k,
                                     .backend = t->options->backend ? t->options->backend : "auto",
                                     .kernel = t->options->kernel,
                                     .n_threads = t->options->n_threads};
    const dv_grid_search_spec spec = {.bank = b->bank,
                                      .grid = &b->grid,
                                      .queries = t->info,
                                      .images = t->images,
                                      .n_images = t->n_images,
                                      .options = &b->options,
                                      .pool = t->pool};
    size_t config;
    DV_TRY(dv_grid_search_open(&spec, &config, &b->search));
    const bool on_gpu = dv_grid_search_device(b->search)->ops->gpus != NULL;
    const double spent_s = on_gpu ? dv_steady_s() - start_s : dv_processor_s() - start_cpu_s;
    b->make_s = spent_s / (double)info->n_bank_images;
    b->n_rows = (double)info->n_rows;
    b->n_segments = (double)b->grid.n_segments;
    return DV_OK;
}

static void free_banks(const trial *t, banks *b) {
    dv_grid_search_close(b->search);
    dv_grid_clear(&b->grid);
    dv_bank_close(b->bank);
    dv_sweep_thin_free(b->plans, t->plan->n_configs);
}

static dv_status time_search(const trial *t, banks *b) {
    const dv_feature_block block = query_block(t);
    const dv_device *device = dv_grid_search_device(b->search);
    double least_s = INFINITY;
    for (size_t i = 0; i < TRIES; i++) {
        const double start_s = now_s(t, device);
        DV_TRY(dv_grid_search_run(b->search, &block, t->n_images));
        least_s = fmin(least_s, now_s(t, device) - start_s);
    }
    b->query_s = least_s / ((double)t->n_images * (double)t->info->n_patches);
    return DV_OK;
}

static dv_status time_small_search(const trial *t, banks *b) {
    *b = (banks){0};
    dv_status status = make_banks(t, LESS, b);
    if (status == DV_OK) status = time_search(t, b);
    free_banks(t, b);
    return status;
}

/* Two searches tell what a pair costs and what a visit does. Their sum is the larger search whatever the smaller one
 * says, so that noise moves time from one to the other, and makes neither negative. */
static void split_search(const banks *large, const banks *small, dv_sweep_rates *rates) {
    const double most = large->query_s / large->n_rows, small_s = small->query_s / small->n_segments;
    const double more_rows = large->n_rows - small->n_rows * large->n_segments / small->n_segments;
    const double pair_s = more_rows > 0 ? (large->query_s - small_s * large->n_segments) / more_rows : 0;
    rates->row_pair_s = fmax(most / 4, fmin(most, pair_s));
    rates->visit_s = (large->query_s - rates->row_pair_s * large->n_rows) / large->n_segments;
}

static void tell_memory(const trial *t, const banks *b) {
    const dv_device *device = dv_grid_search_device(b->search);
    size_t n_rows = 0;
    for (size_t i = 0; i < b->grid.n_segments; i++)
        if (n_rows < b->grid.segments[i].n_rows) n_rows = b->grid.segments[i].n_rows;
    const dv_search_shape shape = {.n_rows = n_rows,
                                   .dim = t->info->dim,
                                   .dtype = t->info->dtype,
                                   .n_queries = t->n_wanted * t->info->n_patches,
                                   .k = t->plan->config->k};
    dv_search_memory memory = {0};
    if (device->ops->search_memory) device->ops->search_memory(device, &shape, &memory);
    t->rates->backend = device->ops->name;
    t->rates->index_row_bytes = memory.row_bytes;
    t->rates->search_bytes = memory.fixed_bytes;
}

/* ---- Scoring -------------------------------------------------------------------------------------------------------
 */

static dv_status score_config(const trial *t, const banks *b, size_t config, dv_scoring *scoring) {
    dv_device *device = scoring->spec.device;
    const size_t n = t->n_images * t->info->n_patches * t->plan->config->k;
    const int64_t *ids;
    const double *cosines;
    DV_TRY(dv_check_interrupted());
    DV_TRY(dv_grid_search_lists(b->search, config, &ids, &cosines));
    DV_TRY(device->ops->upload(device, scoring->ids, ids, n * sizeof *ids));
    DV_TRY(device->ops->upload(device, scoring->cosines, cosines, n * sizeof *cosines));
    return dv_scoring_run(scoring, t->n_images);
}

static dv_status score_all(const trial *t, const banks *b, dv_scoring *scoring) {
    const dv_feature_block block = query_block(t);
    const size_t n = t->plan->n_configs;
    DV_TRY(dv_scoring_begin(scoring, &block));
    DV_TRY(score_config(t, b, 0, scoring)); /* fills caches and memory */
    const double start_s = now_s(t, scoring->spec.device);
    for (size_t i = 0; i < n; i++) DV_TRY(score_config(t, b, i, scoring));
    t->rates->score_image_s = (now_s(t, scoring->spec.device) - start_s) / ((double)n * (double)t->n_images);
    return DV_OK;
}

static dv_status time_scoring(const trial *t, const banks *b) {
    const dv_bank_info *info = dv_bank_get_info(b->bank);
    const dv_pixel_policy pixels = {.ignored = t->plan->config->ignored, .invalid = DV_INVALID_DROP};
    const dv_scoring_spec spec = {.device = dv_grid_search_device(b->search),
                                  .queries = t->info,
                                  .pixels = &pixels,
                                  .block_images = t->n_images,
                                  .k = t->plan->config->k,
                                  .n_classes = info->n_classes,
                                  .beta = t->plan->config->beta,
                                  .counts = info->counts,
                                  .n_rows = info->n_rows,
                                  .n_blank_rows = t->plan->config->k};
    dv_scoring scoring;
    dv_status status = dv_scoring_make(&spec, &scoring);
    if (status == DV_OK) status = score_all(t, b, &scoring);
    dv_scoring_clear(&scoring);
    return status;
}

static dv_status measure(trial *t, banks *large) {
    banks small;
    DV_TRY(alloc_queries(t));
    DV_TRY(time_reading(t));
    DV_TRY(read_queries(t));
    DV_TRY(dv_pool_create(t->n_threads, &t->pool));
    DV_TRY(make_banks(t, 1, large));
    DV_TRY(time_search(t, large));
    DV_TRY(time_scoring(t, large));
    DV_TRY(time_small_search(t, &small));
    split_search(large, &small, t->rates);
    t->rates->bank_image_s = large->make_s;
    tell_memory(t, large);
    return DV_OK;
}

dv_status dv_sweep_trial_run(const dv_sweep_plan *plan, const dv_sweep_options *options, dv_sweep_rates *rates) {
    trial t = {.plan = plan,
               .info = plan->info,
               .options = options,
               .n_threads = options->n_threads ? options->n_threads : 1,
               .rates = rates};
    banks large = {0};
    *rates = (dv_sweep_rates){0};
    const dv_status status = measure(&t, &large);
    free_banks(&t, &large);
    dv_pool_free(t.pool);
    free(t.wanted);
    free(t.images);
    free(t.rows);
    free(t.labels);
    return status;
}
