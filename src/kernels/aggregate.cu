/* The vote of the neighbours, a warp a query, with the bits of dv_aggregate: weights are summed in neighbour order, and
 * so is what each class gets. A lane has the weights of every 32nd neighbour, then the soft labels of every 32nd class.
 */
#include "core/exp.h"
#include "denseval/aggregate.h"
#include "kernels/kernels.h"
#include "kernels/warp.cuh"

namespace {

enum : unsigned { WARPS_OF_A_BLOCK = 4 };

/* What a neighbour gives: its weight, and over how many pixels the weight is spread (0: it has no labels). */
struct neighbour {
    double weight;
    int64_t total;
};

struct vote {
    const int64_t *ids;     /* [n, k] */
    const double *cosines;  /* [n, k] */
    const uint16_t *counts; /* [rows, n_classes] */
    double *soft;           /* [n, n_classes] */
    uint16_t *pure;         /* [n] */
    neighbour *neighbours;  /* [n, k], workspace */
    int64_t n, k, n_classes;
    double beta;
};

/* The total of the counts of row `id`. */
__device__ int64_t total_of(const vote &of, int64_t id) {
    const uint16_t *const row = of.counts + id * of.n_classes;
    int64_t total = 0;
    for (int64_t c = 0; c < of.n_classes; c++) total += row[c];
    return total;
}

/* Weights and totals of all neighbours of a query; written for the lanes of this warp. An id of -1 is no neighbour. */
__device__ void weigh(const vote &of, const int64_t *ids, const double *cosines, neighbour *neighbours) {
    double sum = 0.0;
    for (int64_t first = 0; first < of.k; first += DV_WARP) {
        const int64_t j = first + dv_lane();
        const bool is_one = j < of.k && ids[j] >= 0;
        const double weight = is_one ? dv_exp_nonpositive((cosines[j] - cosines[0]) / of.beta) : 0.0;
        if (j < of.k) neighbours[j] = neighbour{weight, is_one ? total_of(of, ids[j]) : 0};
        /* Past the last neighbour 0 is added, which changes nothing. */
        for (int lane = 0; lane < static_cast<int>(DV_WARP); lane++) sum += __shfl_sync(DV_ALL_LANES, weight, lane);
    }
    for (int64_t j = dv_lane(); j < of.k; j += DV_WARP) neighbours[j].weight = neighbours[j].weight / sum;
    __syncwarp();
}

/* The soft label of one class, neighbour after neighbour. */
__device__ double label_of(const vote &of, const int64_t *ids, const neighbour *neighbours, int64_t c) {
    double label = 0.0;
    for (int64_t j = 0; j < of.k; j++) {
        if (neighbours[j].total == 0) continue;
        const double count = of.counts[ids[j] * of.n_classes + c];
        label += neighbours[j].weight * (count / static_cast<double>(neighbours[j].total));
    }
    return label;
}

__global__ void __launch_bounds__(WARPS_OF_A_BLOCK *DV_WARP) aggregate(vote of) {
    const int64_t query = static_cast<int64_t>(blockIdx.x) * WARPS_OF_A_BLOCK + threadIdx.x / DV_WARP;
    if (query >= of.n) return; /* the whole warp */
    const int64_t *const ids = of.ids + query * of.k;
    neighbour *const neighbours = of.neighbours + query * of.k;
    weigh(of, ids, of.cosines + query * of.k, neighbours);

    int n_present = 0;
    int64_t last = 0;
    for (int64_t first = 0; first < of.n_classes; first += DV_WARP) {
        const int64_t c = first + dv_lane();
        const double label = c < of.n_classes ? label_of(of, ids, neighbours, c) : 0.0;
        if (c < of.n_classes) of.soft[query * of.n_classes + c] = label;
        const unsigned present = __ballot_sync(DV_ALL_LANES, label > 0.0);
        n_present += __popc(present);
        if (present) last = first + 31 - __clz(static_cast<int>(present));
    }
    if (dv_lane() == 0) of.pure[query] = n_present == 1 ? static_cast<uint16_t>(last) : uint16_t{DV_MIXED};
}

} // namespace

size_t dv_launch_aggregate_workspace(int64_t n, int64_t k) {
    return static_cast<size_t>(n) * static_cast<size_t>(k) * sizeof(neighbour);
}

int dv_launch_aggregate(const int64_t *ids, const double *cosines, int64_t n, int64_t k, double beta,
                        const uint16_t *counts, int64_t n_classes, double *soft, uint16_t *pure, void *workspace,
                        dv_stream stream) {
    if (n == 0) return cudaSuccess;
    const vote of = {ids, cosines, counts, soft, pure, static_cast<neighbour *>(workspace), n, k, n_classes, beta};
    const unsigned n_blocks = static_cast<unsigned>((n + WARPS_OF_A_BLOCK - 1) / WARPS_OF_A_BLOCK);
    return DV_LAUNCH(aggregate, n_blocks, WARPS_OF_A_BLOCK * DV_WARP, 0, stream, of);
}
