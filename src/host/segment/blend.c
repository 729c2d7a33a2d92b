#include "segment/blend.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Every kernel keeps the best value and its class of each pixel and walks over the classes in rising order; a class
 * takes over only when it is larger, so the lowest wins ties. Best starts as (0, class 0): what is not listed is 0. */

static bool always(void) {
    return true;
}

static void blend_portable(const dv_blend_tile *tile, const double *shares, size_t n_rows, uint16_t *pred,
                           size_t stride) {
    for (size_t row = 0; row < n_rows; row++) {
        const double t = shares[row];
        for (size_t x = 0; x < tile->width; x++) {
            double best = 0.0;
            uint16_t label = 0;
            for (size_t j = 0; j < tile->n_classes; j++) {
                const size_t at = j * DV_BLEND_TILE + x;
                const double value = tile->top[at] * (1.0 - t) + tile->bottom[at] * t;
                if (value > best) {
                    best = value;
                    label = tile->classes[j];
                }
            }
            pred[row * stride + x] = label;
        }
    }
}

#if defined(__x86_64__)
static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2");
}

static bool has_avx512f(void) {
    return __builtin_cpu_supports("avx512f");
}

/* Classes travel as doubles (exact below 2^53), so that one mask moves value and class alike. */
__attribute__((target("avx2"))) static void blend_avx2(const dv_blend_tile *tile, const double *shares, size_t n_rows,
                                                       uint16_t *pred, size_t stride) {
    enum { LANES = 4, VECTORS = DV_BLEND_TILE / LANES };
    for (size_t row = 0; row < n_rows; row++) {
        const __m256d t = _mm256_set1_pd(shares[row]), s = _mm256_set1_pd(1.0 - shares[row]);
        __m256d best[VECTORS], label[VECTORS];
        for (size_t i = 0; i < VECTORS; i++) best[i] = label[i] = _mm256_setzero_pd();
        for (size_t j = 0; j < tile->n_classes; j++) {
            const double *top = tile->top + j * DV_BLEND_TILE, *bottom = tile->bottom + j * DV_BLEND_TILE;
            const __m256d class = _mm256_set1_pd(tile->classes[j]);
#pragma GCC unroll 4
            for (size_t i = 0; i < VECTORS; i++) {
                const __m256d upper = _mm256_mul_pd(_mm256_load_pd(top + LANES * i), s);
                const __m256d value = _mm256_add_pd(upper, _mm256_mul_pd(_mm256_load_pd(bottom + LANES * i), t));
                label[i] = _mm256_blendv_pd(label[i], class, _mm256_cmp_pd(value, best[i], _CMP_GT_OQ));
                best[i] = _mm256_max_pd(value, best[i]);
            }
        }
        int32_t labels[DV_BLEND_TILE];
        for (size_t i = 0; i < VECTORS; i++)
            _mm_storeu_si128((__m128i *)(void *)(labels + LANES * i), _mm256_cvtpd_epi32(label[i]));
        for (size_t x = 0; x < tile->width; x++) pred[row * stride + x] = (uint16_t)labels[x];
    }
}

__attribute__((target("avx512f"))) static void blend_avx512(const dv_blend_tile *tile, const double *shares,
                                                            size_t n_rows, uint16_t *pred, size_t stride) {
    enum { LANES = 8, VECTORS = DV_BLEND_TILE / LANES };
    for (size_t row = 0; row < n_rows; row++) {
        const __m512d t = _mm512_set1_pd(shares[row]), s = _mm512_set1_pd(1.0 - shares[row]);
        __m512d best[VECTORS];
        __m512i label[VECTORS];
        for (size_t i = 0; i < VECTORS; i++) {
            best[i] = _mm512_setzero_pd();
            label[i] = _mm512_setzero_si512();
        }
        for (size_t j = 0; j < tile->n_classes; j++) {
            const double *top = tile->top + j * DV_BLEND_TILE, *bottom = tile->bottom + j * DV_BLEND_TILE;
            const __m512i class = _mm512_set1_epi64(tile->classes[j]);
#pragma GCC unroll 2
            for (size_t i = 0; i < VECTORS; i++) {
                const __m512d upper = _mm512_mul_pd(_mm512_load_pd(top + LANES * i), s);
                const __m512d value = _mm512_add_pd(upper, _mm512_mul_pd(_mm512_load_pd(bottom + LANES * i), t));
                label[i] = _mm512_mask_mov_epi64(label[i], _mm512_cmp_pd_mask(value, best[i], _CMP_GT_OQ), class);
                best[i] = _mm512_max_pd(value, best[i]);
            }
        }
        uint16_t labels[DV_BLEND_TILE];
        for (size_t i = 0; i < VECTORS; i++)
            _mm_storeu_si128((__m128i *)(void *)(labels + LANES * i), _mm512_cvtepi64_epi16(label[i]));
        memcpy(pred + row * stride, labels, tile->width * sizeof *pred);
    }
}
#endif

static const dv_blend_kernel kernels[] = {
#if defined(__x86_64__)
    {"avx512f", has_avx512f, blend_avx512},
    {"avx2", has_avx2, blend_avx2},
#endif
    {"portable", always, blend_portable},
};

const dv_blend_kernel *dv_blend_kernels(size_t *n_kernels) {
    *n_kernels = sizeof kernels / sizeof *kernels;
    return kernels;
}

dv_blend_function dv_blend_best(void) {
    const dv_blend_kernel *kernel = kernels;
    while (!kernel->usable()) kernel++; /* ends at the portable one */
    return kernel->run;
}
