/* warp.cuh: lanes, and copies from global to shared memory that a thread waits for in groups (cp.async). */
#ifndef DV_KERNELS_WARP_CUH
#define DV_KERNELS_WARP_CUH

#include "kernels/launch.cuh"

enum : unsigned { DV_WARP = 32, DV_ALL_LANES = 0xffffffffu };

/* Of this thread, in a block whose threads are numbered along x alone. */
__device__ inline unsigned dv_lane() {
    return threadIdx.x % DV_WARP;
}

/* dv_cp_async16 starts a copy of 16 bytes; both addresses are multiples of 16, the target is shared memory. commit
 * closes a group of the copies that this thread started since the last one (it may be empty: commit one where nothing
 * is left to load, or the count of groups is off at the end). wait<N> returns when all groups of this thread but the N
 * last are there; other threads see them after a barrier. */
#ifdef __CUDACC__

__device__ inline void dv_cp_async16(void *shared, const void *global) {
    const unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(global) : "memory");
}
__device__ inline void dv_cp_async_commit() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int N> __device__ inline void dv_cp_async_wait() {
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

#else

inline void dv_cp_async16(void *shared, const void *global, const char *file = __builtin_FILE(),
                          int line = __builtin_LINE()) {
    simt_copy16(shared, global, file, line);
}
inline void dv_cp_async_commit() {
    simt_copy_commit();
}
template <int N> inline void dv_cp_async_wait() {
    simt_copy_wait(N);
}

#endif

#endif
