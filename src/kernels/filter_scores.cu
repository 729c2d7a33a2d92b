/* Hits from products of codes that stand in memory, as a library leaves them; products_s8 (filter_s8.cu) makes the same
 * hits without writing any product. Each score is read once: a warp takes a tile of a query, 8 scores a lane. */
#include "kernels/products.cuh"
#include "kernels/search.h"
#include "kernels/warp.cuh"

namespace {

enum : unsigned { THREADS = 256, WARPS = THREADS / DV_WARP, SCORES_OF_LANE = DV_CODED_TILE / DV_WARP };
static_assert(DV_CODED_QUERIES % WARPS == 0, "no warp is without a query");

struct filtering {
    dv_multiplying of;
    int64_t n_tiles;
    const int32_t *scores;
};

__global__ void __launch_bounds__(THREADS) filter_scores(filtering job) {
    const int64_t tile = blockIdx.x, query = static_cast<int64_t>(blockIdx.y) * WARPS + threadIdx.x / DV_WARP;
    const int64_t position = (job.of.first_tile + tile) * DV_CODED_TILE + dv_lane();
    const int32_t *const scores = job.scores + (query * job.n_tiles + tile) * DV_CODED_TILE + dv_lane();
    const int32_t threshold = job.of.thresholds[tile * job.of.queries.n_padded + query];
    int32_t own[SCORES_OF_LANE];
    DV_UNROLL
    for (unsigned i = 0; i < SCORES_OF_LANE; i++) own[i] = scores[i * DV_WARP];
    DV_UNROLL
    for (unsigned i = 0; i < SCORES_OF_LANE; i++)
        if (own[i] >= threshold) dv_append(job.of, query, position + i * DV_WARP, own[i]);
}

} // namespace

int dv_launch_filter_scores(const dv_query_codes *queries, const dv_bank_codes *bank, int64_t first_tile,
                            int64_t n_tiles, const int32_t *scores, const int32_t *thresholds, const dv_hit_lists *hits,
                            dv_stream stream) {
    if (n_tiles == 0 || queries->n_padded == 0) return cudaSuccess;
    const filtering job = {dv_filtering(queries, bank, first_tile, thresholds, hits), n_tiles, scores};
    const dim3 grid(static_cast<unsigned>(n_tiles), static_cast<unsigned>(queries->n_padded / WARPS));
    return DV_LAUNCH(filter_scores, grid, THREADS, 0, stream, job);
}
