/* scan_avx512vnni.c: VPDPBUSD multiplies bytes without sign, the biased queries, by bytes with one, and adds four
 * products at once. What the bias adds, 128 times the sum of the row's codes, is what the sums begin without. */
#include "device/cpu/kernels/emit_avx512.h"
#include "device/cpu/kernels/kernels.h"

#if defined(__x86_64__)
#include <string.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")))
#define INLINE static inline __attribute__((always_inline, target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")))

enum { QUERIES = 8 }; /* eight queries by 32 rows: 16 accumulators, which the compiler keeps in registers */

static bool usable(void) {
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vnni");
}

/* Reports what passed, or takes all into the peaks where those are wanted. */
INLINE void finish(const dv_scan_block *block, const dv_code_tile *tile, size_t q, size_t at, __m512i sums,
                   int32_t *peaks) {
    if (peaks) {
        dv_take_peaks_avx512(block, tile, q, at, sums, peaks + q * DV_GROUP_ROWS);
        return;
    }
    const __mmask16 passed = _mm512_cmpge_epi32_mask(sums, _mm512_set1_epi32(block->thresholds[q]));
    if (!passed) return;
    int32_t stored[DV_GROUP_ROWS];
    _mm512_storeu_si512(stored, sums);
    dv_emit(block, tile, q, at, passed, stored);
}

INLINE __m512i broadcast(const int8_t *codes) {
    int32_t four;
    memcpy(&four, codes, sizeof four);
    return _mm512_set1_epi32(four);
}

/* Two groups of rows. */
INLINE void scan_groups(const dv_scan_block *block, const dv_code_tile *tile, const int8_t *queries, size_t q, size_t g,
                        int32_t *peaks) {
    const size_t dim_padded = block->dim_padded;
    const int8_t *low_rows = tile->codes + g * DV_GROUP_ROWS * dim_padded;
    const int8_t *high_rows = low_rows + DV_GROUP_ROWS * dim_padded;
    const __m512i low_offsets = _mm512_loadu_si512(tile->offsets + g * DV_GROUP_ROWS);
    const __m512i high_offsets = _mm512_loadu_si512(tile->offsets + (g + 1) * DV_GROUP_ROWS);
    __m512i low[QUERIES], high[QUERIES];
    for (size_t j = 0; j < QUERIES; j++) low[j] = low_offsets, high[j] = high_offsets;
    for (size_t step = 0; step < dim_padded; step += DV_CODE_STEP)
        for (size_t i = 0; i < DV_CODE_STEP; i += 4) {
            const __m512i x_low = _mm512_load_si512(low_rows + (step + i) * DV_GROUP_ROWS);
            const __m512i x_high = _mm512_load_si512(high_rows + (step + i) * DV_GROUP_ROWS);
            const int8_t *from = queries + step * DV_GROUP_ROWS + i;
#pragma GCC unroll 8
            for (size_t j = 0; j < QUERIES; j++) {
                const __m512i query = broadcast(from + j * DV_CODE_STEP);
                low[j] = _mm512_dpbusd_epi32(low[j], query, x_low);
                high[j] = _mm512_dpbusd_epi32(high[j], query, x_high);
            }
        }
    for (size_t j = 0; j < QUERIES; j++) {
        finish(block, tile, q + j, g * DV_GROUP_ROWS, low[j], peaks);
        finish(block, tile, q + j, (g + 1) * DV_GROUP_ROWS, high[j], peaks);
    }
}

INLINE void scan_all(const dv_scan_block *block, const dv_code_tile *tile, int32_t *peaks) {
    for (size_t g = 0; g < tile->n_groups; g += 2)
        for (size_t q = 0; q < block->n; q += QUERIES) {
            const int8_t *queries =
                block->codes + q / DV_GROUP_ROWS * DV_GROUP_ROWS * block->dim_padded + q % DV_GROUP_ROWS * DV_CODE_STEP;
            scan_groups(block, tile, queries, q, g, peaks);
        }
}

TARGET static void scan(const dv_scan_block *block, const dv_code_tile *tile) {
    dv_find_thresholds(block, tile);
    scan_all(block, tile, NULL);
}

TARGET static void find_peaks(const dv_scan_block *block, const dv_code_tile *tile, int32_t *peaks) {
    scan_all(block, tile, peaks);
}

const dv_scan_kernel dv_scan_avx512vnni = {
    .name = "avx512vnni", .rate = 240, .biased = true, .usable = usable, .scan = scan, .peaks = find_peaks};
#endif
