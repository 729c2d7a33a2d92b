/* dot.h: the canonical dot product: doubles, 16 partial sums, one written order, nothing fused. */
#ifndef DV_SEARCH_DOT_H
#define DV_SEARCH_DOT_H

#include <stddef.h>

#include "denseval/dtype.h"

enum { DV_DOT_PARTIALS = 16 };

/* Families of code that give the same bits. */
typedef enum dv_simd { DV_SIMD_PORTABLE = 0, DV_SIMD_AVX2 = 1, DV_SIMD_AVX512 = 2 } dv_simd;

/* The fastest family that this CPU runs. */
dv_simd dv_simd_best(void);

/* "portable", "avx2" or "avx512". Static lifetime. */
const char *dv_simd_name(dv_simd simd);

/* A power of two as two factors, so that it reaches 2^1073. Multiplying by `first`, then `second`, rounds once at most:
 * growing is exact, and what shrinks has first = 1. */
typedef struct dv_scale {
    double first, second;
} dv_scale;

/* 2^-exponent, for an exponent -1073..1024 as frexp gives it. */
dv_scale dv_scale_down(int exponent);

/* sum of query[i] * row[i]. Partial l = i mod 16 starts at +0 and takes its elements in rising i, each product and each
 * sum rounded once; then p[l] += p[l + o] for o = 8, 4, 2, 1. Products of f16, bf16 and f32 are exact in double.
 * query  f64 [dim rounded up to 16], padded with zeros
 * row    dtype of the kernel [dim], any alignment of its element
 * scale  for f64 rows: each element is multiplied by it first; the other kernels do without
 * Padding changes no bit: a partial is never -0, and adding a zero to it leaves it. */
typedef double (*dv_dot_kernel)(const double *query, const void *row, size_t dim, dv_scale scale);

/* The same for four rows of one query at once: the bits of four single calls. Where rows lie in memory hides behind one
 * another. */
enum { DV_DOT_ROWS = 4 };
typedef void (*dv_dots_kernel)(const double *query, const void *const *rows, size_t dim, const dv_scale *scales,
                               double *dots);

/* The kernels for a dtype; NULL where this CPU does not run the family. */
dv_dots_kernel dv_dots_kernel_for(dv_dtype dtype, dv_simd simd);

/* The kernel for a dtype; NULL where this CPU does not run the family. */
dv_dot_kernel dv_dot_kernel_for(dv_dtype dtype, dv_simd simd);

#endif
