/* emit_avx512.h: the slow path of the kernels with AVX-512. */
#ifndef DV_DEVICE_CPU_EMIT_AVX512_H
#define DV_DEVICE_CPU_EMIT_AVX512_H

#include "device/cpu/kernels/emit.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define DV_AVX512_INLINE static inline __attribute__((always_inline, target("avx512f,avx512bw,avx512vl,avx512dq")))

/* As dv_take_peaks. */
DV_AVX512_INLINE void dv_take_peaks_avx512(const dv_scan_block *block, const dv_code_tile *tile, size_t q, size_t at,
                                           __m512i sums, int32_t *peaks) {
    const __m512i least = _mm512_set1_epi32(INT32_MIN), before = at == 0 ? least : _mm512_load_si512(peaks);
    __mmask16 visible = (__mmask16)-1;
    if (tile->group && block->hidden[q] != -1)
        visible = _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(tile->group + at), _mm512_set1_epi32(block->hidden[q]));
    _mm512_store_si512(peaks, _mm512_mask_max_epi32(before, visible, before, sums));
}
#endif

#endif
