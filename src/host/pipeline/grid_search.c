#include "pipeline/grid_search.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/clock.h"
#include "core/memory.h"
#include "pipeline/block_size.h"
#include "pipeline/grid_parts.h"
#include "pipeline/groups.h"
#include "pipeline/rank_device.h"
#include "pipeline/rank_lists.h"
#include "pipeline/rank_split.h"
#include "pipeline/retriever.h"
#include "search/merge.h"
#include "search/topk.h"

enum { QUERIES_PER_TASK = 128, QUERIES_PER_THREAD = 512, FIRST_SHARE = 8 };

static size_t min_size(size_t a, size_t b) {
    return a < b ? a : b;
}

struct dv_grid_search {
    dv_grid_search_spec spec;
    const dv_bank_info *info;
    dv_device *device;
    dv_groups groups;
    dv_grid_parts parts;
    /* Of a block, at most n_queries_most patches. */
    size_t n_queries_most;
    size_t first, n;        /* queries of the block that are at work */
    dv_merge **merges;      /* [n_configs] */
    int64_t *device_ids;    /* device memory [n_queries_most, k] */
    double *device_cosines; /* likewise */
    int64_t *ids;           /* the same on the host */
    double *cosines;
    double *least;      /* [n_queries_most] */
    int64_t *blank_ids; /* [k]: unfilled rows, and their cosines */
    double *blank_cosines;
    const dv_grid_part *at_work; /* the part that is merged */
    size_t k_part;               /* length of its lists */
    bool bank_is_split;
    dv_rank_lists *lists; /* NULL where it is not, and so is: */
    double *shared;       /* f64 [n_configs, queries of the block]: the k-th cosines that ranks have told each other */
    size_t n_shared;      /* queries of the block */
    uint64_t n_query_rows, n_rows_scanned;
    double search_s;
};

dv_status dv_grid_search_check(const dv_grid_search *s) {
    return dv_ranks_count(s->spec.options->ranks) == 1 ? dv_check_interrupted() : DV_OK;
}

/* Does every query image see k rows of the configuration? n_of_group: scratch [bank images] */
static dv_status check_visible(const dv_grid_search *s, size_t config, size_t *n_of_group) {
    const dv_grid *grid = s->spec.grid;
    memset(n_of_group, 0, s->info->n_images * sizeof *n_of_group);
    for (size_t i = 0; i < grid->n_segments; i++) {
        const dv_grid_segment *segment = &grid->segments[i];
        for (size_t j = 0; j < segment->n_configs; j++)
            if (segment->configs[j] == config) dv_groups_count(&s->groups, segment->rows, segment->n_rows, n_of_group);
    }
    return dv_groups_check(&s->groups, s->spec.queries, s->spec.images, s->spec.n_images, n_of_group,
                           grid->configs[config].n_rows, s->spec.options->k);
}

static dv_status make_groups(dv_grid_search *s, size_t *config) {
    DV_TRY(dv_groups_make(s->info, s->spec.queries, s->spec.options->exclude, &s->groups));
    if (!s->groups.of_row) return DV_OK;
    size_t *n_of_group;
    DV_TRY(dv_alloc(s->info->n_images, sizeof *n_of_group, "row counts of the groups", &n_of_group));
    dv_status status = DV_OK;
    for (size_t i = 0; status == DV_OK && i < s->spec.grid->n_configs; i++) {
        status = check_visible(s, i, n_of_group);
        if (status != DV_OK) *config = i;
    }
    free(n_of_group);
    return status;
}

static dv_status open_search(dv_grid_search *s, size_t *config) {
    const dv_search_options *options = s->spec.options;
    const dv_device_options device_options = {
        .n_threads = options->n_threads, .kernel = options->kernel, .account = options->account};
    DV_TRY(dv_rank_device_open(options->ranks, options->backend, &device_options, &s->device));
    DV_TRY(make_groups(s, config));
    DV_TRY(dv_alloc(options->k, sizeof *s->blank_ids, "unfilled rows", &s->blank_ids));
    DV_TRY(dv_alloc(options->k, sizeof *s->blank_cosines, "unfilled rows", &s->blank_cosines)); /* zeros */
    for (size_t i = 0; i < options->k; i++) s->blank_ids[i] = (int64_t)(s->info->n_rows + i);
    const dv_rank_split split = {.ranks = options->ranks,
                                 .wanted = options->split,
                                 .n_rows = s->info->n_rows,
                                 .row_bytes = s->info->dim * (dv_dtype_size(s->info->dtype) + sizeof(float)),
                                 .memory_limit = options->memory_limit,
                                 .job_memory = options->job_memory};
    DV_TRY(dv_rank_split_choose(&split, &s->bank_is_split));
    const dv_share all = {.n = s->info->n_rows};
    s->parts = (dv_grid_parts){.bank = s->spec.bank,
                               .rows = s->bank_is_split ? dv_ranks_share(options->ranks, s->info->n_rows) : all,
                               .grid = s->spec.grid,
                               .device = s->device,
                               .row_groups = s->groups.of_row,
                               .memory_limit = options->memory_limit};
    return dv_grid_parts_make(&s->parts);
}

dv_status dv_grid_search_open(const dv_grid_search_spec *spec, size_t *config, dv_grid_search **out) {
    *out = NULL;
    *config = SIZE_MAX;
    dv_grid_search *s;
    DV_TRY(dv_alloc(1, sizeof *s, "a search of a grid", &s));
    *s = (dv_grid_search){.spec = *spec, .info = dv_bank_get_info(spec->bank)};
    const dv_status status = open_search(s, config);
    if (status != DV_OK) {
        dv_grid_search_close(s);
        return status;
    }
    *out = s;
    return DV_OK;
}

void dv_grid_search_close(dv_grid_search *s) {
    if (!s) return;
    dv_grid_parts_clear(&s->parts);
    dv_rank_lists_free(s->lists);
    if (s->device) {
        s->device->ops->release(s->device, s->device_ids);
        s->device->ops->release(s->device, s->device_cosines);
        s->device->ops->close(s->device);
    }
    for (size_t i = 0; s->merges && i < s->spec.grid->n_configs; i++) dv_merge_free(s->merges[i]);
    dv_groups_clear(&s->groups);
    free(s->merges);
    free(s->ids);
    free(s->cosines);
    free(s->least);
    free(s->shared);
    free(s->blank_ids);
    free(s->blank_cosines);
    free(s);
}

dv_device *dv_grid_search_device(const dv_grid_search *s) {
    return s->device;
}

dv_status dv_grid_search_block_images(const dv_grid_search *s, size_t extra_bytes, size_t *n_images) {
    const size_t n_patches = s->spec.queries->n_patches;
    const size_t rank_bytes = dv_rank_lists_image_bytes(n_patches, s->spec.options->k) +
                              s->spec.grid->n_configs * n_patches * sizeof *s->shared;
    /* A list for each configuration, those of a part on host and device, and the scoring's. */
    const dv_block_need need = {.queries = s->spec.queries,
                                .options = s->spec.options,
                                .n_lists = s->spec.grid->n_configs + 3,
                                .extra_bytes = extra_bytes + (s->bank_is_split ? rank_bytes : 0),
                                .bank_is_streamed = !s->parts.resident,
                                .has_journal = true};
    return dv_block_images(&need, n_images);
}

static dv_status alloc_block(dv_grid_search *s, size_t most_images) {
    const size_t k = s->spec.options->k, n_configs = s->spec.grid->n_configs;
    const size_t n_queries = most_images * s->spec.queries->n_patches;
    const dv_rank_lists_spec lists = {.ranks = s->spec.options->ranks,
                                      .device = s->device,
                                      .most_images = most_images,
                                      .n_patches = s->spec.queries->n_patches,
                                      .k = k};
    size_t n;
    void *memory;
    if (s->n_queries_most) return DV_OK;
    if (s->bank_is_split) {
        DV_TRY(dv_rank_lists_create(&lists, &s->lists));
        DV_TRY(dv_mul_size(n_queries, n_configs, "bounds of queries", &n));
        DV_TRY(dv_alloc(n, sizeof *s->shared, "bounds of queries", &s->shared));
    }
    DV_TRY(dv_mul_size(n_queries, k, "the neighbours of a block", &n));
    DV_TRY(dv_alloc(n_configs, sizeof(dv_merge *), "the lists of the configurations", &s->merges));
    for (size_t i = 0; i < n_configs; i++) DV_TRY(dv_merge_create(n_queries, k, &s->merges[i]));
    DV_TRY(s->device->ops->alloc(s->device, n * sizeof *s->device_ids, &memory));
    s->device_ids = memory;
    DV_TRY(s->device->ops->alloc(s->device, n * sizeof *s->device_cosines, &memory));
    s->device_cosines = memory;
    DV_TRY(dv_alloc(n, sizeof *s->ids, "the neighbours of a block", &s->ids));
    DV_TRY(dv_alloc(n, sizeof *s->cosines, "the neighbours of a block", &s->cosines));
    DV_TRY(dv_alloc(n_queries, sizeof *s->least, "the limits of a block", &s->least));
    s->n_queries_most = n_queries;
    return DV_OK;
}

/* Queries of a task: *first and how many. */
static size_t task_queries(const dv_grid_search *s, size_t task, size_t *first) {
    *first = s->first + task * QUERIES_PER_TASK;
    return min_size(QUERIES_PER_TASK, s->n - task * QUERIES_PER_TASK);
}

static dv_status run_tasks(dv_grid_search *s, dv_task task) {
    return dv_pool_run(s->spec.pool, (s->n + QUERIES_PER_TASK - 1) / QUERIES_PER_TASK, task, s);
}

/* Empties the lists, but for the unfilled rows: these are known without a search. */
static dv_status start_lists(void *context, size_t task, size_t worker) {
    (void)worker;
    dv_grid_search *s = context;
    const size_t k = s->spec.options->k;
    size_t first;
    const size_t n = task_queries(s, task, &first);
    for (size_t c = 0; c < s->spec.grid->n_configs; c++) {
        dv_merge_clear(s->merges[c], first, n);
        if (s->bank_is_split && dv_ranks_index(s->spec.options->ranks) > 0) continue; /* rank 0 has them */
        const size_t n_blank = min_size(k, s->spec.grid->configs[c].n_unfilled);
        for (size_t i = 0; n_blank && i < n; i++)
            dv_merge_add_queries(s->merges[c], first + i, 1, s->blank_ids, s->blank_cosines, n_blank);
    }
    return DV_OK;
}

/* The k-th cosine of a configuration, as far as it is known. */
static double least_of(const dv_grid_search *s, size_t config, size_t query) {
    const double own = dv_merge_least(s->merges[config], query);
    return s->shared && s->shared[config * s->n_shared + query] > own ? s->shared[config * s->n_shared + query] : own;
}

/* A row below the k-th of every configuration that holds it is of no use. */
static dv_status find_least(void *context, size_t task, size_t worker) {
    (void)worker;
    dv_grid_search *s = context;
    const dv_grid_segment *segment = s->at_work->segment;
    size_t first;
    const size_t n = task_queries(s, task, &first);
    for (size_t query = first; query < first + n; query++) {
        double least = least_of(s, segment->configs[0], query);
        for (size_t i = 1; i < segment->n_configs; i++) {
            const double other = least_of(s, segment->configs[i], query);
            if (other < least) least = other;
        }
        s->least[query] = least;
    }
    return DV_OK;
}

static dv_status merge_part(void *context, size_t task, size_t worker) {
    (void)worker;
    dv_grid_search *s = context;
    const dv_grid_part *p = s->at_work;
    const size_t k = s->k_part;
    size_t first;
    const size_t n = task_queries(s, task, &first);
    int64_t *ids = s->ids + (first - s->first) * k;
    const double *cosines = s->cosines + (first - s->first) * k;
    for (size_t i = 0; i < n * k; i++)
        if (ids[i] >= 0) ids[i] = (int64_t)p->rows[ids[i]];
    for (size_t i = 0; i < p->segment->n_configs; i++)
        dv_merge_add_queries(s->merges[p->segment->configs[i]], first, n, ids, cosines, k);
    return DV_OK;
}

static dv_status search_part(dv_grid_search *s, dv_grid_part *p, dv_queries *queries) {
    const dv_device_ops *ops = s->device->ops;
    DV_TRY(dv_grid_search_check(s));
    DV_TRY(dv_grid_parts_load(&s->parts, p));
    s->at_work = p;
    s->k_part = min_size(s->spec.options->k, p->n_rows);
    const size_t n = s->n * s->k_part;
    DV_TRY(run_tasks(s, find_least));
    queries->least = s->least + s->first;
    DV_TRY(ops->search(s->device, p->index, queries, s->k_part, s->device_ids, s->device_cosines));
    DV_TRY(ops->download(s->device, s->ids, s->device_ids, n * sizeof *s->ids));
    DV_TRY(ops->download(s->device, s->cosines, s->device_cosines, n * sizeof *s->cosines));
    DV_TRY(ops->synchronise(s->device));
    s->n_rows_scanned += s->n * p->n_rows;
    return run_tasks(s, merge_part);
}

/* Searches parts first .. end - 1 for the queries at work. */
static dv_status search_parts(dv_grid_search *s, const dv_feature_block *block, const int32_t *groups, size_t first,
                              size_t end) {
    const dv_feature_info *info = s->spec.queries;
    const size_t row_bytes = info->dim * dv_dtype_size(info->dtype);
    dv_queries queries = {.rows = {.data = (const unsigned char *)block->rows + s->first * row_bytes,
                                   .dtype = info->dtype,
                                   .n_rows = s->n,
                                   .dim = info->dim},
                          .group = groups ? groups + s->first : NULL};
    if (first == 0) DV_TRY(run_tasks(s, start_lists));
    for (size_t i = first; i < end; i++) {
        const dv_status status = search_part(s, &s->parts.parts[i], &queries);
        dv_grid_parts_unload(&s->parts, &s->parts.parts[i]);
        DV_TRY(status);
    }
    return DV_OK;
}

/* Parts first .. end - 1 for all queries of a block. */
static dv_status visit_parts(dv_grid_search *s, const dv_feature_block *block, const int32_t *groups, size_t first,
                             size_t end) {
    const size_t n_queries = block->n_images * s->spec.queries->n_patches;
    /* Few enough that their lists stay in the caches from part to part; all where each part has to be read. */
    const size_t most = s->parts.resident ? dv_pool_threads(s->spec.pool) * QUERIES_PER_THREAD : n_queries;
    for (s->first = 0; s->first < n_queries; s->first += s->n) {
        s->n = min_size(most, n_queries - s->first);
        DV_TRY(search_parts(s, block, groups, first, end));
    }
    return DV_OK;
}

/* The first parts of a rank, with one in FIRST_SHARE of its rows or more: behind them all ranks tell what they found.
 * They are held by most configurations, and the sooner it is known the more rows need no score. */
static size_t first_parts(const dv_grid_search *s) {
    size_t n = 0, n_rows = 0;
    while (FIRST_SHARE * n_rows < s->parts.rows.n) n_rows += s->parts.parts[n++].n_rows;
    return n;
}

static void begin_shared(dv_grid_search *s, size_t n_images) {
    dv_rank_lists_begin(s->lists, n_images);
    s->n_shared = n_images * s->spec.queries->n_patches;
    for (size_t i = 0; i < s->spec.grid->n_configs * s->n_shared; i++) s->shared[i] = DV_NO_COSINE;
}

/* No rank wants a row that is below the largest k-th cosine. */
static dv_status share_least(dv_grid_search *s) {
    const size_t n_configs = s->spec.grid->n_configs;
    for (size_t c = 0; c < n_configs; c++)
        for (size_t q = 0; q < s->n_shared; q++) s->shared[c * s->n_shared + q] = dv_merge_least(s->merges[c], q);
    return dv_ranks_largest_real(s->spec.options->ranks, s->shared, n_configs * s->n_shared);
}

dv_status dv_grid_search_run(dv_grid_search *s, const dv_feature_block *block, size_t most_images) {
    const double start_s = dv_steady_s();
    const int32_t *groups;
    DV_TRY(alloc_block(s, most_images));
    DV_TRY(dv_groups_block(&s->groups, block, s->spec.queries->n_patches, &groups));
    if (s->lists) {
        const size_t n_first = first_parts(s);
        begin_shared(s, block->n_images);
        DV_TRY(visit_parts(s, block, groups, 0, n_first));
        DV_TRY(share_least(s));
        if (n_first < s->parts.n_parts) DV_TRY(visit_parts(s, block, groups, n_first, s->parts.n_parts));
    } else {
        DV_TRY(visit_parts(s, block, groups, 0, s->parts.n_parts));
    }
    s->n_query_rows += block->n_images * s->spec.queries->n_patches;
    s->search_s += dv_steady_s() - start_s;
    return DV_OK;
}

bool dv_grid_search_bank_is_split(const dv_grid_search *s) {
    return s->bank_is_split;
}

dv_feature_block dv_grid_search_own(const dv_grid_search *s, const dv_feature_block *block) {
    return s->bank_is_split ? dv_rank_lists_own(s->spec.options->ranks, s->spec.queries, block) : *block;
}

dv_status dv_grid_search_lists(dv_grid_search *s, size_t config, const int64_t **ids, const double **cosines) {
    *ids = dv_merge_ids(s->merges[config]);
    *cosines = dv_merge_cosines(s->merges[config]);
    return s->lists ? dv_rank_lists_merge_host(s->lists, *ids, *cosines, ids, cosines) : DV_OK;
}

void dv_grid_search_account(const dv_grid_search *s) {
    const size_t row_bytes = s->info->dim * dv_dtype_size(s->info->dtype);
    dv_ranks_add_read(s->spec.options->ranks, (s->parts.n_rows_read + s->n_query_rows) * row_bytes);
    dv_search_stats stats;
    dv_grid_parts_stats(&s->parts, &stats);
    dv_ranks_add_scanned(s->spec.options->ranks, s->n_rows_scanned, stats.n_candidates);
}

void dv_grid_search_summary(const dv_grid_search *s, dv_search_summary *summary) {
    *summary = (dv_search_summary){.n_query_rows = s->n_query_rows,
                                   .n_bank_rows = s->info->n_rows,
                                   .k = s->spec.options->k,
                                   .backend = s->device->ops->name,
                                   .engine = s->device->ops->summary,
                                   .search_s = s->search_s};
    dv_grid_parts_stats(&s->parts, &summary->stats);
    summary->stats.n_queries = s->n_query_rows;
}
