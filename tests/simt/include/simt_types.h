/* simt_types.h: the words and types that CUDA adds to C++, and where a thread stands. */
#ifndef SIMT_TYPES_H
#define SIMT_TYPES_H

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
struct uint3 {
    unsigned x, y, z;
};
#define SIMT_VECTORS(element, name)                                                                                    \
    struct alignas(2 * sizeof(element)) name##2 {                                                                      \
        element x, y;                                                                                                  \
    };                                                                                                                 \
    struct alignas(sizeof(element) == 8 ? 16 : 4 * sizeof(element)) name##4 {                                          \
        element x, y, z, w;                                                                                            \
    };                                                                                                                 \
    inline name##2 make_##name##2(element x, element y) {                                                              \
        return name##2 {x, y};                                                                                         \
    }                                                                                                                  \
    inline name##4 make_##name##4(element x, element y, element z, element w) {                                        \
        return name##4 {x, y, z, w};                                                                                   \
    }
SIMT_VECTORS(signed char, char)
SIMT_VECTORS(unsigned char, uchar)
SIMT_VECTORS(short, short)
SIMT_VECTORS(unsigned short, ushort)
SIMT_VECTORS(int, int)
SIMT_VECTORS(unsigned, uint)
SIMT_VECTORS(long long, longlong)
SIMT_VECTORS(unsigned long long, ulonglong)
SIMT_VECTORS(float, float)
SIMT_VECTORS(double, double)
#undef SIMT_VECTORS

/* By value and through functions: the emulator's own memory must not be seen by the race detector. */
uint3 simt_thread_index();
uint3 simt_block_index();
dim3 simt_block_size();
dim3 simt_grid_size();
#define threadIdx (simt_thread_index())
#define blockIdx (simt_block_index())
#define blockDim (simt_block_size())
#define gridDim (simt_grid_size())
constexpr int warpSize = 32;

#endif
