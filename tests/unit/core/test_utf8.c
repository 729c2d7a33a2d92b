#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/utf8.h"

static void characters_have_one_to_four_bytes(void **state) {
    (void)state;
    assert_int_equal(dv_utf8_bytes("a"), 1);
    assert_int_equal(dv_utf8_bytes("\x7f"), 1);
    assert_int_equal(dv_utf8_bytes("\xc2\x80"), 2);
    assert_int_equal(dv_utf8_bytes("\xe0\xa0\x80"), 3);
    assert_int_equal(dv_utf8_bytes("\xed\x9f\xbf"), 3);
    assert_int_equal(dv_utf8_bytes("\xef\xbf\xbfz"), 3);
    assert_int_equal(dv_utf8_bytes("\xf0\x90\x80\x80"), 4);
    assert_int_equal(dv_utf8_bytes("\xf4\x8f\xbf\xbf"), 4);
}

static void what_the_standard_forbids_begins_no_character(void **state) {
    (void)state;
    const char *const bad[] = {"",
                               "\x80",
                               "\xbf",
                               "\xc1\xbf",
                               "\xc2",
                               "\xc2z",
                               "\xe0\x9f\xbf",
                               "\xed\xa0\x80",
                               "\xe1\x80",
                               "\xf0\x8f\xbf\xbf",
                               "\xf4\x90\x80\x80",
                               "\xf1\x80\x80",
                               "\xf5\x80\x80\x80",
                               "\xff"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_int_equal(dv_utf8_bytes(bad[i]), 0);
}

static void a_byte_of_no_character_counts_as_one(void **state) {
    (void)state;
    assert_int_equal(dv_utf8_count(""), 0);
    assert_int_equal(dv_utf8_count("a\xc3\xa9\xff\xe2\x82\xac\xe2\x82"), 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_have_one_to_four_bytes),
        cmocka_unit_test(what_the_standard_forbids_begins_no_character),
        cmocka_unit_test(a_byte_of_no_character_counts_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
