#include <stdlib.h>
#include <string.h>

#include "bank/counts.h"
#include "bank/handle.h"
#include "bank/nested.h"
#include "bank/plan.h"
#include "bank/sampling.h"
#include "bank/uniform.h"
#include "cluster/exchange.h"
#include "cluster/rank_bad.h"
#include "cluster/same.h"
#include "core/check.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "io/feature_bad.h"
#include "io/feature_values.h"

enum { BLOCK_BYTES = 64 << 20 }; /* of features and labels that are read ahead */

/* What one thread needs for one image. */
typedef struct scratch {
    uint16_t *counts; /* [n_patches, n_classes of the map] */
    uint32_t *frequency;
    double *weights, *uniforms;
    dv_scored_patch *scored;
    size_t n_zero_rows; /* left out so far */
} scratch;

/* One build. Each image and pass has places for the rows wanted of it; what stays empty is closed up in the end. */
typedef struct build {
    dv_features *features;
    const dv_feature_info *set;
    const dv_bank_options *options;
    dv_bank_plan plan;
    dv_share images; /* of the plan, that this rank samples */
    dv_uniform_table uniforms;
    dv_class_map *map;
    scratch *workers; /* [n_workers] */
    size_t n_workers;
    size_t *first;  /* [passes * n_images + 1], where the places of each image and pass begin */
    size_t *filled; /* [passes, n_images], rows taken */
    dv_bank *bank;
    const dv_feature_block *block; /* the images at work */
} build;

static dv_status make_workers(build *b) {
    const size_t n_patches = b->set->n_patches, n_classes = b->map->n_classes;
    size_t n_counts;
    DV_TRY(dv_mul_size(n_patches, n_classes, "the counts of an image", &n_counts));
    DV_TRY(dv_alloc(b->n_workers, sizeof *b->workers, "the sampling threads", &b->workers));
    for (size_t i = 0; i < b->n_workers; i++) {
        scratch *s = &b->workers[i];
        DV_TRY(dv_alloc(n_counts, sizeof *s->counts, "the pixel counts of an image", &s->counts));
        DV_TRY(dv_alloc(n_classes, sizeof *s->frequency, "the class frequencies of an image", &s->frequency));
        DV_TRY(dv_alloc(n_patches, sizeof *s->weights, "the weights of an image", &s->weights));
        DV_TRY(dv_alloc(n_patches, sizeof *s->uniforms, "the uniform numbers of an image", &s->uniforms));
        DV_TRY(dv_alloc(n_patches, sizeof *s->scored, "the scores of an image", &s->scored));
    }
    return DV_OK;
}

static void free_workers(build *b) {
    for (size_t i = 0; b->workers && i < b->n_workers; i++) {
        free(b->workers[i].counts);
        free(b->workers[i].frequency);
        free(b->workers[i].weights);
        free(b->workers[i].uniforms);
        free(b->workers[i].scored);
    }
    free(b->workers);
}

/* Takes the zero rows of an image out of the choice. */
static void leave_out_zero_rows(const build *b, size_t in_block, scratch *s) {
    const size_t n_patches = b->set->n_patches, row_bytes = b->set->dim * dv_dtype_size(b->set->dtype);
    const unsigned char *rows = (const unsigned char *)b->block->rows + in_block * n_patches * row_bytes;
    for (size_t patch = 0; patch < n_patches; patch++) {
        const void *row = rows + patch * row_bytes;
        if (s->weights[patch] == 0 || dv_feature_check(row, b->set->dtype, b->set->dim) != DV_FEATURE_ZERO) continue;
        s->weights[patch] = 0;
        s->n_zero_rows++;
    }
}

/* Writes the first of n rows of one image and pass into their places, as many as there are. */
static void take_rows(const build *b, size_t place, size_t pass, const scratch *s, size_t n) {
    const size_t n_classes = b->plan.n_classes, sampling = pass * b->plan.n_images + place;
    const size_t first = b->first[sampling], n_places = b->first[sampling + 1] - first;
    if (n > n_places) n = n_places;
    for (size_t rank = 0; rank < n; rank++) {
        const size_t row = first + rank, patch = (size_t)s->scored[rank].patch;
        memcpy(b->bank->counts + row * n_classes, s->counts + patch * n_classes, n_classes * sizeof *s->counts);
        b->bank->image[row] = (int32_t)b->plan.images[place];
        b->bank->patch[row] = (int32_t)patch;
        b->bank->rank[row] = (int32_t)rank;
    }
    b->filled[sampling] = n;
}

/* Weighs the patches of one image; without labels all alike. */
static dv_status weigh_image(const build *b, size_t in_block, scratch *s) {
    const dv_feature_info *set = b->set;
    if (!set->has_labels) {
        for (size_t patch = 0; patch < set->n_patches; patch++) s->weights[patch] = 1;
        return DV_OK;
    }
    const dv_patch_grid grid = {set->grid_h, set->grid_w, set->preprocessing.patch_size};
    const uint16_t *labels = b->block->labels + in_block * set->preprocessing.input_h * set->preprocessing.input_w;
    DV_TRY(dv_patch_counts(b->map, &grid, labels, s->counts)); /* good: the reader refuses what is no class */
    dv_patch_weights(s->counts, set->n_patches, b->map->n_classes, s->frequency, s->weights);
    return DV_OK;
}

static dv_status sample_image(void *context, size_t task, size_t worker) {
    build *b = context;
    scratch *s = &b->workers[worker];
    const dv_feature_info *set = b->set;
    const size_t place = b->images.first + b->block->places[task], image = b->block->images[task];
    DV_TRY(weigh_image(b, task, s));
    if (b->options->zero_rows == DV_ZERO_SKIP) leave_out_zero_rows(b, task, s);
    for (size_t pass = 0; pass < b->plan.passes; pass++) {
        const double *uniforms = NULL;
        if (!b->plan.every_patch)
            uniforms = dv_uniform_row(&b->uniforms, b->options->seed, set->image_ids[image], set->n_patches, place,
                                      pass, s->uniforms);
        const size_t n = dv_order_patches(s->weights, uniforms, set->n_patches, s->scored);
        take_rows(b, place, pass, s, n);
    }
    return DV_OK;
}

/* Images that make a block: enough for every thread, within BLOCK_BYTES. */
static size_t images_of_block(const build *b) {
    const dv_feature_info *set = b->set;
    const double image_bytes = (double)set->n_patches * (double)set->dim * (double)dv_dtype_size(set->dtype) +
                               2.0 * (double)set->preprocessing.input_h * (double)set->preprocessing.input_w;
    const double n = BLOCK_BYTES / (image_bytes < 1 ? 1 : image_bytes);
    const size_t most = 8 * b->n_workers;
    return n < 1 ? 1 : n > (double)most ? most : (size_t)n;
}

static dv_status sample_blocks(build *b, dv_feature_reader *reader, dv_pool *pool) {
    for (;;) {
        DV_TRY(dv_check_interrupted());
        DV_TRY(dv_feature_reader_next(reader, &b->block));
        if (!b->block) return DV_OK;
        DV_TRY(dv_pool_run(pool, b->block->n_images, sample_image, b));
    }
}

/* Reads every image of the plan once: all its features too, so that a bank is refused when it is built, not when the
 * first query needs the bad row. */
static dv_status sample_images(build *b, dv_pool *pool) {
    const dv_bank_options *options = b->options;
    dv_label_set ignored = options->ignored; /* what the class map takes in any case */
    if (options->memory_ignored == DV_MEMORY_BACKGROUND) dv_label_set_add(&ignored, DV_PUBLISHED_VOID);
    const bool shared = dv_ranks_count(options->ranks) > 1;
    const dv_feature_reader_options wanted = {.images = b->plan.images + b->images.first,
                                              .n_images = b->images.n,
                                              .images_per_block = images_of_block(b),
                                              .want_rows = true,
                                              .want_labels = b->set->has_labels,
                                              .zero_rows = options->zero_rows,
                                              .n_classes = options->invalid == DV_INVALID_ERROR ? b->plan.n_classes : 0,
                                              .ignored = &ignored,
                                              .bad_images = options->skip_bad ? DV_BAD_SKIP : DV_BAD_LIST,
                                              .keep_bad = shared};
    dv_feature_reader *reader = NULL;
    DV_TRY(dv_feature_reader_open(b->features, &wanted, &reader));
    dv_status status = sample_blocks(b, reader, pool);
    if (status == DV_OK && shared)
        status = dv_rank_bad_judge(options->ranks, dv_feature_reader_bad(reader), b->plan.n_images);
    b->bank->info.n_skipped_images = dv_feature_reader_skipped(reader);
    dv_feature_reader_close(reader);
    return status;
}

/* The rows and their number of one rank's images in one pass, to all. */
static dv_status tell_rows(build *b, size_t rank, size_t pass) {
    dv_ranks *ranks = b->options->ranks;
    dv_bank *bank = b->bank;
    const dv_share images = dv_share_of(b->plan.n_images, dv_ranks_count(ranks), rank);
    const size_t sampling = pass * b->plan.n_images + images.first, n_classes = b->plan.n_classes;
    const size_t row = b->first[sampling], n = b->first[sampling + images.n] - row;
    DV_TRY(dv_ranks_broadcast(ranks, rank, b->filled + sampling, images.n * sizeof *b->filled));
    DV_TRY(dv_ranks_broadcast(ranks, rank, bank->counts + row * n_classes, n * n_classes * sizeof *bank->counts));
    DV_TRY(dv_ranks_broadcast(ranks, rank, bank->image + row, n * sizeof *bank->image));
    DV_TRY(dv_ranks_broadcast(ranks, rank, bank->patch + row, n * sizeof *bank->patch));
    return dv_ranks_broadcast(ranks, rank, bank->rank + row, n * sizeof *bank->rank);
}

/* What ranks sampled of their images, to all. */
static dv_status join_ranks(build *b) {
    dv_ranks *ranks = b->options->ranks;
    dv_bank_info *info = &b->bank->info;
    uint64_t sums[2] = {info->n_skipped_images, info->n_skipped_zero_rows};
    if (dv_ranks_count(ranks) == 1) return DV_OK;
    dv_ranks_add_read(ranks, (uint64_t)b->images.n * b->set->n_patches * b->set->dim * dv_dtype_size(b->set->dtype));
    DV_TRY(dv_ranks_sum(ranks, sums, 2));
    DV_TRY(dv_ranks_broadcast(ranks, 0, sums, sizeof sums));
    info->n_skipped_images = (size_t)sums[0];
    info->n_skipped_zero_rows = (size_t)sums[1];
    for (size_t pass = 0; pass < b->plan.passes; pass++)
        for (size_t rank = 0; rank < dv_ranks_count(ranks); rank++) DV_TRY(tell_rows(b, rank, pass));
    return DV_OK;
}

static void move_rows(dv_bank *bank, size_t n_classes, size_t target, size_t source, size_t n) {
    if (target == source) return;
    memmove(bank->counts + target * n_classes, bank->counts + source * n_classes, n * n_classes * sizeof *bank->counts);
    memmove(bank->image + target, bank->image + source, n * sizeof *bank->image);
    memmove(bank->patch + target, bank->patch + source, n * sizeof *bank->patch);
    memmove(bank->rank + target, bank->rank + source, n * sizeof *bank->rank);
}

/* Closes up the empty places and marks the rows that nothing fills. */
static dv_status close_up(build *b) {
    dv_bank *bank = b->bank;
    const size_t n_classes = b->plan.n_classes, n_samplings = b->plan.passes * b->plan.n_images;
    size_t n = 0;
    for (size_t i = 0; i < n_samplings; i++) {
        move_rows(bank, n_classes, n, b->first[i], b->filled[i]);
        n += b->filled[i];
        bank->info.n_bank_images += i < b->plan.n_images && b->filled[i] > 0; /* the first pass has every image */
    }
    if (bank->info.n_skipped_images == b->plan.n_images)
        return dv_fail(DV_E_DATA, "%s: all %zu images are bad: the bank would have no rows", b->set->paths[0],
                       b->plan.n_images);
    if (n == 0)
        return dv_fail(DV_E_DATA, "%s: no patch of %zu images has a label that counts: the bank would have no rows",
                       b->set->paths[0], b->plan.n_images);
    const size_t n_rows = b->plan.n_rows_fixed ? b->plan.n_rows_fixed : n;
    memset(bank->counts + n * n_classes, 0, (n_rows - n) * n_classes * sizeof *bank->counts);
    for (size_t row = n; row < n_rows; row++) bank->image[row] = bank->patch[row] = bank->rank[row] = -1;
    bank->info.n_unfilled_rows = n_rows - n;
    dv_bank_publish_rows(bank, n_rows);
    return DV_OK;
}

/* What a bank takes over from its set. */
static void describe(build *b) {
    dv_bank *bank = b->bank;
    const dv_feature_info *set = b->set;
    bank->info.dim = set->dim;
    bank->info.n_classes = b->plan.n_classes;
    bank->info.n_images = set->n_images;
    bank->info.dtype = set->dtype;
    bank->info.preprocessing = set->preprocessing;
    bank->info.image_ids = set->image_ids;
    bank->info.object_ids = set->object_ids;
    bank->info.class_names = set->class_names;
    bank->grid_h = set->grid_h;
    bank->grid_w = set->grid_w;
    bank->passes = b->plan.passes;
    bank->zero_rows = b->options->zero_rows;
    bank->features = b->features;
}

static dv_status make_places(build *b) {
    const size_t n_samplings = b->plan.passes * b->plan.n_images;
    DV_TRY(dv_alloc(n_samplings + 1, sizeof *b->first, "the places of each image", &b->first));
    DV_TRY(dv_alloc(n_samplings, sizeof *b->filled, "the rows of each image", &b->filled));
    for (size_t i = 0; i < n_samplings; i++)
        b->first[i + 1] = b->first[i] + (b->plan.limits ? b->plan.limits[i % b->plan.n_images] : b->plan.per_image);
    return DV_OK;
}

static dv_status run_build(build *b) {
    DV_TRY(dv_uniform_table_read(b->set, b->options, &b->plan, &b->uniforms));
    DV_TRY(dv_alloc(1, sizeof *b->map, "the class map", &b->map));
    dv_class_map_fill(b->map, b->plan.n_classes, &b->options->ignored, b->options->invalid, b->options->memory_ignored);
    DV_TRY(make_places(b));
    DV_TRY(dv_alloc(1, sizeof *b->bank, "the bank", &b->bank));
    describe(b);
    const size_t n_rows = b->plan.n_rows_fixed > b->plan.n_filled_max ? b->plan.n_rows_fixed : b->plan.n_filled_max;
    DV_TRY(dv_bank_alloc_rows(b->bank, n_rows, b->plan.n_classes));
    DV_TRY(make_workers(b));
    dv_pool *pool = NULL;
    DV_TRY(dv_pool_create(b->n_workers, &pool));
    const dv_status status = sample_images(b, pool);
    dv_pool_free(pool);
    DV_TRY(status);
    for (size_t i = 0; i < b->n_workers; i++) b->bank->info.n_skipped_zero_rows += b->workers[i].n_zero_rows;
    DV_TRY(join_ranks(b));
    return close_up(b);
}

/* Builds the bank of a plan, which is handed over. */
static dv_status build_planned(dv_features *features, const dv_bank_options *options, const dv_bank_plan *plan,
                               dv_bank **out) {
    build b = {.features = features,
               .set = dv_features_info(features),
               .options = options,
               .plan = *plan,
               .n_workers = options->n_threads ? options->n_threads : 1};
    b.images = dv_ranks_share(options->ranks, b.plan.n_images);
    const dv_status status = run_build(&b);
    if (status == DV_OK) {
        *out = b.bank;
        b.bank = NULL;
    }
    dv_bank_close(b.bank);
    free_workers(&b);
    free(b.first);
    free(b.filled);
    free(b.map);
    dv_uniform_table_clear(&b.uniforms);
    dv_bank_plan_clear(&b.plan);
    return status;
}

dv_status dv_bank_build(dv_features *features, const dv_bank_options *options, dv_bank **out) {
    *out = NULL;
    dv_bank_plan plan;
    DV_TRY(dv_ranks_same_features(options->ranks, dv_features_info(features)));
    DV_TRY(dv_ranks_same_files(options->ranks, options->uniform_paths, options->n_uniform_paths));
    const dv_status status = dv_bank_plan_make(dv_features_info(features), options, &plan);
    if (status == DV_OK) return build_planned(features, options, &plan, out);
    dv_bank_plan_clear(&plan);
    return status;
}

dv_status dv_bank_build_nested(dv_features *features, const dv_bank_options *options, const dv_bank_plan *plans,
                               size_t n_plans, dv_bank **out) {
    *out = NULL;
    dv_bank_plan plan;
    const dv_status status = dv_bank_plan_join(plans, n_plans, dv_features_info(features)->n_images, &plan);
    if (status == DV_OK) return build_planned(features, options, &plan, out);
    dv_bank_plan_clear(&plan);
    return status;
}
