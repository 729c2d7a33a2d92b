/* Products of 8-bit codes, all queries by all rows of some tiles, and what is kept of them: the rows that reach a
 * threshold, or the largest of every 16. The products themselves never leave the registers.
 *
 * A block takes products of 128 queries by ROWS rows one after the other; columns come in steps through a ring of
 * stages in shared memory, and the ring runs on from one product into the next. A warp has 64 queries by 64 rows. Sums
 * begin at minus the threshold, so that a sign bit says what passes: sums are below 2^30 and thresholds at most that
 * (docs/EXACTNESS.md, 5.3). */
#include "kernels/mma.cuh"
#include "kernels/products.cuh"
#include "kernels/search.h"
#include "kernels/warp.cuh"

namespace {

enum : int { QUERIES = DV_CODED_QUERIES, WARP_SIDE = 64, THRESHOLD_BYTES = QUERIES * 4 };

template <int ROWS_, int STEP_, int STAGES_, int BLOCKS_> struct shape_of {
    static constexpr int ROWS = ROWS_, STEP = STEP_, STAGES = STAGES_, BLOCKS = BLOCKS_;
    static constexpr int THREADS = QUERIES / WARP_SIDE * (ROWS / WARP_SIDE) * static_cast<int>(DV_WARP);
    static constexpr int CHUNKS = STEP / 16; /* of 16 bytes, in a row of a stage */
    static constexpr int STAGE_BYTES = (QUERIES + ROWS) * STEP + THRESHOLD_BYTES;
    static constexpr int SHARED_BYTES = STAGES * STAGE_BYTES;
    static constexpr int PARTS_OF_TILE = DV_CODED_TILE / ROWS;
};
using small_shape = shape_of<128, 64, 4, 2>;
using large_shape = shape_of<256, 128, 3, 1>;

/* Where a product stands. All query tiles of a run of rows come together, so that the rows are read once. */
struct place {
    int64_t query, tile, position; /* the first query, the tile from first_tile on, the first row's position */
};

template <class SHAPE> __device__ place place_of(const dv_multiplying &of, int product) {
    const int part = product / of.n_query_tiles;
    const int64_t tile = part / SHAPE::PARTS_OF_TILE;
    return place{static_cast<int64_t>(product % of.n_query_tiles) * QUERIES, tile,
                 (of.first_tile + tile) * DV_CODED_TILE + part % SHAPE::PARTS_OF_TILE * SHAPE::ROWS};
}

/* Byte of a chunk in the rows of a stage, such that eight rows of one column lie in different banks. */
template <class SHAPE> __device__ int swizzled(int row, int chunk) {
    const int turn = SHAPE::CHUNKS == 8 ? row & 7 : row >> 1 & 3;
    return row * SHAPE::STEP + (chunk ^ turn) * 16;
}

/* Starts the copies of one step: codes of the queries, of the rows, and with the first step the thresholds. */
template <class SHAPE> __device__ void load(const dv_multiplying &of, int product, int step, int8_t *stage) {
    constexpr int rows_at_once = SHAPE::THREADS / SHAPE::CHUNKS;
    const place at = place_of<SHAPE>(of, product);
    const int row = static_cast<int>(threadIdx.x) / SHAPE::CHUNKS,
              chunk = static_cast<int>(threadIdx.x) % SHAPE::CHUNKS;
    const int64_t width = of.bank.dim_padded, column = static_cast<int64_t>(step) * SHAPE::STEP + chunk * 16;
    const int8_t *const queries = of.queries.codes + (at.query + row) * width + column;
    const int8_t *const rows = of.bank.codes + (at.position + row) * width + column;
    DV_UNROLL
    for (int i = 0; i < QUERIES; i += rows_at_once)
        dv_cp_async16(stage + swizzled<SHAPE>(row + i, chunk), queries + i * width);
    DV_UNROLL
    for (int i = 0; i < SHAPE::ROWS; i += rows_at_once)
        dv_cp_async16(stage + QUERIES * SHAPE::STEP + swizzled<SHAPE>(row + i, chunk), rows + i * width);
    if (of.thresholds && step == 0 && threadIdx.x < THRESHOLD_BYTES / 16)
        dv_cp_async16(stage + (QUERIES + SHAPE::ROWS) * SHAPE::STEP + threadIdx.x * 16,
                      of.thresholds + at.tile * of.queries.n_padded + at.query + threadIdx.x * 4);
}

/* Sums of a thread. [m][n][r]: query 16m + g + 8 (r >> 1), row 8n + 2t + (r & 1) of its warp; g, t as in mma.cuh. */
typedef int32_t sums_of_thread[4][8][4];
enum : int { QUERIES_OF_THREAD = 8 }; /* each with 16 sums */

/* The first query and row of a warp in the block. */
template <class SHAPE> __device__ int first_query_of_warp() {
    return static_cast<int>(threadIdx.x / DV_WARP) / (SHAPE::ROWS / WARP_SIDE) * WARP_SIDE;
}
template <class SHAPE> __device__ int first_row_of_warp() {
    return static_cast<int>(threadIdx.x / DV_WARP) % (SHAPE::ROWS / WARP_SIDE) * WARP_SIDE;
}

template <class SHAPE> __device__ void multiply(const int8_t *stage, sums_of_thread &sums) {
    const int lane = static_cast<int>(dv_lane());
    const int query = first_query_of_warp<SHAPE>() + lane % 16, half_of_query = lane / 16;
    const int row = first_row_of_warp<SHAPE>() + (lane >> 4) * 8 + (lane & 7), half_of_row = lane >> 3 & 1;
    const int8_t *const rows = stage + QUERIES * SHAPE::STEP;
    DV_UNROLL
    for (int chunk = 0; chunk < SHAPE::CHUNKS; chunk += 2) {
        uint32_t a[4][4], b[4][4];
        DV_UNROLL
        for (int m = 0; m < 4; m++)
            dv_ldmatrix_x4(a[m], stage + swizzled<SHAPE>(query + 16 * m, chunk + half_of_query));
        DV_UNROLL
        for (int n = 0; n < 4; n++) dv_ldmatrix_x4(b[n], rows + swizzled<SHAPE>(row + 16 * n, chunk + half_of_row));
        DV_UNROLL
        for (int m = 0; m < 4; m++) {
            DV_UNROLL
            for (int n = 0; n < 4; n++) {
                dv_mma_s8(sums[m][2 * n], a[m], b[n][0], b[n][1]);
                dv_mma_s8(sums[m][2 * n + 1], a[m], b[n][2], b[n][3]);
            }
        }
    }
}

/* Sums begin at minus the threshold of their query. */
template <class SHAPE> __device__ void begin(const dv_multiplying &of, const int8_t *stage, sums_of_thread &sums) {
    const int32_t *const thresholds = reinterpret_cast<const int32_t *>(stage + (QUERIES + SHAPE::ROWS) * SHAPE::STEP);
    const int query = first_query_of_warp<SHAPE>() + static_cast<int>(dv_lane()) / 4;
    DV_UNROLL
    for (int own = 0; own < QUERIES_OF_THREAD; own++) {
        const int m = own / 2, up = own % 2;
        const int32_t first = of.thresholds ? -thresholds[query + 16 * m + 8 * up] : 0;
        DV_UNROLL
        for (int n = 0; n < 8; n++) sums[m][n][2 * up] = sums[m][n][2 * up + 1] = first;
    }
}

/* Hits are rare: first, whether any of a query's sums passes. */
template <class SHAPE> __device__ void keep_hits(const dv_multiplying &of, int product, const sums_of_thread &sums) {
    const place at = place_of<SHAPE>(of, product);
    const int lane = static_cast<int>(dv_lane());
    const int64_t position = at.position + first_row_of_warp<SHAPE>() + lane % 4 * 2;
    DV_UNROLL
    for (int own = 0; own < QUERIES_OF_THREAD; own++) {
        const int m = own / 2, up = own % 2;
        int32_t all = -1;
        DV_UNROLL
        for (int n = 0; n < 8; n++) all &= sums[m][n][2 * up] & sums[m][n][2 * up + 1];
        if (all < 0) continue;
        const int64_t query = at.query + first_query_of_warp<SHAPE>() + lane / 4 + 16 * m + 8 * up;
        const int32_t threshold = of.thresholds[at.tile * of.queries.n_padded + query];
        DV_UNROLL
        for (int i = 0; i < 16; i++) {
            const int32_t sum = sums[m][i / 2][2 * up + i % 2];
            if (sum >= 0) dv_append(of, query, position + 8 * (i / 2) + i % 2, sum + threshold);
        }
    }
}

/* The four lanes of a quad have the 16 rows. */
template <class SHAPE> __device__ void keep_maxima(const dv_multiplying &of, int product, const sums_of_thread &sums) {
    const place at = place_of<SHAPE>(of, product);
    const int lane = static_cast<int>(dv_lane());
    const int64_t first = at.position + first_row_of_warp<SHAPE>(), position = first + lane % 4 * 2;
    DV_UNROLL
    for (int own = 0; own < QUERIES_OF_THREAD; own++) {
        const int m = own / 2, up = own % 2;
        const int64_t query = at.query + first_query_of_warp<SHAPE>() + lane / 4 + 16 * m + 8 * up;
        DV_UNROLL
        for (int n = 0; n < 8; n += 2) {
            int32_t most = INT32_MIN;
            DV_UNROLL
            for (int i = 0; i < 4; i++) {
                const int32_t sum = sums[m][n + i / 2][2 * up + i % 2];
                if (sum > most && dv_is_seen(of, query, position + 8 * (n + i / 2) + i % 2)) most = sum;
            }
            most = max(most, __shfl_xor_sync(DV_ALL_LANES, most, 1));
            most = max(most, __shfl_xor_sync(DV_ALL_LANES, most, 2));
            if (lane % 4 == 0) of.maxima[query * of.n_maxima + (first + 8 * n) / DV_SEED_ROWS] = most;
        }
    }
}

/* One step of one of the products of a block, in the order in which they come. */
struct cursor {
    int product, step;
};
__device__ void advance(const dv_multiplying &of, cursor *at) {
    if (++at->step < of.n_steps) return;
    at->step = 0;
    at->product += static_cast<int>(gridDim.x);
}

template <class SHAPE, bool SEED>
__global__ void __launch_bounds__(SHAPE::THREADS, SHAPE::BLOCKS) products_s8(dv_multiplying of) {
    DV_SHARED_PART(int8_t, stages, 0, SHAPE::SHARED_BYTES);
    cursor ahead = {static_cast<int>(blockIdx.x), 0};
    for (int stage = 0; stage < SHAPE::STAGES - 1; stage++) {
        if (ahead.product < of.n_products)
            load<SHAPE>(of, ahead.product, ahead.step, stages + stage * SHAPE::STAGE_BYTES);
        dv_cp_async_commit();
        advance(of, &ahead);
    }
    int stage = 0, free_stage = SHAPE::STAGES - 1;
    sums_of_thread sums;
    for (cursor at = {static_cast<int>(blockIdx.x), 0}; at.product < of.n_products; advance(of, &at)) {
        dv_cp_async_wait<SHAPE::STAGES - 2>();
        __syncthreads(); /* this step is there, and all have read the stage that is filled next */
        const int8_t *const now = stages + stage * SHAPE::STAGE_BYTES;
        if (ahead.product < of.n_products)
            load<SHAPE>(of, ahead.product, ahead.step, stages + free_stage * SHAPE::STAGE_BYTES);
        dv_cp_async_commit();
        advance(of, &ahead);
        if (at.step == 0) begin<SHAPE>(of, now, sums);
        multiply<SHAPE>(now, sums);
        free_stage = stage;
        stage = stage + 1 == SHAPE::STAGES ? 0 : stage + 1;
        if (at.step < of.n_steps - 1) continue;
        if constexpr (SEED)
            keep_maxima<SHAPE>(of, at.product, sums);
        else
            keep_hits<SHAPE>(of, at.product, sums);
        __syncwarp();
    }
    dv_cp_async_wait<0>();
}

template <class SHAPE, bool SEED> int launch(dv_multiplying of, int64_t n_tiles, int64_t n_blocks, dv_stream stream) {
    if (n_tiles == 0 || of.queries.n_padded == 0) return cudaSuccess;
    of.n_query_tiles = static_cast<int>(of.queries.n_padded / QUERIES);
    of.n_products = static_cast<int>(n_tiles * SHAPE::PARTS_OF_TILE * of.n_query_tiles);
    of.n_steps = static_cast<int>(of.bank.dim_padded / SHAPE::STEP);
    const int allowed = cudaFuncSetAttribute(products_s8<SHAPE, SEED>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             SHAPE::SHARED_BYTES);
    if (allowed != cudaSuccess) return allowed;
    const int64_t n = n_blocks > 0 && n_blocks < of.n_products ? n_blocks : of.n_products;
    return DV_LAUNCH((products_s8<SHAPE, SEED>), static_cast<unsigned>(n), SHAPE::THREADS, SHAPE::SHARED_BYTES, stream,
                     of);
}

} // namespace

size_t dv_product_shared_bytes(dv_product_shape shape) {
    return shape == DV_PRODUCT_LARGE ? large_shape::SHARED_BYTES : small_shape::SHARED_BYTES;
}

int64_t dv_product_blocks(dv_product_shape shape) {
    return shape == DV_PRODUCT_LARGE ? large_shape::BLOCKS : small_shape::BLOCKS;
}

int dv_launch_filter(dv_product_shape shape, const dv_query_codes *queries, const dv_bank_codes *bank,
                     int64_t first_tile, int64_t n_tiles, const int32_t *thresholds, const dv_hit_lists *hits,
                     int64_t n_blocks, dv_stream stream) {
    const dv_multiplying of = dv_filtering(queries, bank, first_tile, thresholds, hits);
    return shape == DV_PRODUCT_LARGE ? launch<large_shape, false>(of, n_tiles, n_blocks, stream)
                                     : launch<small_shape, false>(of, n_tiles, n_blocks, stream);
}

int dv_launch_seed(dv_product_shape shape, const dv_query_codes *queries, const dv_bank_codes *bank, int64_t n_tiles,
                   int32_t *maxima, int64_t n_blocks, dv_stream stream) {
    dv_multiplying of = {};
    of.queries = *queries;
    of.bank = *bank;
    of.maxima = maxima;
    of.n_maxima = n_tiles * (DV_CODED_TILE / DV_SEED_ROWS);
    return shape == DV_PRODUCT_LARGE ? launch<large_shape, true>(of, n_tiles, n_blocks, stream)
                                     : launch<small_shape, true>(of, n_tiles, n_blocks, stream);
}
