/* Kernels of a few lines with one fault each, and their right twins. */
#include "faults.h"
#include "kernels/warp.cuh"

#include "simt.h"

namespace {

constexpr unsigned n_threads = 128;

/* The sum of 0 .. n_threads - 1, of what threads left in shared memory. */
template <bool HAS_BARRIER, unsigned N_SLOTS> __global__ void shared_sum(int *sum) {
    DV_SHARED_ARRAY(int, slots, N_SLOTS);
    slots[threadIdx.x] = static_cast<int>(threadIdx.x);
    if (HAS_BARRIER) __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (unsigned i = 0; i < n_threads; i++) total += slots[i];
        *sum = total;
    }
}

/* Slot 5 keeps what the memory held before. */
__global__ void unwritten_sum(int *sum) {
    DV_SHARED_ARRAY(int, slots, n_threads);
    if (threadIdx.x != 5) slots[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 5;
        for (unsigned i = 0; i < n_threads; i++) total += slots[i] & (i == 5 ? 0x100 : ~0);
        *sum = total;
    }
}

/* 16 slots a warp, written and read by its own lanes. */
template <bool HAS_BARRIER> __global__ void warp_sum(int *sum) {
    DV_SHARED_ARRAY(int, slots, n_threads);
    const unsigned lane = dv_lane();
    slots[threadIdx.x] = static_cast<int>(threadIdx.x);
    if (HAS_BARRIER) __syncwarp();
    const int pair = slots[threadIdx.x] + slots[threadIdx.x ^ 1u];
    if (lane % 2 == 0) atomicAdd(sum, pair);
}

template <bool IS_ATOMIC> __global__ void count(int *sum) {
    if (IS_ATOMIC)
        atomicAdd(sum, static_cast<int>(threadIdx.x));
    else
        *sum = *sum + static_cast<int>(threadIdx.x);
}

/* Of two blocks of which only one should write. */
template <bool IS_FAULTY> __global__ void two_blocks(int *sum) {
    if (threadIdx.x == 0 && (IS_FAULTY || blockIdx.x == 0)) *sum = n_threads * (n_threads - 1) / 2;
}

enum shuffle_fault { NO_FAULT, OUTSIDE_MASK, EXITED_LANES, FROM_OUTSIDE, TWO_MASKS };

template <shuffle_fault FAULT> __global__ void shuffled_sum(int *sum) {
    const unsigned lane = dv_lane();
    if (FAULT == EXITED_LANES && threadIdx.x >= 48 && threadIdx.x < 50) return;
    const unsigned half = lane < 16 ? 0xffffu : 0xffff0000u;
    const unsigned mask = FAULT == NO_FAULT || FAULT == FROM_OUTSIDE ? half
                          : FAULT == TWO_MASKS && lane < 16          ? half
                          : FAULT == OUTSIDE_MASK                    ? 0xffffu
                                                                     : DV_ALL_LANES;
    int value = static_cast<int>(threadIdx.x);
    for (int offset = FAULT == FROM_OUTSIDE ? 16 : 8; offset > 0; offset /= 2)
        value += __shfl_xor_sync(mask, value, offset);
    if (lane % 16 == 0) atomicAdd(sum, value);
}

template <bool IS_FAULTY> __global__ void barrier_after_exit(int *sum) {
    if (IS_FAULTY && threadIdx.x >= 96) return;
    __syncthreads();
    if (threadIdx.x == 0) *sum = n_threads * (n_threads - 1) / 2;
}

__global__ void two_barriers(int *sum) {
    if (threadIdx.x < 64)
        __syncthreads();
    else
        __syncthreads();
    if (threadIdx.x == 0) *sum = n_threads * (n_threads - 1) / 2;
}

/* sum[1] does not exist. */
__global__ void write_past_end(int *sum) {
    if (threadIdx.x == 0) *sum = n_threads * (n_threads - 1) / 2;
    if (threadIdx.x == 1) sum[1] = 7;
}
__global__ void read_past_end(int *sum) {
    if (threadIdx.x == 0) *sum = n_threads * (n_threads - 1) / 2 + (sum[1] == 1);
}

__global__ void copy_to_global(int *sum) {
    dv_cp_async16(sum, sum);
}

bool is_sum(void (*kernel)(int *), unsigned n_blocks = 1) {
    const on_device<int> sum(std::vector<int>(1, 0));
    must(DV_LAUNCH(kernel, n_blocks, n_threads, 0, nullptr, sum.get()));
    return sum.content()[0] == n_threads * (n_threads - 1) / 2;
}

/* Every intrinsic that lanes do together, against what each lane can tell for itself. */
__global__ void collectives(unsigned *wrong) {
    const unsigned lane = dv_lane();
    bool right = __ballot_sync(DV_ALL_LANES, lane % 3 == 0) == 0x49249249u;
    right &= __any_sync(DV_ALL_LANES, lane == 31) == 1 && __any_sync(DV_ALL_LANES, 0) == 0;
    right &= __all_sync(DV_ALL_LANES, 1) == 1 && __all_sync(DV_ALL_LANES, lane != 7) == 0;
    right &= __match_any_sync(DV_ALL_LANES, lane / 8) == 0xffu << lane / 8 * 8;
    right &= __shfl_sync(DV_ALL_LANES, 0.5 * lane, 13) == 6.5;
    right &= __shfl_sync(DV_ALL_LANES, lane, 3, 8) == lane / 8 * 8 + 3;
    right &= __shfl_up_sync(DV_ALL_LANES, lane, 2) == (lane < 2 ? lane : lane - 2);
    right &= __shfl_down_sync(DV_ALL_LANES, lane, 2, 16) == (lane % 16 >= 14 ? lane : lane + 2);
    right &= __shfl_xor_sync(DV_ALL_LANES, 1ull << lane, 5) == 1ull << (lane ^ 5);
    if (lane < 7) right &= __shfl_sync(0x7fu, lane, 6) == 6 && __ballot_sync(0x7fu, 1) == 0x7fu;
    if (!right) atomicAdd(wrong, 1u);
}

bool right_collectives() {
    const on_device<unsigned> wrong(std::vector<unsigned>(1, 0));
    must(DV_LAUNCH(collectives, 3, 64, 0, nullptr, wrong.get()));
    return wrong.content()[0] == 0;
}

/* The host takes an address of the device for its own. */
bool host_read() {
    const on_device<int> sum(std::vector<int>(1, 7));
    return *sum.get() == 7;
}

} // namespace

const fault small_faults[] = {
    {"collectives", right_collectives},
    {"shared_sum", [] { return is_sum(shared_sum<true, n_threads>); }},
    {"shared_without_barrier", [] { return is_sum(shared_sum<false, n_threads>); }},
    {"shared_too_small", [] { return is_sum(shared_sum<true, n_threads - 1>); }},
    {"unwritten_shared", [] { return is_sum(unwritten_sum); }},
    {"warp_sum", [] { return is_sum(warp_sum<true>); }},
    {"warp_without_barrier", [] { return is_sum(warp_sum<false>); }},
    {"count", [] { return is_sum(count<true>); }},
    {"count_without_atomic", [] { return is_sum(count<false>); }},
    {"one_block_writes", [] { return is_sum(two_blocks<false>, 2); }},
    {"two_blocks_write", [] { return is_sum(two_blocks<true>, 2); }},
    {"shuffled_sum", [] { return is_sum(shuffled_sum<NO_FAULT>); }},
    {"lane_outside_mask", [] { return is_sum(shuffled_sum<OUTSIDE_MASK>); }},
    {"exited_lanes", [] { return is_sum(shuffled_sum<EXITED_LANES>); }},
    {"shuffle_from_outside", [] { return is_sum(shuffled_sum<FROM_OUTSIDE>); }},
    {"two_masks", [] { return is_sum(shuffled_sum<TWO_MASKS>); }},
    {"barrier", [] { return is_sum(barrier_after_exit<false>); }},
    {"barrier_after_exit", [] { return is_sum(barrier_after_exit<true>); }},
    {"two_barriers", [] { return is_sum(two_barriers); }},
    {"write_past_end", [] { return is_sum(write_past_end); }},
    {"read_past_end", [] { return is_sum(read_past_end); }},
    {"copy_to_global", [] { return is_sum(copy_to_global); }},
    {"host_read", host_read},
    {nullptr, nullptr},
};
