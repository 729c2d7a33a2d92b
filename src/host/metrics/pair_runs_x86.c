/* pair_runs_x86.c: ends of runs of equal pairs, 64 pairs a word, with AVX2 and AVX-512. */
#include "metrics/pair_runs.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "metrics/bit_list.h"

enum { WORD = 64 };
_Static_assert((int)DV_PAIR_RUNS_SPARE >= (int)DV_BIT_LIST_SPARE, "ends have room for what is written behind them");
_Static_assert((int)DV_PAIR_RUNS_SPARE >= WORD, "and for those of a whole word");

#define WITH_AVX2 __attribute__((target("avx2,popcnt,bmi")))
#define WITH_AVX512 __attribute__((target("avx512f,avx512bw,popcnt,bmi")))
#define WITH_VBMI2 __attribute__((target("avx512f,avx512bw,avx512vbmi2,popcnt,bmi")))

/* ---- Bit i: pair i, of 64, is not the one behind it ----------------------------------------------------------------
 */

WITH_AVX2 static inline __m256i load(const void *labels) {
    return _mm256_loadu_si256(labels);
}

WITH_AVX2 static inline uint32_t changes32_u8(const uint8_t *truth, const uint8_t *pred) {
    const __m256i truths = _mm256_cmpeq_epi8(load(truth), load(truth + 1));
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_and_si256(truths, _mm256_cmpeq_epi8(load(pred), load(pred + 1))));
}

WITH_AVX2 static inline __m256i repeats16(const uint16_t *truth, const uint16_t *pred) {
    return _mm256_and_si256(_mm256_cmpeq_epi16(load(truth), load(truth + 1)),
                            _mm256_cmpeq_epi16(load(pred), load(pred + 1)));
}

WITH_AVX2 static inline uint32_t changes32_u16(const uint16_t *truth, const uint16_t *pred) {
    const __m256i bytes = _mm256_packs_epi16(repeats16(truth, pred), repeats16(truth + 16, pred + 16));
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(bytes, 0xd8));
}

WITH_AVX2 static inline uint64_t changes_avx2_u8(const uint8_t *truth, const uint8_t *pred) {
    return (uint64_t)changes32_u8(truth + 32, pred + 32) << 32 | changes32_u8(truth, pred);
}

WITH_AVX2 static inline uint64_t changes_avx2_u16(const uint16_t *truth, const uint16_t *pred) {
    return (uint64_t)changes32_u16(truth + 32, pred + 32) << 32 | changes32_u16(truth, pred);
}

WITH_AVX512 static inline uint64_t changes_avx512_u8(const uint8_t *truth, const uint8_t *pred) {
    return _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(truth), _mm512_loadu_si512(truth + 1)) |
           _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(pred), _mm512_loadu_si512(pred + 1));
}

WITH_AVX512 static inline uint32_t changes32_avx512_u16(const uint16_t *truth, const uint16_t *pred) {
    return _mm512_cmpneq_epi16_mask(_mm512_loadu_si512(truth), _mm512_loadu_si512(truth + 1)) |
           _mm512_cmpneq_epi16_mask(_mm512_loadu_si512(pred), _mm512_loadu_si512(pred + 1));
}

WITH_AVX512 static inline uint64_t changes_avx512_u16(const uint16_t *truth, const uint16_t *pred) {
    return (uint64_t)changes32_avx512_u16(truth + 32, pred + 32) << 32 | changes32_avx512_u16(truth, pred);
}

/* Asks for the labels a page ahead of a word: the processor's own guesses stop at the end of a page. */
static inline void fetch_ahead(const void *labels, size_t n_bytes) {
    enum { PAGE = 4096, LINE = 64 };
    for (size_t i = 0; i < n_bytes; i += LINE) __builtin_prefetch((const void *)((uintptr_t)labels + PAGE + i));
}

/* ---- Ends of the bits of a word ------------------------------------------------------------------------------------
 */

/* Writes 64 ends and keeps as many as the word has bits. */
WITH_VBMI2 static inline size_t list_vbmi2(uint64_t bits, uint16_t first, uint16_t *ends, size_t n) {
    static const uint8_t numbers[WORD] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                          16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                          32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                          48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const __m512i base = _mm512_set1_epi16((short)first);
    const __m512i kept = _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(numbers));
    const __m512i low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(kept));
    const __m512i high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(kept, 1));
    _mm512_storeu_si512(ends + n, _mm512_add_epi16(low, base));
    _mm512_storeu_si512(ends + n + WORD / 2, _mm512_add_epi16(high, base));
    return n + (size_t)_mm_popcnt_u64(bits);
}

/* The last pairs, which may be read no further, are copied; the very last ends its run in any case, and what would
 * stand behind it means nothing. */
#define DEFINE_FIND(name, target, label, changes, list)                                                                \
    target static size_t name(const label *truth, const label *pred, size_t n_pairs, uint16_t *ends) {                 \
        size_t begin = 0, n = 0;                                                                                       \
        for (; n_pairs - begin > WORD; begin += WORD) {                                                                \
            fetch_ahead(truth + begin, WORD * sizeof(label));                                                          \
            fetch_ahead(pred + begin, WORD * sizeof(label));                                                           \
            const uint64_t bits = changes(truth + begin, pred + begin);                                                \
            if (bits) n = list(bits, (uint16_t)(begin + 1), ends, n);                                                  \
        }                                                                                                              \
        const size_t left = n_pairs - begin;                                                                           \
        const uint64_t last = UINT64_C(1) << (left - 1);                                                               \
        label truths[WORD + 1] = {0}, preds[WORD + 1] = {0};                                                           \
        memcpy(truths, truth + begin, left * sizeof *truths);                                                          \
        memcpy(preds, pred + begin, left * sizeof *preds);                                                             \
        return list((changes(truths, preds) & (last - 1)) | last, (uint16_t)(begin + 1), ends, n);                     \
    }
DEFINE_FIND(find_avx2_u8, WITH_AVX2, uint8_t, changes_avx2_u8, dv_bit_list_add)
DEFINE_FIND(find_avx2_u16, WITH_AVX2, uint16_t, changes_avx2_u16, dv_bit_list_add)
DEFINE_FIND(find_avx512_u8, WITH_AVX512, uint8_t, changes_avx512_u8, dv_bit_list_add)
DEFINE_FIND(find_avx512_u16, WITH_AVX512, uint16_t, changes_avx512_u16, dv_bit_list_add)
DEFINE_FIND(find_vbmi2_u8, WITH_VBMI2, uint8_t, changes_avx512_u8, list_vbmi2)
DEFINE_FIND(find_vbmi2_u16, WITH_VBMI2, uint16_t, changes_avx512_u16, list_vbmi2)

static bool avx2_usable(void) {
    return dv_bit_list_usable() && __builtin_cpu_supports("avx2");
}

static bool avx512_usable(void) {
    return dv_bit_list_usable() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

static bool vbmi2_usable(void) {
    return avx512_usable() && __builtin_cpu_supports("avx512vbmi2");
}

const dv_pair_runs dv_pair_runs_avx2 = {
    .name = "avx2", .usable = avx2_usable, .find_u8 = find_avx2_u8, .find_u16 = find_avx2_u16};
const dv_pair_runs dv_pair_runs_avx512 = {
    .name = "avx512", .usable = avx512_usable, .find_u8 = find_avx512_u8, .find_u16 = find_avx512_u16};
const dv_pair_runs dv_pair_runs_vbmi2 = {
    .name = "avx512vbmi2", .usable = vbmi2_usable, .find_u8 = find_vbmi2_u8, .find_u16 = find_vbmi2_u16};
#endif
