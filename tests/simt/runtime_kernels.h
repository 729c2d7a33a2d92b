/* runtime_kernels.h: what test_runtime.c launches. */
#ifndef SIMT_RUNTIME_KERNELS_H
#define SIMT_RUNTIME_KERNELS_H

#include <stddef.h>

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* values[i] += 1 for i below n; blocks of 64. */
int launch_add_one(int *values, int n, cudaStream_t stream);
/* A launch of that shape that does nothing. */
int launch_shape(unsigned grid_x, unsigned grid_y, unsigned block_x, size_t shared_bytes, cudaStream_t stream);
int allow_shared(size_t bytes);
/* What the intrinsics give, as a word for each that is wrong, or "". */
const char *wrong_intrinsic(void);

#ifdef __cplusplus
}
#endif
#endif
