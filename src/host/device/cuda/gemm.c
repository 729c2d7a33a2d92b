/* gemm.c: the libraries think in columns: our rows, k elements each, are the columns of a matrix with k rows, so a b^T
 * is read as (b a^T)^T, the form "TN" with n rows, m columns and b first. That is the one in which int8 goes through
 * tensor cores with plain layouts. */
#include "device/cuda/gemm.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_buffer.h"

enum { WORKSPACE_BYTES = 32 << 20, MOST_SHAPES = 16, SUPPORTED = 4 };

/* How a product of this shape is made. */
typedef struct shape {
    int64_t m, n, k; /* 0: not asked yet */
    void *first, *second, *result;
    dv_cublaslt_algorithm algorithm;
} shape;

struct dv_gemm {
    dv_cublas_library library;
    void *lt, *blas, *product, *preference;
    void *workspace; /* of the device; owned */
    shape shapes[MOST_SHAPES];
    size_t next; /* place of the next new shape, which takes that of the oldest */
};

static dv_status check(const dv_gemm *gemm, int status, const char *what) {
    if (status == 0) return DV_OK;
    return dv_fail(DV_E_BACKEND, "%s: %s (status %d)", what, gemm->library.lt_status_text(status), status);
}

static dv_status open_lt(dv_gemm *gemm) {
    const dv_cublas_library *const library = &gemm->library;
    const int32_t transposed = DV_CUBLAS_OP_T;
    const uint64_t workspace_bytes = WORKSPACE_BYTES;
    DV_TRY(check(gemm, library->lt_create(&gemm->lt), "cublasLtCreate"));
    DV_TRY(check(gemm, library->lt_product_create(&gemm->product, DV_CUBLAS_COMPUTE_32I, DV_CUDA_R_32I),
                 "cublasLtMatmulDescCreate"));
    DV_TRY(check(gemm,
                 library->lt_product_set(gemm->product, DV_CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed),
                 "cublasLtMatmulDescSetAttribute"));
    DV_TRY(check(gemm, library->lt_preference_create(&gemm->preference), "cublasLtMatmulPreferenceCreate"));
    return check(gemm,
                 library->lt_preference_set(gemm->preference, DV_CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                            &workspace_bytes, sizeof workspace_bytes),
                 "cublasLtMatmulPreferenceSetAttribute");
}

static dv_status open_blas(dv_gemm *gemm) {
    DV_TRY(check(gemm, gemm->library.create(&gemm->blas), "cublasCreate"));
    return check(gemm, gemm->library.set_math(gemm->blas, DV_CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
}

dv_status dv_gemm_open(const dv_cublas_names *names, dv_gemm **out) {
    *out = NULL;
    dv_gemm *made;
    DV_TRY(dv_alloc(1, sizeof *made, "products by cuBLAS", &made));
    dv_status status = dv_cublas_library_open(names, &made->library);
    if (status == DV_OK) status = dv_cuda_alloc(WORKSPACE_BYTES, 1, "workspace of cuBLAS", &made->workspace);
    if (status == DV_OK) status = open_lt(made);
    if (status == DV_OK) status = open_blas(made);
    if (status != DV_OK) {
        dv_gemm_close(made);
        return status;
    }
    *out = made;
    return DV_OK;
}

static void forget(const dv_gemm *gemm, shape *old) {
    if (old->first) gemm->library.lt_layout_destroy(old->first);
    if (old->second) gemm->library.lt_layout_destroy(old->second);
    if (old->result) gemm->library.lt_layout_destroy(old->result);
    *old = (shape){0};
}

void dv_gemm_close(dv_gemm *gemm) {
    if (!gemm) return;
    (void)cudaFree(gemm->workspace); /* waits; fails only where the device did before, which was told then */
    for (size_t i = 0; i < MOST_SHAPES; i++) forget(gemm, &gemm->shapes[i]);
    if (gemm->preference) gemm->library.lt_preference_destroy(gemm->preference);
    if (gemm->product) gemm->library.lt_product_destroy(gemm->product);
    if (gemm->lt) gemm->library.lt_destroy(gemm->lt);
    if (gemm->blas) gemm->library.destroy(gemm->blas);
    free(gemm);
}

static dv_status describe(const dv_gemm *gemm, void **layout, int type, int64_t n_rows, int64_t n_columns) {
    return check(gemm, gemm->library.lt_layout_create(layout, type, (uint64_t)n_rows, (uint64_t)n_columns, n_rows),
                 "cublasLtMatrixLayoutCreate");
}

static dv_status ask(const dv_gemm *gemm, int64_t m, int64_t n, int64_t k, shape *out) {
    dv_cublaslt_proposal proposal;
    int n_proposals = 0;
    DV_TRY(describe(gemm, &out->first, DV_CUDA_R_8I, k, n));
    DV_TRY(describe(gemm, &out->second, DV_CUDA_R_8I, k, m));
    DV_TRY(describe(gemm, &out->result, DV_CUDA_R_32I, n, m));
    DV_TRY(check(gemm,
                 gemm->library.lt_propose(gemm->lt, gemm->product, out->first, out->second, out->result, out->result,
                                          gemm->preference, 1, &proposal, &n_proposals),
                 "cublasLtMatmulAlgoGetHeuristic"));
    if (n_proposals < 1)
        return dv_fail(DV_E_BACKEND, "cuBLASLt has no int8 product for %lld x %lld x %lld", (long long)m, (long long)n,
                       (long long)k);
    DV_TRY(check(gemm, proposal.status, "cublasLtMatmulAlgoGetHeuristic"));
    out->algorithm = proposal.algorithm;
    out->m = m;
    out->n = n;
    out->k = k;
    return DV_OK;
}

static dv_status find_shape(dv_gemm *gemm, int64_t m, int64_t n, int64_t k, const shape **out) {
    for (size_t i = 0; i < MOST_SHAPES; i++) {
        const shape *const known = &gemm->shapes[i];
        if (known->m == m && known->n == n && known->k == k) {
            *out = known;
            return DV_OK;
        }
    }
    shape *const fresh = &gemm->shapes[gemm->next];
    forget(gemm, fresh);
    const dv_status status = ask(gemm, m, n, k, fresh);
    if (status != DV_OK) {
        forget(gemm, fresh);
        return status;
    }
    gemm->next = (gemm->next + 1) % MOST_SHAPES;
    *out = fresh;
    return DV_OK;
}

dv_status dv_gemm_s8(dv_gemm *gemm, const int8_t *a, const int8_t *b, int64_t m, int64_t n, int64_t k, int32_t *c,
                     dv_stream stream) {
    const int32_t one = 1, zero = 0;
    const shape *of;
    if (m < 1 || n < 1 || k < 1 || n % SUPPORTED != 0 || k % SUPPORTED != 0)
        return dv_fail(DV_E_ARG, "int8 product of %lld x %lld x %lld: the last two must be multiples of %d",
                       (long long)m, (long long)n, (long long)k, SUPPORTED);
    DV_TRY(find_shape(gemm, m, n, k, &of));
    return check(gemm,
                 gemm->library.lt_multiply(gemm->lt, gemm->product, &one, b, of->first, a, of->second, &zero, c,
                                           of->result, c, of->result, &of->algorithm, gemm->workspace, WORKSPACE_BYTES,
                                           stream),
                 "cublasLtMatmul");
}

dv_status dv_gemm_f32(dv_gemm *gemm, const float *a, const float *b, int64_t m, int64_t n, int64_t k, float *c,
                      dv_stream stream) {
    const float one = 1.0F, zero = 0.0F;
    if (m < 1 || n < 1 || k < 1 || m > INT32_MAX || n > INT32_MAX || k > INT32_MAX)
        return dv_fail(DV_E_ARG, "product of %lld x %lld x %lld: each must be 1..%d", (long long)m, (long long)n,
                       (long long)k, INT32_MAX);
    DV_TRY(check(gemm, gemm->library.set_stream(gemm->blas, stream), "cublasSetStream"));
    /* After the stream, which brings the library's own workspace back. */
    DV_TRY(
        check(gemm, gemm->library.set_workspace(gemm->blas, gemm->workspace, WORKSPACE_BYTES), "cublasSetWorkspace"));
    return check(gemm,
                 gemm->library.sgemm(gemm->blas, DV_CUBLAS_OP_T, DV_CUBLAS_OP_N, (int)n, (int)m, (int)k, &one, b,
                                     (int)k, a, (int)k, &zero, c, (int)n),
                 "cublasSgemm");
}
