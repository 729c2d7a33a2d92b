/* peak_x86.c: multiply-add loops of x86-64, twelve independent sums each: a multiplier starts one or two a cycle and
 * takes four to five to end. What the loops multiply is hidden from the compiler, which would else do it once. */
#include "device/cpu/peak_loops.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SUMS = 12 };

/* One more step of each sum; s0 to s11 are variables so that they stay in registers. */
#define EACH(step)                                                                                                     \
    step(s0) step(s1) step(s2) step(s3) step(s4) step(s5) step(s6) step(s7) step(s8) step(s9) step(s10) step(s11)

#define WITH(features) __attribute__((target(features)))

/* NOLINTBEGIN(bugprone-macro-parentheses): a variable's name.
 * Equal sums would be taken once for all: nobody is to know that they are. */
#define HIDDEN(sum) __asm__ volatile("" : "+v"(sum));
#define INT8_AVX512(sum) sum = _mm512_dpbusd_epi32(sum, a, b);
#define INT8_AVXVNNI(sum) sum = _mm256_dpbusd_avx_epi32(sum, a, b);
#define INT8_AVX2(sum)                                                                                                 \
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));                                                              \
    __asm__("" : "+x"(a));
#define FP32_AVX512(sum) sum = _mm512_fmadd_ps(a, b, sum);
#define FP32_AVX2(sum) sum = _mm256_fmadd_ps(a, b, sum);
/* NOLINTEND(bugprone-macro-parentheses) */

WITH("avx512f,avx512vnni") static uint32_t int8_avx512(size_t n) {
    __m512i a = _mm512_set1_epi8(3), b = _mm512_set1_epi8(5);
    __m512i s0 = _mm512_setzero_si512(), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0, s8 = s0;
    __m512i s9 = s0, s10 = s0, s11 = s0;
    EACH(HIDDEN)
    for (size_t i = 0; i < n; i++) {
        EACH(INT8_AVX512)
        __asm__ volatile("" : "+v"(a), "+v"(b));
    }
    const __m512i low = _mm512_xor_si512(s0 ^ s1 ^ s2, s3 ^ s4 ^ s5),
                  high = _mm512_xor_si512(s6 ^ s7 ^ s8, s9 ^ s10 ^ s11);
    return (uint32_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(low ^ high));
}

WITH("avx2,avxvnni") static uint32_t int8_avxvnni(size_t n) {
    __m256i a = _mm256_set1_epi8(3), b = _mm256_set1_epi8(5);
    __m256i s0 = _mm256_setzero_si256(), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0, s8 = s0;
    __m256i s9 = s0, s10 = s0, s11 = s0;
    EACH(HIDDEN)
    for (size_t i = 0; i < n; i++) {
        EACH(INT8_AVXVNNI)
        __asm__ volatile("" : "+x"(a), "+x"(b));
    }
    const __m256i all = s0 ^ s1 ^ s2 ^ s3 ^ s4 ^ s5 ^ s6 ^ s7 ^ s8 ^ s9 ^ s10 ^ s11;
    return (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(all));
}

/* 8-bit numbers widened to 16 beforehand: VPMADDUBSW would be twice as fast, but it saturates. */
WITH("avx2") static uint32_t int8_avx2(size_t n) {
    __m256i a = _mm256_set1_epi16(3), b = _mm256_set1_epi16(5);
    __m256i s0 = _mm256_setzero_si256(), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0, s8 = s0;
    __m256i s9 = s0, s10 = s0, s11 = s0;
    EACH(HIDDEN)
    for (size_t i = 0; i < n; i++) {
        EACH(INT8_AVX2)
        __asm__ volatile("" : "+x"(b));
    }
    const __m256i all = s0 ^ s1 ^ s2 ^ s3 ^ s4 ^ s5 ^ s6 ^ s7 ^ s8 ^ s9 ^ s10 ^ s11;
    return (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(all));
}

static uint32_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

WITH("avx512f") static uint32_t fp32_avx512(size_t n) {
    __m512 a = _mm512_set1_ps(0.5f), b = _mm512_set1_ps(0x1p-20f);
    __m512 s0 = _mm512_set1_ps(1), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0, s8 = s0;
    __m512 s9 = s0, s10 = s0, s11 = s0;
    EACH(HIDDEN)
    for (size_t i = 0; i < n; i++) {
        EACH(FP32_AVX512)
        __asm__ volatile("" : "+v"(a), "+v"(b));
    }
    const __m512 all = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11;
    return float_bits(_mm_cvtss_f32(_mm512_castps512_ps128(all)));
}

WITH("avx2,fma") static uint32_t fp32_avx2(size_t n) {
    __m256 a = _mm256_set1_ps(0.5f), b = _mm256_set1_ps(0x1p-20f);
    __m256 s0 = _mm256_set1_ps(1), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0, s8 = s0;
    __m256 s9 = s0, s10 = s0, s11 = s0;
    EACH(HIDDEN)
    for (size_t i = 0; i < n; i++) {
        EACH(FP32_AVX2)
        __asm__ volatile("" : "+x"(a), "+x"(b));
    }
    const __m256 all = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11;
    return float_bits(_mm_cvtss_f32(_mm256_castps256_ps128(all)));
}

/* Four sums of 16 x 16, two operands on each side, as a blocked product would hold its tiles. */
typedef struct tile_config {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
} tile_config;
_Static_assert(sizeof(tile_config) == 64, "the layout that LDTILECFG reads");

WITH("amx-tile,amx-int8") static uint32_t int8_amx(size_t n) {
    tile_config config = {.palette = 1};
    int8_t operand[16][64];
    int32_t sums[16][16];
    memset(operand, 1, sizeof operand);
    for (int i = 0; i < 8; i++) {
        config.row_bytes[i] = 64;
        config.rows[i] = 16;
    }
    _tile_loadconfig(&config);
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    _tile_loadd(4, operand, 64);
    _tile_loadd(5, operand, 64);
    _tile_loadd(6, operand, 64);
    _tile_loadd(7, operand, 64);
    for (size_t i = 0; i < n; i++) {
        _tile_dpbssd(0, 4, 6);
        _tile_dpbssd(1, 4, 7);
        _tile_dpbssd(2, 5, 6);
        _tile_dpbssd(3, 5, 7);
    }
    _tile_stored(3, sums, 64);
    _tile_release();
    return (uint32_t)sums[0][0];
}

/* Both asked of the processor itself: compilers differ in which of these names they know. */
static bool has_leaf7(unsigned subleaf, unsigned eax_mask, unsigned edx_mask) {
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid_count(7, subleaf, &eax, &ebx, &ecx, &edx)) return false;
    return (eax & eax_mask) == eax_mask && (edx & edx_mask) == edx_mask;
}

static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void) {
    return __builtin_cpu_supports("avx512f");
}

static bool has_avx512vnni(void) {
    return has_avx512() && __builtin_cpu_supports("avx512vnni");
}

static bool has_avxvnni(void) {
    return has_avx2() && has_leaf7(1, 1u << 4, 0);
}

/* The kernel keeps the tiles of those threads only that belong to a process which asked for them. */
static bool has_amx(void) {
    enum { REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
    return has_avx512() && has_leaf7(0, 0, 1u << 24 | 1u << 25) &&
           syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0;
}

WITH("avx2") static uint64_t read_avx2(const void *memory, size_t n_bytes) {
    const __m256i *const words = memory;
    __m256i sums[8];
    for (int j = 0; j < 8; j++) sums[j] = _mm256_setzero_si256();
    for (size_t i = 0; i < n_bytes / sizeof *words; i += 8)
        for (int j = 0; j < 8; j++) sums[j] = _mm256_xor_si256(sums[j], _mm256_load_si256(words + i + j));
    const __m256i all = sums[0] ^ sums[1] ^ sums[2] ^ sums[3] ^ sums[4] ^ sums[5] ^ sums[6] ^ sums[7];
    return (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(all));
}

/* Operations of a round: sums x lanes x products a lane x 2. */
const dv_peak_kernel dv_peak_int8[] = {
    {"amx", has_amx, int8_amx, 4 * 256 * 64 * 2},
    {"avx512vnni", has_avx512vnni, int8_avx512, SUMS * 16 * 4 * 2},
    {"avxvnni", has_avxvnni, int8_avxvnni, SUMS * 8 * 4 * 2},
    {"avx2", has_avx2, int8_avx2, SUMS * 8 * 2 * 2},
    {"portable", dv_peak_always, dv_peak_int8_portable, DV_PEAK_PORTABLE_LANES * 2},
};
const dv_peak_kernel dv_peak_fp32[] = {
    {"avx512", has_avx512, fp32_avx512, SUMS * 16 * 2},
    {"avx2", has_avx2, fp32_avx2, SUMS * 8 * 2},
    {"portable", dv_peak_always, dv_peak_fp32_portable, DV_PEAK_PORTABLE_LANES * 2},
};

dv_peak_reader dv_peak_best_reader(void) {
    return has_avx2() ? read_avx2 : dv_peak_read_portable;
}

#else

const dv_peak_kernel dv_peak_int8[] = {{"portable", dv_peak_always, dv_peak_int8_portable, DV_PEAK_PORTABLE_LANES * 2}};
const dv_peak_kernel dv_peak_fp32[] = {{"portable", dv_peak_always, dv_peak_fp32_portable, DV_PEAK_PORTABLE_LANES * 2}};

dv_peak_reader dv_peak_best_reader(void) {
    return dv_peak_read_portable;
}

#endif
