#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "denseval/number.h"

#define N_OF(array) (sizeof(array) / sizeof *(array))

/* No number of any kind. */
static const char *const never_numbers[] = {"",      " 1",    "1 ",    "3x",       "0x10",   "nan",     "NAN", "inf",
                                            "-inf",  "+1",    "--1",   "-",        "1,5",    "1_0",     "one", "1-",
                                            "- 1",   "\t1",   ".",     "-.",       "e5",     "1e",      "1e+", "1e5x",
                                            "0x1p3", "1.2.3", "1e5.0", "infinity", "nan(1)", "\xd9\xa1"};

static void check_message(const char *text, const char *expected) {
    char message[300];
    snprintf(message, sizeof message, "\"%s\": must be %s", text, expected);
    for (char *c = message; *c; c++)
        if (*c == '\t') *c = ' '; /* no control character reaches a message */
    assert_string_equal(dv_last_error(), message);
}

static void check_refused_i64(const char *text) {
    int64_t value = 77;
    assert_int_equal(dv_parse_i64(text, &value), DV_E_USAGE);
    check_message(text, "a whole number, -9223372036854775808..9223372036854775807");
    assert_true(value == 77);
}

static void check_refused_u64(const char *text) {
    uint64_t value = 77;
    assert_int_equal(dv_parse_u64(text, &value), DV_E_USAGE);
    check_message(text, "a whole number, 0..18446744073709551615");
    assert_true(value == 77);
}

static void check_refused_double(const char *text, const char *expected) {
    double value = 77;
    assert_int_equal(dv_parse_double(text, &value), DV_E_USAGE);
    check_message(text, expected);
    assert_true(value == 77);
}

static void check_refused_size(const char *text, const char *expected) {
    size_t value = 77;
    assert_int_equal(dv_parse_size(text, &value), DV_E_USAGE);
    check_message(text, expected);
    assert_true(value == 77);
}

static const char a_size[] = "a whole number, alone or with one of k, m, g, KiB, MiB, GiB";

static void what_is_no_number_is_refused_everywhere(void **state) {
    (void)state;
    for (size_t i = 0; i < N_OF(never_numbers); i++) {
        check_refused_i64(never_numbers[i]);
        check_refused_u64(never_numbers[i]);
        check_refused_double(never_numbers[i], "a decimal number");
        check_refused_size(never_numbers[i], a_size);
    }
}

static void whole_numbers_are_read_up_to_their_limits(void **state) {
    (void)state;
    const struct {
        const char *text;
        int64_t value;
    } cases[] = {{"0", 0},    {"-0", 0},
                 {"7", 7},    {"-7", -7},
                 {"010", 10}, {"9223372036854775807", INT64_MAX},
                 {"-1", -1},  {"-9223372036854775808", INT64_MIN}};
    for (size_t i = 0; i < N_OF(cases); i++) {
        int64_t value = 77;
        assert_int_equal(dv_parse_i64(cases[i].text, &value), DV_OK);
        assert_true(value == cases[i].value);
    }
    check_refused_i64("9223372036854775808");
    check_refused_i64("-9223372036854775809");
    check_refused_i64("99999999999999999999999999");
    check_refused_i64("1e3");
    check_refused_i64("1.0");
    uint64_t value = 77;
    assert_int_equal(dv_parse_u64("18446744073709551615", &value), DV_OK);
    assert_true(value == UINT64_MAX);
    assert_int_equal(dv_parse_u64("00", &value), DV_OK);
    assert_true(value == 0);
    check_refused_u64("18446744073709551616");
    check_refused_u64("28446744073709551615"); /* wraps to a number that looks harmless */
    check_refused_u64("-1");
    check_refused_u64("-0");
}

static void newline_after_a_number_is_refused_and_the_message_is_one_line(void **state) {
    (void)state;
    int64_t value = 77;
    assert_int_equal(dv_parse_i64("1\n", &value), DV_E_USAGE);
    assert_string_equal(dv_last_error(), "\"1 \": must be a whole number, -9223372036854775808..9223372036854775807");
    assert_true(value == 77);
}

static void long_text_is_cut_in_the_message(void **state) {
    (void)state;
    char text[1000];
    int64_t value = 77;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_int_equal(dv_parse_i64(text, &value), DV_E_USAGE);
    assert_true(strlen(dv_last_error()) < 200);
}

static void decimal_numbers_are_read_correctly_rounded(void **state) {
    (void)state;
    const struct {
        const char *text;
        double value;
    } cases[] = {{"0", 0},
                 {"0.1", 0x1.999999999999ap-4},
                 {"-2.5", -2.5},
                 {".5", 0.5},
                 {"5.", 5},
                 {"1e3", 1000},
                 {"1E-2", 0x1.47ae147ae147bp-7},
                 {"1e+5", 100000},
                 {"9007199254740993", 9007199254740992.0}, /* 2^53 + 1: a tie, to even */
                 {"1.7976931348623157e308", DBL_MAX},
                 {"4.9406564584124654e-324", 0x1p-1074},
                 {"0e-400", 0},
                 {"0.000e999", 0}};
    for (size_t i = 0; i < N_OF(cases); i++) {
        double value = 77;
        assert_int_equal(dv_parse_double(cases[i].text, &value), DV_OK);
        assert_true(value == cases[i].value);
    }
    double zero = 77;
    assert_int_equal(dv_parse_double("-0.0", &zero), DV_OK);
    assert_true(zero == 0 && signbit(zero));
}

static void numbers_out_of_range_of_a_double_are_refused(void **state) {
    (void)state;
    const char expected[] = "a number that a double holds, about 1e-323..1.7e308 in magnitude";
    const char *const texts[] = {"1e999", "-1e999", "1.8e308", "1e-400", "0.001e-400", "-5e-999"};
    for (size_t i = 0; i < N_OF(texts); i++) check_refused_double(texts[i], expected);
}

static void sizes_are_read_with_their_suffixes(void **state) {
    (void)state;
    const struct {
        const char *text;
        size_t value;
    } cases[] = {{"0", 0},
                 {"7", 7},
                 {"320k", 320000},
                 {"320K", 320000},
                 {"1m", 1000000},
                 {"1024k", 1024000},
                 {"3M", 3000000},
                 {"2g", 2000000000},
                 {"2G", 2000000000},
                 {"512KiB", 524288},
                 {"64MiB", 67108864},
                 {"2GiB", 2147483648},
                 {"18446744073709551615", SIZE_MAX},
                 {"17179869183GiB", UINT64_C(17179869183) << 30}};
    for (size_t i = 0; i < N_OF(cases); i++) {
        size_t value = 77;
        assert_int_equal(dv_parse_size(cases[i].text, &value), DV_OK);
        assert_true(value == cases[i].value);
    }
}

static void sizes_with_a_wrong_suffix_or_too_large_are_refused(void **state) {
    (void)state;
    const char *const wrong[] = {"k", "MiB", "1 k", "1.5k", "1e3k", "1kk", "1kb", "1KB", "1kib", "1t", "-1k", "1ki"};
    for (size_t i = 0; i < N_OF(wrong); i++) check_refused_size(wrong[i], a_size);
    const char *const large[] = {"18446744073709551616", "18446744073709552k", "18446744074g", "17179869184GiB"};
    for (size_t i = 0; i < N_OF(large); i++) check_refused_size(large[i], "a size below 2^64");
}

typedef struct printed {
    double value;
    const char *text;
} printed;

static const printed shortest[] = {{0, "0"},
                                   {1, "1"},
                                   {-1, "-1"},
                                   {0.1, "0.1"},
                                   {0.3, "0.3"},
                                   {0.1 + 0.2, "0.30000000000000004"},
                                   {1.0 / 3, "0.3333333333333333"},
                                   {2.0 / 3, "0.6666666666666666"},
                                   {100000, "100000"},
                                   {123456789, "123456789"},
                                   {1e15, "1e+15"},
                                   {1e22, "1e+22"},
                                   {9007199254740993.0, "9007199254740992"},
                                   {1e-5, "1e-05"},
                                   {DBL_MAX, "1.7976931348623157e+308"},
                                   {DBL_MIN, "2.2250738585072014e-308"},
                                   {0x1p-1074, "5e-324"},
                                   {-0x1p-1074, "-5e-324"},
                                   {2.5e-310, "2.5e-310"}};

static void check_printed(const printed *wanted) {
    char buffer[DV_NUMBER_SIZE];
    double back = 77;
    assert_ptr_equal(dv_format_double(wanted->value, buffer), buffer);
    assert_string_equal(buffer, wanted->text);
    assert_int_equal(dv_parse_double(buffer, &back), DV_OK);
    assert_true(back == wanted->value);
}

static void numbers_are_printed_with_the_fewest_digits_that_read_back(void **state) {
    (void)state;
    for (size_t i = 0; i < N_OF(shortest); i++) check_printed(&shortest[i]);
}

static void special_values_have_names_and_zero_its_sign(void **state) {
    (void)state;
    char buffer[DV_NUMBER_SIZE];
    assert_string_equal(dv_format_double(NAN, buffer), "nan");
    assert_string_equal(dv_format_double(-NAN, buffer), "nan");
    assert_string_equal(dv_format_double(INFINITY, buffer), "inf");
    assert_string_equal(dv_format_double(-INFINITY, buffer), "-inf");
    assert_string_equal(dv_format_double(-0.0, buffer), "-0");
}

/* Random bit patterns: each reads back, one digit less does not, and the text fits with room to spare. */
static void random_patterns_read_back_and_are_shortest(void **state) {
    (void)state;
    uint64_t bits = 42; /* seed */
    for (int i = 0; i < 20000; i++) {
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double value, back = 77;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        char buffer[DV_NUMBER_SIZE], shorter[40];
        dv_format_double(value, buffer);
        assert_int_equal(dv_parse_double(buffer, &back), DV_OK);
        assert_memory_equal(&back, &value, sizeof value);
        size_t n_digits = 0;
        for (const char *c = buffer; *c && *c != 'e'; c++) n_digits += *c >= '0' && *c <= '9';
        if (strchr(buffer, 'e') && n_digits > 1) {
            snprintf(shorter, sizeof shorter, "%.*e", (int)n_digits - 2, value);
            assert_true(strtod(shorter, NULL) != value);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_number_is_refused_everywhere),
        cmocka_unit_test(whole_numbers_are_read_up_to_their_limits),
        cmocka_unit_test(newline_after_a_number_is_refused_and_the_message_is_one_line),
        cmocka_unit_test(long_text_is_cut_in_the_message),
        cmocka_unit_test(decimal_numbers_are_read_correctly_rounded),
        cmocka_unit_test(numbers_out_of_range_of_a_double_are_refused),
        cmocka_unit_test(sizes_are_read_with_their_suffixes),
        cmocka_unit_test(sizes_with_a_wrong_suffix_or_too_large_are_refused),
        cmocka_unit_test(numbers_are_printed_with_the_fewest_digits_that_read_back),
        cmocka_unit_test(special_values_have_names_and_zero_its_sign),
        cmocka_unit_test(random_patterns_read_back_and_are_shortest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
