/* A small product of 8-bit matrices, made as the large kernels are (staged copies, swizzled rows, ldmatrix, mma), and
 * the faults that such a kernel can have. */
#include "faults.h"
#include "kernels/mma.cuh"
#include "kernels/warp.cuh"

namespace {

enum product_fault {
    NONE,
    NO_BARRIER,        /* between the wait for a stage and its use */
    REFILL_EARLY,      /* the next copies start before all have read what was there */
    WAIT_TOO_FEW,      /* one group fewer than needed */
    NO_EMPTY_COMMIT,   /* at the end, where nothing is left to load */
    WRONG_SWIZZLE,     /* of the reader alone */
    SWAPPED_B,         /* registers of B taken in the order of A */
    SWAPPED_C,         /* rows for columns */
    NO_TAIL,           /* rows past the end are not left out */
    MISALIGNED_MATRIX, /* ldmatrix from a half chunk */
    MATRIX_BY_HALF,    /* ldmatrix by some lanes only */
    BARRIER_BY_HALF,   /* __syncthreads by some warps only */
    STAGE_TOO_SMALL,   /* the last stage is past the shared memory */
    UNWAITED           /* copies that nobody waits for at the end */
};

/* A block: 32 rows of A and 32 of B, 64 bytes of each a step, 4 warps of 16 x 16. */
constexpr int tile = 32, step = 64, n_chunks = step / 16, n_stages = 3, stage_bytes = 2 * tile * step;

__device__ inline int swizzled(int row, int chunk) {
    return row * step + (chunk ^ ((row >> 1) & (n_chunks - 1))) * 16;
}

template <product_fault FAULT>
__device__ void load(int8_t *stage, const int8_t *a, const int8_t *b, int first_a, int first_b, int k, int at) {
    for (int i = static_cast<int>(threadIdx.x); i < 2 * tile * n_chunks; i += static_cast<int>(blockDim.x)) {
        const bool of_b = i >= tile * n_chunks;
        const int row = i / n_chunks % tile, chunk = i % n_chunks;
        const int8_t *const source = (of_b ? b + (first_b + row) * k : a + (first_a + row) * k) + at + chunk * 16;
        dv_cp_async16(stage + (of_b ? tile * step : 0) + swizzled(row, chunk), source);
    }
}

template <product_fault FAULT> __device__ inline const int8_t *chunk_of(const int8_t *rows, int row, int chunk) {
    if (FAULT == WRONG_SWIZZLE) return rows + row * step + (chunk ^ (row & (n_chunks - 1))) * 16;
    return rows + swizzled(row, chunk) + (FAULT == MISALIGNED_MATRIX ? 8 : 0);
}

template <product_fault FAULT> __device__ void multiply(const int8_t *stage, int row_a, int row_b, int32_t (&c)[2][4]) {
    const int lane = static_cast<int>(dv_lane());
    for (int chunk = 0; chunk < n_chunks; chunk += 2) {
        uint32_t a[4], b[4];
        dv_ldmatrix_x4(a, chunk_of<FAULT>(stage, row_a + lane % 16, chunk + lane / 16));
        const int of_b = row_b + (lane >> 4) * 8 + (lane & 7), half = lane >> 3 & 1;
        if (FAULT == MATRIX_BY_HALF && lane >= 16) continue;
        dv_ldmatrix_x4(b, chunk_of<FAULT>(stage + tile * step, of_b, chunk + half));
        dv_mma_s8(c[0], a, b[0], b[FAULT == SWAPPED_B ? 2 : 1]);
        dv_mma_s8(c[1], a, b[FAULT == SWAPPED_B ? 1 : 2], b[3]);
    }
}

template <product_fault FAULT>
__device__ void store(int32_t *c, const int32_t (&sums)[2][4], int row_a, int row_b, int rows_b) {
    const int g = static_cast<int>(dv_lane()) / 4, t = static_cast<int>(dv_lane()) % 4;
    for (int half = 0; half < 2; half++)
        for (int r = 0; r < 4; r++) {
            const int up = FAULT == SWAPPED_C ? r & 1 : r >> 1, right = FAULT == SWAPPED_C ? r >> 1 : r & 1;
            const int column = row_b + 8 * half + 2 * t + right;
            if (FAULT == NO_TAIL || column < rows_b) c[(row_a + g + 8 * up) * rows_b + column] = sums[half][r];
        }
}

/* c [rows_a, rows_b] = a [rows_a, k] b [rows_b, k]^T; memory of b is there for whole tiles, that of c is not. */
template <product_fault FAULT>
__global__ void product(const int8_t *a, const int8_t *b, int32_t *c, int rows_b, int k) {
    DV_SHARED_PART(int8_t, stages, 0, n_stages * stage_bytes - (FAULT == STAGE_TOO_SMALL ? 16 : 0));
    const int first_a = static_cast<int>(blockIdx.y) * tile, first_b = static_cast<int>(blockIdx.x) * tile;
    const int warp = static_cast<int>(threadIdx.x / DV_WARP), row_a = warp / 2 * 16, row_b = warp % 2 * 16;
    const int n_steps = k / step;
    int32_t sums[2][4] = {};
    for (int i = 0; i < n_stages - 1; i++) {
        if (i < n_steps) load<FAULT>(stages + i * stage_bytes, a, b, first_a, first_b, k, i * step);
        dv_cp_async_commit();
    }
    for (int i = 0; i < n_steps; i++) {
        const int next = i + n_stages - 1;
        int8_t *const free_stage = stages + next % n_stages * stage_bytes;
        if (FAULT == REFILL_EARLY && next < n_steps) load<FAULT>(free_stage, a, b, first_a, first_b, k, next * step);
        dv_cp_async_wait<n_stages - 2 + (FAULT == WAIT_TOO_FEW)>();
        if (FAULT != NO_BARRIER && (FAULT != BARRIER_BY_HALF || warp < 2)) __syncthreads();
        if (FAULT != REFILL_EARLY && next < n_steps + (FAULT == UNWAITED))
            load<FAULT>(free_stage, a, b, first_a, first_b, k, next % n_steps * step);
        if (FAULT != NO_EMPTY_COMMIT || next < n_steps) dv_cp_async_commit();
        multiply<FAULT>(stages + i % n_stages * stage_bytes, row_a, row_b, sums);
    }
    if (FAULT != UNWAITED) dv_cp_async_wait<0>();
    store<FAULT>(c, sums, first_a + row_a, first_b + row_b, rows_b);
}

std::vector<int8_t> random_bytes(size_t n, unsigned seed) {
    std::vector<int8_t> all(n);
    for (int8_t &each : all) {
        seed = seed * 1664525u + 1013904223u;
        each = static_cast<int8_t>(seed >> 24);
    }
    for (size_t i = 0; i < n; i += 7) all[i] = -128; /* the largest product */
    return all;
}

template <product_fault FAULT> bool right_product() {
    constexpr int rows_a = 64, rows_b = 90, padded_b = 96, k = 5 * step;
    const std::vector<int8_t> a = random_bytes(rows_a * k, 1), b = random_bytes(padded_b * k, 2);
    const on_device<int8_t> a_there(a), b_there(b);
    const on_device<int32_t> c_there(std::vector<int32_t>(rows_a * rows_b, -1));
    must(DV_LAUNCH(product<FAULT>, dim3(padded_b / tile, rows_a / tile), 128, n_stages * stage_bytes, nullptr,
                   a_there.get(), b_there.get(), c_there.get(), rows_b, k));
    const std::vector<int32_t> c = c_there.content();
    for (int i = 0; i < rows_a; i++)
        for (int j = 0; j < rows_b; j++) {
            int32_t sum = 0;
            for (int at = 0; at < k; at++) sum += a[i * k + at] * b[j * k + at];
            if (c[i * rows_b + j] != sum) return false;
        }
    return true;
}

} // namespace

const fault product_faults[] = {
    {"product", right_product<NONE>},
    {"no_barrier", right_product<NO_BARRIER>},
    {"refill_early", right_product<REFILL_EARLY>},
    {"wait_too_few", right_product<WAIT_TOO_FEW>},
    {"no_empty_commit", right_product<NO_EMPTY_COMMIT>},
    {"wrong_swizzle", right_product<WRONG_SWIZZLE>},
    {"swapped_b", right_product<SWAPPED_B>},
    {"swapped_c", right_product<SWAPPED_C>},
    {"no_tail", right_product<NO_TAIL>},
    {"misaligned_matrix", right_product<MISALIGNED_MATRIX>},
    {"matrix_by_half", right_product<MATRIX_BY_HALF>},
    {"barrier_by_half", right_product<BARRIER_BY_HALF>},
    {"stage_too_small", right_product<STAGE_TOO_SMALL>},
    {"unwaited", right_product<UNWAITED>},
    {nullptr, nullptr},
};
