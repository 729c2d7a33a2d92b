/* Numbers in a program that runs in a locale with a comma for decimals. Where none is installed one is compiled; where
 * that is not possible either, the test is skipped. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "denseval/number.h"
#include "unit/core/scratch.h"

static void numbers_are_printed_with_a_point(void **state) {
    (void)state;
    char buffer[DV_NUMBER_SIZE];
    assert_string_equal(dv_format_double(0.5, buffer), "0.5");
    assert_string_equal(dv_format_double(0.1 + 0.2, buffer), "0.30000000000000004");
    assert_string_equal(dv_format_double(-1234567.25, buffer), "-1234567.25");
    assert_string_equal(dv_format_double(0x1p-1074, buffer), "5e-324");
}

static void numbers_are_read_with_a_point(void **state) {
    (void)state;
    double value = 77;
    assert_int_equal(dv_parse_double("0.5", &value), DV_OK);
    assert_true(value == 0.5);
    assert_int_equal(dv_parse_double("0,25", &value), DV_E_USAGE);
    assert_string_equal(dv_last_error(), "\"0,25\": must be a decimal number");
    assert_true(value == 0.5);
}

static void locale_of_the_program_stays_as_it_was(void **state) {
    (void)state;
    char buffer[DV_NUMBER_SIZE], local[16];
    dv_format_double(0.5, buffer);
    snprintf(local, sizeof local, "%.1f", 0.5);
    assert_string_equal(local, "0,5");
}

static int set_comma_locale(void) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "pl_PL.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i])) return 1;
    return 0;
}

static int compile_comma_locale(void) {
    char command[SCRATCH_PATH + 100];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s' >/dev/null 2>&1", scratch("de_DE.UTF-8"));
    return system(command) == 0 && setenv("LOCPATH", scratch_folder, 1) == 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_printed_with_a_point),
        cmocka_unit_test(numbers_are_read_with_a_point),
        cmocka_unit_test(locale_of_the_program_stays_as_it_was),
    };
    if (scratch_open(NULL) != 0) return EXIT_FAILURE;
    const int is_set = set_comma_locale() || (compile_comma_locale() && set_comma_locale());
    const int n_failed = is_set ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
    return scratch_close(NULL) == 0 ? n_failed : EXIT_FAILURE;
}
