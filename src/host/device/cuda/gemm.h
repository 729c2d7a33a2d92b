/* gemm.h: products of matrices by cuBLASLt and cuBLAS: peers of the search and a second opinion on it, never its usual
 * way. In tests, plain loops of tests/simt stand behind these functions. */
#ifndef DV_DEVICE_CUDA_GEMM_H
#define DV_DEVICE_CUDA_GEMM_H

#include <stdint.h>

#include "denseval/status.h"
#include "device/cuda/cublas_library.h"
#include "kernels/kernels.h"

/* Both libraries with 32 MiB of the device that was current, which must be current whenever it is used. One thread, one
 * stream at a time. */
typedef struct dv_gemm dv_gemm;

/* names  as dv_cublas_library_open
 * *out   the caller's until dv_gemm_close; NULL on failure
 * Fails with DV_E_NOMEM; DV_E_BACKEND where a library is missing or the device is out of memory. */
DV_MUST_USE dv_status dv_gemm_open(const dv_cublas_names *names, dv_gemm **out);
void dv_gemm_close(dv_gemm *gemm); /* waits for queued work; NULL is allowed */

/* c = a b^T, exact in i32. Queued; asks the library's heuristic once a shape.
 * a, b  i8 [m, k] and [n, k], device memory, 16-byte aligned; n and k are multiples of 4, m, n, k at least 1
 * c     i32 [m, n], device memory, 16-byte aligned
 * Fails with DV_E_ARG for another shape, DV_E_BACKEND. */
DV_MUST_USE dv_status dv_gemm_s8(dv_gemm *gemm, const int8_t *a, const int8_t *b, int64_t m, int64_t n, int64_t k,
                                 int32_t *c, dv_stream stream);

/* c = a b^T in f32: products and sums are no shorter than floats, in an order that the library chooses. TF32 is not
 * asked for (CUBLAS_DEFAULT_MATH); the environment's NVIDIA_TF32_OVERRIDE=0 forbids it to all of NVIDIA's libraries.
 * a, b  f32 [m, k] and [n, k], c f32 [m, n], device memory; m, n, k in 1..INT32_MAX
 * Fails with DV_E_ARG for another shape, DV_E_BACKEND. */
DV_MUST_USE dv_status dv_gemm_f32(dv_gemm *gemm, const float *a, const float *b, int64_t m, int64_t n, int64_t k,
                                  float *c, dv_stream stream);

#endif
