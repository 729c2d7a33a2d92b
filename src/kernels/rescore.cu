/* Canonical cosines, half a warp a candidate. */
#include "kernels/rows.cuh"
#include "kernels/search.h"
#include "kernels/warp.cuh"

namespace {

enum : unsigned { THREADS = 256, HALVES = THREADS / DV_HALF };

/* dv_cosine of src/host/search/score.h. */
__device__ double cosine_of(double dot, double query_norm, double row_norm) {
    if (query_norm == 0.0 || row_norm == 0.0) return 0.0;
    const double cosine = __ddiv_rn(dot, __dmul_rn(query_norm, row_norm));
    if (cosine > 1.0) return 1.0;
    if (cosine < -1.0) return -1.0;
    return __dadd_rn(cosine, 0.0); /* -0 becomes +0 */
}

/* Every lane of the half gets it. */
template <dv_dtype DTYPE>
__device__ double score(const dv_measured_rows &of, int64_t index, const double *query, double query_norm) {
    const int64_t dim = static_cast<int64_t>(of.rows.dim);
    const void *const row = dv_row_of<DTYPE>(of.rows.data, index, dim);
    const dv_factors factors = dv_factors_of(DTYPE == DV_F64 ? of.exponents[index] : 0);
    double partial = 0.0;
    for (int64_t i = dv_half_lane(); i < dim; i += DV_HALF)
        partial = __dadd_rn(partial, __dmul_rn(query[i], dv_scaled_element<DTYPE>(row, i, factors)));
    return cosine_of(dv_half_sum(partial), query_norm, of.norms[index]);
}

struct of_hits {
    dv_measured_rows of;
    dv_prepared_queries queries;
    dv_hit_lists hits;
    const int32_t *rows;
    dv_scored_lists lists;
    unsigned long long *n_scored;
};

/* A block a query. */
template <dv_dtype DTYPE> __global__ void __launch_bounds__(THREADS) score_hits(of_hits job) {
    const int64_t query = blockIdx.x, count = min(static_cast<int64_t>(job.hits.counts[query]), job.hits.capacity);
    const double *const values = job.queries.values + query * static_cast<int64_t>(job.of.rows.dim);
    const double norm = job.queries.norms[query];
    if (threadIdx.x == 0) atomicAdd(job.n_scored, static_cast<unsigned long long>(count));
    for (int64_t i = threadIdx.x / DV_HALF; i < count; i += HALVES) {
        const int32_t row = job.rows[job.hits.hits[query * job.hits.capacity + i].position];
        const double cosine = score<DTYPE>(job.of, row, values, norm);
        if (dv_half_lane() != 0) continue;
        job.lists.ids[query * job.lists.stride + i] = row;
        job.lists.cosines[query * job.lists.stride + i] = cosine;
    }
}

struct of_rows {
    dv_measured_rows of;
    dv_prepared_queries queries;
    const uint32_t *chosen;
    const int32_t *group, *hidden;
    int64_t first_row, n_rows;
    dv_scored_lists lists;
};

/* A block for some rows of the list blockIdx.y. */
template <dv_dtype DTYPE> __global__ void __launch_bounds__(THREADS) score_rows(of_rows job) {
    const int64_t query = job.chosen ? job.chosen[blockIdx.y] : blockIdx.y;
    const double *const values = job.queries.values + query * static_cast<int64_t>(job.of.rows.dim);
    const double norm = job.queries.norms[query];
    const int32_t hidden = job.hidden ? job.hidden[query] : -1;
    const int64_t i = static_cast<int64_t>(blockIdx.x) * HALVES + threadIdx.x / DV_HALF;
    if (i >= job.n_rows) return; /* the whole half */
    const int64_t row = job.first_row + i;
    const bool seen = hidden == -1 || job.group[row] != hidden;
    const double cosine = score<DTYPE>(job.of, row, values, norm);
    if (dv_half_lane() != 0) return;
    job.lists.ids[blockIdx.y * job.lists.stride + i] = seen ? row : -1;
    job.lists.cosines[blockIdx.y * job.lists.stride + i] = cosine;
}

template <dv_dtype DTYPE> int launch_hits(const of_hits &job, int64_t n, dv_stream stream) {
    return DV_LAUNCH(score_hits<DTYPE>, static_cast<unsigned>(n), THREADS, 0, stream, job);
}

template <dv_dtype DTYPE> int launch_rows(const of_rows &job, int64_t n_chosen, dv_stream stream) {
    const dim3 grid(static_cast<unsigned>((job.n_rows + HALVES - 1) / HALVES), static_cast<unsigned>(n_chosen));
    return DV_LAUNCH(score_rows<DTYPE>, grid, THREADS, 0, stream, job);
}

} // namespace

int dv_launch_score_hits(const dv_measured_rows *of, const dv_prepared_queries *queries, int64_t n,
                         const dv_hit_lists *hits, const int32_t *rows, const dv_scored_lists *lists,
                         unsigned long long *n_scored, dv_stream stream) {
    if (n == 0) return cudaSuccess;
    const of_hits job = {*of, *queries, *hits, rows, *lists, n_scored};
    switch (of->rows.dtype) {
    case DV_F16:
        return launch_hits<DV_F16>(job, n, stream);
    case DV_BF16:
        return launch_hits<DV_BF16>(job, n, stream);
    case DV_F32:
        return launch_hits<DV_F32>(job, n, stream);
    case DV_F64:
        return launch_hits<DV_F64>(job, n, stream);
    }
    return cudaErrorInvalidValue;
}

int dv_launch_score_rows(const dv_measured_rows *of, const dv_prepared_queries *queries, const uint32_t *chosen,
                         int64_t n_chosen, const int32_t *group, const int32_t *hidden, int64_t first_row,
                         int64_t n_rows, const dv_scored_lists *lists, dv_stream stream) {
    if (n_chosen == 0 || n_rows == 0) return cudaSuccess;
    const of_rows job = {*of, *queries, chosen, group, hidden, first_row, n_rows, *lists};
    switch (of->rows.dtype) {
    case DV_F16:
        return launch_rows<DV_F16>(job, n_chosen, stream);
    case DV_BF16:
        return launch_rows<DV_BF16>(job, n_chosen, stream);
    case DV_F32:
        return launch_rows<DV_F32>(job, n_chosen, stream);
    case DV_F64:
        return launch_rows<DV_F64>(job, n_chosen, stream);
    }
    return cudaErrorInvalidValue;
}
