#include "core/widen.h"

#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "stored elements are taken as they are");
_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "IEEE single and double");

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint16_t load_u16(const void *source, size_t i) {
    uint16_t bits;
    memcpy(&bits, (const char *)source + i * sizeof bits, sizeof bits);
    return bits;
}

static float widen_f16(uint16_t half) {
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16, exponent = half >> 10 & 31u, fraction = half & 0x3ffu;
    if (exponent == 0) { /* zero or subnormal: fraction * 2^-24, which is a normal f32 */
        const float magnitude = (float)fraction * 0x1p-24f;
        return sign ? -magnitude : magnitude;
    }
    if (exponent < 31) return float_of(sign | (exponent + 127 - 15) << 23 | fraction << 13);
    const uint32_t quiet = fraction ? 0x400000u : 0; /* as the instruction does it */
    return float_of(sign | 0x7f800000u | quiet | fraction << 13);
}

static float widen_bf16(uint16_t upper_half) {
    return float_of((uint32_t)upper_half << 16);
}

static void f16_to_f32(const void *source, float *target, size_t n) {
    for (size_t i = 0; i < n; i++) target[i] = widen_f16(load_u16(source, i));
}

static void bf16_to_f32(const void *source, float *target, size_t n) {
    for (size_t i = 0; i < n; i++) target[i] = widen_bf16(load_u16(source, i));
}

static void f16_to_f64(const void *source, double *target, size_t n) {
    for (size_t i = 0; i < n; i++) target[i] = (double)widen_f16(load_u16(source, i));
}

static void bf16_to_f64(const void *source, double *target, size_t n) {
    for (size_t i = 0; i < n; i++) target[i] = (double)widen_bf16(load_u16(source, i));
}

static void f32_to_f64(const void *source, double *target, size_t n) {
    for (size_t i = 0; i < n; i++) {
        float value;
        memcpy(&value, (const char *)source + i * sizeof value, sizeof value);
        target[i] = (double)value;
    }
}

static bool always(void) {
    return true;
}

const dv_widen_kernels dv_widen_portable = {.name = "portable",
                                            .usable = always,
                                            .f16_to_f32 = f16_to_f32,
                                            .bf16_to_f32 = bf16_to_f32,
                                            .f16_to_f64 = f16_to_f64,
                                            .bf16_to_f64 = bf16_to_f64,
                                            .f32_to_f64 = f32_to_f64};

const dv_widen_kernels *dv_widen_table(size_t i) {
    static const dv_widen_kernels *const tables[] = {
#if defined(__x86_64__)
        &dv_widen_avx512,
        &dv_widen_avx2,
#endif
        &dv_widen_portable,
        NULL
    };
    size_t n = 0;
    while (n < i && tables[n]) n++;
    return tables[n];
}
