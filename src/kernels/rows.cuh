/* rows.cuh: stored rows as doubles, and the canonical sums over them (docs/METRICS.md, "Cosine"), half a warp a row:
 * lane l holds partial l of the 16. Blocks are numbered along x alone; the 16 lanes of a half call together. */
#ifndef DV_KERNELS_ROWS_CUH
#define DV_KERNELS_ROWS_CUH

#include "denseval/dtype.h"
#include "kernels/launch.cuh"

#include <cuda_fp16.h>

enum : unsigned { DV_HALF = 16 };

__device__ inline unsigned dv_half_lane() {
    return threadIdx.x % DV_HALF;
}
__device__ inline unsigned dv_half_mask() {
    return 0xffffu << (threadIdx.x & DV_HALF);
}

/* The 16 partials to one sum, p[l] += p[l + o] for o = 8, 4, 2, 1; every lane gets it, for addition commutes. */
__device__ inline double dv_half_sum(double partial) {
    for (int o = DV_HALF / 2; o > 0; o /= 2)
        partial = __dadd_rn(partial, __shfl_xor_sync(dv_half_mask(), partial, o, DV_HALF));
    return partial;
}

__device__ inline double dv_half_largest(double value) {
    for (int o = DV_HALF / 2; o > 0; o /= 2) value = max(value, __shfl_xor_sync(dv_half_mask(), value, o, DV_HALF));
    return value;
}

/* Element i, exact for every format. */
template <dv_dtype DTYPE> __device__ inline double dv_element(const void *row, int64_t i) {
    if constexpr (DTYPE == DV_F16)
        return __half2float(__ushort_as_half(static_cast<const uint16_t *>(row)[i]));
    else if constexpr (DTYPE == DV_BF16)
        return __uint_as_float(static_cast<uint32_t>(static_cast<const uint16_t *>(row)[i]) << 16);
    else if constexpr (DTYPE == DV_F32)
        return static_cast<const float *>(row)[i];
    else
        return static_cast<const double *>(row)[i];
}

template <dv_dtype DTYPE> __device__ inline const void *dv_row_of(const void *data, int64_t row, int64_t dim) {
    constexpr int64_t size = DTYPE == DV_F64 ? 8 : DTYPE == DV_F32 ? 4 : 2;
    return static_cast<const unsigned char *>(data) + row * dim * size;
}

/* 2^exponent, -1074..1023. */
__device__ inline double dv_power_of_two(int exponent) {
    const long long bits = exponent >= -1022 ? static_cast<long long>(exponent + 1023) << 52 : 1ll << (exponent + 1074);
    return __longlong_as_double(bits);
}

/* The exponent e of value = m * 2^e, m in [0.5, 1), as frexp gives it; 0 for 0 and what is not finite. value >= 0 */
__device__ inline int dv_exponent_of(double value) {
    const long long bits = __double_as_longlong(value);
    const int field = static_cast<int>(bits >> 52);
    if (bits == 0 || field == 0x7ff) return 0;
    return field > 0 ? field - 1022 : 64 - __clzll(bits) - 1074;
}

/* 2^-exponent in two factors: src/host/search/dot.h, dv_scale_down. */
struct dv_factors {
    double first, second;
};
__device__ inline dv_factors dv_factors_of(int exponent) {
    if (exponent > 0) return dv_factors{1.0, dv_power_of_two(-exponent)};
    const int up = -exponent, step = up < 1000 ? up : 1000;
    return dv_factors{dv_power_of_two(step), dv_power_of_two(up - step)};
}

/* Element i of a row, scaled where it is f64. */
template <dv_dtype DTYPE> __device__ inline double dv_scaled_element(const void *row, int64_t i, dv_factors factors) {
    const double value = dv_element<DTYPE>(row, i);
    return DTYPE == DV_F64 ? __dmul_rn(__dmul_rn(value, factors.first), factors.second) : value;
}

#endif
