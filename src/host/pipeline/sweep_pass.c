#include "pipeline/sweep_pass.h"

#include <stdlib.h>
#include <string.h>

#include "bank/nested.h"
#include "cluster/exchange.h"
#include "cluster/rank_bad.h"
#include "core/check.h"
#include "core/clock.h"
#include "core/memory.h"
#include "denseval/run.h"
#include "io/feature_bad.h"
#include "pipeline/grid.h"
#include "pipeline/grid_search.h"
#include "pipeline/retriever.h"
#include "pipeline/scoring.h"
#include "pipeline/sweep_origin.h"
#include "pipeline/sweep_unfilled.h"

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
    dv_ranks *ranks;
    size_t n_left;       /* images of the plan that are to be scored */
    size_t block_images; /* the same on all ranks */
    size_t round_images; /* of all ranks together, before what they found is joined */
    dv_share last;       /* of this rank, in the last round */
    dv_origin_table table;
    dv_tally_origin *origins;                /* [block_images], of the configuration at work */
    uint64_t *from;                          /* u64 [block_images, n_sources], theirs */
    const int64_t *ids;                      /* neighbours of the configuration at work */
    dv_feature_block own;                    /* the images at work */
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
    if (dv_ranks_index(p->ranks) == 0) dv_sweep_tell_unfilled(plan, &p->grid);
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
                                            .job_memory = options->job ? options->job->memory_bytes : 0,
                                            .ranks = options->ranks,
                                            .split = options->split,
                                            .account = p->pass->account,
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

/* Blocks that every rank can hold, in rounds that no rank is left out of for long. */
static dv_status plan_rounds(passing *p) {
    const bool queries_are_split = !dv_grid_search_bank_is_split(p->search);
    const size_t n_ranks = queries_are_split ? dv_ranks_count(p->ranks) : 1;
    size_t images;
    DV_TRY(dv_grid_search_block_images(p->search, dv_scoring_image_bytes(p->plan->info, p->info->n_classes), &images));
    uint64_t agreed = UINT64_MAX - images;
    DV_TRY(dv_ranks_largest(p->ranks, &agreed, 1));
    const size_t most = p->n_left / n_ranks + (p->n_left % n_ranks != 0);
    images = (size_t)(UINT64_MAX - agreed);
    if (images > most) images = most ? most : 1;
    p->block_images = images;
    p->round_images = images * n_ranks;
    const size_t n_last = p->n_left % p->round_images;
    const dv_share all = {.n = n_last};
    p->last = queries_are_split ? dv_ranks_share(p->ranks, n_last) : all;
    return DV_OK;
}

static dv_status open_scoring(passing *p) {
    const dv_sweep_config *config = p->plan->config;
    const size_t n_sources = p->pass->n_sources;
    DV_TRY(plan_rounds(p));
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
    dv_origin_count(&p->table, p->own.images[task], p->ids + task * n, n, origin);
    return DV_OK;
}

/* Scores the own part of a block with the neighbours that one configuration has. */
static dv_status score_config(passing *p, size_t config) {
    const dv_feature_block *own = &p->own;
    dv_scoring *scoring = &p->scoring;
    dv_device *device = scoring->spec.device;
    const size_t n = own->n_images * p->plan->info->n_patches * p->plan->config->k;
    const double *cosines;
    DV_TRY(dv_grid_search_check(p->search));
    DV_TRY(dv_grid_search_lists(p->search, config, &p->ids, &cosines));
    DV_TRY(device->ops->upload(device, scoring->ids, p->ids, n * sizeof *p->ids));
    DV_TRY(device->ops->upload(device, scoring->cosines, cosines, n * sizeof *cosines));
    DV_TRY(dv_scoring_run(scoring, own->n_images));
    DV_TRY(dv_pool_run(p->pass->pool, own->n_images, count_origins, p));
    for (size_t i = 0; i < own->n_images; i++) {
        const size_t image = own->images[i];
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

static dv_status score_block(passing *p, const dv_feature_block *block) {
    p->own = dv_grid_search_own(p->search, block);
    DV_TRY(dv_scoring_begin(&p->scoring, &p->own));
    DV_TRY(dv_grid_search_run(p->search, block, p->block_images));
    for (size_t config = 0; config < p->grid.n_configs; config++) DV_TRY(score_config(p, config));
    tell_stages(p);
    return DV_OK;
}

/* A reader's block, and the round it is of: with bad images left out a rank may have none in a round. */
typedef struct rounds {
    dv_feature_reader *reader;
    const dv_feature_block *block; /* not scored yet; NULL: to be read */
    size_t number;                 /* of this round */
    bool ended;
} rounds;

static dv_status begin_round(rounds *at) {
    DV_TRY(dv_check_interrupted());
    if (!at->block && !at->ended) DV_TRY(dv_feature_reader_next(at->reader, &at->block));
    at->ended = !at->block;
    return DV_OK;
}

/* Does any rank end here? A signal to one of them ends all, and so does an image that must not be left out. */
static dv_status agree_to_go_on(const passing *p, const rounds *at, dv_status status, bool *listing) {
    uint64_t ends[2] = {status == DV_E_INTERRUPTED,
                        !p->pass->options->skip_bad && dv_feature_reader_skipped(at->reader) > 0};
    if (status != DV_OK && status != DV_E_INTERRUPTED) return status;
    DV_TRY(dv_ranks_largest(p->ranks, ends, 2));
    *listing = ends[1];
    if (ends[0]) dv_interrupt(); /* whichever rank it reached */
    return dv_check_interrupted();
}

static dv_status score_rounds(passing *p, rounds *at, bool *listing) {
    const dv_sweep_listener *listener = p->pass->listener;
    for (size_t done = 0; done < p->n_left; at->number++) {
        DV_TRY(agree_to_go_on(p, at, begin_round(at), listing));
        if (*listing) return DV_OK;
        if (at->block && at->block->places[0] / p->block_images == at->number) {
            DV_TRY(score_block(p, at->block));
            at->block = NULL;
        }
        dv_ranks_forget(p->ranks); /* once all have joined, rank 0 writes a block to the journal */
        DV_TRY(dv_tally_join(p->ranks, p->pass->tally));
        done = p->n_left - done < p->round_images ? p->n_left : done + p->round_images;
        DV_TRY(listener->block(listener->user, p->pass->n_done + done));
    }
    return DV_OK;
}

/* Reads what is left, to find all bad images. */
static dv_status read_on(rounds *at) {
    do {
        DV_TRY(dv_check_interrupted());
        DV_TRY(dv_feature_reader_next(at->reader, &at->block));
    } while (at->block);
    return DV_OK;
}

static dv_status score_blocks(passing *p, dv_feature_reader *reader, bool shared) {
    rounds at = {.reader = reader};
    bool listing = false;
    DV_TRY(score_rounds(p, &at, &listing));
    if (listing || !at.ended) DV_TRY(read_on(&at)); /* a process of its own fails here, where it has bad images */
    dv_grid_search_account(p->search);
    return shared ? dv_rank_bad_judge(p->ranks, dv_feature_reader_bad(reader), p->n_left) : DV_OK;
}

/* The images of this rank: a block of every full round, and its share of the last one. *n: how many */
static dv_status list_images(const passing *p, size_t **images, size_t *n) {
    const size_t *left = p->plan->images + p->pass->n_done;
    const bool queries_are_split = !dv_grid_search_bank_is_split(p->search);
    const size_t offset = queries_are_split ? dv_ranks_index(p->ranks) * p->block_images : 0;
    const size_t n_full = p->n_left / p->round_images;
    *n = 0;
    DV_TRY(dv_alloc((n_full + 1) * p->block_images, sizeof **images, "the query images", images));
    for (size_t round = 0; round < n_full; round++)
        for (size_t i = 0; i < p->block_images; i++) (*images)[(*n)++] = left[round * p->round_images + offset + i];
    for (size_t i = 0; i < p->last.n; i++) (*images)[(*n)++] = left[n_full * p->round_images + p->last.first + i];
    return DV_OK;
}

static dv_status read_and_score(passing *p, const size_t *images, size_t n_images) {
    const dv_pixel_policy *pixels = &p->pixels;
    const bool shared = dv_ranks_count(p->ranks) > 1 && !dv_grid_search_bank_is_split(p->search);
    const dv_feature_reader_options options = {.images = images,
                                               .n_images = n_images,
                                               .images_per_block = p->block_images,
                                               .want_rows = true,
                                               .want_labels = true,
                                               .zero_rows = p->search_options.zero_rows,
                                               .n_classes =
                                                   pixels->invalid == DV_INVALID_ERROR ? p->info->n_classes : 0,
                                               .ignored = &pixels->ignored,
                                               .bad_images = p->pass->options->skip_bad ? DV_BAD_SKIP : DV_BAD_LIST,
                                               .keep_bad = shared};
    dv_feature_reader *reader;
    DV_TRY(dv_feature_reader_open(p->plan->features, &options, &reader));
    const dv_status status = score_blocks(p, reader, shared);
    dv_feature_reader_close(reader);
    return status;
}

static dv_status score_all(passing *p) {
    size_t *images, n_images;
    if (p->n_left == 0) return DV_OK;
    DV_TRY(list_images(p, &images, &n_images));
    const dv_status status = read_and_score(p, images, n_images);
    free(images);
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
    passing p = {
        .pass = pass, .plan = pass->plan, .ranks = pass->options->ranks, .n_left = pass->plan->n_images - pass->n_done};
    dv_status status = prepare(&p);
    if (status == DV_OK) status = score_all(&p);
    release(&p);
    return status;
}
