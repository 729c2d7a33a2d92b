/* Rows to norms and to 8-bit codes with measured distances, half a warp a row. Norms have the bits of the host. Codes
 * and distances need not: any code will do as long as what it leaves is measured (docs/EXACTNESS.md, 2 and 3). */
#include "kernels/rows.cuh"
#include "kernels/search.h"
#include "kernels/warp.cuh"

namespace {

enum : unsigned { THREADS = 256, ROWS_OF_A_BLOCK = THREADS / DV_HALF };

/* Which row this half warp has. */
__device__ int64_t own_row() {
    return static_cast<int64_t>(blockIdx.x) * ROWS_OF_A_BLOCK + threadIdx.x / DV_HALF;
}

unsigned n_blocks_for(int64_t n_rows) {
    return static_cast<unsigned>((n_rows + ROWS_OF_A_BLOCK - 1) / ROWS_OF_A_BLOCK);
}

template <dv_dtype DTYPE> __global__ void __launch_bounds__(THREADS) measure(dv_measured_rows of, float *peaks) {
    const int64_t index = own_row(), dim = static_cast<int64_t>(of.rows.dim);
    if (index >= static_cast<int64_t>(of.rows.n_rows)) return; /* the whole half */
    const void *const row = dv_row_of<DTYPE>(of.rows.data, index, dim);
    double largest = 0.0;
    for (int64_t i = dv_half_lane(); i < dim; i += DV_HALF) largest = max(largest, fabs(dv_element<DTYPE>(row, i)));
    largest = dv_half_largest(largest);
    const int exponent = DTYPE == DV_F64 ? dv_exponent_of(largest) : 0;
    const dv_factors factors = dv_factors_of(exponent);
    double partial = 0.0;
    for (int64_t i = dv_half_lane(); i < dim; i += DV_HALF) {
        const double value = dv_scaled_element<DTYPE>(row, i, factors);
        partial = __dadd_rn(partial, __dmul_rn(value, value));
    }
    const double norm = __dsqrt_rn(dv_half_sum(partial));
    if (dv_half_lane() != 0) return;
    of.norms[index] = norm;
    if (DTYPE == DV_F64) of.exponents[index] = exponent;
    peaks[index] = norm > 0.0 ? static_cast<float>(largest * factors.first * factors.second / norm) : 0.0F;
}

/* dv_norm_bound of the host as a float that is no smaller. */
__device__ float norm_bound(double sum_of_squares) {
    return __double2float_ru(__dsqrt_rn(sum_of_squares) * (1.0 + 0x1p-38) + 0x1p-38);
}

struct coded {
    double distance; /* sum of (t - scale * code)^2 over the row, t an element of the unit row */
    double length;   /* sum of code^2 */
};

/* Codes of one row, dim_padded of them; values (or NULL) gets the scaled elements. */
template <dv_dtype DTYPE>
__device__ coded encode(const dv_measured_rows &of, int64_t index, float scale, int64_t dim_padded, int8_t *codes,
                        double *values) {
    const int64_t dim = static_cast<int64_t>(of.rows.dim);
    const void *const row = dv_row_of<DTYPE>(of.rows.data, index, dim);
    const dv_factors factors = dv_factors_of(DTYPE == DV_F64 ? of.exponents[index] : 0);
    const double norm = of.norms[index], inverse_norm = norm > 0.0 ? 1.0 / norm : 0.0;
    const double inverse = 1.0 / static_cast<double>(scale);
    coded sums = {0.0, 0.0};
    for (int64_t i = dv_half_lane(); i < dim_padded; i += DV_HALF) {
        const double value = i < dim ? dv_scaled_element<DTYPE>(row, i, factors) : 0.0;
        if (values && i < dim) values[i] = value;
        const double t = value * inverse_norm;
        const double code = rint(max(-127.0, min(127.0, t * inverse)));
        const double rest = t - static_cast<double>(scale) * code;
        sums.distance += rest * rest;
        sums.length += code * code;
        codes[i] = static_cast<int8_t>(static_cast<int>(code));
    }
    return coded{dv_half_sum(sums.distance), dv_half_sum(sums.length)};
}

__device__ void clear(int64_t dim_padded, int8_t *codes) {
    for (int64_t i = dv_half_lane(); i < dim_padded; i += DV_HALF) codes[i] = 0;
}

template <dv_dtype DTYPE>
__global__ void __launch_bounds__(THREADS) encode_bank(dv_measured_rows of, dv_bank_codes bank) {
    const int64_t position = own_row();
    if (position >= bank.n_tiles * DV_CODED_TILE) return;
    int8_t *const codes = bank.codes + position * bank.dim_padded;
    const int64_t tile = position / DV_CODED_TILE;
    const int32_t row = bank.rows[position];
    if (row < 0) {
        clear(bank.dim_padded, codes);
        return;
    }
    const coded sums = encode<DTYPE>(of, row, bank.scales[tile], bank.dim_padded, codes, nullptr);
    /* Floats that are not negative are ordered as their bits. */
    if (dv_half_lane() == 0)
        atomicMax(reinterpret_cast<unsigned *>(bank.slacks) + tile, __float_as_uint(norm_bound(sums.distance)));
}

template <dv_dtype DTYPE>
__global__ void __launch_bounds__(THREADS)
    encode_queries(dv_measured_rows of, const float *peaks, int64_t dim_padded, double *values, dv_query_codes out) {
    const int64_t query = own_row();
    if (query >= out.n_padded) return;
    int8_t *const codes = out.codes + query * dim_padded;
    const float peak = query < out.n ? peaks[query] : 0.0F, scale = (peak > 0.0F ? peak : 1.0F) / 127.0F;
    coded sums = {0.0, 0.0};
    if (query < out.n)
        sums = encode<DTYPE>(of, query, scale, dim_padded, codes, values + query * static_cast<int64_t>(of.rows.dim));
    else
        clear(dim_padded, codes);
    if (dv_half_lane() != 0) return;
    out.scales[query] = scale;
    out.reaches[query] = norm_bound(static_cast<double>(scale) * static_cast<double>(scale) * sums.length);
    out.rests[query] = norm_bound(sums.distance);
}

template <dv_dtype DTYPE> int launch_measure(const dv_measured_rows &of, float *peaks, dv_stream stream) {
    const unsigned n_blocks = n_blocks_for(static_cast<int64_t>(of.rows.n_rows));
    return DV_LAUNCH(measure<DTYPE>, n_blocks, THREADS, 0, stream, of, peaks);
}

template <dv_dtype DTYPE> int launch_bank(const dv_measured_rows &of, const dv_bank_codes &bank, dv_stream stream) {
    const unsigned n_blocks = n_blocks_for(bank.n_tiles * DV_CODED_TILE);
    return DV_LAUNCH(encode_bank<DTYPE>, n_blocks, THREADS, 0, stream, of, bank);
}

template <dv_dtype DTYPE>
int launch_queries(const dv_measured_rows &of, const float *peaks, int64_t dim_padded, double *values,
                   const dv_query_codes &codes, dv_stream stream) {
    return DV_LAUNCH(encode_queries<DTYPE>, n_blocks_for(codes.n_padded), THREADS, 0, stream, of, peaks, dim_padded,
                     values, codes);
}

} // namespace

int dv_launch_measure(const dv_measured_rows *of, float *peaks, dv_stream stream) {
    if (of->rows.n_rows == 0) return cudaSuccess;
    switch (of->rows.dtype) {
    case DV_F16:
        return launch_measure<DV_F16>(*of, peaks, stream);
    case DV_BF16:
        return launch_measure<DV_BF16>(*of, peaks, stream);
    case DV_F32:
        return launch_measure<DV_F32>(*of, peaks, stream);
    case DV_F64:
        return launch_measure<DV_F64>(*of, peaks, stream);
    }
    return cudaErrorInvalidValue;
}

int dv_launch_encode_bank(const dv_measured_rows *of, const dv_bank_codes *bank, dv_stream stream) {
    const size_t n_bytes = static_cast<size_t>(bank->n_tiles) * sizeof *bank->slacks;
    const int cleared = cudaMemsetAsync(bank->slacks, 0, n_bytes, stream);
    if (cleared != cudaSuccess) return cleared;
    switch (of->rows.dtype) {
    case DV_F16:
        return launch_bank<DV_F16>(*of, *bank, stream);
    case DV_BF16:
        return launch_bank<DV_BF16>(*of, *bank, stream);
    case DV_F32:
        return launch_bank<DV_F32>(*of, *bank, stream);
    case DV_F64:
        return launch_bank<DV_F64>(*of, *bank, stream);
    }
    return cudaErrorInvalidValue;
}

int dv_launch_encode_queries(const dv_measured_rows *of, const float *peaks, int64_t dim_padded,
                             const dv_prepared_queries *queries, const dv_query_codes *codes, dv_stream stream) {
    if (codes->n_padded == 0) return cudaSuccess;
    switch (of->rows.dtype) {
    case DV_F16:
        return launch_queries<DV_F16>(*of, peaks, dim_padded, queries->values, *codes, stream);
    case DV_BF16:
        return launch_queries<DV_BF16>(*of, peaks, dim_padded, queries->values, *codes, stream);
    case DV_F32:
        return launch_queries<DV_F32>(*of, peaks, dim_padded, queries->values, *codes, stream);
    case DV_F64:
        return launch_queries<DV_F64>(*of, peaks, dim_padded, queries->values, *codes, stream);
    }
    return cudaErrorInvalidValue;
}
