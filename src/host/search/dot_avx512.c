/* dot_avx512.c: two registers of eight doubles hold the 16 partials. Products and sums stay apart: query and row may
 * both be f64, where a fused product would have other bits. */
#include "search/dot_parts.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#define TARGET __attribute__((target("avx512f")))
#define INLINE static inline __attribute__((always_inline, target("avx512f")))

typedef struct wide {
    __m512d low, high; /* elements 0..7 and 8..15 */
} wide;

INLINE wide widen_ps(__m512 values) {
    const __m256 upper = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(values), 1));
    return (wide){_mm512_cvtps_pd(_mm512_castps512_ps256(values)), _mm512_cvtps_pd(upper)};
}

INLINE wide load_f16(const uint16_t *source, dv_scale scale) {
    (void)scale;
    return widen_ps(_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)source)));
}

INLINE wide load_bf16(const uint16_t *source, dv_scale scale) {
    (void)scale;
    const __m512i bits = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)source));
    return widen_ps(_mm512_castsi512_ps(_mm512_slli_epi32(bits, 16)));
}

INLINE wide load_f32(const float *source, dv_scale scale) {
    (void)scale;
    return widen_ps(_mm512_loadu_ps(source));
}

INLINE wide load_f64(const double *source, dv_scale scale) {
    const __m512d first = _mm512_set1_pd(scale.first), second = _mm512_set1_pd(scale.second);
    return (wide){_mm512_mul_pd(_mm512_mul_pd(_mm512_loadu_pd(source), first), second),
                  _mm512_mul_pd(_mm512_mul_pd(_mm512_loadu_pd(source + 8), first), second)};
}

INLINE void add_products(wide *sum, const double *query, wide row) {
    sum->low = _mm512_add_pd(sum->low, _mm512_mul_pd(_mm512_loadu_pd(query), row.low));
    sum->high = _mm512_add_pd(sum->high, _mm512_mul_pd(_mm512_loadu_pd(query + 8), row.high));
}

/* dv_dot_finish in registers. */
INLINE double finish(wide sum) {
    const __m512d eight = _mm512_add_pd(sum.low, sum.high);
    const __m256d four = _mm256_add_pd(_mm512_castpd512_pd256(eight), _mm512_extractf64x4_pd(eight, 1));
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(two) + _mm_cvtsd_f64(_mm_unpackhi_pd(two, two));
}

/* Two kernels a dtype. The last, short block is copied to where a full load may read. */
#define DEFINE_DOT(name, type, load)                                                                                   \
    TARGET static double name(const double *query, const void *row, size_t dim, dv_scale scale) {                      \
        const type *source = row;                                                                                      \
        wide sum = {_mm512_setzero_pd(), _mm512_setzero_pd()};                                                         \
        size_t i = 0;                                                                                                  \
        for (; i + DV_DOT_PARTIALS <= dim; i += DV_DOT_PARTIALS)                                                       \
            add_products(&sum, query + i, load(source + i, scale));                                                    \
        if (i < dim) {                                                                                                 \
            type rest[DV_DOT_PARTIALS] = {0};                                                                          \
            memcpy(rest, source + i, (dim - i) * sizeof *rest);                                                        \
            add_products(&sum, query + i, load(rest, scale));                                                          \
        }                                                                                                              \
        return finish(sum);                                                                                            \
    }                                                                                                                  \
    TARGET static void name##_rows(const double *query, const void *const *rows, size_t dim, const dv_scale *scales,   \
                                   double *dots) {                                                                     \
        const type *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];                                             \
        const wide zero = {_mm512_setzero_pd(), _mm512_setzero_pd()};                                                  \
        wide sum_a = zero, sum_b = zero, sum_c = zero, sum_d = zero;                                                   \
        size_t i = 0;                                                                                                  \
        for (; i + DV_DOT_PARTIALS <= dim; i += DV_DOT_PARTIALS) {                                                     \
            add_products(&sum_a, query + i, load(a + i, scales[0]));                                                   \
            add_products(&sum_b, query + i, load(b + i, scales[1]));                                                   \
            add_products(&sum_c, query + i, load(c + i, scales[2]));                                                   \
            add_products(&sum_d, query + i, load(d + i, scales[3]));                                                   \
        }                                                                                                              \
        if (i < dim) {                                                                                                 \
            type rest[DV_DOT_ROWS][DV_DOT_PARTIALS] = {{0}};                                                           \
            for (size_t r = 0; r < DV_DOT_ROWS; r++)                                                                   \
                memcpy(rest[r], (const type *)rows[r] + i, (dim - i) * sizeof **rest);                                 \
            add_products(&sum_a, query + i, load(rest[0], scales[0]));                                                 \
            add_products(&sum_b, query + i, load(rest[1], scales[1]));                                                 \
            add_products(&sum_c, query + i, load(rest[2], scales[2]));                                                 \
            add_products(&sum_d, query + i, load(rest[3], scales[3]));                                                 \
        }                                                                                                              \
        dots[0] = finish(sum_a);                                                                                       \
        dots[1] = finish(sum_b);                                                                                       \
        dots[2] = finish(sum_c);                                                                                       \
        dots[3] = finish(sum_d);                                                                                       \
    }

DEFINE_DOT(dot_f16, uint16_t, load_f16)
DEFINE_DOT(dot_bf16, uint16_t, load_bf16)
DEFINE_DOT(dot_f32, float, load_f32)
DEFINE_DOT(dot_f64, double, load_f64)

dv_dot_kernel dv_dot_avx512(dv_dtype dtype) {
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

dv_dots_kernel dv_dots_avx512(dv_dtype dtype) {
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
