/* cpu_search.c: blocks of queries against chunks of coded tiles, thresholds that no row of the answer can miss, then
 * the canonical cosine of what is left. Which rows are left never matters to the result, only that none is missing. */
#include "device/cpu/cpu_search.h"

#include <math.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/clock.h"
#include "core/memory.h"
#include "device/cpu/cpu_clusters.h"
#include "device/cpu/cpu_plan.h"
#include "search/exact_scan.h"
#include "search/query_limits.h"
#include "search/slices.h"

typedef struct job {
    const dv_host_index *base;
    const dv_queries *queries;
    const dv_cpu_plan *plan;
    dv_filter_bank bank;
    dv_tile_order order;
    dv_cpu_memory memory;
    size_t begin, end; /* the chunk, where parts share it */
    int64_t *ids;
    double *cosines;
} job;

static size_t block_size(const job *j, size_t block) {
    const size_t first = block * j->plan->block_queries, left = j->plan->n_queries - first;
    return left < j->plan->block_queries ? left : j->plan->block_queries;
}

static void scan_tiles(const job *j, const dv_scan_block *block, size_t begin, size_t end, size_t step) {
    for (size_t i = begin; i < end; i += step) {
        dv_code_tile tile = dv_codes_tile(&j->bank.coded->codes, dv_tile_order_at(&j->order, i));
        const size_t next = i + step < j->plan->n_tiles ? i + step : 0;
        tile.ahead = dv_codes_tile(&j->bank.coded->codes, dv_tile_order_at(&j->order, next)).codes;
        j->bank.kernel->scan(block, &tile);
    }
}

/* Raises the lower bounds by what chunk begin..end-1 brought; what overflowed looks at it again. */
static void close_chunk(const job *j, size_t at, size_t first, size_t begin, size_t end) {
    dv_filter *filter = &j->memory.filters[at];
    size_t *flagged = j->memory.flagged[at], n_flagged = 0;
    const double start_s = dv_steady_s();
    for (size_t q = 0; q < filter->n; q++)
        if (!dv_filter_tighten(filter, q, j->bank.coded)) flagged[n_flagged++] = q;
    if (n_flagged > 0)
        dv_scan_in_slices(filter, flagged, n_flagged, &j->bank, &j->order, begin, end, j->queries, first,
                          &j->memory.slices[at]);
    filter->refine_s += dv_steady_s() - start_s;
}

/* All rows tie for a zero query: the first ones that it sees. */
static void settle_zero_query(const job *j, dv_filter *filter, size_t q, size_t query) {
    const int32_t *group = j->base->group;
    filter->n_scored +=
        dv_exact_scan(&j->base->scored, group, filter->hidden[q], filter->values, 0.0, &filter->best[q]);
    dv_topk_write(&filter->best[q], j->ids + query * j->plan->k, j->cosines + query * j->plan->k);
}

static void settle_block(const job *j, dv_filter *filter, size_t first) {
    const size_t k = j->plan->k;
    const double start_s = dv_steady_s();
    for (size_t q = 0; q < filter->n; q++) {
        const size_t query = first + q;
        if (filter->norms[q] == 0.0)
            settle_zero_query(j, filter, q, query);
        else
            dv_filter_settle(filter, q, &j->bank, j->queries, query, j->ids + query * k, j->cosines + query * k);
        filter->n_overflowed += filter->overflowed[q];
    }
    filter->score_s += dv_steady_s() - start_s;
}

/* Codes and first lower bounds of a block of queries. */
static dv_status open_block(const job *j, dv_filter *filter, size_t block) {
    const double start_s = dv_steady_s();
    DV_TRY(dv_filter_begin(filter, j->bank.coded, j->queries, block * j->plan->block_queries, block_size(j, block)));
    const double coded_s = dv_steady_s();
    dv_filter_seed(filter, &j->bank);
    filter->code_s += coded_s - start_s;
    filter->seed_s += dv_steady_s() - coded_s;
    return DV_OK;
}

static dv_status search_block(void *context, size_t block, size_t worker) {
    const job *j = context;
    dv_filter *filter = &j->memory.filters[worker];
    const size_t first = block * j->plan->block_queries;
    DV_TRY(open_block(j, filter, block));
    const dv_scan_block view = dv_filter_block(filter);
    for (size_t begin = 0, end; begin < j->plan->n_tiles; begin = end) {
        end = dv_cpu_plan_chunk_end(j->plan, begin);
        const double start_s = dv_steady_s();
        scan_tiles(j, &view, begin, end, 1);
        filter->scan_s += dv_steady_s() - start_s;
        close_chunk(j, worker, first, begin, end);
    }
    settle_block(j, filter, first);
    return DV_OK;
}

static dv_status begin_block(void *context, size_t block, size_t worker) {
    (void)worker;
    const job *j = context;
    return open_block(j, &j->memory.filters[block], block);
}

static dv_status scan_part(void *context, size_t task, size_t worker) {
    (void)worker;
    const job *j = context;
    dv_cpu_part *part = &j->memory.parts[task];
    const double start_s = dv_steady_s();
    dv_scan_block view = dv_filter_block(&j->memory.filters[task / j->plan->n_parts]);
    view.thresholds = part->thresholds;
    view.hits = part->hits;
    for (size_t q = 0; q < view.n; q++) part->hits.counts[q] = 0;
    scan_tiles(j, &view, j->begin + task % j->plan->n_parts, j->end, j->plan->n_parts);
    part->scan_s += dv_steady_s() - start_s;
    return DV_OK;
}

static dv_status close_block(void *context, size_t block, size_t worker) {
    (void)worker;
    const job *j = context;
    const size_t first = block * j->plan->block_queries;
    for (size_t part = 0; part < j->plan->n_parts; part++)
        dv_filter_take(&j->memory.filters[block], &j->memory.parts[block * j->plan->n_parts + part].hits);
    close_chunk(j, block, first, j->begin, j->end);
    if (j->end == j->plan->n_tiles) settle_block(j, &j->memory.filters[block], first);
    return DV_OK;
}

static dv_status search_in_parts(job *j, dv_pool *pool) {
    DV_TRY(dv_pool_run(pool, j->plan->n_blocks, begin_block, j));
    for (j->begin = 0; j->begin < j->plan->n_tiles; j->begin = j->end) {
        j->end = dv_cpu_plan_chunk_end(j->plan, j->begin);
        DV_TRY(dv_pool_run(pool, j->plan->n_blocks * j->plan->n_parts, scan_part, j));
        DV_TRY(dv_pool_run(pool, j->plan->n_blocks, close_block, j));
    }
    return DV_OK;
}

static void add_stats(const job *j, dv_search_stats *stats) {
    stats->n_queries += j->plan->n_queries;
    stats->n_stages = dv_has_heads(j->bank.coded) ? 2 : 1;
    stats->head_dim = dv_has_heads(j->bank.coded) ? dv_head_size(&j->bank.coded->head) : 0;
    for (size_t i = 0; i < j->memory.n_filters; i++) {
        const dv_filter *filter = &j->memory.filters[i], *slice = &j->memory.slices[i];
        stats->n_candidates += filter->n_scored + slice->n_scored;
        stats->n_refined += filter->n_refined + slice->n_refined;
        stats->n_uncertified += filter->n_overflowed;
        stats->code_s += filter->code_s;
        stats->seed_s += filter->seed_s;
        stats->scan_s += filter->scan_s;
        stats->refine_s += filter->refine_s;
        stats->score_s += filter->score_s;
    }
    for (size_t i = 0; i < j->memory.n_parts; i++) stats->scan_s += j->memory.parts[i].scan_s;
}

dv_status dv_cpu_search_coded(dv_host_device *host, dv_host_index *base, const dv_coded_bank *coded,
                              const dv_queries *queries, size_t k, int64_t *ids, double *cosines) {
    const size_t n_threads = dv_pool_threads(host->pool);
    dv_cpu_plan plan;
    dv_cpu_plan_make(&host->options, n_threads, queries->rows.n_rows, coded, k, host->kernel->biased, &plan);
    job j = {.base = base,
             .queries = queries,
             .plan = &plan,
             .bank = {&base->scored, coded, host->kernel},
             .order = dv_tile_order_make(coded->codes.n_tiles),
             .ids = ids,
             .cosines = cosines};
    dv_status status = dv_cpu_memory_create(&plan, coded, n_threads, &j.memory);
    if (status == DV_OK)
        status = plan.n_parts > 1 ? search_in_parts(&j, host->pool)
                                  : dv_pool_run(host->pool, plan.n_blocks, search_block, &j);
    if (status == DV_OK) add_stats(&j, &base->stats);
    dv_cpu_memory_free(&j.memory);
    return status;
}

typedef struct exact_job {
    const dv_cpu_index *index;
    const dv_queries *queries;
    size_t k;
    int64_t *ids;
    double *cosines;
    double *values;      /* f64 [threads, prepared size] */
    dv_neighbour *heaps; /* [threads, k] */
    uint64_t *n_scored;  /* u64 [threads] */
} exact_job;

static dv_status scan_query(void *context, size_t query, size_t worker) {
    const exact_job *j = context;
    const dv_rows *rows = &j->queries->rows;
    double *values = j->values + worker * dv_prepared_size(rows->dim);
    const double norm = dv_prepare_row(dv_row_at(rows, query), rows->dtype, rows->dim, dv_simd_best(), values, NULL);
    if (!isfinite(norm)) return dv_fail(DV_E_ARG, "query %zu: features must be finite", query);
    dv_topk best = dv_topk_begin(j->heaps + worker * j->k, j->k, dv_query_least(j->queries, query));
    const int32_t hidden = dv_query_hidden(j->queries, query);
    j->n_scored[worker] += dv_exact_scan(&j->index->base.scored, j->index->base.group, hidden, values, norm, &best);
    dv_topk_write(&best, j->ids + query * j->k, j->cosines + query * j->k);
    return DV_OK;
}

static dv_status search_exactly(dv_host_device *host, dv_cpu_index *index, const dv_queries *queries, size_t k,
                                int64_t *ids, double *cosines) {
    const size_t n_threads = dv_pool_threads(host->pool);
    exact_job j = {.index = index, .queries = queries, .k = k, .ids = ids, .cosines = cosines};
    size_t n_values, n_heaps;
    DV_TRY(dv_mul_size(n_threads, dv_prepared_size(queries->rows.dim), "queries", &n_values));
    DV_TRY(dv_mul_size(n_threads, k, "neighbours", &n_heaps));
    dv_status status = dv_alloc(n_values, sizeof *j.values, "queries", &j.values);
    if (status == DV_OK) status = dv_alloc(n_heaps, sizeof *j.heaps, "neighbours", &j.heaps);
    if (status == DV_OK) status = dv_alloc(n_threads, sizeof *j.n_scored, "counters", &j.n_scored);
    if (status == DV_OK) status = dv_pool_run(host->pool, queries->rows.n_rows, scan_query, &j);
    if (status == DV_OK) {
        index->base.stats.n_queries += queries->rows.n_rows;
        index->base.stats.n_uncertified += queries->rows.n_rows;
        for (size_t i = 0; i < n_threads; i++) index->base.stats.n_candidates += j.n_scored[i];
    }
    free(j.values);
    free(j.heaps);
    free(j.n_scored);
    return status;
}

dv_status dv_cpu_search(dv_device *device, void *opaque, const dv_queries *queries, size_t k, int64_t *ids,
                        double *cosines) {
    dv_host_device *host = (dv_host_device *)device;
    dv_cpu_index *index = opaque;
    DV_TRY(dv_host_check_search(&index->base, queries, k));
    if (index->clusters.n > 0) return dv_cpu_search_clusters(host, index, queries, k, ids, cosines);
    if (index->coded.codes.n_tiles == 0) return search_exactly(host, index, queries, k, ids, cosines);
    return dv_cpu_search_coded(host, &index->base, &index->coded, queries, k, ids, cosines);
}
