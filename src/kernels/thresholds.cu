/* Lower bounds of the k-th cosine, the thresholds of sums that follow from them, and which hits may still belong to the
 * answer. Why no row of the answer is lost: docs/EXACTNESS.md, 4 to 7, here in double. */
#include "kernels/search.h"
#include "kernels/warp.cuh"

namespace {

enum : unsigned { THREADS = 256, N_DIGITS = 256, MOST_GRID_Y = 65535 };
enum : int32_t { MOST_THRESHOLD = 1 << 30 };

/* What the roundings of a bound in double cannot reach: a dozen of numbers below 8. */
constexpr double STEP = 0x1p-45;

struct bounded {
    dv_query_codes queries;
    dv_bank_codes bank;
    double eta;
};

/* A bound on how far a b I is from the cosine, for query and tile: (4.1). */
__device__ double slack_of(const bounded &of, int64_t query, int64_t tile) {
    return static_cast<double>(of.queries.reaches[query]) * of.bank.slacks[tile] + of.queries.rests[query] + of.eta;
}

__device__ double scale_of(const bounded &of, int64_t query, int64_t tile) {
    return static_cast<double>(of.queries.scales[query]) * of.bank.scales[tile]; /* exact */
}

/* A number in the order of the floats, of a float that is no larger than the lower bound. */
__device__ uint32_t key_of_low(const bounded &of, int64_t query, int64_t tile, int32_t sum) {
    const double low = scale_of(of, query, tile) * sum - slack_of(of, query, tile) - STEP;
    const uint32_t bits = __float_as_uint(__double2float_rd(low));
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

__device__ double low_of_key(uint32_t key) {
    return __uint_as_float(key >> 31 ? key & 0x7fffffffu : ~key);
}

/* The k-th largest of n keys, digit by digit from the top. All threads call it and get it; 1 <= k <= n. */
template <class KEY_AT> __device__ uint32_t kth_largest(int64_t n, int64_t k, KEY_AT key_at, uint32_t *histogram) {
    uint32_t prefix = 0, mask = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        __syncthreads();
        for (unsigned i = threadIdx.x; i < N_DIGITS; i += THREADS) histogram[i] = 0;
        __syncthreads();
        for (int64_t i = threadIdx.x; i < n; i += THREADS) {
            const uint32_t key = key_at(i);
            if ((key & mask) == prefix) atomicAdd(histogram + (key >> shift & (N_DIGITS - 1)), 1u);
        }
        __syncthreads();
        uint32_t digit = N_DIGITS - 1;
        while (histogram[digit] < k) k -= histogram[digit--]; /* k is at most the sum of the counts, so it stops */
        prefix |= digit << shift;
        mask |= (N_DIGITS - 1) << shift;
    }
    return prefix;
}

struct beginning {
    const double *norms, *least;
    const uint32_t *chosen;
    int64_t n;
    double *lower;
    uint32_t *fates;
};

__global__ void __launch_bounds__(THREADS) first_bounds(beginning job) {
    const int64_t i = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
    if (i >= job.n) return;
    const int64_t query = job.chosen ? job.chosen[i] : i;
    const double norm = job.norms[query];
    const bool is_finite = norm < INFINITY; /* not for NaN either */
    const double least = job.least ? job.least[query] : -INFINITY;
    job.lower[i] = is_finite && norm > 0.0 ? least : INFINITY;
    if (job.fates) job.fates[i] = !is_finite ? DV_QUERY_NOT_FINITE : norm > 0.0 ? DV_QUERY_ANSWERED : DV_QUERY_ZERO;
}

struct seeding {
    bounded of;
    const int32_t *maxima;
    int64_t n_maxima, k;
    double *lower;
};

__global__ void __launch_bounds__(THREADS) seed_bounds(seeding job) {
    DV_SHARED_ARRAY(uint32_t, histogram, N_DIGITS);
    const int64_t query = blockIdx.x;
    const int32_t *const maxima = job.maxima + query * job.n_maxima;
    const uint32_t kth = kth_largest(
        job.n_maxima, job.k,
        [&](int64_t i) -> uint32_t {
            if (maxima[i] == INT32_MIN) return 0; /* no row: below all floats */
            return key_of_low(job.of, query, i / (DV_CODED_TILE / DV_SEED_ROWS), maxima[i]);
        },
        histogram);
    if (threadIdx.x == 0 && kth != 0) job.lower[query] = max(job.lower[query], low_of_key(kth));
}

struct tabling {
    bounded of;
    int64_t first_tile, n_tiles;
    const double *lower;
    int32_t *thresholds;
};

/* A thread a query, a row of blocks for some tiles. */
__global__ void __launch_bounds__(THREADS) threshold_table(tabling job) {
    const int64_t query = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x, n_padded = job.of.queries.n_padded;
    if (query >= n_padded) return;
    const double lower = query < job.of.queries.n ? job.lower[query] : INFINITY;
    for (int64_t i = blockIdx.y; i < job.n_tiles; i += gridDim.y) {
        const int64_t tile = job.first_tile + i;
        const double slack = slack_of(job.of, query, tile) * (1.0 + 0x1p-40);
        /* Errs by less than 1, so what is less by 1 is at most the quotient over the reals. */
        const double least = floor((lower - slack) / scale_of(job.of, query, tile) - 1.0);
        const double kept = max(-static_cast<double>(MOST_THRESHOLD), min(static_cast<double>(MOST_THRESHOLD), least));
        job.thresholds[i * n_padded + query] = static_cast<int32_t>(kept);
    }
}

struct compacting {
    bounded of;
    int64_t k;
    dv_hit_lists hits;
    double *lower;
    uint32_t *fates;
};

/* Keeps what may reach `lower`, in place: a round reads its hits before any of it is written over. */
__device__ void keep(const compacting &job, int64_t query, int64_t count, double lower, unsigned *n_kept) {
    dv_hit *const hits = job.hits.hits + query * job.hits.capacity;
    if (threadIdx.x == 0) *n_kept = 0;
    __syncthreads();
    for (int64_t first = 0; first < count; first += THREADS) {
        const int64_t i = first + threadIdx.x;
        dv_hit hit = {0, 0};
        bool stays = false;
        if (i < count) {
            hit = hits[i];
            const int64_t tile = hit.position / DV_CODED_TILE;
            const double most = scale_of(job.of, query, tile) * hit.sum + slack_of(job.of, query, tile) + STEP;
            stays = !(most < lower);
        }
        __syncthreads();
        if (stays) hits[atomicAdd(n_kept, 1u)] = hit;
        __syncthreads();
    }
}

__global__ void __launch_bounds__(THREADS) compact(compacting job) {
    DV_SHARED_ARRAY(uint32_t, histogram, N_DIGITS);
    DV_SHARED(unsigned, n_kept);
    const int64_t query = blockIdx.x, count = job.hits.counts[query];
    double lower = job.lower[query];
    __syncthreads(); /* before one thread changes what all have read */
    if (count > job.hits.capacity) {
        if (threadIdx.x != 0) return;
        job.fates[query] = DV_QUERY_OVERFLOWED;
        job.hits.counts[query] = 0;
        job.lower[query] = INFINITY;
        return;
    }
    if (count >= job.k) {
        const dv_hit *const hits = job.hits.hits + query * job.hits.capacity;
        const uint32_t kth = kth_largest(
            count, job.k,
            [&](int64_t i) { return key_of_low(job.of, query, hits[i].position / DV_CODED_TILE, hits[i].sum); },
            histogram);
        lower = max(lower, low_of_key(kth));
    }
    keep(job, query, count, lower, &n_kept);
    if (threadIdx.x != 0) return;
    job.hits.counts[query] = n_kept;
    job.lower[query] = lower;
}

struct raising {
    const uint32_t *chosen;
    int64_t n_chosen, k;
    const int64_t *ids;
    const double *cosines;
    double *lower;
    uint32_t *counts;
};

__global__ void __launch_bounds__(THREADS) raise(raising job) {
    const int64_t i = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
    if (i >= job.n_chosen) return;
    const int64_t last = job.chosen[i] * job.k + job.k - 1;
    if (job.ids[last] >= 0) job.lower[i] = max(job.lower[i], job.cosines[last]);
    job.counts[i] = 0;
}

struct gathering {
    const uint32_t *chosen;
    dv_query_codes codes, to_codes;
    dv_prepared_queries prepared, to_prepared;
    int64_t dim, dim_padded;
};

/* A block a query. */
__global__ void __launch_bounds__(THREADS) gather(gathering job) {
    const int64_t to = blockIdx.x;
    const bool is_one = to < job.to_codes.n;
    const int64_t from = is_one ? job.chosen[to] : 0;
    for (int64_t i = threadIdx.x; i < job.dim_padded; i += THREADS)
        job.to_codes.codes[to * job.dim_padded + i] = is_one ? job.codes.codes[from * job.dim_padded + i] : int8_t{0};
    if (is_one)
        for (int64_t i = threadIdx.x; i < job.dim; i += THREADS)
            job.to_prepared.values[to * job.dim + i] = job.prepared.values[from * job.dim + i];
    if (threadIdx.x != 0) return;
    job.to_codes.scales[to] = is_one ? job.codes.scales[from] : 1.0F;
    job.to_codes.reaches[to] = is_one ? job.codes.reaches[from] : 0.0F;
    job.to_codes.rests[to] = is_one ? job.codes.rests[from] : 0.0F;
    if (job.codes.hidden) job.to_codes.hidden[to] = is_one ? job.codes.hidden[from] : -1;
    if (is_one) job.to_prepared.norms[to] = job.prepared.norms[from];
}

unsigned n_blocks_for(int64_t n) {
    return static_cast<unsigned>((n + THREADS - 1) / THREADS);
}

} // namespace

int dv_launch_first_bounds(const double *norms, const double *least, const uint32_t *chosen, int64_t n, double *lower,
                           uint32_t *fates, dv_stream stream) {
    if (n == 0) return cudaSuccess;
    const beginning job = {norms, least, chosen, n, lower, fates};
    return DV_LAUNCH(first_bounds, n_blocks_for(n), THREADS, 0, stream, job);
}

int dv_launch_seed_bounds(const dv_query_codes *queries, const dv_bank_codes *bank, const int32_t *maxima,
                          int64_t n_tiles, int64_t k, double eta, double *lower, dv_stream stream) {
    const int64_t n_maxima = n_tiles * (DV_CODED_TILE / DV_SEED_ROWS);
    if (queries->n == 0 || n_maxima < k) return cudaSuccess;
    const seeding job = {{*queries, *bank, eta}, maxima, n_maxima, k, lower};
    return DV_LAUNCH(seed_bounds, static_cast<unsigned>(queries->n), THREADS, 0, stream, job);
}

int dv_launch_thresholds(const dv_query_codes *queries, const dv_bank_codes *bank, int64_t first_tile, int64_t n_tiles,
                         double eta, const double *lower, int32_t *thresholds, dv_stream stream) {
    if (queries->n_padded == 0 || n_tiles == 0) return cudaSuccess;
    const tabling job = {{*queries, *bank, eta}, first_tile, n_tiles, lower, thresholds};
    const unsigned n_rows = static_cast<unsigned>(n_tiles < MOST_GRID_Y ? n_tiles : int64_t{MOST_GRID_Y});
    return DV_LAUNCH(threshold_table, dim3(n_blocks_for(queries->n_padded), n_rows), THREADS, 0, stream, job);
}

int dv_launch_compact(const dv_query_codes *queries, const dv_bank_codes *bank, int64_t k, double eta,
                      const dv_hit_lists *hits, double *lower, uint32_t *fates, dv_stream stream) {
    if (queries->n == 0) return cudaSuccess;
    const compacting job = {{*queries, *bank, eta}, k, *hits, lower, fates};
    return DV_LAUNCH(compact, static_cast<unsigned>(queries->n), THREADS, 0, stream, job);
}

int dv_launch_raise(const uint32_t *chosen, int64_t n_chosen, const int64_t *ids, const double *cosines, int64_t k,
                    double *lower, uint32_t *counts, dv_stream stream) {
    if (n_chosen == 0) return cudaSuccess;
    const raising job = {chosen, n_chosen, k, ids, cosines, lower, counts};
    return DV_LAUNCH(raise, n_blocks_for(n_chosen), THREADS, 0, stream, job);
}

int dv_launch_gather(const uint32_t *chosen, const dv_query_codes *codes, const dv_prepared_queries *prepared,
                     int64_t dim, int64_t dim_padded, const dv_query_codes *to_codes,
                     const dv_prepared_queries *to_prepared, dv_stream stream) {
    if (to_codes->n_padded == 0) return cudaSuccess;
    const gathering job = {chosen, *codes, *to_codes, *prepared, *to_prepared, dim, dim_padded};
    return DV_LAUNCH(gather, static_cast<unsigned>(to_codes->n_padded), THREADS, 0, stream, job);
}
