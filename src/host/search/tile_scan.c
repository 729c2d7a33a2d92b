#include "search/tile_scan.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "search/topk.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
    BLOCK = 64,         /* scores that share one branch */
    ROWS_A_GROUP = 4,   /* of the maxima that seed the threshold */
    TIGHTEN_BESIDE = 64 /* a list is tightened past 2 k + this many rows */
};

static size_t next_one_by_one(const float *scores, size_t begin, size_t n, float threshold) {
    while (begin < n && !(scores[begin] >= threshold)) begin++;
    return begin;
}

static size_t next_portable(const float *scores, size_t begin, size_t n, float threshold) {
    for (; begin + BLOCK <= n; begin += BLOCK) {
        int any = 0;
        for (size_t i = 0; i < BLOCK; i++) any |= scores[begin + i] >= threshold;
        if (any) break;
    }
    return next_one_by_one(scores, begin, n, threshold);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static size_t next_avx2(const float *scores, size_t begin, size_t n, float threshold) {
    const __m256 limit = _mm256_set1_ps(threshold);
    for (; begin + BLOCK <= n; begin += BLOCK) {
        __m256 any = _mm256_setzero_ps();
        for (size_t i = 0; i < BLOCK; i += 8)
            any = _mm256_or_ps(any, _mm256_cmp_ps(_mm256_loadu_ps(scores + begin + i), limit, _CMP_GE_OQ));
        if (_mm256_movemask_ps(any)) break;
    }
    for (; begin + 8 <= n; begin += 8) {
        const int mask = _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(scores + begin), limit, _CMP_GE_OQ));
        if (mask) return begin + (size_t)__builtin_ctz((unsigned)mask);
    }
    return next_one_by_one(scores, begin, n, threshold);
}

__attribute__((target("avx512f"))) static size_t next_avx512(const float *scores, size_t begin, size_t n,
                                                             float threshold) {
    const __m512 limit = _mm512_set1_ps(threshold);
    for (; begin + BLOCK <= n; begin += BLOCK) {
        __mmask16 masks[BLOCK / 16];
        for (size_t i = 0; i < BLOCK / 16; i++)
            masks[i] = _mm512_cmp_ps_mask(_mm512_loadu_ps(scores + begin + i * 16), limit, _CMP_GE_OQ);
        if (!(masks[0] | masks[1] | masks[2] | masks[3])) continue;
        const uint64_t mask =
            (uint64_t)masks[0] | (uint64_t)masks[1] << 16 | (uint64_t)masks[2] << 32 | (uint64_t)masks[3] << 48;
        return begin + (size_t)__builtin_ctzll(mask);
    }
    return next_one_by_one(scores, begin, n, threshold);
}
#endif

dv_next_kernel dv_next_kernel_for(dv_simd simd) {
    if (simd > dv_simd_best()) return NULL;
#if defined(__x86_64__)
    if (simd == DV_SIMD_AVX512) return next_avx512;
    if (simd == DV_SIMD_AVX2) return next_avx2;
#endif
    return next_portable;
}

void dv_hide_scores(float *restrict scores, const int32_t *restrict group, int32_t hidden, size_t n) {
    for (size_t i = 0; i < n; i++) scores[i] = group[i] == hidden ? -INFINITY : scores[i];
}

/* maxima[g] = the largest score of rows g, g + n_groups, ... */
static void group_maxima(const float *restrict scores, size_t n, size_t n_groups, float *restrict maxima) {
    memcpy(maxima, scores, n_groups * sizeof *maxima);
    size_t i = n_groups;
    for (; i + n_groups <= n; i += n_groups)
        for (size_t g = 0; g < n_groups; g++) maxima[g] = scores[i + g] > maxima[g] ? scores[i + g] : maxima[g];
    for (size_t g = 0; i + g < n; g++) maxima[g] = scores[i + g] > maxima[g] ? scores[i + g] : maxima[g];
}

static void seed(dv_candidates *list, const float *scores, size_t n, float *maxima) {
    const size_t n_groups = n / ROWS_A_GROUP;
    if (n_groups < list->k) return;
    group_maxima(scores, n, n_groups, maxima);
    const float value = dv_kth_largest(maxima, n_groups, list->k);
    if (value >= -FLT_MAX) dv_candidates_raise(list, value); /* minus infinity: fewer than k groups see a row */
}

void dv_scan_scores(dv_candidates *list, const float *scores, size_t n, int32_t first_row, dv_next_kernel next,
                    float *maxima) {
    if (list->overflowed) return;
    if (list->n == 0 && list->threshold == -FLT_MAX) seed(list, scores, n, maxima);
    for (size_t i = next(scores, 0, n, list->threshold); i < n; i = next(scores, i + 1, n, list->threshold))
        dv_candidates_push(list, scores[i], first_row + (int32_t)i);
    if (list->n > 2 * list->k + TIGHTEN_BESIDE) dv_candidates_tighten(list);
}
