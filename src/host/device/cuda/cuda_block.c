#include "device/cuda/cuda_block.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/query_limits.h"

enum {
    MOST_BLOCK = 4096,
    FIRST_TILES = 64,
    MOST_TILES = 2048,
    SEED_ROWS = 16384,
    SEED_ROWS_A_NEIGHBOUR = 128,
    EXACT_ROWS = 1 << 24 /* scored at once, of all queries together, where there are no codes */
};

/* Parts of the memory after those of the bank. */
enum {
    QUERIES = DV_CUDA_N_BANK_PARTS,
    NORMS,
    EXPONENTS,
    PEAKS,
    VALUES,
    CODES,
    SCALES,
    REACHES,
    RESTS,
    HIDDEN,
    LOWER,
    LEAST,
    HITS,
    COUNTS,
    OVERFLOWS,
    CHOSEN,
    THRESHOLDS,
    MAXIMA,
    IDS,
    COSINES,
    N_SCORED,
    CHOSEN_VALUES,
    CHOSEN_NORMS,
    CHOSEN_CODES,
    CHOSEN_SCALES,
    CHOSEN_REACHES,
    CHOSEN_RESTS,
    CHOSEN_HIDDEN,
    CHOSEN_LOWER,
    N_PARTS
};
_Static_assert((int)N_PARTS <= (int)DV_CUDA_MOST_PARTS, "room for all parts");

static size_t rounded_up(size_t n, size_t to) {
    return (n + to - 1) / to * to;
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Bytes on the device for each query of a block. */
static size_t bytes_of_query(const dv_cuda_index *index, const dv_cuda_plan *plan) {
    const size_t dim = index->bank.rows.dim, width = (size_t)index->codes.dim_padded;
    const size_t seeds = plan->seed_tiles * (DV_CODED_TILE / DV_SEED_ROWS) * sizeof(int32_t);
    const size_t table =
        (plan->most_tiles > plan->slice_tiles ? plan->most_tiles : plan->slice_tiles) * sizeof(int32_t);
    return 3 * dim * sizeof(double) + 2 * width + plan->capacity * sizeof(dv_hit) + seeds + table +
           plan->stride * (sizeof(int64_t) + sizeof(double)) + 128;
}

dv_status dv_cuda_plan_make(const dv_cuda_index *index, size_t n, size_t k, dv_cuda_plan *out) {
    const dv_cuda_options *wanted = &index->options;
    const size_t n_tiles = (size_t)index->codes.n_tiles, n_rows = index->bank.rows.n_rows;
    const size_t seed_rows = SEED_ROWS_A_NEIGHBOUR * k > SEED_ROWS ? SEED_ROWS_A_NEIGHBOUR * k : SEED_ROWS;
    size_t capacity = 1;
    while (capacity < 8 * k + 1024) capacity *= 2;
    if (wanted->capacity) capacity = wanted->capacity > DV_CODED_TILE ? wanted->capacity : DV_CODED_TILE;
    *out = (dv_cuda_plan){
        .k = k,
        .capacity = capacity,
        .block_queries =
            rounded_up(smaller(n, wanted->block_queries ? wanted->block_queries : MOST_BLOCK), DV_CODED_QUERIES),
        .first_tiles = wanted->first_tiles ? wanted->first_tiles : FIRST_TILES,
        .most_tiles = smaller(n_tiles, wanted->most_tiles ? wanted->most_tiles : MOST_TILES),
        .seed_tiles = smaller(n_tiles, wanted->seed_tiles ? wanted->seed_tiles : seed_rows / DV_CODED_TILE),
        .slice_tiles = capacity / DV_CODED_TILE,
    };
    size_t n_free, n_total;
    DV_TRY(dv_cuda_check(cudaMemGetInfo(&n_free, &n_total), "device memory"));
    n_free += index->parts.n_bytes - index->bank_bytes; /* what the last search left is used again */
    for (;; out->block_queries = rounded_up(out->block_queries / 2, DV_CODED_QUERIES)) {
        out->stride = n_tiles > 0 ? capacity : smaller(n_rows, EXACT_ROWS / out->block_queries);
        const size_t spare = n_free / 20 * 17; /* the rest is for the allocator's own needs */
        if (out->block_queries <= DV_CODED_QUERIES || bytes_of_query(index, out) <= spare / out->block_queries) break;
    }
    out->n_padded = out->block_queries;
    return DV_OK;
}

#define PART(part, n, pointer) DV_TRY(dv_cuda_part(&index->parts, part, n, sizeof *(pointer), "a search", &(pointer)))

static dv_status upload(dv_cuda_index *index, void *there, const void *here, size_t n_bytes) {
    return dv_cuda_check(cudaMemcpyAsync(there, here, n_bytes, cudaMemcpyHostToDevice, index->stream), "queries");
}

/* Room for the largest block, so that later ones find it. */
static dv_status take_memory(dv_cuda_index *index, const dv_cuda_plan *plan, dv_cuda_block *block) {
    const size_t n = plan->n_padded, dim = index->bank.rows.dim;
    double *least;
    PART(VALUES, n * dim, block->prepared.values);
    PART(LOWER, n, block->lower);
    PART(LEAST, n, least);
    block->least = block->queries->least ? least : NULL;
    PART(CHOSEN, n, block->chosen);
    PART(N_SCORED, 1, block->n_scored);
    PART(IDS, n * plan->stride, block->lists.ids);
    PART(COSINES, n * plan->stride, block->lists.cosines);
    block->lists.stride = (int64_t)plan->stride;
    if (block->queries->group) PART(HIDDEN, n, block->codes.hidden);
    PART(SCALES, n, block->codes.scales);
    PART(REACHES, n, block->codes.reaches);
    PART(RESTS, n, block->codes.rests);
    PART(CODES, n * (size_t)index->codes.dim_padded, block->codes.codes);
    if (index->codes.n_tiles == 0) return DV_OK;
    PART(HITS, n * plan->capacity, block->hits.hits);
    PART(COUNTS, n, block->hits.counts);
    block->hits.capacity = (int64_t)plan->capacity;
    PART(OVERFLOWS, n, block->overflows);
    PART(THRESHOLDS, n * (plan->most_tiles > plan->slice_tiles ? plan->most_tiles : plan->slice_tiles),
         block->thresholds);
    PART(MAXIMA, n * plan->seed_tiles * (DV_CODED_TILE / DV_SEED_ROWS), block->maxima);
    return DV_OK;
}

/* Norms, and from the queries themselves whether they are finite. */
static dv_status measure(dv_cuda_index *index, dv_cuda_block *block, dv_measured_rows *rows, float **peaks) {
    const dv_rows *all = &block->queries->rows;
    const size_t row_bytes = all->dim * dv_dtype_size(all->dtype), n = block->n;
    unsigned char *data;
    rows->rows = (dv_rows){NULL, all->dtype, n, all->dim};
    PART(QUERIES, n * row_bytes, data);
    PART(NORMS, n, rows->norms);
    PART(EXPONENTS, n, rows->exponents);
    PART(PEAKS, n, *peaks);
    rows->rows.data = data;
    DV_TRY(upload(index, data, (const unsigned char *)all->data + block->first * row_bytes, n * row_bytes));
    DV_TRY(dv_cuda_check(dv_launch_measure(rows, *peaks, index->stream), "measuring queries"));
    DV_TRY(dv_cuda_check(
        cudaMemcpyAsync(block->norms, rows->norms, n * sizeof *block->norms, cudaMemcpyDeviceToHost, index->stream),
        "norms of queries"));
    DV_TRY(dv_cuda_check(cudaStreamSynchronize(index->stream), "measuring queries"));
    for (size_t q = 0; q < n; q++)
        if (!isfinite(block->norms[q]))
            return dv_fail(DV_E_ARG, "query %zu: features must be finite", block->first + q);
    block->prepared.norms = rows->norms;
    return DV_OK;
}

/* What is known before the search. A zero query has no direction, so no row is asked for: it is answered on the host.
 */
static dv_status upload_limits(dv_cuda_index *index, dv_cuda_block *block) {
    const size_t n = block->n;
    for (size_t q = 0; q < n; q++)
        block->lower_here[q] = block->norms[q] > 0.0 ? dv_query_least(block->queries, block->first + q) : INFINITY;
    DV_TRY(upload(index, block->lower, block->lower_here, n * sizeof *block->lower));
    if (block->least) {
        double *least;
        PART(LEAST, n, least);
        DV_TRY(upload(index, least, block->queries->least + block->first, n * sizeof *least));
    }
    if (!block->codes.hidden) return DV_OK;
    for (size_t q = 0; q < (size_t)block->codes.n_padded; q++)
        block->hidden_here[q] = q < n ? dv_query_hidden(block->queries, block->first + q) : -1;
    return upload(index, block->codes.hidden, block->hidden_here,
                  (size_t)block->codes.n_padded * sizeof *block->hidden_here);
}

static dv_status set_to_zero(dv_cuda_index *index, void *there, size_t n_bytes) {
    return dv_cuda_check(cudaMemsetAsync(there, 0, n_bytes, index->stream), "a search");
}

dv_status dv_cuda_block_prepare(dv_cuda_index *index, const dv_cuda_plan *plan, const dv_queries *queries, size_t first,
                                dv_cuda_block *block) {
    const size_t n = smaller(queries->rows.n_rows - first, plan->block_queries);
    const size_t n_padded = rounded_up(n, DV_CODED_QUERIES);
    *block = (dv_cuda_block){.queries = queries, .first = first, .n = n};
    block->codes.n = (int64_t)n;
    block->codes.n_padded = (int64_t)n_padded;
    DV_TRY(dv_alloc(n, sizeof *block->norms, "norms of queries", &block->norms));
    DV_TRY(dv_alloc(n, sizeof *block->lower_here, "bounds of queries", &block->lower_here));
    DV_TRY(dv_alloc(n_padded, sizeof *block->hidden_here, "groups of queries", &block->hidden_here));
    DV_TRY(take_memory(index, plan, block));
    dv_measured_rows rows;
    float *peaks;
    DV_TRY(measure(index, block, &rows, &peaks));
    DV_TRY(upload_limits(index, block));
    DV_TRY(set_to_zero(index, block->n_scored, sizeof *block->n_scored));
    if (index->codes.n_tiles > 0) {
        DV_TRY(set_to_zero(index, block->hits.counts, n * sizeof *block->hits.counts));
        DV_TRY(set_to_zero(index, block->overflows, n * sizeof *block->overflows));
    }
    return dv_cuda_check(
        dv_launch_encode_queries(&rows, peaks, index->codes.dim_padded, &block->prepared, &block->codes, index->stream),
        "coding queries");
}

void dv_cuda_block_clear(dv_cuda_index *index, dv_cuda_block *block) {
    (void)cudaStreamSynchronize(index->stream); /* what is queued may still read what is freed; its failure was told */
    free(block->norms);
    free(block->lower_here);
    free(block->hidden_here);
    *block = (dv_cuda_block){0};
}

dv_status dv_cuda_block_chosen(dv_cuda_index *index, const dv_cuda_block *block, size_t n, dv_query_codes *codes,
                               dv_prepared_queries *prepared, double **lower) {
    const size_t n_padded = rounded_up(n, DV_CODED_QUERIES);
    *codes = (dv_query_codes){.n = (int64_t)n, .n_padded = (int64_t)n_padded};
    PART(CHOSEN_VALUES, n * index->bank.rows.dim, prepared->values);
    PART(CHOSEN_NORMS, n, prepared->norms);
    PART(CHOSEN_CODES, n_padded * (size_t)index->codes.dim_padded, codes->codes);
    PART(CHOSEN_SCALES, n_padded, codes->scales);
    PART(CHOSEN_REACHES, n_padded, codes->reaches);
    PART(CHOSEN_RESTS, n_padded, codes->rests);
    PART(CHOSEN_LOWER, n, *lower);
    if (block->codes.hidden) PART(CHOSEN_HIDDEN, n_padded, codes->hidden);
    return DV_OK;
}
