#include "device/cpu/cpu_memory.h"

#include "device/cpu/cpu_plan.h"
#include "device/host_device.h"
#include "search/clusters.h"

enum {
    QUERY_BYTES = 320,    /* of a filter: scales, bounds, thresholds, counts of one query */
    TILE_BYTES = 64,      /* of an index: scale, slack, extent of a tile */
    SORT_BYTES = 1 << 20, /* while rows are sorted for coding */
    SMALL_TILE_ROWS = 32, /* of a bank that has few rows */
    FEW_TILES = 33,       /* which has at most so many */
    DIM_DOUBLES = 8,      /* of an index, an element: a rotation and a centre, while they are made too */
    WORKER_DOUBLES = 6,   /* of a worker, an element: rows and queries on their way to codes */
    SLICE_QUERIES = DV_BLOCK_QUERIES
};

typedef struct sizes {
    const dv_search_shape *shape;
    size_t n_threads, tile_rows;
    size_t padded, coded; /* elements of a row in codes, and with a centre */
    bool may_have_heads, may_be_cut;
} sizes;

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t most(size_t a, size_t b) {
    return a > b ? a : b;
}

static sizes sizes_of(const dv_host_device *host, const dv_search_shape *shape) {
    const dv_device_options *options = &host->options;
    return (sizes){
        .shape = shape,
        .n_threads = dv_pool_threads(host->pool),
        .tile_rows = options->tile_rows ? options->tile_rows : DV_TILE_ROWS,
        .padded = dv_padded_dim(shape->dim),
        .coded = dv_centre_padded_dim(dv_padded_dim(shape->dim)), /* rows may be turned too */
        .may_have_heads = options->n_stages != 1 && dv_head_choose_bytes(shape->n_rows, shape->dim) > 0,
        .may_be_cut = options->n_stages == 0 && dv_clusters_create_bytes(shape->n_rows, shape->dim, 1) > 0,
    };
}

/* Of an index, for each row. */
static size_t row_bytes(const sizes *s) {
    const size_t codes = s->coded + TILE_BYTES / SMALL_TILE_ROWS + 3 * sizeof(int32_t) /* offset, row, group */ +
                         2 * sizeof(float) /* peaks, of centred rows too */;
    return codes + (s->may_have_heads ? s->padded + 2 * sizeof(float) : 0); /* heads and fine codes together */
}

/* Of one query in a filter. */
static size_t query_bytes(const sizes *s, const dv_cpu_plan *plan, const dv_codes *codes) {
    const size_t places = dv_filter_capacity(plan->k, codes) + DV_GROUP_ROWS;
    const size_t head_seed_tiles = most(dv_seed_rows(s->shape->n_rows) / s->tile_rows + 1, FEW_TILES);
    const size_t n_seed_tiles = s->may_have_heads ? most(plan->n_seed_tiles, head_seed_tiles) : plan->n_seed_tiles;
    const size_t seeds = (n_seed_tiles + 1) * DV_GROUP_ROWS * sizeof(float);
    const size_t heads = s->may_have_heads ? s->padded * 2 * (1 + sizeof(float)) : 0; /* codes; floats, products */
    return s->coded + heads + places * (sizeof(uint32_t) + sizeof(int32_t)) + seeds + plan->k * sizeof(dv_neighbour) +
           QUERY_BYTES;
}

/* Of all filters of a search. */
static size_t filter_bytes(const sizes *s, const dv_host_device *host) {
    const dv_coded_bank bank = {.codes = {.n_rows = s->shape->n_rows,
                                          .dim = s->shape->dim,
                                          .dim_padded = s->padded,
                                          .n_tiles = s->shape->n_rows / s->tile_rows + 1,
                                          .tile_rows = s->tile_rows}};
    dv_cpu_plan plan;
    dv_cpu_plan_make(&host->options, s->n_threads, s->shape->n_queries, &bank, s->shape->k, host->kernel->biased,
                     &plan);
    const size_t n_filters = plan.n_parts > 1 ? plan.n_blocks : s->n_threads;
    const size_t n_part_queries = plan.n_parts > 1 ? plan.n_blocks * plan.n_parts * plan.block_queries : 0;
    const size_t n_queries = plan.block_queries + least(plan.block_queries, SLICE_QUERIES) + 1; /* one of scratch */
    const size_t padding = (s->coded + QUERY_BYTES) * 2 * DV_BLOCK_QUERIES; /* of arrays that kernels read */
    return (n_filters * n_queries + n_part_queries) * query_bytes(s, &plan, &bank.codes) + n_filters * padding;
}

/* Of making heads: the probe, or a sample of rows and tiles on their way to codes. */
static size_t heads_bytes(const sizes *s) {
    const dv_search_shape *shape = s->shape;
    const size_t seed = shape->dim * dv_dtype_size(shape->dtype) + row_bytes(s) + 6 * sizeof(float) /* norms, groups */;
    const size_t tile = s->tile_rows * s->padded * (2 * sizeof(float) + sizeof(double));
    const size_t making = dv_seed_rows(shape->n_rows) * seed + s->n_threads * tile;
    const size_t components = s->padded * s->padded * sizeof(float);
    return most(dv_head_choose_bytes(shape->n_rows, shape->dim), making + components);
}

/* Of a bank in parts: making them, and the queries, distances and lists of a search. */
static size_t parts_bytes(const sizes *s) {
    const dv_search_shape *shape = s->shape;
    const size_t list = shape->k * (sizeof(int64_t) + sizeof(double));
    const size_t query = shape->dim * dv_dtype_size(shape->dtype) + DV_MOST_PARTS * sizeof(double) + 2 * list +
                         6 * sizeof(double) /* norm, nearest part, least cosines, group, number */;
    const size_t padding = DV_MOST_PARTS * s->tile_rows * row_bytes(s);
    return dv_clusters_create_bytes(shape->n_rows, shape->dim, s->n_threads) + padding + shape->n_queries * query;
}

void dv_cpu_search_memory(const dv_device *device, const dv_search_shape *shape, dv_search_memory *out) {
    const dv_host_device *host = (const dv_host_device *)device;
    dv_host_search_memory(device, shape, out);
    if (shape->dim > DV_MOST_CODED_DIM) return; /* scanned in double */
    const sizes s = sizes_of(host, shape);
    const size_t worker = s.coded * (WORKER_DOUBLES * sizeof(double) + DV_GROUP_ROWS) + shape->k * sizeof(dv_neighbour);
    out->row_bytes += row_bytes(&s);
    out->fixed_bytes += SORT_BYTES + s.tile_rows * s.coded + DIM_DOUBLES * s.coded * sizeof(double) +
                        s.n_threads * worker + filter_bytes(&s, host);
    if (s.may_have_heads) out->fixed_bytes += heads_bytes(&s);
    if (s.may_be_cut) out->fixed_bytes += parts_bytes(&s);
}
