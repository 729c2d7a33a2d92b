/* cublas_library.h: NVIDIA's cuBLAS and cuBLASLt, opened at run time: nothing of them is linked, so a program starts
 * where they are not installed. Their headers come with another package than the runtime's, so what is used of them is
 * declared here; a test compares it with theirs where they are found.
 * Source: cuBLAS 13.0 documentation, cublas_api.h and cublasLt.h. */
#ifndef DV_DEVICE_CUDA_CUBLAS_LIBRARY_H
#define DV_DEVICE_CUDA_CUBLAS_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"
#include "kernels/kernels.h"

enum {
    DV_CUBLAS_OP_N = 0,
    DV_CUBLAS_OP_T = 1,
    DV_CUBLAS_DEFAULT_MATH = 0,
    DV_CUBLAS_COMPUTE_32I = 72,
    DV_CUDA_R_8I = 3,
    DV_CUDA_R_32I = 10,
    DV_CUBLASLT_MATMUL_DESC_TRANSA = 3,
    DV_CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1
};

typedef struct dv_cublaslt_algorithm {
    uint64_t data[8];
} dv_cublaslt_algorithm;

typedef struct dv_cublaslt_proposal {
    dv_cublaslt_algorithm algorithm;
    size_t workspace_bytes;
    int status;
    float n_waves;
    int reserved[4];
} dv_cublaslt_proposal;

/* Functions give a cublasStatus_t, 0: success. Descriptions are pointers to what only the library knows. */
typedef struct dv_cublas_library {
    int (*lt_create)(void **handle);
    int (*lt_destroy)(void *handle);
    const char *(*lt_status_text)(int status);
    int (*lt_product_create)(void **product, int compute_type, int scale_type);
    int (*lt_product_set)(void *product, int attribute, const void *value, size_t size);
    int (*lt_product_destroy)(void *product);
    int (*lt_layout_create)(void **layout, int type, uint64_t n_rows, uint64_t n_columns, int64_t leading);
    int (*lt_layout_destroy)(void *layout);
    int (*lt_preference_create)(void **preference);
    int (*lt_preference_set)(void *preference, int attribute, const void *value, size_t size);
    int (*lt_preference_destroy)(void *preference);
    int (*lt_propose)(void *handle, void *product, void *a, void *b, void *c, void *d, void *preference, int n_wanted,
                      dv_cublaslt_proposal *proposals, int *n_proposals);
    int (*lt_multiply)(void *handle, void *product, const void *alpha, const void *a, void *a_layout, const void *b,
                       void *b_layout, const void *beta, const void *c, void *c_layout, void *d, void *d_layout,
                       const dv_cublaslt_algorithm *algorithm, void *workspace, size_t workspace_bytes,
                       dv_stream stream);
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_math)(void *handle, int mode);
    int (*set_stream)(void *handle, dv_stream stream);
    int (*set_workspace)(void *handle, void *workspace, size_t workspace_bytes);
    int (*sgemm)(void *handle, int op_a, int op_b, int m, int n, int k, const float *alpha, const float *a,
                 int a_stride, const float *b, int b_stride, const float *beta, float *c, int c_stride);
} dv_cublas_library;

/* Where the libraries may be: names for dlopen, tried in order; ended by NULL. */
typedef struct dv_cublas_names {
    const char *const *lt, *const *blas;
} dv_cublas_names;

/* Opens both. They stay open until the process ends: they keep state of their own on the device.
 * names  NULL: libcublasLt and libcublas of CUDA 13, of CUDA 12, or what the development package links to
 * Fails with DV_E_BACKEND, naming the library, or the function that it lacks. */
DV_MUST_USE dv_status dv_cublas_library_open(const dv_cublas_names *names, dv_cublas_library *out);

#endif
