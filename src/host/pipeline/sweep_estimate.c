#include "denseval/sweep_estimate.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/memory.h"
#include "pipeline/block_size.h"
#include "pipeline/scoring.h"
#include "pipeline/sweep_objects.h"
#include "pipeline/sweep_plan.h"
#include "pipeline/sweep_thin.h"
#include "pipeline/sweep_trial.h"

enum {
    PROGRAM_BYTES = 64 << 20, /* libraries, stacks, what is small */
    IMAGE_FACTS_BYTES = 256,  /* of an image of a set: its id, places in lists */
    CELL_VALUE_BYTES = 100,   /* of a confusion count on its way to results.json */
    RESAMPLE_BYTES = 24,      /* of a cell in a resample of the merge's intervals, by measurement */
    LISTS_BESIDE_CONFIGS = 3, /* of a block, see grid_search.c */
    START_S = 2               /* to start and to write */
};

/* ---- Memory --------------------------------------------------------------------------------------------------------
 */

static double bank_bytes(const dv_sweep_plan *plan, const dv_sweep_rates *rates, size_t n_rows) {
    const dv_feature_info *info = plan->info;
    const size_t labels = 2 * info->n_classes * sizeof(uint16_t), places = 6 * sizeof(int64_t);
    return (double)n_rows * (double)(info->dim * dv_dtype_size(info->dtype) + rates->index_row_bytes + labels + places);
}

static dv_status block_bytes(const dv_sweep_plan *plan, const dv_sweep_options *options, double *bytes) {
    const dv_feature_info *info = plan->info;
    const dv_search_options search = {.k = plan->config->k,
                                      .backend = options->backend,
                                      .n_threads = options->n_threads,
                                      .images_per_block = options->images_per_block,
                                      .memory_limit = options->memory_limit};
    const size_t scoring = dv_scoring_image_bytes(info, info->n_classes);
    const dv_block_need need = {.queries = info,
                                .options = &search,
                                .n_lists = plan->n_configs + LISTS_BESIDE_CONFIGS,
                                .extra_bytes = scoring,
                                .has_journal = true};
    size_t n_images;
    DV_TRY(dv_block_images(&need, &n_images));
    if (n_images > plan->n_images) n_images = plan->n_images;
    const size_t list = search.k * (sizeof(int64_t) + sizeof(double));
    const size_t patch = 2 * info->dim * dv_dtype_size(info->dtype) + need.n_lists * list;
    *bytes = (double)n_images * ((double)info->n_patches * (double)patch + (double)scoring);
    return DV_OK;
}

/* Sums of an encoder and of its block at work, and what is counted of each object. */
static double tally_bytes(const dv_sweep_plan *plan, size_t n_objects) {
    const size_t classes = plan->info->n_classes;
    const double cells = (double)plan->n_configs * (double)plan->config->n_validation_bins;
    return 3 * cells * (double)sizeof(uint64_t) *
           ((double)classes * (double)classes + 3.0 * (double)classes * (double)n_objects);
}

static double result_bytes(const dv_feature_info *info, size_t n_cells, size_t n_objects) {
    const double classes = (double)info->n_classes;
    const double counts = 3.0 * (double)sizeof(uint64_t) * (double)n_objects * classes;
    return (double)n_cells * (counts + classes * classes * CELL_VALUE_BYTES);
}

/* ---- One encoder ---------------------------------------------------------------------------------------------------
 */

static double image_bytes(const dv_feature_info *info) {
    const double rows = (double)info->n_patches * (double)info->dim * (double)dv_dtype_size(info->dtype);
    return rows + (double)info->preprocessing.input_h * (double)info->preprocessing.input_w;
}

static void add_times(const dv_sweep_plan *plan, const dv_sweep_rates *rates, const dv_bank_plan *bank,
                      size_t n_segments, dv_sweep_estimate *part) {
    const double n_images = (double)plan->n_images, n_queries = n_images * (double)plan->info->n_patches;
    part->read_s += n_images * image_bytes(plan->info) * rates->read_bytes_s;
    part->bank_s += (double)bank->n_images * rates->bank_image_s;
    part->pairs_s += n_queries * (double)bank->n_filled_max * rates->row_pair_s;
    part->visits_s += n_queries * (double)n_segments * rates->visit_s;
    part->score_s += n_images * (double)plan->n_configs * rates->score_image_s;
}

/* Adds an encoder to its part. */
static dv_status add_encoder(const dv_sweep_plan *plan, const dv_sweep_options *options, const dv_sweep_rates *rates,
                             size_t n_objects, dv_sweep_estimate *part, double *most_bytes) {
    dv_bank_plan bank;
    double block;
    size_t n_segments;
    if (plan->n_configs == 0) return DV_OK;
    DV_TRY(block_bytes(plan, options, &block));
    DV_TRY(dv_sweep_thin_segments(plan, &n_segments));
    const dv_status status = dv_bank_plan_join(plan->plans, plan->n_configs, plan->info->n_images, &bank);
    if (status == DV_OK) {
        const double rows_bytes = bank_bytes(plan, rates, bank.n_filled_max);
        const double limit = (double)options->memory_limit;
        const double held = (limit > 0 && rows_bytes > limit ? limit : rows_bytes) + (double)rates->search_bytes +
                            block + tally_bytes(plan, n_objects);
        add_times(plan, rates, &bank, n_segments, part);
        part->read_bytes +=
            (uint64_t)(image_bytes(plan->info) * (2.0 * (double)bank.n_images + (double)plan->n_images));
        part->n_images += plan->n_images;
        part->n_configs += plan->n_configs;
        part->n_segments += n_segments;
        if (part->n_bank_rows < bank.n_filled_max) part->n_bank_rows = bank.n_filled_max;
        if (*most_bytes < held) *most_bytes = held;
    }
    dv_bank_plan_clear(&bank);
    return status;
}

/* ---- All -----------------------------------------------------------------------------------------------------------
 */

/* Every start reads all files of the configuration, whatever its part, for their hashes. */
static double file_bytes(const dv_sweep_config *config) {
    double n_bytes = 0;
    struct stat facts;
    for (size_t i = 0; i < config->n_encoders; i++) {
        const dv_path_list *const lists[] = {&config->encoders[i].features, &config->encoders[i].uniform};
        for (size_t l = 0; l < 2; l++)
            for (size_t j = 0; j < lists[l]->n; j++)
                if (stat(lists[l]->paths[j], &facts) == 0) n_bytes += (double)facts.st_size;
    }
    return n_bytes;
}

/* Whether a trial of one encoder tells of the other. */
static bool same_shape(const dv_feature_info *a, const dv_feature_info *b) {
    return a->dim == b->dim && a->dtype == b->dtype && a->n_patches == b->n_patches && a->n_classes == b->n_classes &&
           a->preprocessing.input_h == b->preprocessing.input_h && a->preprocessing.input_w == b->preprocessing.input_w;
}

static void clear_plans(dv_sweep_plan *plans, size_t n) {
    for (size_t i = 0; plans && i < n; i++) dv_sweep_plan_clear(&plans[i]);
    free(plans);
}

static dv_status open_plans(const dv_sweep_config *config, const dv_sweep_options *options, dv_sweep_plan **out) {
    *out = NULL;
    DV_TRY(dv_alloc(config->n_encoders, sizeof **out, "the encoders of a sweep", out));
    for (size_t i = 0; i < config->n_encoders; i++) DV_TRY(dv_sweep_plan_open(config, options, i, &(*out)[i]));
    return DV_OK;
}

static dv_status fill_plans(const dv_sweep_config *config, const dv_sweep_options *options, dv_sweep_plan *plans) {
    for (size_t i = 0; i < config->n_encoders; i++) DV_TRY(dv_sweep_plan_fill(options, i, &plans[i]));
    return DV_OK;
}

/* Also the facts that no part changes: objects, and memory whatever the part is. */
static dv_status measure(const dv_sweep_config *config, const dv_sweep_options *options, dv_sweep_plan *plans,
                         dv_sweep_forecast *out, size_t *n_objects, double *facts_bytes) {
    dv_sweep_objects objects = {0};
    dv_status status = fill_plans(config, options, plans);
    if (status == DV_OK) status = dv_sweep_objects_make(plans, config->n_encoders, &objects);
    *n_objects = objects.n;
    for (size_t i = 0; status == DV_OK && i < config->n_encoders; i++) {
        size_t like = 0;
        while (like < i && !same_shape(plans[like].info, plans[i].info)) like++;
        *facts_bytes += (double)plans[i].info->n_images * IMAGE_FACTS_BYTES;
        if (like < i)
            out->rates[i] = out->rates[like];
        else
            status = dv_sweep_trial_run(&plans[i], options, &out->rates[i]);
    }
    if (status == DV_OK) {
        out->dim = plans[0].info->dim;
        const size_t n_cells = dv_sweep_config_cells(config);
        out->merge_bytes = (size_t)(PROGRAM_BYTES + 4 * result_bytes(plans[0].info, n_cells, objects.n) +
                                    RESAMPLE_BYTES * (double)n_cells * (double)options->n_resamples);
    }
    dv_sweep_objects_clear(&objects);
    return status;
}

/* Adds to what every part takes. */
static dv_status estimate_part(const dv_sweep_config *config, const dv_sweep_options *options, dv_sweep_plan *plans,
                               size_t n_objects, const dv_sweep_rates *rates, dv_sweep_estimate *part) {
    double most_bytes = 0;
    DV_TRY(fill_plans(config, options, plans));
    for (size_t i = 0; i < config->n_encoders; i++)
        DV_TRY(add_encoder(&plans[i], options, &rates[i], n_objects, part, &most_bytes));
    most_bytes += result_bytes(plans[0].info, options->part->n, n_objects);
    part->memory_bytes += (size_t)most_bytes + PROGRAM_BYTES;
    part->start_s = START_S;
    part->wall_s = part->start_s + part->read_s + part->bank_s + part->pairs_s + part->visits_s + part->score_s;
    return DV_OK;
}

static dv_status forecast_parts(const dv_sweep_config *config, const dv_sweep_options *options, dv_sweep_plan *plans,
                                dv_sweep_forecast *out) {
    size_t n_objects = 0;
    double facts_bytes = 0;
    DV_TRY(measure(config, options, plans, out, &n_objects, &facts_bytes));
    const double hashed_bytes = file_bytes(config);
    for (size_t i = 0; i < out->n_parts; i++) {
        char text[64];
        dv_sweep_part part;
        dv_sweep_options of_part = *options;
        snprintf(text, sizeof text, "%zu/%zu", i + 1, out->n_parts);
        DV_TRY(dv_check_interrupted());
        DV_TRY(dv_sweep_split(text, dv_sweep_config_cells(config), &part));
        of_part.part = &part;
        out->parts[i] = (dv_sweep_estimate){.memory_bytes = (size_t)facts_bytes,
                                            .read_s = hashed_bytes * out->rates[0].read_bytes_s,
                                            .read_bytes = (uint64_t)hashed_bytes};
        DV_TRY(estimate_part(config, &of_part, plans, n_objects, out->rates, &out->parts[i]));
    }
    return DV_OK;
}

dv_status dv_sweep_forecast_make(const dv_sweep_config *config, const dv_sweep_options *options, size_t n_parts,
                                 dv_sweep_forecast *out) {
    *out = (dv_sweep_forecast){.n_parts = n_parts, .n_encoders = config->n_encoders};
    dv_sweep_options whole = *options;
    dv_sweep_plan *plans = NULL;
    whole.part = NULL;
    dv_status status = dv_alloc(n_parts, sizeof *out->parts, "the parts of a sweep", &out->parts);
    if (status == DV_OK) status = dv_alloc(out->n_encoders, sizeof *out->rates, "the encoders of a sweep", &out->rates);
    if (status == DV_OK) status = open_plans(config, &whole, &plans);
    if (status == DV_OK) status = forecast_parts(config, &whole, plans, out);
    clear_plans(plans, config->n_encoders);
    if (status != DV_OK) dv_sweep_forecast_clear(out);
    return status;
}

void dv_sweep_forecast_clear(dv_sweep_forecast *forecast) {
    free(forecast->parts);
    free(forecast->rates);
    *forecast = (dv_sweep_forecast){0};
}
