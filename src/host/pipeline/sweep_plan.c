#include "pipeline/sweep_plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/same.h"
#include "core/check.h"
#include "core/memory.h"
#include "pipeline/selection.h"

void dv_sweep_part_cells(const dv_sweep_config *config, const dv_sweep_options *options, size_t *first, size_t *n) {
    const dv_sweep_part *part = options->part;
    *first = part ? part->first : 0;
    *n = part && part->n_parts ? part->n : dv_sweep_config_cells(config);
}

size_t dv_sweep_cell_number(const dv_sweep_config *config, size_t encoder, dv_sweep_choice choice, size_t bin) {
    const size_t memory = encoder * config->n_memory + choice.memory;
    return (memory * config->n_difficulties + choice.difficulty) * config->n_validation_bins + bin;
}

static dv_status check_features(const dv_sweep_plan *plan) {
    const dv_feature_info *info = plan->info;
    if (!info->has_labels) return dv_fail(DV_E_DATA, "%s: /labels: missing, a sweep needs them", info->paths[0]);
    if (!info->view_bins) return dv_fail(DV_E_DATA, "%s: /view_bin: missing, a sweep needs them", info->paths[0]);
    if (!info->class_names) return dv_fail(DV_E_DATA, "%s: /class_names: missing, a sweep needs them", info->paths[0]);
    if (plan->config->exclude == DV_EXCLUDE_OBJECT && !info->object_ids)
        return dv_fail(DV_E_DATA, "%s: /object_id: missing, exclude: object needs them", info->paths[0]);
    return DV_OK;
}

/* Fails with the validation bins of which `kept` (by bin index) says that there is no image. */
static dv_status fail_for_bins(const dv_sweep_plan *plan, const size_t *kept, const char *what) {
    char text[256];
    size_t used = 0;
    for (size_t i = 0; i < plan->config->n_validation_bins; i++) {
        if (kept[i] || used + 32 > sizeof text) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRId32, used ? ", " : "",
                                 plan->config->validation_bins[i]);
    }
    return dv_fail(DV_E_DATA, "%s: /view_bin: validation bins %s: %s", plan->info->paths[0], text, what);
}

static bool lacks_one(const size_t *counts, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (counts[i] == 0) return true;
    return false;
}

/* counts: zeros [2, validation bins]: images of each bin, and those that are scored. */
static dv_status select_images(dv_sweep_plan *plan, const dv_selection *selection, bool allow_empty, size_t *counts) {
    const dv_sweep_config *config = plan->config;
    const size_t n_bins = config->n_validation_bins;
    size_t *scored = counts + n_bins;
    for (size_t image = 0; image < plan->info->n_images; image++) {
        plan->bin_of[image] = SIZE_MAX;
        for (size_t i = 0; i < n_bins; i++)
            if (config->validation_bins[i] == plan->info->view_bins[image]) plan->bin_of[image] = i;
        if (plan->bin_of[image] != SIZE_MAX) counts[plan->bin_of[image]]++;
    }
    for (size_t i = 0; i < selection->n_images; i++) {
        const size_t bin = plan->bin_of[selection->images[i]];
        if (bin == SIZE_MAX) continue;
        plan->images[plan->n_images++] = selection->images[i];
        scored[bin]++;
    }
    if (allow_empty) return DV_OK;
    if (lacks_one(counts, n_bins)) return fail_for_bins(plan, counts, "no image is of such a bin");
    if (lacks_one(scored, n_bins)) return fail_for_bins(plan, scored, "fewer than 4 images, an incomplete batch");
    return DV_OK;
}

static dv_status choose_queries(dv_sweep_plan *plan, const dv_sweep_options *options) {
    dv_selection selection = {0};
    size_t *counts = NULL;
    const size_t batch = plan->bank.drop_last_batch, n = plan->info->n_images;
    dv_status status = dv_alloc(n, sizeof *plan->images, "the query images", &plan->images);
    if (status == DV_OK) status = dv_alloc(n, sizeof *plan->bin_of, "the bins of the images", &plan->bin_of);
    if (status == DV_OK)
        status = dv_alloc(2 * plan->config->n_validation_bins, sizeof *counts, "images of the bins", &counts);
    if (status == DV_OK) status = dv_selection_make(plan->info, batch, &selection);
    if (status == DV_OK) status = select_images(plan, &selection, options->allow_empty, counts);
    dv_selection_clear(&selection);
    free(counts);
    return status;
}

/* Has a configuration a cell in the part? */
static bool is_wanted(const dv_sweep_plan *plan, const dv_sweep_options *options, size_t encoder,
                      dv_sweep_choice choice) {
    size_t first, n;
    dv_sweep_part_cells(plan->config, options, &first, &n);
    const size_t cell = dv_sweep_cell_number(plan->config, encoder, choice, 0);
    return cell < first + n && cell + plan->config->n_validation_bins > first;
}

dv_status dv_sweep_plan_context(const dv_sweep_plan *plan, size_t config, dv_status status) {
    const dv_sweep_choice choice = plan->choices[config];
    const char *path = plan->config_path;
    return dv_context(status, "%s%sencoder \"%s\", difficulty \"%s\"", path ? path : "", path ? ": " : "",
                      plan->encoder->name, plan->config->difficulties[choice.difficulty].name);
}

/* k against the most rows that the bank can have; the true number is known when it is built. */
static dv_status check_k(const dv_sweep_config *config, const dv_bank_plan *plan) {
    const size_t n_rows = plan->n_rows_fixed ? plan->n_rows_fixed : plan->n_filled_max;
    if (config->k <= n_rows) return DV_OK;
    return dv_fail(DV_E_DATA, "k %zu: the bank has %zu rows", config->k, n_rows);
}

static dv_status plan_bank(dv_sweep_plan *plan, size_t config) {
    const dv_sweep_choice choice = plan->choices[config];
    const dv_sweep_difficulty *difficulty = &plan->config->difficulties[choice.difficulty];
    dv_bank_options options = plan->bank;
    options.bins = difficulty->bins;
    options.n_bins = difficulty->n_bins;
    options.memory_size = plan->config->per_image ? 0 : plan->config->memory[choice.memory];
    options.per_image = plan->config->per_image ? plan->config->memory[choice.memory] : 0;
    dv_status status = dv_bank_plan_make(plan->info, &options, &plan->plans[config]);
    if (status == DV_E_USAGE) status = DV_E_DATA; /* what is asked for stands in a file here */
    if (status == DV_OK) status = check_k(plan->config, &plan->plans[config]);
    return dv_sweep_plan_context(plan, config, status);
}

static dv_status plan_banks(dv_sweep_plan *plan, const dv_sweep_options *options, size_t encoder) {
    const dv_sweep_config *config = plan->config;
    const size_t most = config->n_memory * config->n_difficulties;
    DV_TRY(dv_alloc(most, sizeof *plan->choices, "the configurations", &plan->choices));
    DV_TRY(dv_alloc(most, sizeof *plan->plans, "the configurations", &plan->plans));
    for (size_t memory = 0; memory < config->n_memory; memory++)
        for (size_t difficulty = 0; difficulty < config->n_difficulties; difficulty++) {
            const dv_sweep_choice choice = {memory, difficulty};
            if (!is_wanted(plan, options, encoder, choice)) continue;
            plan->choices[plan->n_configs++] = choice;
            DV_TRY(plan_bank(plan, plan->n_configs - 1));
        }
    return DV_OK;
}

/* Images of bins that no cell of the part is of are left out. */
static void keep_wanted_images(dv_sweep_plan *plan, const dv_sweep_options *options, size_t encoder) {
    size_t first, n, n_kept = 0;
    dv_sweep_part_cells(plan->config, options, &first, &n);
    for (size_t i = 0; i < plan->n_images; i++) {
        bool wanted = false;
        for (size_t c = 0; c < plan->n_configs; c++) {
            const size_t bin = plan->bin_of[plan->images[i]];
            const size_t cell = dv_sweep_cell_number(plan->config, encoder, plan->choices[c], bin);
            wanted |= cell >= first && cell - first < n;
        }
        if (wanted) plan->images[n_kept++] = plan->images[i];
    }
    plan->n_images = n_kept;
}

dv_status dv_sweep_plan_open(const dv_sweep_config *config, const dv_sweep_options *options, size_t encoder,
                             dv_sweep_plan *plan) {
    const dv_sweep_encoder *source = &config->encoders[encoder];
    *plan = (dv_sweep_plan){
        .config = config,
        .config_path = options->config_path,
        .encoder = source,
        .bank = {.seed = config->seed,
                 .uniform_paths = source->uniform.n ? dv_path_list_items(&source->uniform) : NULL,
                 .n_uniform_paths = source->uniform.n,
                 .ignored = config->ignored,
                 .invalid = config->invalid,
                 .memory_ignored = config->memory_ignored,
                 .zero_rows = config->zero_rows,
                 .drop_last_batch = config->last_batch == DV_LAST_BATCH_DROP ? DV_COMPAT_BATCH : 0,
                 .skip_bad = options->skip_bad,
                 .n_threads = options->n_threads,
                 .ranks = options->ranks},
    };
    DV_TRY(dv_features_open(dv_path_list_items(&source->features), source->features.n, &plan->features));
    plan->info = dv_features_info(plan->features);
    DV_TRY(dv_ranks_same_features(options->ranks, plan->info));
    DV_TRY(dv_ranks_same_files(options->ranks, plan->bank.uniform_paths, plan->bank.n_uniform_paths));
    return check_features(plan);
}

/* Takes back what dv_sweep_plan_fill made. */
static void empty(dv_sweep_plan *plan) {
    for (size_t i = 0; i < plan->n_configs; i++) dv_bank_plan_clear(&plan->plans[i]);
    free(plan->choices);
    free(plan->plans);
    free(plan->images);
    free(plan->bin_of);
    plan->choices = NULL;
    plan->plans = NULL;
    plan->images = plan->bin_of = NULL;
    plan->n_configs = plan->n_images = 0;
}

dv_status dv_sweep_plan_fill(const dv_sweep_options *options, size_t encoder, dv_sweep_plan *plan) {
    empty(plan);
    DV_TRY(choose_queries(plan, options));
    DV_TRY(plan_banks(plan, options, encoder));
    keep_wanted_images(plan, options, encoder);
    return DV_OK;
}

void dv_sweep_plan_clear(dv_sweep_plan *plan) {
    empty(plan);
    dv_features_close(plan->features);
    *plan = (dv_sweep_plan){0};
}
