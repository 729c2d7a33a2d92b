/* filter_s8_wgmma.cu: the filter of filter_s8.cu by the instructions of compute capability 9.0a. The same contract, the
 * same hits; it has run on no GPU yet, so nothing takes it that was not asked to.
 *
 * A block multiplies 128 queries by a tile of 256 rows. The first of its three warpgroups copies steps of 128 columns
 * into a ring of stages; the other two have 64 queries each. With a cluster of two blocks, which take different queries
 * and the same rows, each copies half of the rows to both: 32 KB a step and block from the L2 cache, not 48. */
#include "kernels/products.cuh"
#include "kernels/search.h"
#include "kernels/sm90a/wgmma.cuh"
#include "kernels/warp.cuh"

namespace {

enum : int {
    QUERIES = DV_CODED_QUERIES,
    ROWS = DV_CODED_TILE,
    STEP = DV_SWIZZLED_ROW_BYTES,
    STAGES = 4,
    CONSUMERS = QUERIES / DV_WGMMA_QUERIES, /* warpgroups */
    THREADS = (CONSUMERS + 1) * DV_WGMMA_THREADS,
    QUERY_BYTES = QUERIES * STEP,
    STAGE_BYTES = (QUERIES + ROWS) * STEP,
    BARRIERS = STAGES * STAGE_BYTES, /* behind the stages: full ones, then empty ones */
    SHARED_BYTES = BARRIERS + 2 * STAGES * 8,
    CONSUMER_WARPS = CONSUMERS * DV_WGMMA_THREADS / static_cast<int>(DV_WARP),
    /* 168 at the start, so that three warpgroups fit; then as it takes, multiples of 8: 2 * 232 + 40 = 3 * 168 */
    PRODUCER_REGISTERS = 40,
    CONSUMER_REGISTERS = 232
};
static_assert(static_cast<int>(DV_WGMMA_ROWS) == ROWS, "a product is one tile wide");
static_assert(STAGE_BYTES % DV_SWIZZLED_BLOCK_BYTES == 0 && QUERY_BYTES % DV_SWIZZLED_BLOCK_BYTES == 0,
              "operands begin at whole blocks");
static_assert(CONSUMERS * CONSUMER_REGISTERS + PRODUCER_REGISTERS <= (CONSUMERS + 1) * 168, "registers that there are");

/* The ring of stages, as the threads of one side go round it. parity: of the phase that is waited for. */
struct ring {
    uint32_t begin, stage, parity;
    __device__ uint32_t memory() const { return begin + stage * STAGE_BYTES; }
    __device__ uint32_t full() const { return begin + BARRIERS + stage * 8; }
    __device__ uint32_t empty() const { return full() + STAGES * 8; }
    __device__ void advance() {
        if (++stage < STAGES) return;
        stage = 0;
        parity ^= 1;
    }
};

/* Where a product of this block stands. All queries come together, so that the rows are read once. */
struct place {
    int64_t query_tile, tile; /* tile: from first_tile on */
};
template <int CLUSTER> __device__ place place_of(const dv_multiplying &of, int product) {
    const int n_groups = (of.n_query_tiles + CLUSTER - 1) / CLUSTER;
    return place{product % n_groups * CLUSTER + (CLUSTER > 1 ? static_cast<int64_t>(dv_block_of_cluster()) : 0),
                 product / n_groups};
}

/* One thread. Queries past the last are zeros: those of a block that has no other part in its cluster's product. */
template <int CLUSTER>
__device__ void produce(const dv_box_map *queries, const dv_box_map *rows, const dv_multiplying &of, ring at) {
    constexpr int part_rows = ROWS / CLUSTER;
    const int part = CLUSTER > 1 ? static_cast<int>(dv_block_of_cluster()) * part_rows : 0;
    at.parity = 1; /* stages are empty before their first phase is over */
    for (int product = blockIdx.x / CLUSTER; product < of.n_products; product += gridDim.x / CLUSTER) {
        const place now = place_of<CLUSTER>(of, product);
        const int query = static_cast<int>(now.query_tile) * QUERIES,
                  row = static_cast<int>(of.first_tile + now.tile) * ROWS + part;
        for (int step = 0; step < of.n_steps; step++, at.advance()) {
            dv_barrier_wait(at.empty(), at.parity);
            dv_barrier_arrive_and_expect(at.full(), STAGE_BYTES);
            dv_copy_box(at.memory(), queries, step * STEP, query, at.full());
            const uint32_t to = at.memory() + QUERY_BYTES + part * STEP;
            if constexpr (CLUSTER > 1)
                dv_copy_box_to_all(to, rows, step * STEP, row, at.full(), (1 << CLUSTER) - 1);
            else
                dv_copy_box(to, rows, step * STEP, row, at.full());
        }
    }
}

/* This warp has read a stage: of every block that fills it. */
template <int CLUSTER> __device__ void release(const ring &at) {
    if (dv_lane() < CLUSTER) dv_barrier_arrive(at.empty(), dv_lane());
}

/* Hits are rare: first, whether any of a query's sums passes. */
__device__ void keep_hits(const dv_multiplying &of, int64_t query, int64_t position, int thread,
                          const int32_t (&thresholds)[2], const int32_t (&sums)[DV_WGMMA_SUMS]) {
    DV_UNROLL
    for (int own = 0; own < 2; own++) {
        int32_t most = INT32_MIN;
        DV_UNROLL
        for (int i = 2 * own; i < DV_WGMMA_SUMS; i += 4) most = max(most, max(sums[i], sums[i + 1]));
        if (most < thresholds[own]) continue;
        DV_UNROLL
        for (int i = 2 * own; i < DV_WGMMA_SUMS; i += 4) {
            if (sums[i] >= thresholds[own])
                dv_append(of, query + dv_wgmma_query(thread, i), position + dv_wgmma_row(thread, i), sums[i]);
            if (sums[i + 1] >= thresholds[own])
                dv_append(of, query + dv_wgmma_query(thread, i + 1), position + dv_wgmma_row(thread, i + 1),
                          sums[i + 1]);
        }
    }
}

/* A warpgroup. A stage is released when the products of the next one are queued and its own are done. */
template <int CLUSTER> __device__ void consume(const dv_multiplying &of, int consumer, ring at) {
    const int thread = static_cast<int>(threadIdx.x) % DV_WGMMA_THREADS;
    int32_t sums[DV_WGMMA_SUMS];
    for (int product = blockIdx.x / CLUSTER; product < of.n_products; product += gridDim.x / CLUSTER) {
        const place now = place_of<CLUSTER>(of, product);
        const int64_t query = now.query_tile * QUERIES + consumer * DV_WGMMA_QUERIES;
        const bool is_one = CLUSTER == 1 || now.query_tile < of.n_query_tiles;
        int32_t thresholds[2];
        for (int own = 0; own < 2; own++)
            thresholds[own] =
                is_one ? of.thresholds[now.tile * of.queries.n_padded + query + dv_wgmma_query(thread, 2 * own)]
                       : INT32_MAX;
        ring before = at;
        for (int step = 0; step < of.n_steps; step++) {
            dv_barrier_wait(at.full(), at.parity);
            const uint32_t queries = at.memory() + consumer * DV_WGMMA_QUERIES * STEP, rows = at.memory() + QUERY_BYTES;
            dv_wgmma_hold(sums);
            dv_wgmma_begin();
            DV_UNROLL
            for (int column = 0; column < STEP; column += DV_WGMMA_COLUMNS)
                dv_wgmma_s8(sums, dv_wgmma_descriptor(queries + column), dv_wgmma_descriptor(rows + column),
                            step > 0 || column > 0);
            dv_wgmma_close();
            if (step > 0) {
                dv_wgmma_wait<1>();
                release<CLUSTER>(before);
            }
            before = at;
            at.advance();
        }
        dv_wgmma_wait<0>();
        dv_wgmma_hold(sums);
        release<CLUSTER>(before);
        keep_hits(of, query, (of.first_tile + now.tile) * ROWS, thread, thresholds, sums);
        __syncwarp();
    }
}

template <int CLUSTER>
__global__ void __launch_bounds__(THREADS, 1)
    products_wgmma(const __grid_constant__ dv_box_map queries, const __grid_constant__ dv_box_map rows,
                   const __grid_constant__ dv_multiplying of) {
    const ring begin = {dv_stages(), 0, 0};
    /* One number for a warp, as the compiler can see: branches by it do not part a warpgroup. */
    const int group = __shfl_sync(DV_ALL_LANES, static_cast<int>(threadIdx.x) / DV_WGMMA_THREADS, 0);
    if (threadIdx.x == 0) {
        for (uint32_t stage = 0; stage < STAGES; stage++) {
            const ring at = {begin.begin, stage, 0};
            dv_barrier_init(at.full(), 1);
            dv_barrier_init(at.empty(), CONSUMER_WARPS * CLUSTER);
        }
        dv_barriers_made();
    }
    __syncthreads();
    if constexpr (CLUSTER > 1) dv_sync_cluster();
    if (group == 0) {
        dv_give_registers<PRODUCER_REGISTERS>();
        if (threadIdx.x == 0) produce<CLUSTER>(&queries, &rows, of, begin);
        __syncwarp();
    } else {
        dv_take_registers<CONSUMER_REGISTERS>();
        consume<CLUSTER>(of, group - 1, begin);
    }
    /* No block ends while another one arrives at its barriers. */
    if constexpr (CLUSTER > 1) dv_sync_cluster();
}

template <int CLUSTER> int launch(dv_multiplying of, int64_t n_tiles, int64_t n_blocks, dv_stream stream) {
    dv_box_map queries, rows;
    of.n_query_tiles = static_cast<int>(of.queries.n_padded / QUERIES);
    of.n_products = static_cast<int>(n_tiles * ((of.n_query_tiles + CLUSTER - 1) / CLUSTER));
    of.n_steps = static_cast<int>(of.bank.dim_padded / STEP);
    int code = dv_describe_boxes(of.queries.codes, of.queries.n_padded, of.bank.dim_padded, QUERIES, &queries);
    if (code != cudaSuccess) return code;
    code = dv_describe_boxes(of.bank.codes, of.bank.n_tiles * ROWS, of.bank.dim_padded, ROWS / CLUSTER, &rows);
    if (code != cudaSuccess) return code;
    const int64_t wanted = (n_blocks + CLUSTER - 1) / CLUSTER;
    const int64_t n_clusters = wanted > 0 && wanted < of.n_products ? wanted : of.n_products;
    return dv_launch_clusters(products_wgmma<CLUSTER>, n_clusters, CLUSTER, THREADS, SHARED_BYTES, stream, queries,
                              rows, of);
}

} // namespace

bool dv_wgmma_is_built(void) {
    return true;
}

int dv_launch_filter_wgmma(int cluster, const dv_query_codes *queries, const dv_bank_codes *bank, int64_t first_tile,
                           int64_t n_tiles, const int32_t *thresholds, const dv_hit_lists *hits, int64_t n_blocks,
                           dv_stream stream) {
    if (n_tiles == 0 || queries->n_padded == 0) return cudaSuccess;
    if (bank->dim_padded % STEP != 0) return cudaErrorInvalidValue;
    const dv_multiplying of = dv_filtering(queries, bank, first_tile, thresholds, hits);
    return cluster == 2 ? launch<2>(of, n_tiles, n_blocks, stream) : launch<1>(of, n_tiles, n_blocks, stream);
}
