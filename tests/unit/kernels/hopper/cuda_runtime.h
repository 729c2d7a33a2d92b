/* cuda_runtime.h: the part of CUDA that filter_s8_wgmma.cu takes, for a model that runs each thread of a cluster as a
 * thread of the host. */
#ifndef HOPPER_CUDA_RUNTIME_H
#define HOPPER_CUDA_RUNTIME_H

#include <algorithm>
#include <stdint.h>

#define __device__
#define __global__
#define __grid_constant__
#define __launch_bounds__(...)

enum { cudaSuccess = 0, cudaErrorInvalidValue = 1 };
typedef struct CUstream_st *cudaStream_t;

struct hopper_index {
    unsigned x;
};
extern thread_local hopper_index threadIdx, blockIdx, gridDim;
using std::max;

void __syncthreads();
void __syncwarp();
/* Of values that are equal in a warp. */
inline int __shfl_sync(unsigned, int value, int) {
    return value;
}
inline uint32_t atomicAdd(uint32_t *at, uint32_t value) {
    return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
}

#endif
