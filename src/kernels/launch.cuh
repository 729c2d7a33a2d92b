/* launch.cuh: how kernels are launched and get shared memory; the only place that knows whether nvcc compiles them or,
 * for the tests, a host compiler with the emulator of tests/simt. Every file of kernels includes this one first. */
#ifndef DV_KERNELS_LAUNCH_CUH
#define DV_KERNELS_LAUNCH_CUH

#include <cuda_runtime.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__

/* DV_LAUNCH(kernel, grid, block, shared_bytes, stream, arguments...) queues a kernel; its value is an int, 0 or the
 * cudaError_t of the launch. A template with commas stands in parentheses: DV_LAUNCH((scan<128, 3>), ...). */
#define DV_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)                                                      \
    (kernel<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__), static_cast<int>(cudaGetLastError()))

/* Before a loop: its body is written out, so that an array that it indexes stays in registers. */
#define DV_UNROLL _Pragma("unroll")

/* Shared memory of a size that the compiler knows: one variable, or an array of n. Not initialised. */
#define DV_SHARED(type, name) __shared__ type name
#define DV_SHARED_ARRAY(type, name, n) __shared__ type name[n]

/* DV_SHARED_PART(type, name, offset, n): n elements from byte `offset` of the shared memory that the launch asked for.
 * offset is a multiple of 16; a part is reached through its own name only (the emulator puts guards between parts), and
 * parts that overlap are equal in place and size. */
extern __shared__ __align__(128) unsigned char dv_dynamic_shared[];
#define DV_SHARED_PART(type, name, offset, n) type *const name = reinterpret_cast<type *>(dv_dynamic_shared + (offset))

#else
#include <simt_launch.h>
#define DV_UNROLL
#endif

#endif
