/* emit_avx512.h: the slow path of the kernels with AVX-512. */
#ifndef DV_DEVICE_CPU_EMIT_AVX512_H
#define DV_DEVICE_CPU_EMIT_AVX512_H

#include "device/cpu/kernels/emit.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define DV_AVX512_INLINE static inline __attribute__((always_inline, target("avx512f,avx512bw,avx512vl,avx512dq")))

/* As dv_emit, 16 at once. */
DV_AVX512_INLINE void dv_emit_avx512(const dv_scan_block *block, const dv_code_tile *tile, size_t q, size_t at,
                                     __mmask16 passed, __m512i sums) {
    const uint32_t position = tile->first + (uint32_t)at;
    const uint32_t left = tile->end > position ? tile->end - position : 0;
    if (left < DV_GROUP_ROWS) passed &= (__mmask16)((1U << left) - 1);
    if (tile->group && block->hidden[q] != -1)
        passed &= _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(tile->group + at), _mm512_set1_epi32(block->hidden[q]));
    const dv_hits *hits = &block->hits;
    const uint32_t n = hits->counts[q], n_after = n + (uint32_t)__builtin_popcount(passed);
    hits->counts[q] = n_after;
    if (n_after > hits->capacity) return; /* too many: what stands there will be discarded */
    const __m512i places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i positions = _mm512_add_epi32(_mm512_set1_epi32((int32_t)position), places);
    const size_t to = q * hits->stride + n;
    _mm512_storeu_si512(hits->positions + to, _mm512_maskz_compress_epi32(passed, positions));
    _mm512_storeu_si512(hits->sums + to, _mm512_maskz_compress_epi32(passed, sums));
}
#endif

#endif
