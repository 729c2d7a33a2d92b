/* Zero rows and non-finite values in every dtype, from their bit patterns. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bank/row_values.h"

static void zeros_of_either_sign_are_zero_and_the_least_number_is_not(void **state) {
    (void)state;
    const uint16_t half[] = {0x8000, 0, 0x8000}, least[] = {0, 0, 0x8001};
    assert_true(dv_row_is_zero(half, DV_F16, 3));
    assert_true(dv_row_is_zero(half, DV_BF16, 3));
    assert_false(dv_row_is_zero(least, DV_F16, 3));
    assert_false(dv_row_is_zero(least, DV_BF16, 3));
    assert_true(dv_row_is_zero((float[]){0.0F, -0.0F}, DV_F32, 2));
    assert_false(dv_row_is_zero((float[]){0.0F, -1e-45F}, DV_F32, 2));
    assert_true(dv_row_is_zero((double[]){-0.0, 0.0}, DV_F64, 2));
    assert_false(dv_row_is_zero((double[]){4.9e-324, 0.0}, DV_F64, 2));
}

static void every_half_pattern_is_judged_by_its_exponent(void **state) {
    (void)state;
    for (uint32_t bits = 0; bits < 65536; bits++) {
        const uint16_t value = (uint16_t)bits;
        assert_int_equal(dv_find_nonfinite(&value, DV_F16, 1), (bits >> 10 & 31) == 31 ? 0 : 1);
        assert_int_equal(dv_find_nonfinite(&value, DV_BF16, 1), (bits >> 7 & 255) == 255 ? 0 : 1);
    }
}

static void the_first_non_finite_value_is_found(void **state) {
    (void)state;
    assert_int_equal(dv_find_nonfinite((float[]){1, 3.4e38F, -INFINITY, NAN}, DV_F32, 4), 2);
    assert_int_equal(dv_find_nonfinite((float[]){1, -3.4e38F}, DV_F32, 2), 2);
    assert_int_equal(dv_find_nonfinite((double[]){1.7e308, -NAN, 1}, DV_F64, 3), 1);
    assert_int_equal(dv_find_nonfinite((double[]){-1.7e308, 0}, DV_F64, 2), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_of_either_sign_are_zero_and_the_least_number_is_not),
        cmocka_unit_test(every_half_pattern_is_judged_by_its_exponent),
        cmocka_unit_test(the_first_non_finite_value_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
