/* contour_rows_x86.c: rows compared 64 pixels a word with AVX2 and AVX-512. */
#include "metrics/contour_rows.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "metrics/bit_list.h"

enum { WORD_BITS = 64, VECTOR_512 = 32 };

#define WITH_AVX2 __attribute__((target("avx2")))
#define WITH_AVX512 __attribute__((target("avx512f,avx512bw")))

WITH_AVX2 static inline __m256i load16(const uint16_t *labels) {
    return _mm256_loadu_si256((const __m256i *)(const void *)labels);
}

/* Bit i: element i of `low`, then of `high`, is not 0. */
WITH_AVX2 static inline uint32_t nonzero32(__m256i low, __m256i high) {
    const __m256i zero = _mm256_setzero_si256();
    const __m256i bytes = _mm256_packs_epi16(_mm256_cmpeq_epi16(low, zero), _mm256_cmpeq_epi16(high, zero));
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(bytes, 0xd8));
}

/* 32 pixels that have a right neighbour each. */
WITH_AVX2 static inline void compare32(const uint16_t *row, const uint16_t *above, uint32_t *right, uint32_t *down) {
    __m256i changes[2], differs[2];
    for (size_t i = 0; i < 2; i++) {
        const __m256i label = load16(row + 16 * i);
        changes[i] = _mm256_xor_si256(label, load16(row + 16 * i + 1));
        differs[i] = _mm256_xor_si256(label, load16(above + 16 * i));
    }
    *right = nonzero32(changes[0], changes[1]);
    *down = nonzero32(differs[0], differs[1]);
}

WITH_AVX2 static inline void compare64_avx2(const uint16_t *row, const uint16_t *above, uint64_t *right,
                                            uint64_t *down) {
    uint32_t changes[2], differs[2];
    for (size_t i = 0; i < 2; i++) compare32(row + 32 * i, above + 32 * i, &changes[i], &differs[i]);
    *right = (uint64_t)changes[1] << 32 | changes[0];
    *down = (uint64_t)differs[1] << 32 | differs[0];
}

WITH_AVX2 static void compare_row_avx2(const uint16_t *row, const uint16_t *above, size_t width, uint64_t *right,
                                       uint64_t *down) {
    size_t x = 0;
    for (; width - x > WORD_BITS; x += WORD_BITS) compare64_avx2(row + x, above + x, right++, down++);
    uint16_t last[WORD_BITS + 1], over[WORD_BITS + 1]; /* the last label goes on, so nothing changes beyond it */
    const size_t n = width - x;
    memcpy(last, row + x, n * sizeof *row);
    memcpy(over, above + x, n * sizeof *above);
    for (size_t i = n; i <= WORD_BITS; i++) last[i] = over[i] = row[width - 1];
    compare64_avx2(last, over, right, down);
}

/* 32 pixels or, of the end of a row, the first `inside`; those of `followed` have a right neighbour. */
WITH_AVX512 static inline void compare_masked(const uint16_t *row, const uint16_t *above, __mmask32 inside,
                                              __mmask32 followed, uint32_t *right, uint32_t *down) {
    const __m512i label = _mm512_maskz_loadu_epi16(inside, row);
    *right = _mm512_cmpneq_epi16_mask(label, _mm512_mask_loadu_epi16(label, followed, row + 1));
    *down = _mm512_cmpneq_epi16_mask(label, _mm512_maskz_loadu_epi16(inside, above));
}

WITH_AVX512 static inline void compare32_avx512(const uint16_t *row, const uint16_t *above, uint32_t *right,
                                                uint32_t *down) {
    const __m512i label = _mm512_loadu_si512(row);
    *right = _mm512_cmpneq_epi16_mask(label, _mm512_loadu_si512(row + 1));
    *down = _mm512_cmpneq_epi16_mask(label, _mm512_loadu_si512(above));
}

WITH_AVX512 static void compare_row_avx512(const uint16_t *row, const uint16_t *above, size_t width, uint64_t *right,
                                           uint64_t *down) {
    uint32_t changes[2], differs[2];
    size_t x = 0;
    for (; width - x > WORD_BITS; x += WORD_BITS) {
        for (size_t i = 0; i < 2; i++)
            compare32_avx512(row + x + VECTOR_512 * i, above + x + VECTOR_512 * i, &changes[i], &differs[i]);
        *right++ = (uint64_t)changes[1] << 32 | changes[0];
        *down++ = (uint64_t)differs[1] << 32 | differs[0];
    }
    const uint64_t inside = ~UINT64_C(0) >> (WORD_BITS - (width - x)), followed = inside >> 1;
    for (size_t i = 0; i < 2; i++)
        compare_masked(row + x + VECTOR_512 * i, above + x + VECTOR_512 * i, (__mmask32)(inside >> VECTOR_512 * i),
                       (__mmask32)(followed >> VECTOR_512 * i), &changes[i], &differs[i]);
    *right = (uint64_t)changes[1] << 32 | changes[0];
    *down = (uint64_t)differs[1] << 32 | differs[0];
}

DV_WITH_BITS static size_t list_columns(const uint64_t *a, const uint64_t *b, const uint64_t *c, size_t n_words,
                                        uint16_t *columns) {
    _Static_assert((int)DV_CONTOUR_SPARE >= (int)DV_BIT_LIST_SPARE,
                   "columns have room for what is written behind them");
    size_t n = 0;
    for (size_t word = 0; word < n_words; word++) {
        const uint64_t bits = a[word] | b[word] | c[word];
        if (bits) n = dv_bit_list_add(bits, (uint16_t)(word * WORD_BITS), columns, n);
    }
    return n;
}

static bool avx2_usable(void) {
    return dv_bit_list_usable() && __builtin_cpu_supports("avx2");
}

static bool avx512_usable(void) {
    return dv_bit_list_usable() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

const dv_contour_kernel dv_contour_avx2 = {
    .name = "avx2", .usable = avx2_usable, .row = compare_row_avx2, .columns = list_columns};
const dv_contour_kernel dv_contour_avx512 = {
    .name = "avx512", .usable = avx512_usable, .row = compare_row_avx512, .columns = list_columns};
#endif
