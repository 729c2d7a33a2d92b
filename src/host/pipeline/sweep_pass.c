#include "pipeline/sweep_pass.h"

#include <stdlib.h>
#include <string.h>

#include "bank/nested.h"
#include "core/check.h"
#include "core/clock.h"
#include "core/memory.h"
#include "pipeline/grid.h"
#include "pipeline/grid_search.h"
#include "pipeline/retriever.h"
#include "pipeline/scoring.h"
#include "pipeline/sweep_origin.h"

/* Everything that one pass holds. */
typedef struct passing {
    const dv_sweep_pass *pass;
    const dv_sweep_plan *plan;
    dv_bank *bank;
    const dv_bank_info *info; /* of the bank */
    dv_grid grid;
    dv_search_options search_options;
    dv_grid_search *search;
    dv_pixel_policy pixels;
    dv_scoring scoring;
    size_t block_images;
    dv_origin_table table;
    dv_tally_origin *origins;                /* [block_images], of the configuration at work */
    uint64_t *from;                          /* u64 [block_images, n_sources], theirs */
    const int64_t *ids;                      /* neighbours of the configuration at work */
    const dv_feature_block *block;           /* the images at work */
    double aggregate_s, segment_s, search_s; /* as told so far */
} passing;

static dv_status tell_banks(const passing *p) {
    const size_t n = p->grid.n_configs;
    uint64_t *n_rows;
    DV_TRY(dv_alloc(n, sizeof *n_rows, "the sizes of the banks", &n_rows));
    dv_status status = DV_OK;
    for (size_t i = 0; i < n; i++) {
        n_rows[i] = p->grid.configs[i].n_rows;
        if (status == DV_OK && n_rows[i] < p->plan->config->k)
            status = dv_sweep_plan_context(
                p->plan, i, dv_fail(DV_E_DATA, "k %zu: the bank has %zu rows", p->plan->config->k, (size_t)n_rows[i]));
    }
    if (status == DV_OK) status = p->pass->listener->banks(p->pass->listener->user, n_rows);
    free(n_rows);
    return status;
}

static dv_status build_banks(passing *p) {
    const dv_sweep_plan *plan = p->plan;
    DV_TRY(dv_bank_build_nested(plan->features, &plan->bank, plan->plans, plan->n_configs, &p->bank));
    p->info = dv_bank_get_info(p->bank);
    DV_TRY(dv_grid_make(p->info, plan->plans, plan->n_configs, &p->grid));
    return tell_banks(p);
}

static dv_status open_search(passing *p) {
    const dv_sweep_options *options = p->pass->options;
    const dv_sweep_config *config = p->plan->config;
    p->search_options = (dv_search_options){.k = config->k,
                                            .exclude = config->exclude,
                                            .backend = options->backend,
                                            .kernel = options->kernel,
                                            .n_threads = options->n_threads,
                                            .images_per_block = options->images_per_block,
                                            .memory_limit = options->memory_limit,
                                            .zero_rows = config->zero_rows};
    const dv_grid_search_spec spec = {.bank = p->bank,
                                      .grid = &p->grid,
                                      .queries = p->plan->info,
                                      .images = p->plan->images,
                                      .n_images = p->plan->n_images,
                                      .options = &p->search_options,
                                      .pool = p->pass->pool};
    size_t at_fault;
    const dv_status status = dv_grid_search_open(&spec, &at_fault, &p->search);
    return at_fault == SIZE_MAX ? status : dv_sweep_plan_context(p->plan, at_fault, status);
}

static dv_status open_scoring(passing *p) {
    const dv_sweep_config *config = p->plan->config;
    const size_t n_left = p->plan->n_images - p->pass->n_done, n_sources = p->pass->n_sources;
    DV_TRY(dv_grid_search_block_images(p->search, dv_scoring_image_bytes(p->plan->info, p->info->n_classes),
                                       &p->block_images));
    if (p->block_images > n_left) p->block_images = n_left ? n_left : 1;
    p->pixels = (dv_pixel_policy){.ignored = config->ignored, .invalid = config->invalid};
    const dv_scoring_spec spec = {.device = dv_grid_search_device(p->search),
                                  .queries = p->plan->info,
                                  .pixels = &p->pixels,
                                  .block_images = p->block_images,
                                  .k = config->k,
                                  .n_classes = p->info->n_classes,
                                  .beta = config->beta,
                                  .counts = p->info->counts,
                                  .n_rows = p->info->n_rows,
                                  .n_blank_rows = config->k};
    DV_TRY(dv_scoring_make(&spec, &p->scoring));
    DV_TRY(dv_alloc(p->block_images, sizeof *p->origins, "the origins of a block", &p->origins));
    DV_TRY(dv_alloc(p->block_images * n_sources, sizeof *p->from, "the origins of a block", &p->from));
    for (size_t i = 0; i < p->block_images; i++) p->origins[i].from = p->from + i * n_sources;
    return dv_origin_table_make(p->info, p->plan->info, p->pass->sources, n_sources, p->pass->object_of, &p->table);
}

static dv_status prepare(passing *p) {
    const double start_s = dv_steady_s();
    DV_TRY(build_banks(p));
    DV_TRY(open_search(p));
    DV_TRY(open_scoring(p));
    p->pass->stage_s[DV_STAGE_BANK] += dv_steady_s() - start_s;
    return DV_OK;
}

static dv_status count_origins(void *context, size_t task, size_t worker) {
    (void)worker;
    passing *p = context;
    const size_t n = p->plan->info->n_patches * p->plan->config->k;
    dv_tally_origin *origin = &p->origins[task];
    memset(origin->from, 0, p->pass->n_sources * sizeof *origin->from);
    *origin = (dv_tally_origin){.from = origin->from};
    dv_origin_count(&p->table, p->block->images[task], p->ids + task * n, n, origin);
    return DV_OK;
}

/* Scores the block with the neighbours that one configuration has. */
static dv_status score_config(passing *p, size_t config) {
    const dv_feature_block *block = p->block;
    dv_scoring *scoring = &p->scoring;
    dv_device *device = scoring->spec.device;
    const size_t n = block->n_images * p->plan->info->n_patches * p->plan->config->k;
    DV_TRY(dv_check_interrupted());
    p->ids = dv_grid_search_ids(p->search, config);
    const double *cosines = dv_grid_search_cosines(p->search, config);
    DV_TRY(device->ops->upload(device, scoring->ids, p->ids, n * sizeof *p->ids));
    DV_TRY(device->ops->upload(device, scoring->cosines, cosines, n * sizeof *cosines));
    DV_TRY(dv_scoring_run(scoring, block->n_images));
    DV_TRY(dv_pool_run(p->pass->pool, block->n_images, count_origins, p));
    for (size_t i = 0; i < block->n_images; i++) {
        const size_t image = block->images[i];
        dv_tally_add_image(p->pass->tally, config, p->plan->bin_of[image], p->pass->object_of[image],
                           scoring->confusions[i], &p->origins[i]);
    }
    return DV_OK;
}

/* Adds the seconds since the last call to the stages. */
static void tell_stages(passing *p) {
    dv_search_summary summary;
    dv_grid_search_summary(p->search, &summary);
    double *stage_s = p->pass->stage_s;
    stage_s[DV_STAGE_SEARCH] += summary.search_s - p->search_s;
    stage_s[DV_STAGE_AGGREGATE] += p->scoring.aggregate_s - p->aggregate_s;
    stage_s[DV_STAGE_SEGMENT] += p->scoring.segment_s - p->segment_s;
    p->search_s = summary.search_s;
    p->aggregate_s = p->scoring.aggregate_s;
    p->segment_s = p->scoring.segment_s;
}

static dv_status score_blocks(passing *p, dv_feature_reader *reader) {
    const dv_sweep_listener *listener = p->pass->listener;
    size_t n_done = p->pass->n_done;
    for (;;) {
        DV_TRY(dv_check_interrupted());
        DV_TRY(dv_feature_reader_next(reader, &p->block));
        if (!p->block) break;
        DV_TRY(dv_scoring_begin(&p->scoring, p->block));
        DV_TRY(dv_grid_search_run(p->search, p->block, p->block_images));
        for (size_t config = 0; config < p->grid.n_configs; config++) DV_TRY(score_config(p, config));
        tell_stages(p);
        n_done = p->pass->n_done + p->block->places[p->block->n_images - 1] + 1;
        DV_TRY(listener->block(listener->user, n_done));
    }
    return n_done == p->plan->n_images ? DV_OK : listener->block(listener->user, p->plan->n_images);
}

static dv_status score_all(passing *p) {
    const dv_pixel_policy *pixels = &p->pixels;
    if (p->pass->n_done == p->plan->n_images) return DV_OK;
    const dv_feature_reader_options options = {.images = p->plan->images + p->pass->n_done,
                                               .n_images = p->plan->n_images - p->pass->n_done,
                                               .images_per_block = p->block_images,
                                               .want_rows = true,
                                               .want_labels = true,
                                               .zero_rows = p->search_options.zero_rows,
                                               .n_classes =
                                                   pixels->invalid == DV_INVALID_ERROR ? p->info->n_classes : 0,
                                               .ignored = &pixels->ignored,
                                               .bad_images = p->pass->options->skip_bad ? DV_BAD_SKIP : DV_BAD_LIST};
    dv_feature_reader *reader;
    DV_TRY(dv_feature_reader_open(p->plan->features, &options, &reader));
    const dv_status status = score_blocks(p, reader);
    dv_feature_reader_close(reader);
    return status;
}

static void release(passing *p) {
    dv_scoring_clear(&p->scoring);
    dv_grid_search_close(p->search);
    dv_grid_clear(&p->grid);
    dv_origin_table_clear(&p->table);
    dv_bank_close(p->bank);
    free(p->origins);
    free(p->from);
}

dv_status dv_sweep_pass_run(const dv_sweep_pass *pass) {
    passing p = {.pass = pass, .plan = pass->plan};
    dv_status status = prepare(&p);
    if (status == DV_OK) status = score_all(&p);
    release(&p);
    return status;
}
