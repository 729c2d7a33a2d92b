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
#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_sizes.h"
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

#define LAUNCH(call, what) DV_CUDA_TRY(call, what)

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
        end = dv_smaller(n_tiles, begin + dv_smaller(wanted, j->plan->most_tiles));
        DV_TRY(filter(j, &block->codes, block->lower, begin, end));
        LAUNCH(dv_launch_compact(&block->codes, &index->codes, k, index->eta, &block->hits, block->lower, block->fates,
                                 index->stream),
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
static dv_status scan_in_slices(const job *j, const uint32_t *chosen_here, size_t n) {
    const dv_cuda_index *index = j->index;
    const dv_cuda_block *block = &j->block;
    const size_t n_tiles = (size_t)index->codes.n_tiles;
    dv_query_codes codes;
    dv_prepared_queries prepared;
    double *lower;
    DV_TRY(dv_cuda_block_choose(j->index, block, chosen_here, n, &codes, &prepared, &lower));
    for (size_t begin = 0, end; begin < n_tiles; begin = end) {
        end = dv_smaller(n_tiles, begin + j->plan->slice_tiles);
        DV_TRY(filter(j, &codes, lower, begin, end));
        DV_TRY(settle(j, &prepared, n, block->chosen));
        LAUNCH(dv_launch_raise(block->chosen, (int64_t)n, j->ids, j->cosines, (int64_t)j->plan->k, lower,
                               block->hits.counts, index->stream),
               "bounds");
    }
    return DV_OK;
}

/* Queries whose hits did not fit. Their numbers take the place of the fates. */
static dv_status settle_overflows(const job *j) {
    uint32_t *const fates = j->block.fates_here;
    size_t n = 0;
    for (size_t q = 0; q < j->block.n; q++)
        if (fates[q] == DV_QUERY_OVERFLOWED) fates[n++] = (uint32_t)q;
    return scan_in_slices(j, fates, n);
}

/* Without codes: every row is scored for every query. */
static dv_status scan_exactly(const job *j) {
    dv_cuda_index *index = j->index;
    const dv_cuda_block *block = &j->block;
    const size_t n_rows = index->bank.rows.n_rows, n = block->n;
    for (size_t first = 0; first < n_rows; first += j->plan->stride) {
        const int64_t length = (int64_t)dv_smaller(j->plan->stride, n_rows - first);
        dv_scored_lists lists = block->lists;
        lists.stride = length;
        LAUNCH(dv_launch_score_rows(&index->rows, &block->prepared, NULL, (int64_t)n, index->group, block->codes.hidden,
                                    (int64_t)first, length, &lists, index->stream),
               "scoring");
        LAUNCH(dv_launch_topk(&lists, (int64_t)n, NULL, NULL, block->least, (int64_t)j->plan->k, first > 0, j->ids,
                              j->cosines, index->stream),
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
    dv_cuda_upload *const upload = &j->index->upload;
    DV_TRY(dv_cuda_upload_send(upload, j->ids + q * k, ids, k * sizeof *ids, "answers"));
    return dv_cuda_upload_send(upload, j->cosines + q * k, cosines, k * sizeof *cosines, "answers");
}

static dv_status settle_zero_queries(const job *j) {
    int64_t *ids = NULL;
    double *cosines = NULL;
    dv_status status = dv_alloc(j->plan->k, sizeof *ids, "neighbours", &ids);
    if (status == DV_OK) status = dv_alloc(j->plan->k, sizeof *cosines, "neighbours", &cosines);
    for (size_t q = 0; status == DV_OK && q < j->block.n; q++)
        if (j->block.fates_here[q] == DV_QUERY_ZERO) status = settle_zero_query(j, q, ids, cosines);
    free(ids);
    free(cosines);
    return status == DV_OK ? dv_cuda_upload_before(&j->index->upload, j->index->stream) : status;
}

/* All of a block that needs no word from the device. */
static dv_status queue_block(job *j, const dv_queries *queries, size_t first) {
    DV_TRY(dv_cuda_block_prepare(j->index, queries, first, &j->block));
    if (j->index->codes.n_tiles == 0) {
        DV_TRY(scan_exactly(j));
    } else {
        DV_TRY(scan_chunks(j));
        DV_TRY(settle(j, &j->block.prepared, j->block.n, NULL));
    }
    return dv_cuda_block_fetch(j->index, &j->block);
}

/* Waits, and settles the queries that went another way. */
static dv_status finish_block(const job *j) {
    const uint32_t *const fates = j->block.fates_here;
    size_t n_zero = 0, n_overflowed = 0;
    DV_TRY(dv_cuda_finish(j->index->stream, DV_OK, "searching the bank"));
    for (size_t q = 0; q < j->block.n; q++) {
        if (fates[q] == DV_QUERY_NOT_FINITE)
            return dv_fail(DV_E_ARG, "query %zu: features must be finite", j->block.first + q);
        n_zero += fates[q] == DV_QUERY_ZERO;
        n_overflowed += fates[q] == DV_QUERY_OVERFLOWED;
    }
    if (j->index->codes.n_tiles == 0) return DV_OK; /* none overflows, and the first rows are those of a zero query */
    j->index->stats.n_uncertified += n_overflowed;
    if (n_zero > 0) DV_TRY(settle_zero_queries(j));
    return n_overflowed > 0 ? settle_overflows(j) : DV_OK;
}

/* While a block is searched the next one is sent. */
static dv_status search_blocks(dv_cuda_index *index, const dv_queries *queries, int64_t *ids, double *cosines) {
    const dv_cuda_plan *const plan = &index->plan;
    const size_t n = queries->rows.n_rows, k = plan->k;
    void *const n_scored = index->parts.buffers[DV_CUDA_N_SCORED].memory;
    LAUNCH(cudaMemsetAsync(n_scored, 0, sizeof(uint64_t), index->stream), "counts of a search");
    DV_TRY(dv_cuda_block_send(index, queries, 0));
    for (size_t first = 0, next; first < n; first = next) {
        job j = {.index = index, .plan = plan, .ids = ids + first * k, .cosines = cosines + first * k};
        next = first + dv_smaller(plan->block_queries, n - first);
        DV_TRY(queue_block(&j, queries, first));
        if (next < n) DV_TRY(dv_cuda_block_send(index, queries, next));
        DV_TRY(finish_block(&j));
    }
    return dv_cuda_check(
        cudaMemcpyAsync(index->counted.memory, n_scored, sizeof(uint64_t), cudaMemcpyDeviceToHost, index->stream),
        "counts of a search");
}

static void add_stats(dv_cuda_index *index, size_t n_queries) {
    index->stats.n_queries += n_queries;
    if (index->codes.n_tiles == 0) return;
    index->stats.n_candidates += *(const uint64_t *)index->counted.memory;
    index->stats.n_stages = 1;
}

dv_status dv_cuda_search_check(const dv_bank_rows *bank, const dv_queries *queries, size_t k) {
    const dv_host_index checked = {.scored = {.rows = bank->rows}, .group = bank->group};
    DV_TRY(dv_host_check_search(&checked, queries, k));
    if (k > DV_MOST_NEIGHBOURS)
        return dv_fail(DV_E_BACKEND, "k %zu: the cuda device finds at most %d neighbours", k, DV_MOST_NEIGHBOURS);
    return DV_OK;
}

dv_status dv_cuda_search(dv_cuda_index *index, const dv_queries *queries, size_t k, int64_t *ids, double *cosines) {
    DV_TRY(dv_cuda_search_check(&index->bank, queries, k));
    if (queries->rows.n_rows == 0) return DV_OK;
    if (dv_topk_shared_bytes((int64_t)k) > index->shared_bytes)
        return dv_fail(DV_E_BACKEND, "k %zu: takes %zu bytes of shared memory, this device has %zu", k,
                       dv_topk_shared_bytes((int64_t)k), index->shared_bytes);
    DV_TRY(dv_cuda_plan_reserve(index, &queries->rows, k));
    dv_cuda_meter_start(index->options.meter);
    dv_status status = search_blocks(index, queries, ids, cosines);
    status = dv_cuda_finish(index->stream, status, "searching the bank");
    dv_cuda_meter_stop(index->options.meter);
    if (status == DV_OK) add_stats(index, queries->rows.n_rows);
    if (status != DV_OK)
        (void)cudaStreamSynchronize(index->upload.stream); /* what was sent must not meet what comes next */
    return status;
}
