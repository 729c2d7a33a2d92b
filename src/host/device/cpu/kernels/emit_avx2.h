/* emit_avx2.h: what the 256-bit kernels have in common: handing on 16 sums, four codes in every lane. */
#ifndef DV_DEVICE_CPU_EMIT_AVX2_H
#define DV_DEVICE_CPU_EMIT_AVX2_H

#include <string.h>

#include "device/cpu/kernels/emit.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* A kernel of more than AVX2 inlines these as well: its instruction set has theirs. */
#define DV_AVX2_INLINE static inline __attribute__((always_inline, target("avx2")))

/* Reports what passed, or takes all into the peaks where those are wanted. */
DV_AVX2_INLINE void dv_finish_avx2(const dv_scan_block *block, const dv_code_tile *tile, size_t q, size_t at,
                                   __m256i low, __m256i high, int32_t *peaks) {
    int32_t sums[DV_GROUP_ROWS];
    if (peaks) {
        _mm256_storeu_si256((__m256i *)(void *)sums, low);
        _mm256_storeu_si256((__m256i *)(void *)(sums + 8), high);
        dv_take_peaks(block, tile, q, at, sums, peaks + q * DV_GROUP_ROWS);
        return;
    }
    const __m256i below = _mm256_set1_epi32(block->thresholds[q] - 1);
    const unsigned passed = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(low, below))) |
                            (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(high, below))) << 8;
    if (!passed) return;
    _mm256_storeu_si256((__m256i *)(void *)sums, low);
    _mm256_storeu_si256((__m256i *)(void *)(sums + 8), high);
    dv_emit(block, tile, q, at, passed, sums);
}

DV_AVX2_INLINE __m256i dv_broadcast_avx2(const int8_t *codes) {
    int32_t four;
    memcpy(&four, codes, sizeof four);
    return _mm256_set1_epi32(four);
}
#endif

#endif
