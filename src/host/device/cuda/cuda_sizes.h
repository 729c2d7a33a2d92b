/* cuda_sizes.h: comparing and rounding sizes. */
#ifndef DV_DEVICE_CUDA_CUDA_SIZES_H
#define DV_DEVICE_CUDA_CUDA_SIZES_H

#include <stddef.h>

static inline size_t dv_smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static inline size_t dv_larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* The least multiple of `to`, at least 1, that is not below n; n is far from SIZE_MAX. */
static inline size_t dv_rounded_up(size_t n, size_t to) {
    return (n + to - 1) / to * to;
}

#endif
