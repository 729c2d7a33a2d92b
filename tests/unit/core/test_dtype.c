/* Widening: every pattern of the half formats against arithmetic worked out from the definition of the format. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/widen.h"
#include "denseval/dtype.h"

enum { N_PATTERNS = 65536, GUARD = 0x5a };

typedef struct format {
    int exponent_bits, fraction_bits;
} format;
static const format f16 = {5, 10}, bf16 = {8, 7};

/* The value of a finite pattern by the IEEE definition; ldexp is exact here. */
static double value_of(uint16_t pattern, format kind) {
    const int bias = (1 << (kind.exponent_bits - 1)) - 1, fraction = pattern & ((1 << kind.fraction_bits) - 1);
    const int exponent = pattern >> kind.fraction_bits & ((1 << kind.exponent_bits) - 1);
    const int implied = exponent ? 1 << kind.fraction_bits : 0;
    const double magnitude = ldexp(implied + fraction, (exponent ? exponent : 1) - bias - kind.fraction_bits);
    return pattern & 0x8000 ? -magnitude : magnitude;
}

static int is_finite_pattern(uint16_t pattern, format kind) {
    const int top = (1 << kind.exponent_bits) - 1;
    return (pattern >> kind.fraction_bits & top) != top;
}

/* The bits of an f64 that a pattern means: NaN keeps sign and payload and is quiet. */
static uint64_t expected_f64(uint16_t pattern, format kind) {
    uint64_t bits;
    if (is_finite_pattern(pattern, kind)) {
        const double value = value_of(pattern, kind);
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    const uint64_t fraction = pattern & ((1u << kind.fraction_bits) - 1);
    bits = (uint64_t)(pattern >> 15) << 63 | UINT64_C(0x7ff) << 52 | fraction << (52 - kind.fraction_bits);
    return fraction ? bits | UINT64_C(1) << 51 : bits;
}

static uint32_t expected_f32(uint16_t pattern, format kind) {
    uint32_t bits;
    if (kind.exponent_bits == 8) return (uint32_t)pattern << 16; /* bf16 is the upper half of an f32 */
    if (is_finite_pattern(pattern, kind)) {
        const float value = (float)value_of(pattern, kind); /* every f16 is an f32 */
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    const uint32_t fraction = pattern & 0x3ffu;
    bits = (uint32_t)(pattern >> 15) << 31 | 0xffu << 23 | fraction << 13;
    return fraction ? bits | 1u << 22 : bits;
}

/* All patterns at an odd address, since a source may have any alignment. */
static char *all_patterns(void) {
    char *source = malloc(2 * N_PATTERNS + 1);
    assert_non_null(source);
    for (uint32_t i = 0; i < N_PATTERNS; i++) {
        const uint16_t pattern = (uint16_t)i;
        memcpy(source + 1 + 2 * (size_t)i, &pattern, 2);
    }
    return source;
}

static void check_f32(void (*widen)(const void *, float *, size_t), format kind, const char *source) {
    float *target = malloc(sizeof *target * N_PATTERNS);
    assert_non_null(target);
    widen(source + 1, target, N_PATTERNS);
    for (uint32_t i = 0; i < N_PATTERNS; i++) {
        uint32_t bits;
        memcpy(&bits, target + i, sizeof bits);
        if (bits != expected_f32((uint16_t)i, kind)) fail_msg("pattern %04x became %08x", i, bits);
    }
    free(target);
}

static void check_f64(void (*widen)(const void *, double *, size_t), format kind, const char *source) {
    double *target = malloc(sizeof *target * N_PATTERNS);
    assert_non_null(target);
    widen(source + 1, target, N_PATTERNS);
    for (uint32_t i = 0; i < N_PATTERNS; i++) {
        uint64_t bits;
        memcpy(&bits, target + i, sizeof bits);
        if (bits != expected_f64((uint16_t)i, kind)) fail_msg("pattern %04x became %016lx", i, (unsigned long)bits);
    }
    free(target);
}

/* H5-04 */
static void every_pattern_is_widened_exactly_by_every_table(void **state) {
    (void)state;
    char *source = all_patterns();
    const dv_widen_kernels *table;
    for (size_t i = 0; (table = dv_widen_table(i)) != NULL; i++) {
        print_message("table %s: %s\n", table->name, table->usable() ? "usable" : "not on this CPU");
        if (!table->usable()) continue;
        check_f32(table->f16_to_f32, f16, source);
        check_f32(table->bf16_to_f32, bf16, source);
        check_f64(table->f16_to_f64, f16, source);
        check_f64(table->bf16_to_f64, bf16, source);
    }
    free(source);
}

static void public_f32(const void *source, float *target, size_t n) {
    dv_widen_f32(source, DV_F16, target, n);
}

static void public_bf32(const void *source, float *target, size_t n) {
    dv_widen_f32(source, DV_BF16, target, n);
}

static void public_f64(const void *source, double *target, size_t n) {
    dv_widen_f64(source, DV_F16, target, n);
}

static void public_bf64(const void *source, double *target, size_t n) {
    dv_widen_f64(source, DV_BF16, target, n);
}

static void every_pattern_is_widened_exactly_by_the_public_calls(void **state) {
    (void)state;
    char *source = all_patterns();
    check_f32(public_f32, f16, source);
    check_f32(public_bf32, bf16, source);
    check_f64(public_f64, f16, source);
    check_f64(public_bf64, bf16, source);
    free(source);
}

/* Hand-picked values: largest, smallest normal, largest and smallest subnormal of each format. */
static void known_halves_have_their_published_values(void **state) {
    (void)state;
    const uint16_t halves[] = {0x3c00, 0xc000, 0x7bff, 0x0400, 0x03ff, 0x0001, 0x3555};
    const double values[] = {1, -2, 65504, 0x1p-14, 0x1.ff8p-15, 0x1p-24, 0x1.554p-2};
    const uint16_t brains[] = {0x3f80, 0xc000, 0x7f7f, 0x0080, 0x0001};
    const double brain_values[] = {1, -2, 0x1.fep127, 0x1p-126, 0x1p-133};
    double wide[7];
    dv_widen_f64(halves, DV_F16, wide, 7);
    for (size_t i = 0; i < 7; i++) assert_true(wide[i] == values[i]);
    dv_widen_f64(brains, DV_BF16, wide, 5);
    for (size_t i = 0; i < 5; i++) assert_true(wide[i] == brain_values[i]);
}

static void singles_are_widened_exactly_by_every_table(void **state) {
    (void)state;
    const float values[] = {0.0f,      -0.0f, 1.5f,   -3.25f, 0x1p-149f, 0x1.fffffep127f,
                            -INFINITY, 0.1f,  1e-40f, 7.0f,   0x1p-126f, 16777215,
                            -1e30f,    1e30f, 0.3f,   2.0f,   3.0f};
    enum { N = sizeof values / sizeof *values };
    const dv_widen_kernels *table;
    for (size_t t = 0; (table = dv_widen_table(t)) != NULL; t++) {
        if (!table->usable()) continue;
        char source[sizeof values + 1];
        memcpy(source + 1, values, sizeof values);
        double wide[N];
        table->f32_to_f64(source + 1, wide, N);
        for (size_t i = 0; i < N; i++) {
            const double expected = values[i];
            assert_memory_equal(wide + i, &expected, sizeof expected);
        }
    }
}

static void nan_of_a_single_keeps_its_payload_and_becomes_quiet(void **state) {
    (void)state;
    const uint32_t signalling = 0xff800001;
    const uint64_t quiet = UINT64_C(0xfff8000020000000);
    for (size_t t = 0; dv_widen_table(t) != NULL; t++) {
        if (!dv_widen_table(t)->usable()) continue;
        uint32_t source[20];
        double wide[20];
        for (size_t i = 0; i < 20; i++) source[i] = signalling;
        dv_widen_table(t)->f32_to_f64(source, wide, 20);
        for (size_t i = 0; i < 20; i++) assert_memory_equal(wide + i, &quiet, sizeof quiet);
    }
}

static void doubles_are_copied_to_f64_and_rounded_to_nearest_f32(void **state) {
    (void)state;
    /* Halfway between 1 and its f32 successor goes to the even one; above halfway goes up; too large is infinite. */
    const double source[] = {1 + 0x1p-24, 1 + 0x1.8p-24, 1 + 0x3p-24, 1e300, -0x1p-149, 0x1p-150};
    const float expected[] = {1, 1 + 0x1p-23f, 1 + 0x2p-23f, INFINITY, -0x1p-149f, 0};
    double copy[6];
    float narrow[6];
    dv_widen_f64(source, DV_F64, copy, 6);
    dv_widen_f32(source, DV_F64, narrow, 6);
    assert_memory_equal(copy, source, sizeof source);
    for (size_t i = 0; i < 6; i++) assert_true(narrow[i] == expected[i]);
}

static void singles_are_copied_to_f32_bit_by_bit(void **state) {
    (void)state;
    const uint32_t source[] = {0x3f800000, 0x7f800001, 0x00000001, 0x80000000};
    float target[4];
    dv_widen_f32(source, DV_F32, target, 4);
    assert_memory_equal(target, source, sizeof source);
}

static void singles_are_widened_by_the_public_call(void **state) {
    (void)state;
    const float source[] = {0.1f, -0x1p-149f, INFINITY};
    const double expected[] = {0x1.99999ap-4, -0x1p-149, INFINITY};
    double target[3];
    dv_widen_f64(source, DV_F32, target, 3);
    assert_memory_equal(target, expected, sizeof expected);
}

/* Lengths around the vector widths: nothing is written behind the last element, nothing is left out. */
static void every_length_writes_exactly_its_elements(void **state) {
    (void)state;
    uint16_t source[70];
    for (size_t i = 0; i < 70; i++) source[i] = 0x3c00; /* 1.0 as f16 */
    for (size_t n = 0; n <= 66; n++) {
        unsigned char single[70 * sizeof(float)], wide[70 * sizeof(double)];
        memset(single, GUARD, sizeof single);
        memset(wide, GUARD, sizeof wide);
        dv_widen_f32(source, DV_F16, (float *)(void *)single, n);
        dv_widen_f64(source, DV_F16, (double *)(void *)wide, n);
        for (size_t i = 0; i < n; i++) {
            assert_true(((float *)(void *)single)[i] == 1.0f);
            assert_true(((double *)(void *)wide)[i] == 1.0);
        }
        for (size_t i = n * sizeof(float); i < sizeof single; i++) assert_int_equal(single[i], GUARD);
        for (size_t i = n * sizeof(double); i < sizeof wide; i++) assert_int_equal(wide[i], GUARD);
    }
}

static void nothing_is_widened_from_nowhere(void **state) {
    (void)state;
    for (int dtype = DV_F16; dtype <= DV_F64; dtype++) {
        dv_widen_f32(NULL, (dv_dtype)dtype, NULL, 0);
        dv_widen_f64(NULL, (dv_dtype)dtype, NULL, 0);
    }
}

static void sizes_and_names_are_those_of_the_formats(void **state) {
    (void)state;
    assert_int_equal(dv_dtype_size(DV_F16), 2);
    assert_int_equal(dv_dtype_size(DV_BF16), 2);
    assert_int_equal(dv_dtype_size(DV_F32), 4);
    assert_int_equal(dv_dtype_size(DV_F64), 8);
    assert_int_equal(dv_dtype_size((dv_dtype)0), 0);
    assert_int_equal(dv_dtype_size((dv_dtype)5), 0);
    assert_string_equal(dv_dtype_name(DV_F16), "f16");
    assert_string_equal(dv_dtype_name(DV_BF16), "bf16");
    assert_string_equal(dv_dtype_name(DV_F32), "f32");
    assert_string_equal(dv_dtype_name(DV_F64), "f64");
    assert_string_equal(dv_dtype_name((dv_dtype)0), "unknown");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern_is_widened_exactly_by_every_table),
        cmocka_unit_test(every_pattern_is_widened_exactly_by_the_public_calls),
        cmocka_unit_test(known_halves_have_their_published_values),
        cmocka_unit_test(singles_are_widened_exactly_by_every_table),
        cmocka_unit_test(nan_of_a_single_keeps_its_payload_and_becomes_quiet),
        cmocka_unit_test(doubles_are_copied_to_f64_and_rounded_to_nearest_f32),
        cmocka_unit_test(singles_are_copied_to_f32_bit_by_bit),
        cmocka_unit_test(singles_are_widened_by_the_public_call),
        cmocka_unit_test(every_length_writes_exactly_its_elements),
        cmocka_unit_test(nothing_is_widened_from_nowhere),
        cmocka_unit_test(sizes_and_names_are_those_of_the_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
