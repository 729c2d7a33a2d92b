#include "search/quantise.h"

#include <math.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* The same source is compiled for each family: it has no order of operations to keep, and loops over whole registers of
 * partial values are what compilers make vector code of. */
#define INLINE static inline __attribute__((always_inline))

enum { LANES = 16, MOST_CODE = 127 };

INLINE double largest_of(const double *restrict values, size_t n) {
    double most[LANES] = {0};
    for (size_t i = 0; i < n; i += LANES)
        for (size_t l = 0; l < LANES; l++) {
            const double size = fabs(values[i + l]);
            most[l] = size > most[l] ? size : most[l];
        }
    for (size_t o = LANES / 2; o > 0; o /= 2)
        for (size_t l = 0; l < o; l++) most[l] = most[l + o] > most[l] ? most[l + o] : most[l];
    return most[0];
}

INLINE double codes_of(const double *restrict values, size_t n, double factor, double scale, int8_t *restrict codes) {
    const double inverse = 1.0 / scale, shift = 6755399441055744.0; /* 1.5 * 2^52: adding it rounds to an integer */
    double sums[LANES] = {0};
    for (size_t i = 0; i < n; i += LANES) {
        int32_t whole[LANES];
        for (size_t l = 0; l < LANES; l++) {
            const double t = values[i + l] * factor;
            double code = t * inverse;
            code = code > MOST_CODE ? MOST_CODE : code;
            code = code < -MOST_CODE ? -MOST_CODE : code;
            code = (code + shift) - shift;
            const double rest = t - scale * code;
            sums[l] += rest * rest;
            whole[l] = (int32_t)code;
        }
        for (size_t l = 0; l < LANES; l++) codes[i + l] = (int8_t)whole[l];
    }
    for (size_t o = LANES / 2; o > 0; o /= 2)
        for (size_t l = 0; l < o; l++) sums[l] += sums[l + o];
    return sums[0];
}

/* NOLINTBEGIN(bugprone-macro-parentheses): an attribute cannot stand in parentheses. */
#define DEFINE_QUANTISER(suffix, attribute)                                                                            \
    attribute static double largest_##suffix(const double *values, size_t n) {                                         \
        return largest_of(values, n);                                                                                  \
    }                                                                                                                  \
    attribute static double codes_##suffix(const double *values, size_t n, double factor, double scale,                \
                                           int8_t *codes) {                                                            \
        return codes_of(values, n, factor, scale, codes);                                                              \
    }                                                                                                                  \
    static const dv_quantiser quantiser_##suffix = {largest_##suffix, codes_##suffix};
/* NOLINTEND(bugprone-macro-parentheses) */

DEFINE_QUANTISER(portable, )
#if defined(__x86_64__)
DEFINE_QUANTISER(avx2, __attribute__((target("avx2"))))

#define WITH_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))

WITH_AVX512 static double largest_avx512(const double *values, size_t n) {
    __m512d even = _mm512_setzero_pd(), odd = _mm512_setzero_pd();
    for (size_t i = 0; i < n; i += LANES) { /* of two operands max gives the second where one is NaN */
        even = _mm512_max_pd(_mm512_abs_pd(_mm512_loadu_pd(values + i)), even);
        odd = _mm512_max_pd(_mm512_abs_pd(_mm512_loadu_pd(values + i + LANES / 2)), odd);
    }
    return _mm512_reduce_max_pd(_mm512_max_pd(even, odd));
}

/* Eight codes as i32; adds their squared distances to *sums. */
WITH_AVX512 INLINE __m256i eight_codes(const double *values, __m512d factor, __m512d scale, __m512d inverse,
                                       __m512d *sums) {
    const __m512d t = _mm512_mul_pd(_mm512_loadu_pd(values), factor);
    const __m256i most = _mm256_set1_epi32(MOST_CODE), least = _mm256_set1_epi32(-MOST_CODE);
    const __m256i code = _mm256_max_epi32(_mm256_min_epi32(_mm512_cvtpd_epi32(_mm512_mul_pd(t, inverse)), most), least);
    const __m512d rest = _mm512_fnmadd_pd(scale, _mm512_cvtepi32_pd(code), t);
    *sums = _mm512_fmadd_pd(rest, rest, *sums);
    return code;
}

WITH_AVX512 static double codes_avx512(const double *values, size_t n, double factor, double scale, int8_t *codes) {
    const __m512d f = _mm512_set1_pd(factor), s = _mm512_set1_pd(scale), inverse = _mm512_set1_pd(1.0 / scale);
    __m512d even = _mm512_setzero_pd(), odd = _mm512_setzero_pd();
    for (size_t i = 0; i < n; i += LANES) {
        const __m256i low = eight_codes(values + i, f, s, inverse, &even);
        const __m256i high = eight_codes(values + i + LANES / 2, f, s, inverse, &odd);
        const __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
        _mm_storeu_si128((__m128i *)(void *)(codes + i), _mm512_cvtepi32_epi8(both));
    }
    return _mm512_reduce_add_pd(_mm512_add_pd(even, odd));
}

static const dv_quantiser quantiser_avx512 = {largest_avx512, codes_avx512};
#endif

const dv_quantiser *dv_quantiser_for(dv_simd simd) {
    if (simd > dv_simd_best()) return NULL;
#if defined(__x86_64__)
    const int whole =
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    if (simd == DV_SIMD_AVX512 && whole) return &quantiser_avx512;
    if (simd != DV_SIMD_PORTABLE) return &quantiser_avx2;
#endif
    return &quantiser_portable;
}

double dv_norm_bound(double sum_of_squares) {
    return sqrt(sum_of_squares) * (1.0 + 0x1p-38) + 0x1p-38;
}
