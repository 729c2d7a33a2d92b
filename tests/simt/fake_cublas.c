/* A library in the place of cuBLAS and cuBLASLt, for what gemm.c tells them: it reads columns as they do, refuses what
 * their documentation does not allow, and multiplies at once, in the host's memory. */
#include "fake_cublas.h"

#include <stdint.h>
#include <stdlib.h>

#include "device/cuda/cublas_library.h"

__attribute__((visibility("default"))) fake_cublas fake_cublas_state;
#define EXPORT __attribute__((visibility("default")))

enum { SUCCESS = 0, ALLOC_FAILED = 3, INVALID_VALUE = 7, EXECUTION_FAILED = 13 };
enum { WORKSPACE_BYTES = 32 << 20 };

typedef struct product {
    int compute_type, scale_type;
    int32_t op_a;
} product;
typedef struct layout {
    int type;
    uint64_t n_rows, n_columns;
    int64_t leading;
} layout;
typedef struct blas {
    int math;
    size_t workspace_bytes;
} blas;

static int fails(void) {
    return fake_cublas_state.fail_call > 0 && --fake_cublas_state.fail_call == 0;
}

static int make(void **out, size_t size) {
    *out = NULL;
    if (fails()) return ALLOC_FAILED;
    *out = calloc(1, size);
    if (!*out) return ALLOC_FAILED;
    fake_cublas_state.n_alive++;
    return SUCCESS;
}

static int drop(void *old) {
    fake_cublas_state.n_alive--;
    free(old);
    return SUCCESS;
}

EXPORT int cublasLtCreate(void **handle) {
    return make(handle, 1);
}
EXPORT int cublasLtDestroy(void *handle) {
    return drop(handle);
}
EXPORT const char *cublasLtGetStatusString(int status) {
    return status == ALLOC_FAILED ? "no memory for it" : "something else";
}

EXPORT int cublasLtMatmulDescCreate(void **out, int compute_type, int scale_type) {
    const int status = make(out, sizeof(product));
    if (status == SUCCESS) *(product *)*out = (product){compute_type, scale_type, DV_CUBLAS_OP_N};
    return status;
}
EXPORT int cublasLtMatmulDescSetAttribute(void *of, int attribute, const void *value, size_t size) {
    if (fails()) return INVALID_VALUE;
    if (attribute != DV_CUBLASLT_MATMUL_DESC_TRANSA || size != sizeof(int32_t)) return INVALID_VALUE;
    ((product *)of)->op_a = *(const int32_t *)value;
    return SUCCESS;
}
EXPORT int cublasLtMatmulDescDestroy(void *old) {
    return drop(old);
}

EXPORT int cublasLtMatrixLayoutCreate(void **out, int type, uint64_t n_rows, uint64_t n_columns, int64_t leading) {
    const int status = make(out, sizeof(layout));
    if (status == SUCCESS) *(layout *)*out = (layout){type, n_rows, n_columns, leading};
    return status;
}
EXPORT int cublasLtMatrixLayoutDestroy(void *old) {
    return drop(old);
}

EXPORT int cublasLtMatmulPreferenceCreate(void **out) {
    return make(out, sizeof(uint64_t));
}
EXPORT int cublasLtMatmulPreferenceSetAttribute(void *of, int attribute, const void *value, size_t size) {
    if (fails()) return INVALID_VALUE;
    if (attribute != DV_CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES || size != sizeof(uint64_t)) return INVALID_VALUE;
    *(uint64_t *)of = *(const uint64_t *)value;
    return SUCCESS;
}
EXPORT int cublasLtMatmulPreferenceDestroy(void *old) {
    return drop(old);
}

/* int8 into i32 with plain layouts: A transposed, B not; rows of A, of C and the common side are multiples of 4. */
static int is_allowed(const product *of, const layout *a, const layout *b, const layout *c, const layout *d) {
    return of->compute_type == DV_CUBLAS_COMPUTE_32I && of->scale_type == DV_CUDA_R_32I && of->op_a == DV_CUBLAS_OP_T &&
           a->type == DV_CUDA_R_8I && b->type == DV_CUDA_R_8I && c->type == DV_CUDA_R_32I && c == d &&
           a->n_rows == b->n_rows && a->n_columns == c->n_rows && b->n_columns == c->n_columns && a->n_rows % 4 == 0 &&
           c->n_rows % 4 == 0 && a->leading == (int64_t)a->n_rows && b->leading == (int64_t)b->n_rows &&
           c->leading == (int64_t)c->n_rows;
}

static uint64_t mark_of(const layout *a, const layout *c) {
    return a->n_rows << 40 ^ c->n_rows << 20 ^ c->n_columns;
}

EXPORT int cublasLtMatmulAlgoGetHeuristic(void *handle, void *of, void *a, void *b, void *c, void *d, void *preference,
                                          int n_wanted, dv_cublaslt_proposal *proposals, int *n_proposals) {
    (void)handle;
    fake_cublas_state.n_asked++;
    *n_proposals = 0;
    if (fails() || n_wanted != 1 || *(uint64_t *)preference != WORKSPACE_BYTES || !is_allowed(of, a, b, c, d))
        return INVALID_VALUE;
    if (((layout *)a)->n_rows > FAKE_MOST_DIM) return SUCCESS;
    *n_proposals = 1;
    *proposals = (dv_cublaslt_proposal){.algorithm = {{mark_of(a, c)}}};
    return SUCCESS;
}

EXPORT int cublasLtMatmul(void *handle, void *of, const void *alpha, const void *a, void *a_layout, const void *b,
                          void *b_layout, const void *beta, const void *c, void *c_layout, void *d, void *d_layout,
                          const dv_cublaslt_algorithm *algorithm, void *workspace, size_t workspace_bytes,
                          dv_stream stream) {
    (void)handle;
    (void)stream;
    const layout *const first = a_layout, *const second = b_layout, *const result = c_layout;
    if (fails()) return EXECUTION_FAILED;
    if (!is_allowed(of, first, second, result, d_layout) || c != d || !workspace ||
        workspace_bytes != WORKSPACE_BYTES || *(const int32_t *)alpha != 1 || *(const int32_t *)beta != 0 ||
        algorithm->data[0] != mark_of(first, result))
        return INVALID_VALUE;
    for (uint64_t column = 0; column < result->n_columns; column++)
        for (uint64_t row = 0; row < result->n_rows; row++) {
            int32_t sum = 0;
            for (uint64_t i = 0; i < first->n_rows; i++)
                sum += ((const int8_t *)a)[row * first->n_rows + i] * ((const int8_t *)b)[column * second->n_rows + i];
            ((int32_t *)d)[column * result->n_rows + row] = sum;
        }
    return SUCCESS;
}

EXPORT int cublasCreate_v2(void **handle) {
    const int status = make(handle, sizeof(blas));
    if (status == SUCCESS) ((blas *)*handle)->math = -1;
    return status;
}
EXPORT int cublasDestroy_v2(void *handle) {
    return drop(handle);
}
EXPORT int cublasSetMathMode(void *handle, int mode) {
    if (fails()) return INVALID_VALUE;
    ((blas *)handle)->math = mode;
    return SUCCESS;
}
/* Brings the library's own workspace back. */
EXPORT int cublasSetStream_v2(void *handle, dv_stream stream) {
    (void)stream;
    if (fails()) return INVALID_VALUE;
    ((blas *)handle)->workspace_bytes = 0;
    return SUCCESS;
}
EXPORT int cublasSetWorkspace_v2(void *handle, void *workspace, size_t workspace_bytes) {
    if (fails() || !workspace) return INVALID_VALUE;
    ((blas *)handle)->workspace_bytes = workspace_bytes;
    return SUCCESS;
}

EXPORT int cublasSgemm_v2(void *handle, int op_a, int op_b, int m, int n, int k, const float *alpha, const float *a,
                          int a_stride, const float *b, int b_stride, const float *beta, float *c, int c_stride) {
    const blas *const of = handle;
    if (fails() || of->math != DV_CUBLAS_DEFAULT_MATH || of->workspace_bytes != WORKSPACE_BYTES)
        return EXECUTION_FAILED;
    if (op_a != DV_CUBLAS_OP_T || op_b != DV_CUBLAS_OP_N || a_stride < k || b_stride < k || c_stride < m)
        return INVALID_VALUE;
    for (int column = 0; column < n; column++)
        for (int row = 0; row < m; row++) {
            float sum = 0.0F;
            for (int i = 0; i < k; i++)
                sum += a[(size_t)row * (size_t)a_stride + (size_t)i] * b[(size_t)column * (size_t)b_stride + (size_t)i];
            float *const at = c + (size_t)column * (size_t)c_stride + (size_t)row;
            *at = *alpha * sum + (*beta != 0.0F ? *beta * *at : 0.0F);
        }
    return SUCCESS;
}
