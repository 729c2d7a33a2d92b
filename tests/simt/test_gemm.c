/* gemm.c itself, on a library that reads columns as NVIDIA's do (fake_cublas.c), and where there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "device/cuda/gemm.h"
#include "fake_cublas.h"
#include "simt.h"

static const char *const fake_names[] = {"libdenseval_no_such_library.so.1", FAKE_CUBLAS, NULL};
static const char *const no_names[] = {"libdenseval_no_such_library.so.2", "libdenseval_no_such_library.so.1", NULL};
static const char *const other_names[] = {"libc.so.6", NULL};
static const dv_cublas_names fake = {fake_names, fake_names};

static fake_cublas *state_of_fake(void) {
    void *const library = dlopen(FAKE_CUBLAS, RTLD_NOW);
    assert_non_null(library);
    fake_cublas *const state = dlsym(library, "fake_cublas_state");
    assert_non_null(state);
    *state = (fake_cublas){state->n_alive, 0, 0};
    return state;
}

static void assert_ok(dv_status status) {
    if (status != DV_OK) fail_msg("%s", dv_last_error());
}

static void expect_s8(dv_gemm *gemm, size_t m, size_t n, size_t k) {
    int8_t a[64 * 16], b[64 * 16];
    int32_t c[64 * 64], expected[64 * 64];
    for (size_t i = 0; i < m * k; i++) a[i] = (int8_t)(i * 37 % 255 - 127);
    for (size_t i = 0; i < n * k; i++) b[i] = (int8_t)(i * 91 % 255 - 127);
    for (size_t i = 0; i < m * n; i++) {
        expected[i] = 0;
        for (size_t j = 0; j < k; j++) expected[i] += a[i / n * k + j] * b[i % n * k + j];
    }
    assert_ok(dv_gemm_s8(gemm, a, b, (int64_t)m, (int64_t)n, (int64_t)k, c, NULL));
    assert_memory_equal(c, expected, m * n * sizeof *c);
}

static void integer_products_are_rows_by_rows(void **state) {
    (void)state;
    fake_cublas *const library = state_of_fake();
    dv_gemm *gemm;
    assert_ok(dv_gemm_open(&fake, &gemm));
    for (int turn = 0; turn < 3; turn++) {
        expect_s8(gemm, 5, 8, 12);
        expect_s8(gemm, 8, 12, 4);
        assert_int_equal(library->n_asked, 2); /* the heuristic, once a shape */
    }
    for (size_t m = 9; m < 40; m++) expect_s8(gemm, m, 4, 16); /* more shapes than are remembered */
    expect_s8(gemm, 5, 8, 12);
    assert_int_equal(library->n_asked, 2 + 31 + 1);
    dv_gemm_close(gemm);
    assert_int_equal(library->n_alive, 0);
    assert_int_equal(simt_n_alive(), 0);
}

static void float_products_are_rows_by_rows(void **state) {
    (void)state;
    const float a[2 * 3] = {1, 2, 3, -1, 0.5F, 4}, b[4 * 3] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 2, -2};
    const float expected[2 * 4] = {1, 2, 3, 0, -1, 0.5F, 4, -9};
    float c[2 * 4];
    fake_cublas *const library = state_of_fake();
    dv_gemm *gemm;
    assert_ok(dv_gemm_open(&fake, &gemm));
    for (int turn = 0; turn < 2; turn++) {
        memset(c, 0x5a, sizeof c);
        assert_ok(dv_gemm_f32(gemm, a, b, 2, 4, 3, c, NULL));
        assert_memory_equal(c, expected, sizeof c);
    }
    dv_gemm_close(gemm);
    dv_gemm_close(NULL);
    assert_int_equal(library->n_alive, 0);
}

static void shapes_that_no_library_takes_are_named(void **state) {
    (void)state;
    dv_gemm *gemm;
    assert_ok(dv_gemm_open(&fake, &gemm));
    assert_int_equal(dv_gemm_s8(gemm, NULL, NULL, 4, 6, 8, NULL, NULL), DV_E_ARG);
    assert_string_equal(dv_last_error(), "int8 product of 4 x 6 x 8: the last two must be multiples of 4");
    assert_int_equal(dv_gemm_s8(gemm, NULL, NULL, 4, 8, 6, NULL, NULL), DV_E_ARG);
    assert_int_equal(dv_gemm_s8(gemm, NULL, NULL, 0, 8, 8, NULL, NULL), DV_E_ARG);
    assert_int_equal(dv_gemm_f32(gemm, NULL, NULL, 1, INT64_C(1) << 31, 1, NULL, NULL), DV_E_ARG);
    assert_string_equal(dv_last_error(), "product of 1 x 2147483648 x 1: each must be 1..2147483647");
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(dv_gemm_s8(gemm, NULL, NULL, 4, 8, FAKE_MOST_DIM + 4, NULL, NULL), DV_E_BACKEND);
        assert_string_equal(dv_last_error(), "cuBLASLt has no int8 product for 4 x 8 x 1004");
    }
    dv_gemm_close(gemm);
}

/* A machine without the libraries, or with others of that name. */
static void a_missing_library_is_named(void **state) {
    (void)state;
    const dv_cublas_names no_lt = {no_names, fake_names}, no_blas = {fake_names, no_names},
                          wrong = {fake_names, other_names};
    dv_gemm *gemm;
    assert_int_equal(dv_gemm_open(&no_lt, &gemm), DV_E_BACKEND);
    assert_null(gemm);
    const char *const start =
        "cuBLASLt is not installed where libraries are looked for: libdenseval_no_such_library.so.2";
    assert_memory_equal(dv_last_error(), start, strlen(start));
    assert_non_null(strstr(dv_last_error(), "; libdenseval_no_such_library.so.1"));
    assert_int_equal(dv_gemm_open(&no_blas, &gemm), DV_E_BACKEND);
    assert_memory_equal(dv_last_error(), "cuBLAS is not installed", 23);
    assert_int_equal(dv_gemm_open(&wrong, &gemm), DV_E_BACKEND);
    assert_string_equal(dv_last_error(), "libc.so.6 has no cublasCreate_v2: it is too old");
    assert_int_equal(simt_n_alive(), 0);
}

static dv_status use_all(dv_gemm **gemm) {
    const int8_t codes[16] = {1};
    const float values[16] = {1};
    int32_t sums[16];
    float products[16];
    DV_TRY(dv_gemm_open(&fake, gemm));
    DV_TRY(dv_gemm_s8(*gemm, codes, codes, 4, 4, 4, sums, NULL));
    return dv_gemm_f32(*gemm, values, values, 4, 4, 4, products, NULL);
}

static void whichever_call_fails_nothing_is_left(void **state) {
    (void)state;
    fake_cublas *const library = state_of_fake();
    dv_status status = DV_E_BACKEND;
    int n_failed = 0;
    for (int call = 1; status != DV_OK; call++) {
        dv_gemm *gemm;
        library->fail_call = call;
        status = use_all(&gemm);
        n_failed += status != DV_OK;
        if (status != DV_OK) assert_int_equal(status, DV_E_BACKEND);
        if (call == 2) assert_string_equal(dv_last_error(), "cublasLtMatmulDescCreate: no memory for it (status 3)");
        dv_gemm_close(gemm);
        assert_int_equal(library->n_alive, 0);
        assert_int_equal(simt_n_alive(), 0);
    }
    assert_int_equal(n_failed, 15);
    library->fail_call = 0;
    simt_fail_allocation(1);
    dv_gemm *gemm;
    assert_int_equal(dv_gemm_open(&fake, &gemm), DV_E_BACKEND);
    assert_null(gemm);
    assert_int_equal(library->n_alive, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_products_are_rows_by_rows),      cmocka_unit_test(float_products_are_rows_by_rows),
        cmocka_unit_test(shapes_that_no_library_takes_are_named), cmocka_unit_test(a_missing_library_is_named),
        cmocka_unit_test(whichever_call_fails_nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
