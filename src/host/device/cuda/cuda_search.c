/* cuda_search.c: blocks of queries against chunks of coded tiles. Each chunk is filtered by thresholds that no row of
 * the answer can miss and that stay as they are within it; what passes raises them for the next. What is left at the
 * end is scored in double. A query that more rows pass than it has room for is searched again, in slices that fit.
 * Which rows are scored never matters to the result, only that none is missing: docs/EXACTNESS.md. */
#include "device/cuda/cuda_search.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_block.h"
#include "device/host_device.h"
#include "search/query_limits.h"
#include "search/topk.h"

/* A block of queries and where its answers go. */
typedef struct job {
    dv_cuda_index *index;
    const dv_cuda_plan *plan;
    dv_cuda_block block;
    int64_t *ids;    /* [n, k] there */
    double *cosines; /* [n, k] there */
} job;

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

#define LAUNCH(call, what) DV_TRY(dv_cuda_check(call, what))

/* Hits of tiles begin .. end - 1. */
static dv_status filter(const job *j, const dv_query_codes *codes, const double *lower, size_t begin, size_t end) {
    dv_cuda_index *index = j->index;
    const int64_t first = (int64_t)begin, n = (int64_t)(end - begin);
    LAUNCH(dv_launch_thresholds(codes, &index->codes, first, n, index->eta, lower, j->block.thresholds, index->stream),
           "thresholds");
    if (index->library.gemm)
        return dv_cuda_library_filter(&index->library, codes, &index->codes, first, n, j->block.thresholds,
                                      &j->block.hits, index->stream);
    if (index->options.wgmma && index->shape == DV_PRODUCT_LARGE)
        LAUNCH(dv_launch_filter_wgmma(index->options.wgmma, codes, &index->codes, first, n, j->block.thresholds,
                                      &j->block.hits, index->n_blocks, index->stream),
               "filtering the bank by wgmma");
    else
        LAUNCH(dv_launch_filter(index->shape, codes, &index->codes, first, n, j->block.thresholds, &j->block.hits,
                                index->n_blocks, index->stream),
               "filtering the bank");
    return DV_OK;
}

static dv_status scan_chunks(const job *j) {
    const dv_cuda_index *index = j->index;
    const dv_cuda_block *block = &j->block;
    const size_t n_tiles = (size_t)index->codes.n_tiles;
    const int64_t n_seed = (int64_t)j->plan->seed_tiles, k = (int64_t)j->plan->k;
    LAUNCH(dv_launch_seed(index->shape, &block->codes, &index->codes, n_seed, block->maxima, index->n_blocks,
                          index->stream),
           "first bounds");
    LAUNCH(dv_launch_seed_bounds(&block->codes, &index->codes, block->maxima, n_seed, k, index->eta, block->lower,
                                 index->stream),
           "first bounds");
    for (size_t begin = 0, end; begin < n_tiles; begin = end) {
        const size_t wanted = begin == 0 ? j->plan->first_tiles : begin;
        end = smaller(n_tiles, begin + smaller(wanted, j->plan->most_tiles));
        DV_TRY(filter(j, &block->codes, block->lower, begin, end));
        LAUNCH(dv_launch_compact(&block->codes, &index->codes, k, index->eta, &block->hits, block->lower,
                                 block->overflows, index->stream),
               "compacting");
    }
    return DV_OK;
}

/* The canonical cosines of all hits, and the best of them. chosen: NULL, or the queries that the hits are of, which
 * keep what they have. */
static dv_status settle(const job *j, const dv_prepared_queries *prepared, size_t n, const uint32_t *chosen) {
    const dv_cuda_index *index = j->index;
    const dv_cuda_block *block = &j->block;
    LAUNCH(dv_launch_score_hits(&index->rows, prepared, (int64_t)n, &block->hits, index->codes.rows, &block->lists,
                                block->n_scored, index->stream),
           "scoring");
    LAUNCH(dv_launch_topk(&block->lists, (int64_t)n, block->hits.counts, chosen, block->least, (int64_t)j->plan->k,
                          chosen != NULL, j->ids, j->cosines, index->stream),
           "selecting");
    return DV_OK;
}

/* Searches the chosen queries from the beginning, in slices of no more rows than a query has room for. After each slice
 * the k-th cosine of what was seen is the bound for the next. */
static dv_status scan_in_slices(const job *j, const uint32_t *chosen_here, const double *lower_here, size_t n) {
    const dv_cuda_index *index = j->index;
    const dv_cuda_block *block = &j->block;
    const size_t n_tiles = (size_t)index->codes.n_tiles;
    dv_query_codes codes;
    dv_prepared_queries prepared;
    double *lower;
    DV_TRY(dv_cuda_block_chosen(j->index, block, n, &codes, &prepared, &lower));
    LAUNCH(cudaMemcpyAsync(block->chosen, chosen_here, n * sizeof *chosen_here, cudaMemcpyHostToDevice, index->stream),
           "queries");
    LAUNCH(cudaMemcpyAsync(lower, lower_here, n * sizeof *lower_here, cudaMemcpyHostToDevice, index->stream),
           "queries");
    LAUNCH(cudaMemsetAsync(block->hits.counts, 0, n * sizeof *block->hits.counts, index->stream), "hits");
    LAUNCH(dv_launch_gather(block->chosen, &block->codes, &block->prepared, (int64_t)index->bank.rows.dim,
                            index->codes.dim_padded, &codes, &prepared, index->stream),
           "gathering");
    for (size_t begin = 0, end; begin < n_tiles; begin = end) {
        end = smaller(n_tiles, begin + j->plan->slice_tiles);
        DV_TRY(filter(j, &codes, lower, begin, end));
        DV_TRY(settle(j, &prepared, n, block->chosen));
        LAUNCH(dv_launch_raise(block->chosen, (int64_t)n, j->ids, j->cosines, (int64_t)j->plan->k, lower,
                               block->hits.counts, index->stream),
               "bounds");
    }
    return dv_cuda_check(cudaStreamSynchronize(index->stream), "searching in slices");
}

/* Queries whose hits did not fit. */
static dv_status settle_overflows(const job *j) {
    dv_cuda_index *index = j->index;
    const dv_cuda_block *block = &j->block;
    uint32_t *chosen = NULL;
    double *lower = NULL;
    size_t n = 0;
    dv_status status = dv_alloc(block->n, sizeof *chosen, "queries", &chosen);
    if (status == DV_OK) status = dv_alloc(block->n, sizeof *lower, "bounds of queries", &lower);
    if (status == DV_OK)
        status = dv_cuda_check(
            cudaMemcpyAsync(chosen, block->overflows, block->n * sizeof *chosen, cudaMemcpyDeviceToHost, index->stream),
            "overflows");
    if (status == DV_OK) status = dv_cuda_check(cudaStreamSynchronize(index->stream), "searching the bank");
    for (size_t q = 0; status == DV_OK && q < block->n; q++)
        if (chosen[q]) {
            lower[n] = block->lower_here[q];
            chosen[n++] = (uint32_t)q;
        }
    if (status == DV_OK && n > 0) status = scan_in_slices(j, chosen, lower, n);
    if (status == DV_OK) index->stats.n_uncertified += n;
    if (status != DV_OK) (void)cudaStreamSynchronize(index->stream); /* copies may be queued */
    free(chosen);
    free(lower);
    return status;
}

/* Without codes: every row is scored for every query. */
static dv_status scan_exactly(const job *j) {
    dv_cuda_index *index = j->index;
    const dv_cuda_block *block = &j->block;
    const size_t n_rows = index->bank.rows.n_rows, n = block->n;
    uint32_t *all;
    DV_TRY(dv_alloc(n, sizeof *all, "queries", &all));
    for (size_t q = 0; q < n; q++) all[q] = (uint32_t)q;
    dv_status status = dv_cuda_check(
        cudaMemcpyAsync(block->chosen, all, n * sizeof *all, cudaMemcpyHostToDevice, index->stream), "queries");
    const dv_status waited = dv_cuda_check(cudaStreamSynchronize(index->stream), "queries");
    free(all);
    DV_TRY(status);
    DV_TRY(waited);
    for (size_t first = 0; first < n_rows; first += j->plan->stride) {
        const int64_t length = (int64_t)smaller(j->plan->stride, n_rows - first);
        dv_scored_lists lists = block->lists;
        lists.stride = length;
        LAUNCH(dv_launch_score_rows(&index->rows, &block->prepared, block->chosen, (int64_t)n, index->group,
                                    block->codes.hidden, (int64_t)first, length, &lists, index->stream),
               "scoring");
        LAUNCH(dv_launch_topk(&lists, (int64_t)n, NULL, block->chosen, block->least, (int64_t)j->plan->k, first > 0,
                              j->ids, j->cosines, index->stream),
               "selecting");
    }
    index->stats.n_uncertified += n;
    index->stats.n_candidates += n * n_rows;
    return DV_OK;
}

/* All rows tie for a zero query: the first ones that it sees. */
static dv_status settle_zero_query(const job *j, size_t q, int64_t *ids, double *cosines) {
    const dv_cuda_index *index = j->index;
    const dv_queries *queries = j->block.queries;
    const size_t k = j->plan->k, query = j->block.first + q;
    const int32_t hidden = dv_query_hidden(queries, query);
    const size_t n_rows = dv_query_least(queries, query) > 0.0 ? 0 : index->bank.rows.n_rows;
    size_t n = 0;
    for (size_t row = 0; row < n_rows && n < k; row++)
        if (hidden == -1 || index->bank.group[row] != hidden) {
            ids[n] = (int64_t)row;
            cosines[n++] = 0.0;
        }
    for (; n < k; n++) {
        ids[n] = DV_NO_ROW;
        cosines[n] = DV_NO_COSINE;
    }
    LAUNCH(cudaMemcpyAsync(j->ids + q * k, ids, k * sizeof *ids, cudaMemcpyHostToDevice, index->stream), "answers");
    LAUNCH(cudaMemcpyAsync(j->cosines + q * k, cosines, k * sizeof *cosines, cudaMemcpyHostToDevice, index->stream),
           "answers");
    return dv_cuda_check(cudaStreamSynchronize(index->stream), "answers");
}

static dv_status settle_zero_queries(const job *j) {
    int64_t *ids = NULL;
    double *cosines = NULL;
    dv_status status = dv_alloc(j->plan->k, sizeof *ids, "neighbours", &ids);
    if (status == DV_OK) status = dv_alloc(j->plan->k, sizeof *cosines, "neighbours", &cosines);
    for (size_t q = 0; status == DV_OK && q < j->block.n; q++)
        if (j->block.norms[q] == 0.0) status = settle_zero_query(j, q, ids, cosines);
    if (status != DV_OK) (void)cudaStreamSynchronize(j->index->stream); /* copies may be queued */
    free(ids);
    free(cosines);
    return status;
}

static dv_status search_with_codes(const job *j) {
    dv_cuda_index *index = j->index;
    unsigned long long n_scored = 0;
    DV_TRY(scan_chunks(j));
    DV_TRY(settle(j, &j->block.prepared, j->block.n, NULL));
    DV_TRY(settle_overflows(j));
    DV_TRY(settle_zero_queries(j));
    LAUNCH(cudaMemcpyAsync(&n_scored, j->block.n_scored, sizeof n_scored, cudaMemcpyDeviceToHost, index->stream),
           "counts");
    LAUNCH(cudaStreamSynchronize(index->stream), "searching the bank");
    index->stats.n_candidates += n_scored;
    index->stats.n_stages = 1;
    return DV_OK;
}

static dv_status search_block(job *j, const dv_queries *queries, size_t first) {
    dv_status status = dv_cuda_block_prepare(j->index, j->plan, queries, first, &j->block);
    if (status == DV_OK) status = j->index->codes.n_tiles > 0 ? search_with_codes(j) : scan_exactly(j);
    if (status == DV_OK) status = dv_cuda_check(cudaStreamSynchronize(j->index->stream), "searching the bank");
    if (status == DV_OK) j->index->stats.n_queries += j->block.n;
    dv_cuda_block_clear(j->index, &j->block);
    return status;
}

dv_status dv_cuda_search_check(const dv_bank_rows *bank, const dv_queries *queries, size_t k) {
    const dv_host_index checked = {.scored = {.rows = bank->rows}, .group = bank->group};
    DV_TRY(dv_host_check_search(&checked, queries, k));
    if (k > DV_MOST_NEIGHBOURS)
        return dv_fail(DV_E_ARG, "k %zu: the cuda device finds at most %d neighbours", k, DV_MOST_NEIGHBOURS);
    return DV_OK;
}

dv_status dv_cuda_search(dv_cuda_index *index, const dv_queries *queries, size_t k, int64_t *ids, double *cosines) {
    DV_TRY(dv_cuda_search_check(&index->bank, queries, k));
    const size_t n = queries->rows.n_rows;
    if (n == 0) return DV_OK;
    dv_cuda_plan plan;
    DV_TRY(dv_cuda_plan_make(index, n, k, &plan));
    for (size_t first = 0; first < n; first += plan.block_queries) {
        job j = {.index = index, .plan = &plan, .ids = ids + first * k, .cosines = cosines + first * k};
        DV_TRY(search_block(&j, queries, first));
    }
    return DV_OK;
}
