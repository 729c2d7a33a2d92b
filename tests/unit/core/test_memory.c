#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"

/* Sanitizers end a program that asks for too much, unless they are told to refuse as malloc does. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__tsan_default_options(void);

const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void) {
    return "allocator_may_return_null=1";
}

static void products_and_sums_that_fit_are_exact(void **state) {
    (void)state;
    size_t result = 1;
    assert_int_equal(dv_mul_size(0, SIZE_MAX, "rows", &result), DV_OK);
    assert_int_equal(result, 0);
    assert_int_equal(dv_mul_size(SIZE_MAX / 3, 3, "rows", &result), DV_OK);
    assert_true(result == SIZE_MAX);
    assert_int_equal(dv_add_size(SIZE_MAX - 5, 5, "rows", &result), DV_OK);
    assert_true(result == SIZE_MAX);
}

static void overflowing_product_is_refused_by_name(void **state) {
    (void)state;
    size_t result;
    assert_int_equal(dv_mul_size(SIZE_MAX / 2 + 1, 2, "rows", &result), DV_E_NOMEM);
    assert_string_equal(dv_last_error(), "rows: 9223372036854775808 x 2 is more than any memory holds");
}

static void overflowing_sum_is_refused_by_name(void **state) {
    (void)state;
    size_t result;
    assert_int_equal(dv_add_size(SIZE_MAX, 1, "labels", &result), DV_E_NOMEM);
    assert_string_equal(dv_last_error(), "labels: 18446744073709551615 + 1 is more than any memory holds");
}

static void allocated_memory_is_zero_and_aligned(void **state) {
    (void)state;
    for (size_t n = 0; n < 200; n += 13) {
        double *made = NULL;
        assert_int_equal(dv_alloc(n, sizeof *made, "numbers", &made), DV_OK);
        assert_non_null(made);
        assert_int_equal((uintptr_t)made % 64, 0);
        for (size_t i = 0; i < n; i++) assert_true(made[i] == 0);
        if (n) made[n - 1] = 1;
        free(made);
    }
}

static void unset_memory_is_aligned_and_refused_by_name(void **state) {
    (void)state;
    uint16_t *made = NULL;
    assert_int_equal(dv_alloc_unset(1000, sizeof *made, "labels", &made), DV_OK);
    assert_non_null(made);
    assert_int_equal((uintptr_t)made % 64, 0);
    memset(made, 0xff, 1000 * sizeof *made);
    free(made);
    assert_int_equal(dv_alloc_unset(SIZE_MAX / 2 + 1, 2, "labels", &made), DV_E_NOMEM);
    assert_null(made);
    assert_string_equal(dv_last_error(), "labels: 9223372036854775808 x 2 is more than any memory holds");
}

static void check_refused_allocation(size_t n, size_t size, const char *message) {
    void *made = &made;
    assert_int_equal(dv_alloc(n, size, "bank rows", &made), DV_E_NOMEM);
    assert_string_equal(dv_last_error(), message);
    assert_null(made);
}

static void impossible_allocation_is_refused_by_name(void **state) {
    (void)state;
    check_refused_allocation(SIZE_MAX, 2, "bank rows: 18446744073709551615 x 2 is more than any memory holds");
    check_refused_allocation(SIZE_MAX, 1, "bank rows: 18446744073709551615 + 64 is more than any memory holds");
}

static void exhausted_memory_is_reported_with_its_size(void **state) {
    (void)state;
    check_refused_allocation((size_t)1 << 62, 1, "bank rows: no memory for 4611686018427387904 bytes");
}

static void copied_text_is_another_one(void **state) {
    (void)state;
    char text[] = "text", *copy = NULL;
    assert_int_equal(dv_strdup(text, &copy), DV_OK);
    text[0] = 'n';
    assert_string_equal(copy, "text");
    free(copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_and_sums_that_fit_are_exact),
        cmocka_unit_test(overflowing_product_is_refused_by_name),
        cmocka_unit_test(overflowing_sum_is_refused_by_name),
        cmocka_unit_test(allocated_memory_is_zero_and_aligned),
        cmocka_unit_test(unset_memory_is_aligned_and_refused_by_name),
        cmocka_unit_test(impossible_allocation_is_refused_by_name),
        cmocka_unit_test(exhausted_memory_is_reported_with_its_size),
        cmocka_unit_test(copied_text_is_another_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
