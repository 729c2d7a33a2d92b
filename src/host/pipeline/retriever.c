#include "pipeline/retriever.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/check.h"
#include "core/log.h"
#include "core/memory.h"
#include "pipeline/block_size.h"
#include "pipeline/fit.h"
#include "pipeline/groups.h"
#include "search/merge.h"

/* A run of bank rows on the device. */
typedef struct part {
    size_t first_row, n_rows;
    void *host_rows; /* dtype [n_rows, dim]; borrowed by the index */
    void *index;
} part;

struct dv_retriever {
    dv_bank *bank;
    const dv_bank_info *info;
    const dv_feature_info *queries;
    dv_search_options options;
    dv_device *device;
    dv_groups groups;
    bool resident; /* all parts stay loaded; else one at a time */
    size_t n_parts;
    part *parts;
    dv_search_stats finished; /* of indexes that were freed */
    uint64_t n_query_rows;
    double search_s;
};

double dv_clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static size_t row_bytes(const dv_retriever *r) {
    return r->info->dim * (dv_dtype_size(r->info->dtype) + sizeof(float)); /* as stored, and the device's own copy */
}

static dv_status plan_parts(dv_retriever *r) {
    size_t n_parts = r->options.n_shards ? r->options.n_shards : 1;
    const size_t limit = r->options.memory_limit / 2;
    size_t bank_bytes;
    DV_TRY(dv_mul_size(r->info->n_rows, row_bytes(r), "the bank", &bank_bytes));
    r->resident = limit == 0 || bank_bytes <= limit;
    if (!r->resident) {
        const size_t slab_rows = limit / row_bytes(r);
        if (slab_rows == 0)
            return dv_fail(DV_E_NOMEM, "a bank row takes %zu bytes, half of the memory limit is %zu", row_bytes(r),
                           limit);
        const size_t n_slabs = (r->info->n_rows + slab_rows - 1) / slab_rows;
        if (n_parts < n_slabs) n_parts = n_slabs;
        dv_log(DV_LOG_INFO, "the bank is scanned in %zu slabs for every block of queries", n_parts);
    }
    if (n_parts > r->info->n_rows)
        return dv_fail(DV_E_USAGE, "%zu shards: the bank has %zu rows", n_parts, r->info->n_rows);
    DV_TRY(dv_alloc(n_parts, sizeof *r->parts, "the parts of the bank", &r->parts));
    r->n_parts = n_parts;
    for (size_t i = 0; i < n_parts; i++) { /* contiguous, the remainder to the first parts */
        const size_t share = r->info->n_rows / n_parts, rest = r->info->n_rows % n_parts;
        r->parts[i].first_row = i * share + (i < rest ? i : rest);
        r->parts[i].n_rows = share + (i < rest ? 1 : 0);
    }
    return DV_OK;
}

static void unload_part(dv_retriever *r, part *p) {
    if (p->index) {
        if (r->device->ops->search_stats) {
            dv_search_stats stats;
            r->device->ops->search_stats(r->device, p->index, &stats);
            dv_search_stats_add(&r->finished, &stats);
        }
        r->device->ops->bank_free(r->device, p->index);
    }
    free(p->host_rows);
    p->index = NULL;
    p->host_rows = NULL;
}

static dv_status load_part(dv_retriever *r, part *p) {
    size_t n_values;
    DV_TRY(dv_mul_size(p->n_rows, r->info->dim, "bank rows", &n_values));
    DV_TRY(dv_alloc(n_values, dv_dtype_size(r->info->dtype), "bank rows", &p->host_rows));
    DV_TRY(dv_bank_read(r->bank, p->first_row, p->n_rows, p->host_rows));
    const dv_bank_rows rows = {
        .rows = {.data = p->host_rows, .dtype = r->info->dtype, .n_rows = p->n_rows, .dim = r->info->dim},
        .group = r->groups.of_row ? r->groups.of_row + p->first_row : NULL,
    };
    return r->device->ops->bank_load(r->device, &rows, &p->index);
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

dv_status dv_retriever_open(dv_bank *bank, const dv_feature_info *queries, const dv_search_options *options,
                            dv_retriever **out) {
    *out = NULL;
    const dv_bank_info *info = dv_bank_get_info(bank);
    DV_TRY(dv_context(dv_fit_search(info, queries, options), "%s", queries->paths[0]));
    dv_retriever *r;
    DV_TRY(dv_alloc(1, sizeof *r, "a retriever", &r));
    *r = (dv_retriever){.bank = bank, .info = info, .queries = queries, .options = *options};
    const dv_device_options device_options = {.n_threads = options->n_threads,
                                              .kernel = options->kernel,
                                              .n_stages = options->n_stages,
                                              .head_dim = options->head_dim};
    dv_status status = dv_device_open(options->backend ? options->backend : "auto", &device_options, &r->device);
    if (status == DV_OK) status = make_groups(r);
    if (status == DV_OK) status = plan_parts(r);
    for (size_t i = 0; status == DV_OK && r->resident && i < r->n_parts; i++) status = load_part(r, &r->parts[i]);
    if (status != DV_OK) {
        dv_retriever_close(r);
        return status;
    }
    *out = r;
    return DV_OK;
}

void dv_retriever_close(dv_retriever *r) {
    if (!r) return;
    for (size_t i = 0; i < r->n_parts; i++) unload_part(r, &r->parts[i]);
    if (r->device) r->device->ops->close(r->device);
    dv_groups_clear(&r->groups);
    free(r->parts);
    free(r);
}

dv_device *dv_retriever_device(const dv_retriever *r) {
    return r->device;
}

dv_status dv_retriever_block_images(const dv_retriever *r, size_t extra_bytes, size_t *n_images) {
    /* A list of ids and cosines for the running result and for a slab's, and the device's. */
    const dv_block_need need = {.queries = r->queries,
                                .options = &r->options,
                                .n_lists = 3,
                                .extra_bytes = extra_bytes,
                                .bank_is_streamed = !r->resident};
    return dv_block_images(&need, n_images);
}

/* The parts' lists side by side in host memory, then merged in the total order. */
static dv_status search_parts(dv_retriever *r, const dv_queries *queries, int64_t *ids, double *cosines) {
    const dv_device_ops *ops = r->device->ops;
    const size_t n = queries->rows.n_rows, k = r->options.k;
    dv_merge *merge = NULL;
    int64_t *part_ids = NULL;
    double *part_cosines = NULL;
    dv_status status = dv_merge_create(n, k, &merge);
    if (status == DV_OK) status = dv_alloc(n * k, sizeof *part_ids, "ids of a part", &part_ids);
    if (status == DV_OK) status = dv_alloc(n * k, sizeof *part_cosines, "cosines of a part", &part_cosines);
    for (size_t i = 0; status == DV_OK && i < r->n_parts; i++) {
        part *p = &r->parts[i];
        const size_t k_part = k < p->n_rows ? k : p->n_rows;
        if (!r->resident) status = load_part(r, p);
        if (status == DV_OK) status = ops->search(r->device, p->index, queries, k_part, ids, cosines);
        if (status == DV_OK) status = ops->download(r->device, part_ids, ids, n * k_part * sizeof *ids);
        if (status == DV_OK) status = ops->download(r->device, part_cosines, cosines, n * k_part * sizeof *cosines);
        if (status == DV_OK) status = ops->synchronise(r->device);
        if (status == DV_OK) dv_merge_add(merge, part_ids, part_cosines, k_part, (int64_t)p->first_row);
        if (!r->resident) unload_part(r, p);
    }
    if (status == DV_OK) status = ops->upload(r->device, ids, dv_merge_ids(merge), n * k * sizeof *ids);
    if (status == DV_OK) status = ops->upload(r->device, cosines, dv_merge_cosines(merge), n * k * sizeof *cosines);
    if (status == DV_OK) status = ops->synchronise(r->device);
    free(part_ids);
    free(part_cosines);
    dv_merge_free(merge);
    return status;
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
    const double start_s = dv_clock_s();
    if (r->resident && r->n_parts == 1) {
        DV_TRY(r->device->ops->search(r->device, r->parts[0].index, &queries, r->options.k, ids, cosines));
        DV_TRY(r->device->ops->synchronise(r->device));
    } else {
        DV_TRY(search_parts(r, &queries, ids, cosines));
    }
    r->search_s += dv_clock_s() - start_s;
    r->n_query_rows += queries.rows.n_rows;
    return DV_OK;
}

void dv_retriever_summary(const dv_retriever *r, dv_search_summary *summary) {
    *summary = (dv_search_summary){.n_query_rows = r->n_query_rows,
                                   .n_bank_rows = r->info->n_rows,
                                   .k = r->options.k,
                                   .backend = r->device->ops->name,
                                   .engine = r->device->ops->summary,
                                   .stats = r->finished,
                                   .search_s = r->search_s};
    for (size_t i = 0; r->device->ops->search_stats && i < r->n_parts; i++) {
        if (!r->parts[i].index) continue;
        dv_search_stats stats;
        r->device->ops->search_stats(r->device, r->parts[i].index, &stats);
        dv_search_stats_add(&summary->stats, &stats);
    }
    summary->stats.n_queries = r->n_query_rows;
}
