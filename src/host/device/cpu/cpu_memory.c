#include "device/cpu/cpu_memory.h"

#include "device/cpu/cpu_plan.h"
#include "device/host_device.h"

enum {
    QUERY_BYTES = 256,    /* of a filter: scales, bounds, thresholds, counts of one query */
    TILE_BYTES = 64,      /* of an index: scale, slack, extent of a tile */
    SORT_BYTES = 1 << 20, /* while rows are sorted for coding */
    SMALL_TILE_ROWS = 32, /* of a bank that has few rows */
    HEAD_MATRICES = 6,    /* square ones: sample, products, rotation, LAPACK's own */
    SLICE_QUERIES = DV_BLOCK_QUERIES
};

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Of one query in a filter. */
static size_t query_bytes(const dv_cpu_plan *plan, const dv_codes *codes) {
    const size_t places = dv_filter_capacity(plan->k, codes) + DV_GROUP_ROWS;
    const size_t seeds = (plan->n_seed_tiles + 1) * DV_GROUP_ROWS * sizeof(float);
    return codes->dim_padded + places * (sizeof(uint32_t) + sizeof(int32_t)) + seeds + plan->k * sizeof(dv_neighbour) +
           QUERY_BYTES;
}

void dv_cpu_search_memory(const dv_device *device, const dv_search_shape *shape, dv_search_memory *out) {
    const dv_host_device *host = (const dv_host_device *)device;
    const size_t n_threads = dv_pool_threads(host->pool), padded = dv_padded_dim(shape->dim);
    const size_t tile_rows = host->options.tile_rows ? host->options.tile_rows : DV_TILE_ROWS;
    dv_host_search_memory(device, shape, out);
    if (shape->dim > DV_MOST_CODED_DIM) return; /* scanned in double */
    const dv_coded_bank bank = {.codes = {.n_rows = shape->n_rows,
                                          .dim = shape->dim,
                                          .dim_padded = padded,
                                          .n_tiles = shape->n_rows / tile_rows + 1,
                                          .tile_rows = tile_rows}};
    dv_cpu_plan plan;
    dv_cpu_plan_make(&host->options, n_threads, shape->n_queries, &bank, shape->k, host->kernel->biased, &plan);
    const size_t n_queries = plan.block_queries + least(plan.block_queries, SLICE_QUERIES) + 1; /* one of scratch */
    const size_t scratch = padded * (2 * sizeof(double) + DV_GROUP_ROWS);
    out->row_bytes += padded + TILE_BYTES / SMALL_TILE_ROWS + 2 * sizeof(int32_t) /* offset, row */ +
                      sizeof(int32_t) /* group */ + 2 * sizeof(float) /* peaks, of centred rows too */;
    out->fixed_bytes +=
        SORT_BYTES + tile_rows * padded + n_threads * (n_queries * query_bytes(&plan, &bank.codes) + scratch);
    if (plan.n_parts > 1) out->fixed_bytes += n_threads * plan.block_queries * query_bytes(&plan, &bank.codes);
    if (host->options.n_stages == 1) return;
    /* Heads and fine codes together; the sample and the rotation that heads come from. */
    out->row_bytes += padded + 2 * sizeof(float);
    out->fixed_bytes += HEAD_MATRICES * padded * padded * sizeof(double);
}
