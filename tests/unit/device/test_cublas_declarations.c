/* What cublas_library.h declares, against NVIDIA's own headers, and against the library where it is installed: its
 * descriptions need no GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <cublasLt.h>
#include <cublas_v2.h>

#include "device/cuda/cublas_library.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #theirs)
#define SAME_PLACE(ours, theirs)                                                                                       \
    _Static_assert(offsetof(dv_cublaslt_proposal, ours) == offsetof(cublasLtMatmulHeuristicResult_t, theirs), #theirs)
SAME(0, CUBLAS_STATUS_SUCCESS);
SAME(DV_CUBLAS_OP_N, CUBLAS_OP_N);
SAME(DV_CUBLAS_OP_T, CUBLAS_OP_T);
SAME(DV_CUBLAS_DEFAULT_MATH, CUBLAS_DEFAULT_MATH);
SAME(DV_CUBLAS_COMPUTE_32I, CUBLAS_COMPUTE_32I);
SAME(DV_CUDA_R_8I, CUDA_R_8I);
SAME(DV_CUDA_R_32I, CUDA_R_32I);
SAME(DV_CUBLASLT_MATMUL_DESC_TRANSA, CUBLASLT_MATMUL_DESC_TRANSA);
SAME(DV_CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
SAME(sizeof(dv_cublaslt_algorithm), sizeof(cublasLtMatmulAlgo_t));
SAME(sizeof(dv_cublaslt_proposal), sizeof(cublasLtMatmulHeuristicResult_t));
SAME(sizeof(int), sizeof(cublasStatus_t));
SAME(sizeof(int), sizeof(cublasLtMatmulDescAttributes_t));
SAME_PLACE(algorithm, algo);
SAME_PLACE(workspace_bytes, workspaceSize);
SAME_PLACE(status, state);

static void the_library_takes_our_descriptions(void **state) {
    (void)state;
    dv_cublas_library library;
    if (dv_cublas_library_open(NULL, &library) != DV_OK) skip();
    const int32_t transposed = DV_CUBLAS_OP_T;
    const uint64_t n_bytes = 1 << 20;
    void *product, *layout, *preference;
    assert_int_equal(library.lt_product_create(&product, DV_CUBLAS_COMPUTE_32I, DV_CUDA_R_32I), 0);
    assert_int_equal(library.lt_product_set(product, DV_CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed),
                     0);
    assert_int_equal(library.lt_layout_create(&layout, DV_CUDA_R_8I, 64, 256, 64), 0);
    assert_int_equal(library.lt_preference_create(&preference), 0);
    assert_int_equal(
        library.lt_preference_set(preference, DV_CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &n_bytes, sizeof n_bytes),
        0);
    assert_int_equal(library.lt_preference_destroy(preference), 0);
    assert_int_equal(library.lt_layout_destroy(layout), 0);
    assert_int_equal(library.lt_product_destroy(product), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_library_takes_our_descriptions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
