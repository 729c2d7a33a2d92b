/* The best neighbours of each query, a block a query. Shared memory holds the k best so far in order and, behind them,
 * candidates that come before the last of those; when these leave no room for a round of the block, all are sorted.
 * What is kept does not depend on the order of candidates. */
#include "kernels/search.h"
#include "kernels/warp.cuh"

namespace {

enum : unsigned { THREADS = 256 };
enum : size_t { USUAL_SHARED_BYTES = 32 * 1024 }; /* with what stands beside it, any kernel may have it */

struct selecting {
    dv_scored_lists lists;
    const uint32_t *counts, *chosen;
    const double *least;
    int64_t k, n_entries; /* n_entries: a power of two, k + THREADS at least */
    bool keep;
    int64_t *ids;
    double *cosines;
};

struct neighbour {
    double cosine;
    int64_t id;
};

/* What fills the places that nobody has; comes after all others. */
__device__ neighbour nobody() {
    return neighbour{-2.0, INT64_MAX};
}

__device__ bool before(neighbour a, neighbour b) {
    return a.cosine > b.cosine || (a.cosine == b.cosine && a.id < b.id);
}

/* A bitonic network over n entries, best first. */
__device__ void sort(neighbour *entries, int64_t n) {
    for (int64_t run = 2; run <= n; run *= 2)
        for (int64_t apart = run / 2; apart > 0; apart /= 2) {
            __syncthreads();
            for (int64_t i = threadIdx.x; i < n / 2; i += THREADS) {
                const int64_t low = i / apart * 2 * apart + i % apart, high = low + apart;
                const neighbour a = entries[low], b = entries[high];
                const bool rising = (low & run) == 0;
                if (rising ? before(b, a) : before(a, b)) {
                    entries[low] = b;
                    entries[high] = a;
                }
            }
        }
    __syncthreads();
}

/* Sorts, and makes room behind the k best. Reached by all threads after a barrier. */
__device__ void settle(neighbour *entries, const selecting &of, unsigned *n_held) {
    sort(entries, of.n_entries);
    for (int64_t i = of.k + threadIdx.x; i < of.n_entries; i += THREADS) entries[i] = nobody();
    if (threadIdx.x == 0) *n_held = static_cast<unsigned>(of.k);
    __syncthreads();
}

__global__ void __launch_bounds__(THREADS) topk(selecting of) {
    DV_SHARED_PART(neighbour, entries, 0, of.n_entries);
    DV_SHARED(unsigned, n_held);
    const int64_t list = blockIdx.x, query = of.chosen ? of.chosen[list] : list;
    const int64_t count = of.counts ? min(static_cast<int64_t>(of.counts[list]), of.lists.stride) : of.lists.stride;
    const bool limited = of.least != nullptr;
    const double least = limited ? of.least[query] : 0.0;
    for (int64_t i = threadIdx.x; i < of.n_entries; i += THREADS) {
        entries[i] = nobody();
        if (of.keep && i < of.k && of.ids[query * of.k + i] >= 0)
            entries[i] = neighbour{of.cosines[query * of.k + i], of.ids[query * of.k + i]};
    }
    if (threadIdx.x == 0) n_held = static_cast<unsigned>(of.k);
    __syncthreads();
    for (int64_t first = 0; first < count; first += THREADS) {
        const int64_t i = first + threadIdx.x;
        if (i < count) {
            const neighbour one = {of.lists.cosines[list * of.lists.stride + i],
                                   of.lists.ids[list * of.lists.stride + i]};
            const bool wanted = one.id >= 0 && !(limited && one.cosine < least);
            if (wanted && before(one, entries[of.k - 1])) entries[atomicAdd(&n_held, 1u)] = one;
        }
        __syncthreads();
        const bool full = n_held + THREADS > of.n_entries;
        __syncthreads(); /* before the next one is held */
        if (full) settle(entries, of, &n_held);
    }
    settle(entries, of, &n_held);
    for (int64_t i = threadIdx.x; i < of.k; i += THREADS) {
        const bool is_one = entries[i].id != INT64_MAX;
        of.ids[query * of.k + i] = is_one ? entries[i].id : -1;
        of.cosines[query * of.k + i] = is_one ? entries[i].cosine : -2.0;
    }
}

int64_t entries_for(int64_t k) {
    int64_t n = 1;
    while (n < k + THREADS) n *= 2;
    return n;
}
static_assert(DV_MOST_NEIGHBOURS + THREADS == 8192 && 8192 * sizeof(neighbour) == 128 * 1024, "as search.h says");

} // namespace

size_t dv_topk_shared_bytes(int64_t k) {
    return static_cast<size_t>(entries_for(k)) * sizeof(neighbour);
}

int dv_launch_topk(const dv_scored_lists *lists, int64_t n_lists, const uint32_t *counts, const uint32_t *chosen,
                   const double *least, int64_t k, int keep, int64_t *ids, double *cosines, dv_stream stream) {
    if (n_lists == 0) return cudaSuccess;
    const selecting of = {*lists, counts, chosen, least, k, entries_for(k), keep != 0, ids, cosines};
    const size_t n_bytes = dv_topk_shared_bytes(k);
    if (n_bytes > USUAL_SHARED_BYTES) {
        const int allowed =
            cudaFuncSetAttribute(topk, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(n_bytes));
        if (allowed != cudaSuccess) return allowed;
    }
    return DV_LAUNCH(topk, static_cast<unsigned>(n_lists), THREADS, n_bytes, stream, of);
}
