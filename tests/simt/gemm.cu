/* Plain loops in the place of cuBLAS (src/host/device/cuda/gemm.c): queued as a kernel is, and seen by all that watches
 * kernels. */
#include "kernels/launch.cuh"

#include <stdlib.h>

extern "C" { /* headers of C */
#include "core/check.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/gemm.h"
}

namespace {

enum : unsigned { THREADS = 32 };

template <class FACTOR, class SUM>
__global__ void multiply(const FACTOR *a, const FACTOR *b, int64_t m, int64_t n, int64_t k, SUM *c) {
    for (int64_t at = threadIdx.x; at < m * n; at += THREADS) {
        const FACTOR *const row_of_a = a + at / n * k, *const row_of_b = b + at % n * k;
        SUM sum = 0;
        for (int64_t i = 0; i < k; i++) sum += static_cast<SUM>(row_of_a[i]) * static_cast<SUM>(row_of_b[i]);
        c[at] = sum;
    }
}

} // namespace

struct dv_gemm {
    void *workspace;
};

dv_status dv_gemm_open(const dv_cublas_names *, dv_gemm **out) {
    *out = nullptr;
    void *workspace;
    DV_TRY(dv_cuda_check(cudaMalloc(&workspace, 256), "workspace of cuBLAS"));
    *out = static_cast<dv_gemm *>(malloc(sizeof **out));
    if (!*out) abort();
    (*out)->workspace = workspace;
    return DV_OK;
}

void dv_gemm_close(dv_gemm *gemm) {
    if (!gemm) return;
    (void)cudaFree(gemm->workspace);
    free(gemm);
}

dv_status dv_gemm_s8(dv_gemm *, const int8_t *a, const int8_t *b, int64_t m, int64_t n, int64_t k, int32_t *c,
                     dv_stream stream) {
    return dv_cuda_check(DV_LAUNCH((multiply<int8_t, int32_t>), 1u, THREADS, 0, stream, a, b, m, n, k, c),
                         "cublasLtMatmul");
}

dv_status dv_gemm_f32(dv_gemm *, const float *a, const float *b, int64_t m, int64_t n, int64_t k, float *c,
                      dv_stream stream) {
    return dv_cuda_check(DV_LAUNCH((multiply<float, float>), 1u, THREADS, 0, stream, a, b, m, n, k, c), "cublasSgemm");
}
