#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "denseval/labels.h"

static size_t size_of(const dv_label_set *set) {
    size_t n = 0;
    for (int label = 0; label <= UINT16_MAX; label++) n += dv_label_set_has(set, (uint16_t)label);
    return n;
}

static void zeroed_set_is_empty_and_holds_what_is_added(void **state) {
    (void)state;
    dv_label_set set = {0};
    assert_int_equal(size_of(&set), 0);
    const uint16_t labels[5] = {0, 63, 64, 255, 65535};
    for (int i = 0; i < 5; i++) dv_label_set_add(&set, labels[i]);
    dv_label_set_add(&set, 255);
    for (int i = 0; i < 5; i++) assert_true(dv_label_set_has(&set, labels[i]));
    assert_int_equal(size_of(&set), 5);
}

static void lists_are_read(void **state) {
    (void)state;
    dv_label_set set = {0};
    assert_int_equal(dv_label_set_parse("255", &set), DV_OK);
    assert_true(dv_label_set_has(&set, 255));
    assert_int_equal(size_of(&set), 1);
    assert_int_equal(dv_label_set_parse("65535,0,7,7", &set), DV_OK); /* replaces what was there */
    assert_true(dv_label_set_has(&set, 0) && dv_label_set_has(&set, 7) && dv_label_set_has(&set, 65535));
    assert_int_equal(size_of(&set), 3);
    assert_int_equal(dv_label_set_parse("none", &set), DV_OK);
    assert_int_equal(size_of(&set), 0);
}

static void anything_else_is_refused_and_the_set_stays(void **state) {
    (void)state;
    const char *bad[] = {"",
                         "255,",
                         ",255",
                         "1,,2",
                         "65536",
                         "-1",
                         "+1",
                         "1 ",
                         " 1",
                         "1x",
                         "none,1",
                         "None",
                         "99999999999999999999999",
                         "1;2",
                         "0x10",
                         "1.0"};
    dv_label_set set = {0};
    dv_label_set_add(&set, 9);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(dv_label_set_parse(bad[i], &set), DV_E_USAGE);
        assert_true(dv_label_set_has(&set, 9));
        assert_int_equal(size_of(&set), 1);
    }
    assert_int_equal(dv_label_set_parse("300,70000", &set), DV_E_USAGE);
    assert_string_equal(dv_last_error(),
                        "label list \"300,70000\": must be none, or labels 0..65535 with commas between");
}

static void sets_are_written_as_they_are_read(void **state) {
    (void)state;
    dv_label_set set = {0};
    char text[64];
    dv_label_set_format(&set, text, sizeof text);
    assert_string_equal(text, "none");
    assert_int_equal(dv_label_set_parse("65535,0,255", &set), DV_OK);
    dv_label_set_format(&set, text, sizeof text);
    assert_string_equal(text, "0,255,65535");
    dv_label_set_format(&set, text, 12); /* fits exactly */
    assert_string_equal(text, "0,255,65535");
}

static void long_lists_are_cut_within_their_buffer(void **state) {
    (void)state;
    dv_label_set set;
    memset(&set, 0xff, sizeof set);
    char text[32];
    for (size_t size = 0; size < sizeof text; size++) {
        memset(text, '#', sizeof text);
        dv_label_set_format(&set, text, size);
        for (size_t i = size; i < sizeof text; i++) assert_int_equal(text[i], '#');
        if (size > 0) assert_int_equal(strlen(text), size - 1 < 3 ? size - 1 : strlen(text));
        if (size > 4) assert_string_equal(text + strlen(text) - 3, "...");
    }
    dv_label_set_format(&set, text, 12);
    assert_string_equal(text, "0,1,2,3,...");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeroed_set_is_empty_and_holds_what_is_added),
        cmocka_unit_test(lists_are_read),
        cmocka_unit_test(anything_else_is_refused_and_the_set_stays),
        cmocka_unit_test(sets_are_written_as_they_are_read),
        cmocka_unit_test(long_lists_are_cut_within_their_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
