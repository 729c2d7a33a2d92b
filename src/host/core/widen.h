/* widen.h: the widening routines behind dv_widen_f32 and dv_widen_f64, one table for each instruction set. */
#ifndef DV_CORE_WIDEN_H
#define DV_CORE_WIDEN_H

#include <stdbool.h>
#include <stddef.h>

/* Every source may have any alignment, no target may overlap its source, n may be 0. All tables give the same bits. */
typedef struct dv_widen_kernels {
    const char *name; /* "portable", "avx2", "avx512"; static lifetime */
    bool (*usable)(void);
    void (*f16_to_f32)(const void *source, float *target, size_t n);
    void (*bf16_to_f32)(const void *source, float *target, size_t n);
    void (*f16_to_f64)(const void *source, double *target, size_t n);
    void (*bf16_to_f64)(const void *source, double *target, size_t n);
    void (*f32_to_f64)(const void *source, double *target, size_t n);
} dv_widen_kernels;

extern const dv_widen_kernels dv_widen_portable; /* usable everywhere */
#if defined(__x86_64__)
extern const dv_widen_kernels dv_widen_avx2;
extern const dv_widen_kernels dv_widen_avx512;
#endif

/* Table number `i` of this build, the fastest first, or NULL past the last one. */
const dv_widen_kernels *dv_widen_table(size_t i);

#endif
