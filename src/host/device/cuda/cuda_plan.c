#include "device/cuda/cuda_plan.h"

#include <string.h>

#include "core/check.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_index.h"
#include "device/cuda/cuda_sizes.h"

enum {
    MOST_BLOCK = 4096,
    MOST_LAUNCH = 32768, /* queries whatever is asked for: below the 65535 rows of a grid */
    FIRST_TILES = 64,
    MOST_TILES = 2048,
    SEED_ROWS = 16384,
    SEED_ROWS_A_NEIGHBOUR = 128,
    EXACT_ROWS = 1 << 24, /* scored at once, of all queries together, where there are no codes */
    LEAST_STRIDE = 256
};
_Static_assert((int)DV_CUDA_QUERIES == (int)DV_CUDA_N_BANK_PARTS, "parts of a search follow those of the bank");

/* Bytes of each part. No product overflows: the queries, at least 128 fewer, lie in memory. */
static void list_bytes(const dv_cuda_index *index, const dv_cuda_plan *plan, size_t bytes[DV_CUDA_N_PARTS]) {
    const dv_rows *const rows = &index->bank.rows;
    const size_t n = plan->block_queries, word = n * sizeof(uint32_t), real = n * sizeof(double);
    memset(bytes, 0, DV_CUDA_N_PARTS * sizeof *bytes);
    bytes[DV_CUDA_QUERIES] = n * rows->dim * dv_dtype_size(plan->dtype);
    bytes[DV_CUDA_STAGED_LEAST] = bytes[DV_CUDA_LEAST] = bytes[DV_CUDA_LOWER] = bytes[DV_CUDA_QUERY_NORMS] = real;
    bytes[DV_CUDA_STAGED_HIDDEN] = bytes[DV_CUDA_HIDDEN] = bytes[DV_CUDA_QUERY_PEAKS] = bytes[DV_CUDA_FATES] = word;
    bytes[DV_CUDA_QUERY_EXPONENTS] = plan->dtype == DV_F64 ? word : 0;
    bytes[DV_CUDA_VALUES] = real * rows->dim;
    bytes[DV_CUDA_QUERY_CODES] = n * (size_t)index->codes.dim_padded;
    bytes[DV_CUDA_QUERY_SCALES] = bytes[DV_CUDA_REACHES] = bytes[DV_CUDA_RESTS] = word;
    bytes[DV_CUDA_N_SCORED] = sizeof(unsigned long long);
    bytes[DV_CUDA_IDS] = bytes[DV_CUDA_COSINES] = real * plan->stride;
    if (index->codes.n_tiles == 0) return;
    bytes[DV_CUDA_HITS] = n * plan->capacity * sizeof(dv_hit);
    bytes[DV_CUDA_COUNTS] = word;
    bytes[DV_CUDA_THRESHOLDS] = word * dv_larger(plan->most_tiles, plan->slice_tiles);
    bytes[DV_CUDA_MAXIMA] = word * plan->seed_tiles * (DV_CODED_TILE / DV_SEED_ROWS);
    bytes[DV_CUDA_CHOSEN] = word;
    bytes[DV_CUDA_CHOSEN_VALUES] = bytes[DV_CUDA_VALUES];
    bytes[DV_CUDA_CHOSEN_NORMS] = bytes[DV_CUDA_CHOSEN_LOWER] = real;
    bytes[DV_CUDA_CHOSEN_CODES] = bytes[DV_CUDA_QUERY_CODES];
    bytes[DV_CUDA_CHOSEN_SCALES] = bytes[DV_CUDA_CHOSEN_REACHES] = bytes[DV_CUDA_CHOSEN_RESTS] = word;
    bytes[DV_CUDA_CHOSEN_HIDDEN] = word;
}

size_t dv_cuda_plan_bytes(const dv_cuda_index *index, const dv_cuda_plan *plan) {
    size_t bytes[DV_CUDA_N_PARTS], sum = 0;
    list_bytes(index, plan, bytes);
    for (size_t i = 0; i < DV_CUDA_N_PARTS; i++) sum += bytes[i];
    return sum;
}

/* Half the queries while there are more than 128, then shorter lists; false: it is as small as can be. */
static bool shrink(const dv_cuda_index *index, dv_cuda_plan *plan) {
    if (plan->block_queries > DV_CODED_QUERIES) {
        plan->block_queries = dv_rounded_up(plan->block_queries / 2, DV_CODED_QUERIES);
        return true;
    }
    const dv_cuda_plan before = *plan;
    if (index->codes.n_tiles == 0) {
        plan->stride = dv_larger(plan->stride / 2, dv_smaller(plan->stride, LEAST_STRIDE));
        return plan->stride < before.stride;
    }
    plan->stride = plan->capacity = dv_larger(plan->capacity / 2, DV_CODED_TILE);
    plan->slice_tiles = plan->capacity / DV_CODED_TILE;
    plan->most_tiles = dv_larger(plan->most_tiles / 2, 1);
    plan->seed_tiles = dv_larger(plan->seed_tiles / 2, 1);
    return plan->capacity < before.capacity || plan->most_tiles < before.most_tiles ||
           plan->seed_tiles < before.seed_tiles;
}

/* Queries of a block if there is memory. */
static size_t wanted_queries(const dv_cuda_index *index, size_t n) {
    const size_t asked = index->options.block_queries;
    return dv_rounded_up(dv_smaller(n, asked ? dv_smaller(asked, MOST_LAUNCH) : MOST_BLOCK), DV_CODED_QUERIES);
}

static dv_cuda_plan largest(const dv_cuda_index *index, const dv_rows *queries, size_t k) {
    const dv_cuda_options *wanted = &index->options;
    const size_t n_tiles = (size_t)index->codes.n_tiles, n_rows = index->bank.rows.n_rows;
    const size_t seed_rows = dv_larger(SEED_ROWS_A_NEIGHBOUR * k, SEED_ROWS),
                 block = wanted_queries(index, queries->n_rows);
    size_t capacity = 1;
    while (capacity < 8 * k + 1024) capacity *= 2;
    if (wanted->capacity) capacity = dv_larger(wanted->capacity, DV_CODED_TILE);
    return (dv_cuda_plan){
        .dtype = queries->dtype,
        .k = k,
        .capacity = capacity,
        .block_queries = block,
        .first_tiles = wanted->first_tiles ? wanted->first_tiles : FIRST_TILES,
        .most_tiles = dv_smaller(n_tiles, wanted->most_tiles ? wanted->most_tiles : MOST_TILES),
        .seed_tiles = dv_smaller(n_tiles, wanted->seed_tiles ? wanted->seed_tiles : seed_rows / DV_CODED_TILE),
        .slice_tiles = capacity / DV_CODED_TILE,
        .stride = n_tiles > 0 ? capacity : dv_smaller(n_rows, EXACT_ROWS / block),
    };
}

dv_cuda_plan dv_cuda_plan_make(const dv_cuda_index *index, const dv_rows *queries, size_t k, size_t n_free) {
    const size_t spare = n_free / 20 * 17; /* the rest is for the allocator's own needs */
    dv_cuda_plan plan = largest(index, queries, k);
    while (dv_cuda_plan_bytes(index, &plan) > spare && shrink(index, &plan)) {}
    return plan;
}

static dv_status take(dv_cuda_index *index, const dv_cuda_plan *plan) {
    size_t bytes[DV_CUDA_N_PARTS];
    list_bytes(index, plan, bytes);
    for (size_t i = DV_CUDA_QUERIES; i < DV_CUDA_N_PARTS; i++) {
        void *there;
        if (bytes[i] > 0) DV_TRY(dv_cuda_part(&index->parts, i, bytes[i], 1, "a search", &there));
    }
    /* Fates, behind them the number of candidates. */
    return dv_cuda_pinned_need(&index->counted, sizeof(uint64_t) + plan->block_queries * sizeof(uint32_t), 1,
                               "counts of a search");
}

dv_status dv_cuda_plan_reserve(dv_cuda_index *index, const dv_rows *queries, size_t k) {
    const size_t wanted = wanted_queries(index, queries->n_rows);
    const bool as_before = index->planned_queries == wanted && index->plan.k == k;
    if (as_before && index->plan.dtype == queries->dtype) return DV_OK;
    size_t n_free, n_total;
    index->planned_queries = 0;
    DV_TRY(dv_cuda_check(cudaMemGetInfo(&n_free, &n_total), "device memory"));
    const size_t n_held = index->parts.n_bytes - index->bank_bytes; /* by the last search: used again */
    dv_cuda_plan plan = dv_cuda_plan_make(index, queries, k, n_free + n_held);
    dv_status status = DV_OK;
    for (bool may_shrink = n_held == 0; (status = take(index, &plan)) != DV_OK; may_shrink = true) {
        dv_cuda_parts_drop(&index->parts, DV_CUDA_QUERIES); /* whatever of a larger plan is in the way */
        if (may_shrink && !shrink(index, &plan)) break;
    }
    if (status != DV_OK)
        return dv_context(status, "searching %zu rows of %zu dimensions for the %zu neighbours of %zu queries at once",
                          index->bank.rows.n_rows, index->bank.rows.dim, k, plan.block_queries);
    index->plan = plan;
    index->planned_queries = wanted;
    return DV_OK;
}
