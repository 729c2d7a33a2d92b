/* scan_portable.c: plain loops, what the other kernels are compared with. */
#include "device/cpu/kernels/emit.h"
#include "device/cpu/kernels/kernels.h"

static bool usable(void) {
    return true;
}

/* Sums of one query with one group of rows. */
static void products(const int8_t *query, const int8_t *rows, size_t dim_padded, int32_t *restrict sums) {
    for (size_t r = 0; r < DV_GROUP_ROWS; r++) sums[r] = 0;
    for (size_t i = 0; i < dim_padded; i += 4) {
        const int8_t *q = query + i / DV_CODE_STEP * DV_GROUP_ROWS * DV_CODE_STEP + i % DV_CODE_STEP;
        const int8_t *x = rows + i * DV_GROUP_ROWS;
        for (size_t r = 0; r < DV_GROUP_ROWS; r++)
            sums[r] += q[0] * x[r * 4] + q[1] * x[r * 4 + 1] + q[2] * x[r * 4 + 2] + q[3] * x[r * 4 + 3];
    }
}

static const int8_t *query_codes(const dv_scan_block *block, size_t q) {
    return block->codes + q / DV_GROUP_ROWS * DV_GROUP_ROWS * block->dim_padded + q % DV_GROUP_ROWS * DV_CODE_STEP;
}

static void scan(const dv_scan_block *block, const dv_code_tile *tile) {
    dv_find_thresholds(block, tile);
    for (size_t q = 0; q < block->n; q++) {
        if (block->thresholds[q] == DV_NEVER) continue;
        for (size_t g = 0; g < tile->n_groups; g++) {
            int32_t sums[DV_GROUP_ROWS];
            products(query_codes(block, q), tile->codes + g * DV_GROUP_ROWS * block->dim_padded, block->dim_padded,
                     sums);
            uint32_t passed = 0;
            for (size_t r = 0; r < DV_GROUP_ROWS; r++) passed |= (uint32_t)(sums[r] >= block->thresholds[q]) << r;
            if (passed) dv_emit(block, tile, q, g * DV_GROUP_ROWS, passed, sums);
        }
    }
}

static void find_peaks(const dv_scan_block *block, const dv_code_tile *tile, int32_t *peaks) {
    for (size_t q = 0; q < block->n; q++)
        for (size_t g = 0; g < tile->n_groups; g++) {
            int32_t sums[DV_GROUP_ROWS];
            products(query_codes(block, q), tile->codes + g * DV_GROUP_ROWS * block->dim_padded, block->dim_padded,
                     sums);
            dv_take_peaks(block, tile, q, g * DV_GROUP_ROWS, sums, peaks + q * DV_GROUP_ROWS);
        }
}

const dv_scan_kernel dv_scan_portable = {
    .name = "portable", .rate = 12, .usable = usable, .scan = scan, .peaks = find_peaks};
