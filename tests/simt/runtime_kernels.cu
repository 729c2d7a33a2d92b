#include "runtime_kernels.h"

#include <cuda_fp16.h>
#include <float.h>

#include "kernels/launch.cuh"

static __global__ void add_one(int *values, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) values[i] += 1;
}

static __global__ void nothing(int) {}

int launch_add_one(int *values, int n, cudaStream_t stream) {
    return DV_LAUNCH(add_one, static_cast<unsigned>(n + 63) / 64, 64, 0, stream, values, n);
}

int launch_shape(unsigned grid_x, unsigned grid_y, unsigned block_x, size_t shared_bytes, cudaStream_t stream) {
    return DV_LAUNCH(nothing, dim3(grid_x, grid_y), block_x, shared_bytes, stream, 0);
}

int allow_shared(size_t bytes) {
    return cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}

static float half(unsigned short bits) {
    return __half2float(__ushort_as_half(bits));
}

static const struct {
    const char *name;
    bool right;
} intrinsics[] = {
    {"__popc", __popc(0xf0f0u) == 8 && __popcll(~0ull) == 64},
    {"__clz", __clz(0) == 32 && __clz(1) == 31 && __clz(-1) == 0 && __clzll(1) == 63 && __clzll(0) == 64},
    {"__ffs", __ffs(0) == 0 && __ffs(8) == 4 && __ffsll(1ll << 40) == 41},
    {"__brev", __brev(1u) == 0x80000000u && __brev(0x12345678u) == 0x1e6a2c48u},
    {"__funnelshift_r", __funnelshift_r(0x80000000u, 1u, 4) == 0x18000000u && __funnelshift_r(5u, 7u, 32) == 5u},
    {"__funnelshift_l", __funnelshift_l(0x80000000u, 1u, 4) == 0x18u && __funnelshift_l(5u, 7u, 0) == 7u},
    {"__umulhi", __umulhi(~0u, ~0u) == ~0u - 1 && __umul64hi(~0ull, 2) == 1},
    {"__dp4a", __dp4a(0x80ff0102, 0x80020304, 10) == 16384 - 2 + 3 + 8 + 10},
    {"__float_as_uint", __float_as_uint(-1.0f) == 0xbf800000u && __uint_as_float(0x40000000u) == 2.0f},
    {"__double_as_longlong", __double_as_longlong(1.0) == 0x3ff0000000000000ll},
    /* 1 + 2^-30 lies between 1 and the next float, 1 + 2^-23. */
    {"__double2float_ru", __double2float_ru(1.0 + 0x1p-30) == 1.0f + 0x1p-23f && __double2float_ru(1.0) == 1.0f},
    {"__double2float_rd",
     __double2float_rd(-1.0 - 0x1p-30) == -1.0f - 0x1p-23f && __double2float_rd(1.0 + 0x1p-30) == 1.0f},
    {"__double2float_ru of a large one", __double2float_ru(1e300) == INFINITY &&__double2float_rd(1e300) == FLT_MAX},
    {"__dsqrt_rn", __dsqrt_rn(2.0) == 1.4142135623730951 && __ddiv_rn(1.0, 3.0) == 0.3333333333333333},
    {"min", min(3u, 2u) == 2u && max(-1, 1) == 1 && min(double{NAN}, 2.0) == 2.0 && max(1.0f, NAN) == 1.0f},
    {"__half2float", half(0x3c00) == 1.0f && half(0xc000) == -2.0f && half(0x7bff) == 65504.0f && half(1) == 0x1p-24f},
    {"__half2float of infinity", half(0xfc00) == -INFINITY &&half(0x7e00) != half(0x7e00)},
};

const char *wrong_intrinsic(void) {
    for (const auto &each : intrinsics)
        if (!each.right) return each.name;
    return "";
}
