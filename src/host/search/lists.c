#include "search/lists.h"

#include <math.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

enum { MOST_HALVINGS = 64 };

INLINE void low_of(const dv_list_bounds *b, const uint32_t *restrict positions, const int32_t *restrict sums, size_t n,
                   float *restrict low) {
    for (size_t i = 0; i < n; i++) {
        const uint32_t tile = positions[i] >> b->tile_shift;
        const float about = b->scale * b->scales[tile] * (float)sums[i];
        low[i] = about - (b->reach * b->slacks[tile] + b->rest) - b->step / 2;
    }
}

INLINE size_t keep_of(const dv_list_bounds *b, float least, const float *low, size_t n, uint32_t *positions,
                      int32_t *sums) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) { /* without a branch: what stays is overwritten by nothing but itself */
        const int stays = dv_may_reach(b, low[i], positions[i], least);
        positions[kept] = positions[i];
        sums[kept] = sums[i];
        kept += (size_t)stays;
    }
    return kept;
}

INLINE size_t count_of(const float *values, size_t n, float limit) {
    uint32_t count = 0;
    for (size_t i = 0; i < n; i++) count += values[i] >= limit;
    return count;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): an attribute cannot stand in parentheses. */
#define DEFINE_LOW_AND_COUNT(suffix, attribute)                                                                        \
    attribute static void low_##suffix(const dv_list_bounds *bounds, const uint32_t *positions, const int32_t *sums,   \
                                       size_t n, float *low) {                                                         \
        low_of(bounds, positions, sums, n, low);                                                                       \
    }                                                                                                                  \
    attribute static size_t count_##suffix(const float *values, size_t n, float limit) {                               \
        return count_of(values, n, limit);                                                                             \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

DEFINE_LOW_AND_COUNT(portable, )

static size_t keep_portable(const dv_list_bounds *bounds, float least, const float *low, size_t n, uint32_t *positions,
                            int32_t *sums) {
    return keep_of(bounds, least, low, n, positions, sums);
}

static const dv_list_kernels kernels_portable = {low_portable, keep_portable, count_portable};

#if defined(__x86_64__)
DEFINE_LOW_AND_COUNT(avx2, __attribute__((target("avx2"))))
static const dv_list_kernels kernels_avx2 = {low_avx2, keep_portable, count_avx2};

#define WITH_AVX512 __attribute__((target("avx512f")))

/* reach * slack + rest of 16 tiles. */
WITH_AVX512 INLINE __m512 sixteen_bounds(const dv_list_bounds *b, __m512i tiles, __mmask16 which) {
    const __m512 slacks = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), which, tiles, b->slacks, 4);
    return _mm512_add_ps(_mm512_mul_ps(_mm512_set1_ps(b->reach), slacks), _mm512_set1_ps(b->rest));
}

INLINE __mmask16 first_of(size_t n) {
    return n < 16 ? (__mmask16)((1U << n) - 1) : (__mmask16)-1;
}

WITH_AVX512 static void low_avx512(const dv_list_bounds *b, const uint32_t *positions, const int32_t *sums, size_t n,
                                   float *low) {
    for (size_t i = 0; i < n; i += 16) {
        const __mmask16 which = first_of(n - i);
        const __m512i tiles = _mm512_srli_epi32(_mm512_maskz_loadu_epi32(which, positions + i), b->tile_shift);
        const __m512 scales = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), which, tiles, b->scales, 4);
        const __m512 sum = _mm512_cvtepi32_ps(_mm512_maskz_loadu_epi32(which, sums + i));
        const __m512 about = _mm512_mul_ps(_mm512_mul_ps(_mm512_set1_ps(b->scale), scales), sum);
        const __m512 least = _mm512_sub_ps(about, sixteen_bounds(b, tiles, which));
        _mm512_mask_storeu_ps(low + i, which, _mm512_sub_ps(least, _mm512_set1_ps(b->step / 2)));
    }
}

WITH_AVX512 static size_t keep_avx512(const dv_list_bounds *b, float least, const float *low, size_t n,
                                      uint32_t *positions, int32_t *sums) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i += 16) {
        const __mmask16 which = first_of(n - i);
        const __m512i at = _mm512_maskz_loadu_epi32(which, positions + i);
        const __m512i sum = _mm512_maskz_loadu_epi32(which, sums + i);
        const __m512 bounds = sixteen_bounds(b, _mm512_srli_epi32(at, b->tile_shift), which);
        const __m512 beside = _mm512_add_ps(_mm512_mul_ps(_mm512_set1_ps(2.0F), bounds), _mm512_set1_ps(b->step));
        const __m512 most = _mm512_add_ps(_mm512_maskz_loadu_ps(which, low + i), beside);
        const __mmask16 stay = _mm512_mask_cmp_ps_mask(which, most, _mm512_set1_ps(least), _CMP_GE_OQ);
        _mm512_storeu_si512(positions + kept, _mm512_maskz_compress_epi32(stay, at));
        _mm512_storeu_si512(sums + kept, _mm512_maskz_compress_epi32(stay, sum));
        kept += (size_t)__builtin_popcount(stay);
    }
    return kept;
}

WITH_AVX512 static size_t count_avx512(const float *values, size_t n, float limit) {
    const __m512 limits = _mm512_set1_ps(limit);
    size_t count = 0;
    for (size_t i = 0; i < n; i += 16) {
        const __mmask16 which = first_of(n - i);
        const __m512 some = _mm512_maskz_loadu_ps(which, values + i);
        count += (size_t)__builtin_popcount(_mm512_mask_cmp_ps_mask(which, some, limits, _CMP_GE_OQ));
    }
    return count;
}

static const dv_list_kernels kernels_avx512 = {low_avx512, keep_avx512, count_avx512};
#endif

const dv_list_kernels *dv_list_kernels_for(dv_simd simd) {
    if (simd > dv_simd_best()) return NULL;
#if defined(__x86_64__)
    if (simd == DV_SIMD_AVX512) return &kernels_avx512;
    if (simd == DV_SIMD_AVX2) return &kernels_avx2;
#endif
    return &kernels_portable;
}

float dv_reached_by(const dv_list_kernels *kernels, const float *values, size_t n, size_t k, float precision) {
    float reached = values[0], missed = values[0];
    for (size_t i = 0; i < n; i++) {
        reached = values[i] < reached ? values[i] : reached;
        missed = values[i] > missed ? values[i] : missed;
    }
    /* At least k values reach the first; the second may be reached too, until it is found out. */
    for (int i = 0; i < MOST_HALVINGS && missed - reached > precision; i++) {
        const float middle = reached + (missed - reached) / 2;
        if (kernels->count(values, n, middle) >= k)
            reached = middle;
        else
            missed = middle;
    }
    return reached;
}
