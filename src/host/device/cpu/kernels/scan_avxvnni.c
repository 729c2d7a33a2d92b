/* scan_avxvnni.c: VPDPBUSD in 256 bits multiplies bytes without sign, the biased queries, by bytes with one, and adds
 * four products at once. What the bias adds, 128 times the sum of the row's codes, is what the sums begin without. */
#include "device/cpu/kernels/cpu_features.h"
#include "device/cpu/kernels/kernels.h"

#if defined(__x86_64__)
#include "device/cpu/kernels/emit_avx2.h"

#define TARGET __attribute__((target("avx2,avxvnni")))
#define INLINE static inline __attribute__((always_inline, target("avx2,avxvnni")))

enum { QUERIES = 4 }; /* four queries by 16 rows: eight accumulators */

static bool usable(void) {
    return __builtin_cpu_supports("avx2") && dv_cpu_has_avxvnni();
}

INLINE void scan_group(const dv_scan_block *block, const dv_code_tile *tile, const int8_t *queries, size_t q, size_t g,
                       int32_t *peaks) {
    const int8_t *rows = tile->codes + g * DV_GROUP_ROWS * block->dim_padded;
    __m256i sums[QUERIES][2];
    const int32_t *offsets = tile->offsets + g * DV_GROUP_ROWS;
    for (size_t i = 0; i < QUERIES; i++) {
        sums[i][0] = _mm256_loadu_si256((const __m256i *)(const void *)offsets);
        sums[i][1] = _mm256_loadu_si256((const __m256i *)(const void *)(offsets + 8));
    }
    for (size_t step = 0; step < block->dim_padded; step += DV_CODE_STEP)
        for (size_t i = 0; i < DV_CODE_STEP; i += 4) {
            const int8_t *x = rows + (step + i) * DV_GROUP_ROWS, *from = queries + step * DV_GROUP_ROWS + i;
            const __m256i low = _mm256_load_si256((const __m256i *)(const void *)x);
            const __m256i high = _mm256_load_si256((const __m256i *)(const void *)(x + 32));
            for (size_t j = 0; j < QUERIES; j++) {
                const __m256i query = dv_broadcast_avx2(from + j * DV_CODE_STEP);
                sums[j][0] = _mm256_dpbusd_avx_epi32(sums[j][0], query, low);
                sums[j][1] = _mm256_dpbusd_avx_epi32(sums[j][1], query, high);
            }
        }
    for (size_t j = 0; j < QUERIES; j++)
        dv_finish_avx2(block, tile, q + j, g * DV_GROUP_ROWS, sums[j][0], sums[j][1], peaks);
}

INLINE void scan_all(const dv_scan_block *block, const dv_code_tile *tile, int32_t *peaks) {
    for (size_t q = 0; q < block->n; q += QUERIES) {
        const int8_t *queries =
            block->codes + q / DV_GROUP_ROWS * DV_GROUP_ROWS * block->dim_padded + q % DV_GROUP_ROWS * DV_CODE_STEP;
        for (size_t g = 0; g < tile->n_groups; g++) scan_group(block, tile, queries, q, g, peaks);
    }
}

TARGET static void scan(const dv_scan_block *block, const dv_code_tile *tile) {
    dv_find_thresholds(block, tile);
    scan_all(block, tile, NULL);
}

TARGET static void find_peaks(const dv_scan_block *block, const dv_code_tile *tile, int32_t *peaks) {
    scan_all(block, tile, peaks);
}

const dv_scan_kernel dv_scan_avxvnni = {
    .name = "avxvnni", .rate = 130, .biased = true, .usable = usable, .scan = scan, .peaks = find_peaks};
#endif
