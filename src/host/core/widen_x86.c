/* Widening with AVX2 and AVX-512; what is left of a row goes through the portable table, which gives the same bits. */
#include "core/widen.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#define WITH_AVX2 __attribute__((target("avx2,f16c")))
#define WITH_AVX512 __attribute__((target("avx512f")))

/* NOLINTBEGIN(bugprone-macro-parentheses): an attribute and a type cannot stand in parentheses.
 * Defines one routine: `width` elements of `size` bytes at a time by `step`, the rest by the portable twin `name`. */
#define DEFINE_WIDEN(suffix, attribute, name, width, size, target_type, step)                                          \
    attribute static void name##_##suffix(const void *source, target_type *target, size_t n) {                         \
        const char *bytes = source;                                                                                    \
        size_t i = 0;                                                                                                  \
        for (; n - i >= (width); i += (width)) step(bytes + i * (size), target + i);                                   \
        dv_widen_portable.name(bytes + i * (size), target + i, n - i);                                                 \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

WITH_AVX2 static inline __m256 f16x8(const char *source) {
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)source));
}

WITH_AVX2 static inline __m256 bf16x8(const char *source) {
    const __m128i halves = _mm_loadu_si128((const __m128i *)(const void *)source);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
}

WITH_AVX2 static inline void store_f64x8(double *target, __m256 values) {
    _mm256_storeu_pd(target, _mm256_cvtps_pd(_mm256_castps256_ps128(values)));
    _mm256_storeu_pd(target + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(values, 1)));
}

WITH_AVX2 static inline void f16_f32_step8(const char *source, float *target) {
    _mm256_storeu_ps(target, f16x8(source));
}

WITH_AVX2 static inline void bf16_f32_step8(const char *source, float *target) {
    _mm256_storeu_ps(target, bf16x8(source));
}

WITH_AVX2 static inline void f16_f64_step8(const char *source, double *target) {
    store_f64x8(target, f16x8(source));
}

WITH_AVX2 static inline void bf16_f64_step8(const char *source, double *target) {
    store_f64x8(target, bf16x8(source));
}

WITH_AVX2 static inline void f32_f64_step8(const char *source, double *target) {
    store_f64x8(target, _mm256_loadu_ps((const float *)(const void *)source));
}

DEFINE_WIDEN(avx2, WITH_AVX2, f16_to_f32, 8, 2, float, f16_f32_step8)
DEFINE_WIDEN(avx2, WITH_AVX2, bf16_to_f32, 8, 2, float, bf16_f32_step8)
DEFINE_WIDEN(avx2, WITH_AVX2, f16_to_f64, 8, 2, double, f16_f64_step8)
DEFINE_WIDEN(avx2, WITH_AVX2, bf16_to_f64, 8, 2, double, bf16_f64_step8)
DEFINE_WIDEN(avx2, WITH_AVX2, f32_to_f64, 8, 4, double, f32_f64_step8)

WITH_AVX512 static inline __m512 f16x16(const char *source) {
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)source));
}

WITH_AVX512 static inline __m512 bf16x16(const char *source) {
    const __m256i halves = _mm256_loadu_si256((const __m256i *)(const void *)source);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}

WITH_AVX512 static inline void store_f64x16(double *target, __m512 values) {
    const __m256d upper = _mm512_extractf64x4_pd(_mm512_castps_pd(values), 1);
    _mm512_storeu_pd(target, _mm512_cvtps_pd(_mm512_castps512_ps256(values)));
    _mm512_storeu_pd(target + 8, _mm512_cvtps_pd(_mm256_castpd_ps(upper)));
}

WITH_AVX512 static inline void f16_f32_step16(const char *source, float *target) {
    _mm512_storeu_ps(target, f16x16(source));
}

WITH_AVX512 static inline void bf16_f32_step16(const char *source, float *target) {
    _mm512_storeu_ps(target, bf16x16(source));
}

WITH_AVX512 static inline void f16_f64_step16(const char *source, double *target) {
    store_f64x16(target, f16x16(source));
}

WITH_AVX512 static inline void bf16_f64_step16(const char *source, double *target) {
    store_f64x16(target, bf16x16(source));
}

WITH_AVX512 static inline void f32_f64_step16(const char *source, double *target) {
    store_f64x16(target, _mm512_loadu_ps(source));
}

DEFINE_WIDEN(avx512, WITH_AVX512, f16_to_f32, 16, 2, float, f16_f32_step16)
DEFINE_WIDEN(avx512, WITH_AVX512, bf16_to_f32, 16, 2, float, bf16_f32_step16)
DEFINE_WIDEN(avx512, WITH_AVX512, f16_to_f64, 16, 2, double, f16_f64_step16)
DEFINE_WIDEN(avx512, WITH_AVX512, bf16_to_f64, 16, 2, double, bf16_f64_step16)
DEFINE_WIDEN(avx512, WITH_AVX512, f32_to_f64, 16, 4, double, f32_f64_step16)

/* clang 14 has no name for F16C; every CPU with AVX2 and FMA has it. */
static bool avx2_usable(void) {
#if defined(__clang__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
#endif
}

static bool avx512_usable(void) {
    return __builtin_cpu_supports("avx512f");
}

#define TABLE(suffix)                                                                                                  \
    {                                                                                                                  \
        .name = #suffix, .usable = suffix##_usable, .f16_to_f32 = f16_to_f32_##suffix,                                 \
        .bf16_to_f32 = bf16_to_f32_##suffix, .f16_to_f64 = f16_to_f64_##suffix, .bf16_to_f64 = bf16_to_f64_##suffix,   \
        .f32_to_f64 = f32_to_f64_##suffix                                                                              \
    }

const dv_widen_kernels dv_widen_avx2 = TABLE(avx2);
const dv_widen_kernels dv_widen_avx512 = TABLE(avx512);
#endif
