#include "pipeline/retriever.h"

#include <stdlib.h>
#include <string.h>

#include "bank/image_slab.h"
#include "core/check.h"
#include "core/clock.h"
#include "core/log.h"
#include "core/memory.h"
#include "pipeline/block_size.h"
#include "pipeline/fit.h"
#include "pipeline/groups.h"
#include "pipeline/parts.h"
#include "pipeline/rank_device.h"
#include "pipeline/rank_lists.h"
#include "pipeline/rank_split.h"
#include "pipeline/stream_plan.h"
#include "search/merge.h"

enum {
    /* Of a limit, a search call may take one part in so many; queries of a call are then fewer than those of a block.
     */
    CALL_SHARE = 4,
    MOST_CALL_QUERIES = 512, /* a thread */
    LEAST_CALL_QUERIES = 32,
    LIMITED_TILE_ROWS = 64,    /* a query wants room for what a few tiles can give */
    ALLOWANCE_BYTES = 1 << 20, /* what is small, stacks of threads, gaps in the heap */
    /* Parts of a rank's rows at least, where the bank is split: behind each the ranks tell what they found. */
    SPLIT_PARTS = 2
};

struct dv_retriever {
    dv_bank *bank;
    const dv_bank_info *info;
    const dv_feature_info *queries;
    dv_search_options options;
    dv_device *device;
    dv_groups groups;
    bool bank_is_split;
    dv_share rows; /* of the bank, that this rank searches */
    dv_stream_plan plan;
    size_t n_rounds; /* parts of the rank that has the most */
    dv_parts *parts;
    dv_rank_lists *lists; /* NULL where the bank is not split */
    /* Room for one search call of several parts. */
    size_t call_queries;
    int64_t *device_ids; /* device memory, i64 [call_queries, k] */
    double *device_cosines;
    int64_t *ids; /* host memory, likewise */
    double *cosines;
    double *least; /* f64 [call_queries] */
    dv_merge *merge;
    size_t n_searches;
    uint64_t n_query_rows, n_rows_scanned;
    double search_s;
};

static size_t list_bytes(const dv_retriever *r) {
    return r->options.k * (sizeof(int64_t) + sizeof(double));
}

/* What a device takes that does not tell: rows once more as floats. */
static dv_search_memory search_memory(const dv_retriever *r, size_t n_queries) {
    const dv_search_shape shape = {
        .n_rows = r->rows.n, .dim = r->info->dim, .dtype = r->info->dtype, .n_queries = n_queries, .k = r->options.k};
    dv_search_memory memory = {.row_bytes = r->info->dim * sizeof(float)};
    if (r->device->ops->search_memory) r->device->ops->search_memory(r->device, &shape, &memory);
    return memory;
}

/* Bytes of a search call, with its part of several lists: on the device, on the host, merged. */
static size_t call_bytes(const dv_retriever *r, size_t n_queries) {
    return search_memory(r, n_queries).fixed_bytes + n_queries * (3 * list_bytes(r) + sizeof(double));
}

static size_t threads_of(const dv_retriever *r) {
    return r->options.n_threads ? r->options.n_threads : 1;
}

/* The longer the call, the better its queries share what is read of the bank. */
static size_t choose_call_queries(const dv_retriever *r) {
    size_t n = MOST_CALL_QUERIES;
    while (n > LEAST_CALL_QUERIES && call_bytes(r, n * threads_of(r)) > r->options.memory_limit / CALL_SHARE) n /= 2;
    return n * threads_of(r);
}

/* A block where memory is no matter. */
static dv_status usual_images(const dv_retriever *r, size_t *n_images) {
    const dv_search_options options = {.k = r->options.k, .n_threads = r->options.n_threads};
    const dv_block_need need = {.queries = r->queries, .options = &options};
    return dv_block_images(&need, n_images);
}

static dv_status choose_split(dv_retriever *r) {
    r->rows = (dv_share){.n = r->info->n_rows};
    const dv_search_memory memory = search_memory(r, MOST_CALL_QUERIES * threads_of(r));
    const dv_rank_split split = {.ranks = r->options.ranks,
                                 .wanted = r->options.split,
                                 .n_rows = r->info->n_rows,
                                 .row_bytes = r->info->dim * dv_dtype_size(r->info->dtype) + memory.row_bytes,
                                 .most_rows = memory.most_rows,
                                 .memory_limit = r->options.memory_limit,
                                 .job_memory = r->options.job_memory};
    DV_TRY(dv_rank_split_choose(&split, &r->bank_is_split));
    if (r->bank_is_split) r->rows = dv_ranks_share(r->options.ranks, r->info->n_rows);
    return DV_OK;
}

/* Parts that were asked for, of the rows of this rank. */
static dv_status count_shards(const dv_retriever *r, size_t *n) {
    *n = r->options.n_shards ? r->options.n_shards : 1;
    if (!r->bank_is_split) return DV_OK;
    if (*n > r->info->n_rows) return dv_fail(DV_E_USAGE, "%zu shards: the bank has %zu rows", *n, r->info->n_rows);
    if (*n < SPLIT_PARTS) *n = SPLIT_PARTS;
    if (*n > r->rows.n) *n = r->rows.n;
    return DV_OK;
}

/* Blocks that every rank can hold, and how often ranks meet in one. */
static dv_status agree_on_plan(dv_retriever *r) {
    uint64_t agreed[2] = {UINT64_MAX - r->plan.block_images, r->plan.n_parts};
    DV_TRY(dv_ranks_largest(r->options.ranks, agreed, 2));
    r->plan.block_images = (size_t)(UINT64_MAX - agreed[0]);
    r->n_rounds = r->bank_is_split ? (size_t)agreed[1] : r->plan.n_parts;
    return DV_OK;
}

static dv_status make_plan(dv_retriever *r, const dv_retriever_use *use) {
    const dv_feature_info *queries = r->queries;
    const size_t row_bytes = r->info->dim * dv_dtype_size(r->info->dtype);
    size_t usual, n_shards;
    DV_TRY(usual_images(r, &usual));
    DV_TRY(count_shards(r, &n_shards));
    r->call_queries = r->options.memory_limit ? choose_call_queries(r) : usual * queries->n_patches;
    const size_t group_bytes = r->groups.of_query_image ? sizeof(int32_t) : 0;
    const dv_search_memory memory = search_memory(r, r->call_queries);
    dv_stream_sizes sizes = {.limit = r->options.memory_limit,
                             .n_rows = r->rows.n,
                             .row_bytes = row_bytes + memory.row_bytes,
                             .most_rows = memory.most_rows,
                             .n_shards = n_shards,
                             .n_images = use->n_images,
                             .n_patches = queries->n_patches,
                             .block_images = r->options.images_per_block,
                             .usual_images = usual};
    DV_TRY(dv_mul_size(queries->n_patches, queries->dim * dv_dtype_size(queries->dtype), "a query image",
                       &sizes.ahead_bytes));
    DV_TRY(dv_mul_size(queries->n_patches, list_bytes(r) + group_bytes, "a query image", &sizes.image_bytes));
    DV_TRY(dv_add_size(sizes.image_bytes, sizes.ahead_bytes, "a query image", &sizes.image_bytes));
    DV_TRY(dv_add_size(sizes.image_bytes, use->image_bytes, "a query image", &sizes.image_bytes));
    if (r->bank_is_split)
        DV_TRY(dv_add_size(sizes.image_bytes, dv_rank_lists_image_bytes(queries->n_patches, r->options.k),
                           "a query image", &sizes.image_bytes));
    DV_TRY(dv_add_size(use->fixed_bytes, call_bytes(r, r->call_queries), "a search", &sizes.fixed_bytes));
    DV_TRY(
        dv_add_size(sizes.fixed_bytes, ALLOWANCE_BYTES + dv_image_slab_bytes(r->bank), "a search", &sizes.fixed_bytes));
    if (r->rows.n)
        DV_TRY(dv_stream_plan_make(&sizes, &r->plan));
    else /* a rank that only takes part in the merging */
        r->plan = (dv_stream_plan){.resident = true, .block_images = sizes.block_images ? sizes.block_images : usual};
    DV_TRY(agree_on_plan(r));
    const size_t block_queries = r->plan.block_images * queries->n_patches;
    if (r->call_queries > block_queries || r->options.memory_limit == 0) r->call_queries = block_queries;
    if (!r->plan.resident)
        dv_log(DV_LOG_INFO, "the bank is scanned in %zu slabs for every block of %zu images", r->plan.n_parts,
               r->plan.block_images);
    return DV_OK;
}

static dv_status device_alloc(dv_retriever *r, size_t n_bytes, void *out) {
    void *memory;
    DV_TRY(r->device->ops->alloc(r->device, n_bytes, &memory));
    memcpy(out, &memory, sizeof memory);
    return DV_OK;
}

/* Room for the lists of parts; one part writes to the caller's. */
static dv_status alloc_lists(dv_retriever *r) {
    const size_t n = r->call_queries;
    size_t n_places;
    if (r->plan.n_parts == 1 && !r->bank_is_split) return DV_OK;
    DV_TRY(dv_mul_size(n, r->options.k, "neighbours", &n_places));
    DV_TRY(dv_merge_create(n, r->options.k, &r->merge));
    DV_TRY(dv_alloc(n_places, sizeof *r->ids, "ids of a part", &r->ids));
    DV_TRY(dv_alloc(n_places, sizeof *r->cosines, "cosines of a part", &r->cosines));
    DV_TRY(dv_alloc(n, sizeof *r->least, "bounds of queries", &r->least));
    DV_TRY(device_alloc(r, n_places * sizeof *r->ids, &r->device_ids));
    return device_alloc(r, n_places * sizeof *r->cosines, &r->device_cosines);
}

static dv_status make_groups(dv_retriever *r) {
    const dv_bank_info *info = r->info;
    DV_TRY(dv_groups_make(info, r->queries, r->options.exclude, &r->groups));
    if (!r->groups.of_row) return DV_OK;
    size_t *n_of_group;
    DV_TRY(dv_alloc(info->n_images, sizeof *n_of_group, "row counts of the groups", &n_of_group));
    dv_groups_count(&r->groups, NULL, info->n_rows, n_of_group);
    const dv_status status =
        dv_groups_check(&r->groups, r->queries, NULL, r->queries->n_images, n_of_group, info->n_rows, r->options.k);
    free(n_of_group);
    return status;
}

static dv_status prepare(dv_retriever *r, const dv_retriever_use *use) {
    const dv_search_options *options = &r->options;
    /* Where memory is short a second stage has to be asked for: it is another set of codes, and a probe of every slab.
     */
    const size_t n_stages = options->memory_limit && !options->n_stages && !options->head_dim ? 1 : options->n_stages;
    const dv_device_options device_options = {.n_threads = options->n_threads,
                                              .tile_rows = options->memory_limit ? LIMITED_TILE_ROWS : 0,
                                              .kernel = options->kernel,
                                              .n_stages = n_stages,
                                              .head_dim = options->head_dim,
                                              .account = options->account};
    DV_TRY(dv_rank_device_open(options->ranks, options->backend, &device_options, &r->device));
    DV_TRY(make_groups(r));
    DV_TRY(choose_split(r));
    DV_TRY(make_plan(r, use));
    DV_TRY(alloc_lists(r));
    const dv_rank_lists_spec lists = {.ranks = options->ranks,
                                      .device = r->device,
                                      .most_images = r->plan.block_images,
                                      .n_patches = r->queries->n_patches,
                                      .k = options->k};
    if (r->bank_is_split) DV_TRY(dv_rank_lists_create(&lists, &r->lists));
    return dv_parts_create(r->device, r->bank, r->groups.of_row, &r->rows, r->plan.n_parts, r->plan.resident,
                           &r->parts);
}

dv_status dv_retriever_open(dv_bank *bank, const dv_feature_info *queries, const dv_search_options *options,
                            const dv_retriever_use *use, dv_retriever **out) {
    *out = NULL;
    const dv_bank_info *info = dv_bank_get_info(bank);
    DV_TRY(dv_context(dv_fit_search(info, queries, options), "%s", queries->paths[0]));
    dv_retriever *r;
    DV_TRY(dv_alloc(1, sizeof *r, "a retriever", &r));
    *r = (dv_retriever){.bank = bank, .info = info, .queries = queries, .options = *options};
    const dv_status status = prepare(r, use);
    if (status != DV_OK) {
        dv_retriever_close(r);
        return status;
    }
    *out = r;
    return DV_OK;
}

void dv_retriever_close(dv_retriever *r) {
    if (!r) return;
    dv_parts_free(r->parts);
    if (r->device) {
        r->device->ops->release(r->device, r->device_ids);
        r->device->ops->release(r->device, r->device_cosines);
        r->device->ops->close(r->device);
    }
    dv_groups_clear(&r->groups);
    dv_rank_lists_free(r->lists);
    dv_merge_free(r->merge);
    free(r->ids);
    free(r->cosines);
    free(r->least);
    free(r);
}

dv_device *dv_retriever_device(const dv_retriever *r) {
    return r->device;
}

size_t dv_retriever_block_images(const dv_retriever *r) {
    return r->plan.block_images;
}

bool dv_retriever_one_block(const dv_retriever *r) {
    return !r->plan.resident;
}

bool dv_retriever_queries_are_split(const dv_retriever *r) {
    return dv_ranks_count(r->options.ranks) > 1 && !r->bank_is_split;
}

dv_share dv_retriever_images(const dv_retriever *r, size_t n) {
    const dv_share all = {.n = n};
    return r->bank_is_split ? all : dv_ranks_share(r->options.ranks, n);
}

dv_feature_block dv_retriever_own(const dv_retriever *r, const dv_feature_block *block) {
    return r->bank_is_split ? dv_rank_lists_own(r->options.ranks, r->queries, block) : *block;
}

/* What the parts before this one have found, and the k-th cosine of each query: no row below it is wanted of another
 * part. done: queries of the block before those of this call */
static dv_status resume(dv_retriever *r, size_t done, size_t n, bool first, const int64_t *ids, const double *cosines) {
    const dv_device_ops *ops = r->device->ops;
    const size_t k = r->options.k;
    const double *shared = r->lists ? dv_rank_lists_least(r->lists) + done : NULL;
    if (first) {
        dv_merge_clear(r->merge, 0, n);
    } else {
        DV_TRY(ops->download(r->device, r->ids, ids, n * k * sizeof *ids));
        DV_TRY(ops->download(r->device, r->cosines, cosines, n * k * sizeof *cosines));
        DV_TRY(ops->synchronise(r->device));
        dv_merge_resume(r->merge, n, r->ids, r->cosines);
    }
    for (size_t q = 0; q < n; q++) {
        r->least[q] = dv_merge_least(r->merge, q);
        if (shared && shared[q] > r->least[q]) r->least[q] = shared[q];
    }
    return DV_OK;
}

/* Adds what a part has for the queries of one call to their lists. */
static dv_status search_part(dv_retriever *r, const dv_part *part, bool first, size_t done, dv_queries queries,
                             int64_t *block_ids, double *block_cosines) {
    const dv_device_ops *ops = r->device->ops;
    const size_t n = queries.rows.n_rows, k = r->options.k, k_part = k < part->n_rows ? k : part->n_rows;
    int64_t *ids = block_ids + done * k;
    double *cosines = block_cosines + done * k;
    DV_TRY(resume(r, done, n, first, ids, cosines));
    queries.least = r->least;
    DV_TRY(ops->search(r->device, part->index, &queries, k_part, r->device_ids, r->device_cosines));
    DV_TRY(ops->download(r->device, r->ids, r->device_ids, n * k_part * sizeof *ids));
    DV_TRY(ops->download(r->device, r->cosines, r->device_cosines, n * k_part * sizeof *cosines));
    DV_TRY(ops->synchronise(r->device));
    for (size_t i = 0; i < n * k_part; i++)
        if (r->ids[i] >= 0) r->ids[i] += (int64_t)part->first_row;
    dv_merge_add_queries(r->merge, 0, n, r->ids, r->cosines, k_part);
    DV_TRY(ops->upload(r->device, ids, dv_merge_ids(r->merge), n * k * sizeof *ids));
    DV_TRY(ops->upload(r->device, cosines, dv_merge_cosines(r->merge), n * k * sizeof *cosines));
    return ops->synchronise(r->device);
}

/* All queries of a block against one part, call by call. */
static dv_status visit_part(dv_retriever *r, const dv_part *part, bool first, const dv_queries *block, int64_t *ids,
                            double *cosines) {
    const size_t n_queries = block->rows.n_rows, k = r->options.k;
    const size_t row_bytes = block->rows.dim * dv_dtype_size(block->rows.dtype);
    for (size_t done = 0; done < n_queries; done += r->call_queries) {
        dv_queries call = *block;
        call.rows.data = (const unsigned char *)block->rows.data + done * row_bytes;
        call.rows.n_rows = n_queries - done < r->call_queries ? n_queries - done : r->call_queries;
        if (block->group) call.group = block->group + done;
        DV_TRY(dv_check_interrupted());
        if (r->merge) {
            DV_TRY(search_part(r, part, first, done, call, ids, cosines));
        } else {
            DV_TRY(r->device->ops->search(r->device, part->index, &call, k, ids + done * k, cosines + done * k));
            DV_TRY(r->device->ops->synchronise(r->device));
        }
    }
    r->n_rows_scanned += part->n_rows * n_queries;
    return DV_OK;
}

/* All parts of this rank, one after the other; between them ranks that share the bank tell what they know. */
static dv_status visit_parts(dv_retriever *r, const dv_queries *block, int64_t *ids, double *cosines) {
    const size_t n = dv_parts_count(r->parts);
    const bool backwards = r->n_searches++ % 2 == 1; /* the slab that is there is the first */
    for (size_t i = 0; i < r->n_rounds; i++) {
        const dv_part *part;
        if (i < n) {
            DV_TRY(dv_parts_get(r->parts, backwards ? n - 1 - i : i, &part));
            DV_TRY(visit_part(r, part, i == 0, block, ids, cosines));
        }
        if (r->lists && i + 1 < r->n_rounds) DV_TRY(dv_rank_lists_share_least(r->lists, cosines));
    }
    return DV_OK;
}

/* Lists without neighbours, of a rank that has no rows. */
static dv_status clear_lists(dv_retriever *r, size_t n_queries, int64_t *ids, double *cosines) {
    const dv_device_ops *ops = r->device->ops;
    const size_t k = r->options.k;
    dv_merge_clear(r->merge, 0, r->call_queries);
    for (size_t done = 0; done < n_queries; done += r->call_queries) {
        const size_t n = (n_queries - done < r->call_queries ? n_queries - done : r->call_queries) * k;
        DV_TRY(ops->upload(r->device, ids + done * k, dv_merge_ids(r->merge), n * sizeof *ids));
        DV_TRY(ops->upload(r->device, cosines + done * k, dv_merge_cosines(r->merge), n * sizeof *cosines));
    }
    return ops->synchronise(r->device);
}

dv_status dv_retriever_search(dv_retriever *r, const dv_feature_block *block, int64_t *ids, double *cosines) {
    DV_TRY(dv_check_interrupted());
    const int32_t *query_groups;
    DV_TRY(dv_groups_block(&r->groups, block, r->queries->n_patches, &query_groups));
    const dv_queries queries = {
        .rows = {.data = block->rows,
                 .dtype = r->queries->dtype,
                 .n_rows = block->n_images * r->queries->n_patches,
                 .dim = r->queries->dim},
        .group = query_groups,
    };
    const double start_s = dv_steady_s();
    if (r->lists) dv_rank_lists_begin(r->lists, block->n_images);
    if (r->rows.n == 0) DV_TRY(clear_lists(r, queries.rows.n_rows, ids, cosines));
    DV_TRY(visit_parts(r, &queries, ids, cosines));
    if (r->lists) DV_TRY(dv_rank_lists_merge(r->lists, ids, cosines));
    r->search_s += dv_steady_s() - start_s;
    r->n_query_rows += queries.rows.n_rows;
    return DV_OK;
}

static void sum_own(const dv_retriever *r, dv_search_summary *summary) {
    *summary = (dv_search_summary){.n_query_rows = r->n_query_rows,
                                   .n_bank_rows = r->info->n_rows,
                                   .k = r->options.k,
                                   .backend = r->device->ops->name,
                                   .engine = r->device->ops->summary,
                                   .n_slabs = r->plan.resident ? 1 : r->plan.n_parts,
                                   .bank_bytes_read =
                                       dv_parts_rows_read(r->parts) * r->info->dim * dv_dtype_size(r->info->dtype),
                                   .search_s = r->search_s};
    dv_parts_stats(r->parts, &summary->stats);
}

/* Takes in what another rank did. */
static void add_rank(const dv_retriever *r, dv_search_summary *sum, const dv_search_summary *other) {
    if (!r->bank_is_split) sum->n_query_rows += other->n_query_rows;
    if (other->n_slabs > sum->n_slabs) sum->n_slabs = other->n_slabs;
    if (other->search_s > sum->search_s) sum->search_s = other->search_s;
    sum->bank_bytes_read += other->bank_bytes_read;
    dv_search_stats_add(&sum->stats, &other->stats);
}

dv_status dv_retriever_summary(const dv_retriever *r, dv_search_summary *summary) {
    dv_ranks *ranks = r->options.ranks;
    const size_t n_ranks = dv_ranks_count(ranks), query_bytes = r->queries->dim * dv_dtype_size(r->queries->dtype);
    dv_search_summary *all;
    sum_own(r, summary);
    dv_ranks_add_read(ranks, summary->bank_bytes_read + r->n_query_rows * query_bytes);
    dv_ranks_add_scanned(ranks, r->n_rows_scanned, summary->stats.n_candidates);
    DV_TRY(dv_alloc(n_ranks, sizeof *all, "the summaries of ranks", &all));
    const dv_status status = dv_ranks_gather(ranks, summary, sizeof *summary, all);
    for (size_t i = 1; status == DV_OK && dv_ranks_index(ranks) == 0 && i < n_ranks; i++) add_rank(r, summary, &all[i]);
    free(all);
    summary->stats.n_queries = summary->n_query_rows;
    return status;
}
