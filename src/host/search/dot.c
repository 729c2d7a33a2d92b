#include "search/dot.h"

#include <math.h>

#include "search/dot_parts.h"

enum { LARGEST_STEP = 1000 }; /* exponent of one factor; two of them reach 2^1073 without overflow */

/* clang 14 has no name for F16C; every CPU with AVX2 and FMA has it. */
#if defined(__clang__)
#define F16C_OR_SIGN_OF_IT "fma"
#else
#define F16C_OR_SIGN_OF_IT "f16c"
#endif

dv_simd dv_simd_best(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return DV_SIMD_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports(F16C_OR_SIGN_OF_IT)) return DV_SIMD_AVX2;
#endif
    return DV_SIMD_PORTABLE;
}

const char *dv_simd_name(dv_simd simd) {
    switch (simd) {
    case DV_SIMD_AVX512:
        return "avx512";
    case DV_SIMD_AVX2:
        return "avx2";
    case DV_SIMD_PORTABLE:
        break;
    }
    return "portable";
}

dv_scale dv_scale_down(int exponent) {
    if (exponent > 0) return (dv_scale){1.0, ldexp(1.0, -exponent)}; /* 2^-1024 is subnormal, but exact */
    const int up = -exponent, step = up < LARGEST_STEP ? up : LARGEST_STEP;
    return (dv_scale){ldexp(1.0, step), ldexp(1.0, up - step)};
}

static double dot_portable(const double *query, const void *row, dv_dtype dtype, size_t dim, dv_scale scale) {
    const unsigned char *bytes = row;
    const size_t size = dv_dtype_size(dtype);
    double partial[DV_DOT_PARTIALS] = {0};
    for (size_t i = 0; i < dim; i += DV_DOT_PARTIALS) {
        const size_t n = dim - i < DV_DOT_PARTIALS ? dim - i : DV_DOT_PARTIALS;
        double block[DV_DOT_PARTIALS];
        dv_widen_f64(bytes + i * size, dtype, block, n);
        for (size_t l = 0; l < n; l++) partial[l] += query[i + l] * (block[l] * scale.first * scale.second);
    }
    return dv_dot_finish(partial);
}

static const dv_scale ONE = {1.0, 1.0};

static double dot_f16(const double *query, const void *row, size_t dim, dv_scale scale) {
    (void)scale;
    return dot_portable(query, row, DV_F16, dim, ONE);
}

static double dot_bf16(const double *query, const void *row, size_t dim, dv_scale scale) {
    (void)scale;
    return dot_portable(query, row, DV_BF16, dim, ONE);
}

static double dot_f32(const double *query, const void *row, size_t dim, dv_scale scale) {
    (void)scale;
    return dot_portable(query, row, DV_F32, dim, ONE);
}

static double dot_f64(const double *query, const void *row, size_t dim, dv_scale scale) {
    return dot_portable(query, row, DV_F64, dim, scale);
}

DV_DEFINE_DOTS(dot_f16)
DV_DEFINE_DOTS(dot_bf16)
DV_DEFINE_DOTS(dot_f32)
DV_DEFINE_DOTS(dot_f64)

static dv_dots_kernel portable_rows(dv_dtype dtype) {
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

dv_dots_kernel dv_dots_kernel_for(dv_dtype dtype, dv_simd simd) {
    if (simd > dv_simd_best()) return NULL;
#if defined(__x86_64__)
    if (simd == DV_SIMD_AVX512) return dv_dots_avx512(dtype);
    if (simd == DV_SIMD_AVX2) return dv_dots_avx2(dtype);
#endif
    return portable_rows(dtype);
}

static dv_dot_kernel portable(dv_dtype dtype) {
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

dv_dot_kernel dv_dot_kernel_for(dv_dtype dtype, dv_simd simd) {
    if (simd > dv_simd_best()) return NULL;
#if defined(__x86_64__)
    if (simd == DV_SIMD_AVX512) return dv_dot_avx512(dtype);
    if (simd == DV_SIMD_AVX2) return dv_dot_avx2(dtype);
#endif
    return portable(dtype);
}
