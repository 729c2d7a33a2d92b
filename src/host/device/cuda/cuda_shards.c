#include "device/cuda/cuda_shards.h"

#include <math.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_check.h"
#include "device/host_device.h"

enum { PIECE = 256 };

size_t dv_cuda_first_not_finite(const dv_rows *rows) {
    const size_t row_bytes = rows->dim * dv_dtype_size(rows->dtype);
    double values[PIECE];
    for (size_t row = 0; row < rows->n_rows; row++)
        for (size_t first = 0; first < rows->dim; first += PIECE) {
            const size_t n = rows->dim - first < PIECE ? rows->dim - first : PIECE;
            const size_t at = row * row_bytes + first * dv_dtype_size(rows->dtype);
            dv_widen_f64((const unsigned char *)rows->data + at, rows->dtype, values, n);
            for (size_t i = 0; i < n; i++)
                if (!isfinite(values[i])) return row;
        }
    return rows->n_rows;
}

dv_status dv_cuda_least_free(const dv_cuda_gpus *gpus, size_t *out) {
    *out = SIZE_MAX;
    for (size_t i = gpus->n; i-- > 0;) {
        size_t n_free, n_total;
        DV_TRY(dv_cuda_gpu_enter(&gpus->each[i]));
        DV_TRY(dv_cuda_check(cudaMemGetInfo(&n_free, &n_total), "device memory"));
        if (n_free < *out) *out = n_free;
    }
    return DV_OK;
}

/* What create makes and how. */
typedef struct loading {
    dv_cuda_shards *made;
    const dv_cuda_options *options;
} loading;

static dv_status load_shard(void *context, size_t i, size_t worker) {
    const loading *const of = context;
    dv_cuda_shard *const shard = &of->made->each[i];
    dv_bank_rows part = of->made->bank;
    dv_cuda_options options = *of->options;
    (void)worker;
    options.meter = shard->gpu->meter;
    part.rows.n_rows = shard->n_rows;
    part.rows.data =
        (const unsigned char *)part.rows.data + shard->first_row * part.rows.dim * dv_dtype_size(part.rows.dtype);
    if (part.group) part.group += shard->first_row;
    return dv_cuda_index_create(&part, &options, shard->gpu->stream, &shard->index);
}

/* One alone is loaded as if there were no others to think of. */
static dv_status load(dv_cuda_shards *made, const dv_cuda_options *options) {
    loading of = {made, options};
    if (made->spread.n_shards == 1) {
        DV_TRY(dv_cuda_gpu_enter(&made->gpus->each[0]));
        return load_shard(&of, 0, 0);
    }
    const dv_status status = dv_cuda_gpus_run(made->gpus, made->spread.n_shards, load_shard, &of);
    if (status != DV_E_ARG) return status;
    /* A shard that found fault with a row knows it by a number of its own. */
    return dv_fail(status, "bank: row %zu: features must be finite", dv_cuda_first_not_finite(&made->bank.rows));
}

static void deal_rows(dv_cuda_shards *made) {
    const size_t n_rows = made->bank.rows.n_rows, n = made->spread.n_shards;
    for (size_t i = 0; i < n; i++) {
        dv_cuda_shard *const shard = &made->each[i];
        shard->gpu = &made->gpus->each[i % made->gpus->n];
        shard->n_rows = n_rows;
        shard->lists_there.meter = shard->gpu->meter;
        if (made->spread.layout == DV_CUDA_REPLICATED) continue;
        shard->first_row = dv_cuda_first_row(n_rows, n, i);
        shard->n_rows = dv_cuda_first_row(n_rows, n, i + 1) - shard->first_row;
    }
}

static dv_status choose(const dv_cuda_gpus *gpus, const dv_bank_rows *bank, const dv_cuda_spread *spread,
                        dv_cuda_spread *out) {
    *out = *spread;
    if (out->n_shards == 0) out->n_shards = gpus->n;
    if (out->layout == DV_CUDA_BY_MEMORY) {
        size_t n_free;
        DV_TRY(dv_cuda_least_free(gpus, &n_free));
        out->layout = dv_cuda_layout_choose(bank, n_free);
    }
    if (out->layout == DV_CUDA_SPLIT && out->n_shards > bank->rows.n_rows) out->n_shards = bank->rows.n_rows;
    return DV_OK;
}

dv_status dv_cuda_shards_create(const dv_cuda_gpus *gpus, const dv_bank_rows *bank, const dv_cuda_options *options,
                                const dv_cuda_spread *spread, dv_cuda_shards **out) {
    dv_cuda_spread chosen;
    dv_cuda_shards *made;
    *out = NULL;
    DV_TRY(dv_host_check_bank(bank));
    DV_TRY(choose(gpus, bank, spread, &chosen));
    DV_TRY(dv_alloc(1, sizeof *made, "index", &made));
    *made = (dv_cuda_shards){.gpus = gpus, .bank = *bank, .spread = chosen};
    dv_status status = dv_alloc(chosen.n_shards, sizeof *made->each, "shards", &made->each);
    if (status == DV_OK) {
        deal_rows(made);
        status = load(made, options);
    }
    if (status == DV_OK)
        *out = made;
    else
        dv_cuda_shards_free(made);
    return status;
}

void dv_cuda_shards_free(dv_cuda_shards *shards) {
    if (!shards) return;
    for (size_t i = shards->each ? shards->spread.n_shards : 0;
         i-- > 0;) { /* the first GPU is the last to be made current */
        dv_cuda_shard *const shard = &shards->each[i];
        (void)cudaSetDevice(shard->gpu->number); /* fails, as what follows, where the device did before */
        dv_cuda_index_free(shard->index);
        dv_cuda_buffer_clear(&shard->lists_there);
        dv_cuda_pinned_clear(&shard->lists_here);
    }
    free(shards->each);
    free(shards);
}

void dv_cuda_shards_stats(const dv_cuda_shards *shards, dv_search_stats *out) {
    *out = (dv_search_stats){0};
    for (size_t i = 0; i < shards->spread.n_shards; i++) dv_search_stats_add(out, &shards->each[i].index->stats);
    if (shards->spread.layout == DV_CUDA_SPLIT) out->n_queries = shards->each[0].index->stats.n_queries;
}
