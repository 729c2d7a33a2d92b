/* The best of float scores that stand in memory, a block a query. Shared memory holds the k best so far in order and,
 * behind them, scores that come before the last of those; when these leave no room for a round of the block, all are
 * sorted. As topk.cu, but score and row are one 64-bit key here, the smaller the better. */
#include "kernels/search.h"
#include "kernels/warp.cuh"

namespace {

using key = unsigned long long;
enum : unsigned { THREADS = 256, SCORES_OF_THREAD = 4, ROUND = THREADS * SCORES_OF_THREAD };
enum : unsigned { N_ENTRIES = DV_MOST_OF_SCORES + ROUND };
static_assert((N_ENTRIES & (N_ENTRIES - 1)) == 0, "a sort of all entries is over a power of two");

constexpr key NOBODY = ~key{0}; /* after all others: its row would be 2^32 - 1 */

struct choosing {
    const float *scores;
    int64_t n_rows, first_row;
    int k;
    bool keep;
    int64_t *ids;
    float *best;
};

/* A larger score, and of equal ones the lower row, is the smaller key; -0 is 0 here. NaN is nobody. */
__device__ key key_of(float score, int64_t row) {
    if (score != score) return NOBODY;
    const uint32_t bits = __float_as_uint(score + 0.0F);
    const uint32_t falling = bits >> 31 ? bits : ~(bits | 0x80000000u);
    return static_cast<key>(falling) << 32 | static_cast<uint32_t>(row);
}

__device__ float score_of(key of) {
    const uint32_t falling = static_cast<uint32_t>(of >> 32);
    return __uint_as_float(falling >> 31 ? falling : ~falling & 0x7fffffffu);
}

/* A bitonic network over n entries, a power of two, best first. */
__device__ void sort(key *entries, unsigned n) {
    for (unsigned run = 2; run <= n; run *= 2)
        for (unsigned apart = run / 2; apart > 0; apart /= 2) {
            __syncthreads();
            for (unsigned i = threadIdx.x; i < n / 2; i += THREADS) {
                const unsigned low = i / apart * 2 * apart + i % apart, high = low + apart;
                const key a = entries[low], b = entries[high];
                if ((low & run) == 0 ? b < a : a < b) {
                    entries[low] = b;
                    entries[high] = a;
                }
            }
        }
    __syncthreads();
}

/* Sorts what is held and lets go of all but the k best. Reached by all threads after a barrier. */
__device__ void settle(key *entries, int k, unsigned *n_held) {
    const unsigned held = *n_held;
    unsigned n = 1;
    while (n < held) n *= 2;
    for (unsigned i = held + threadIdx.x; i < n; i += THREADS) entries[i] = NOBODY;
    sort(entries, n);
    if (threadIdx.x == 0) *n_held = static_cast<unsigned>(k);
    __syncthreads();
}

__device__ void begin(const choosing &of, int64_t query, key *entries, unsigned *n_held) {
    for (int i = static_cast<int>(threadIdx.x); i < of.k; i += THREADS) {
        const int64_t at = query * of.k + i;
        entries[i] = of.keep && of.ids[at] >= 0 ? key_of(of.best[at], of.ids[at]) : NOBODY;
    }
    if (threadIdx.x == 0) *n_held = static_cast<unsigned>(of.k);
    __syncthreads();
}

/* Adds what comes before `last` of the scores from `first` on. */
__device__ void take_round(const choosing &of, const float *scores, int64_t first, key last, key *entries,
                           unsigned *n_held) {
    key own[SCORES_OF_THREAD];
    DV_UNROLL
    for (unsigned i = 0; i < SCORES_OF_THREAD; i++) {
        const int64_t row = first + i * THREADS + threadIdx.x;
        own[i] = row < of.n_rows ? key_of(scores[row], of.first_row + row) : NOBODY;
    }
    DV_UNROLL
    for (unsigned i = 0; i < SCORES_OF_THREAD; i++)
        if (own[i] < last) entries[atomicAdd(n_held, 1u)] = own[i];
}

__global__ void __launch_bounds__(THREADS) select_scores(choosing of) {
    DV_SHARED_ARRAY(key, entries, N_ENTRIES);
    DV_SHARED(unsigned, n_held);
    const int64_t query = blockIdx.x;
    const float *const scores = of.scores + query * of.n_rows;
    begin(of, query, entries, &n_held);
    key last = entries[of.k - 1]; /* the next sort is behind a barrier */
    for (int64_t first = 0; first < of.n_rows; first += ROUND) {
        take_round(of, scores, first, last, entries, &n_held);
        __syncthreads();
        const bool full = n_held + ROUND > N_ENTRIES;
        __syncthreads(); /* before the next one is held */
        if (!full) continue;
        settle(entries, of.k, &n_held);
        last = entries[of.k - 1];
    }
    settle(entries, of.k, &n_held);
    for (int i = static_cast<int>(threadIdx.x); i < of.k; i += THREADS) {
        const key one = entries[i];
        of.ids[query * of.k + i] = one == NOBODY ? -1 : static_cast<int64_t>(one & 0xffffffffu);
        of.best[query * of.k + i] = one == NOBODY ? -2.0F : score_of(one);
    }
}

} // namespace

int dv_launch_select_scores(const float *scores, int64_t n, int64_t n_rows, int64_t first_row, int64_t k, int keep,
                            int64_t *ids, float *best, dv_stream stream) {
    if (n == 0) return cudaSuccess;
    const choosing of = {scores, n_rows, first_row, static_cast<int>(k), keep != 0, ids, best};
    return DV_LAUNCH(select_scores, static_cast<unsigned>(n), THREADS, 0, stream, of);
}
