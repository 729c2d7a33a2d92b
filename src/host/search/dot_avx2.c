/* dot_avx2.c: four registers of four doubles hold the 16 partials. */
#include "search/dot_parts.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#define TARGET __attribute__((target("avx2,f16c")))
#define INLINE static inline __attribute__((always_inline, target("avx2,f16c")))

typedef struct wide {
    __m256d part[4]; /* elements 0..3, 4..7, 8..11, 12..15 */
} wide;

INLINE wide widen_ps(__m256 low, __m256 high) {
    return (wide){{_mm256_cvtps_pd(_mm256_castps256_ps128(low)), _mm256_cvtps_pd(_mm256_extractf128_ps(low, 1)),
                   _mm256_cvtps_pd(_mm256_castps256_ps128(high)), _mm256_cvtps_pd(_mm256_extractf128_ps(high, 1))}};
}

INLINE __m128i load_eight(const uint16_t *source) {
    return _mm_loadu_si128((const __m128i *)(const void *)source);
}

INLINE wide load_f16(const uint16_t *source, dv_scale scale) {
    (void)scale;
    return widen_ps(_mm256_cvtph_ps(load_eight(source)), _mm256_cvtph_ps(load_eight(source + 8)));
}

INLINE __m256 upper_halves(__m128i bits) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
}

INLINE wide load_bf16(const uint16_t *source, dv_scale scale) {
    (void)scale;
    return widen_ps(upper_halves(load_eight(source)), upper_halves(load_eight(source + 8)));
}

INLINE wide load_f32(const float *source, dv_scale scale) {
    (void)scale;
    return widen_ps(_mm256_loadu_ps(source), _mm256_loadu_ps(source + 8));
}

INLINE wide load_f64(const double *source, dv_scale scale) {
    const __m256d first = _mm256_set1_pd(scale.first), second = _mm256_set1_pd(scale.second);
    wide row;
    for (int p = 0; p < 4; p++)
        row.part[p] = _mm256_mul_pd(_mm256_mul_pd(_mm256_loadu_pd(source + (size_t)p * 4), first), second);
    return row;
}

INLINE void add_products(wide *sum, const double *query, wide row) {
    for (int p = 0; p < 4; p++)
        sum->part[p] = _mm256_add_pd(sum->part[p], _mm256_mul_pd(_mm256_loadu_pd(query + (size_t)p * 4), row.part[p]));
}

/* Two kernels a dtype. The last, short block is copied to where a full load may read. */
#define DEFINE_DOT(name, type, load)                                                                                   \
    TARGET static double name(const double *query, const void *row, size_t dim, dv_scale scale) {                      \
        const type *source = row;                                                                                      \
        wide sum = {{_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd()}};             \
        size_t i = 0;                                                                                                  \
        for (; i + DV_DOT_PARTIALS <= dim; i += DV_DOT_PARTIALS)                                                       \
            add_products(&sum, query + i, load(source + i, scale));                                                    \
        if (i < dim) {                                                                                                 \
            type rest[DV_DOT_PARTIALS] = {0};                                                                          \
            memcpy(rest, source + i, (dim - i) * sizeof *rest);                                                        \
            add_products(&sum, query + i, load(rest, scale));                                                          \
        }                                                                                                              \
        double partial[DV_DOT_PARTIALS];                                                                               \
        for (int p = 0; p < 4; p++) _mm256_storeu_pd(partial + (size_t)p * 4, sum.part[p]);                            \
        return dv_dot_finish(partial);                                                                                 \
    }                                                                                                                  \
    DV_DEFINE_DOTS(name)

DEFINE_DOT(dot_f16, uint16_t, load_f16)
DEFINE_DOT(dot_bf16, uint16_t, load_bf16)
DEFINE_DOT(dot_f32, float, load_f32)
DEFINE_DOT(dot_f64, double, load_f64)

dv_dot_kernel dv_dot_avx2(dv_dtype dtype) {
    switch (dtype) {
    case DV_F16:
        return dot_f16;
    case DV_BF16:
        return dot_bf16;
    case DV_F32:
        return dot_f32;
    case DV_F64:
        return dot_f64;
    }
    return NULL;
}

dv_dots_kernel dv_dots_avx2(dv_dtype dtype) {
    switch (dtype) {
    case DV_F16:
        return dot_f16_rows;
    case DV_BF16:
        return dot_bf16_rows;
    case DV_F32:
        return dot_f32_rows;
    case DV_F64:
        return dot_f64_rows;
    }
    return NULL;
}
#endif
