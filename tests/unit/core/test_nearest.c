#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "denseval/nearest.h"

static void edits_are_counted(void **state) {
    (void)state;
    assert_int_equal(dv_text_distance("bins", "bins"), 0);
    assert_int_equal(dv_text_distance("bns", "bins"), 1);
    assert_int_equal(dv_text_distance("binns", "bins"), 1);
    assert_int_equal(dv_text_distance("bims", "bins"), 1);
    assert_int_equal(dv_text_distance("kitten", "sitting"), 3); /* Wagner and Fischer's example */
    assert_int_equal(dv_text_distance("", "json"), 4);
}

static void swapped_letters_are_one_edit(void **state) {
    (void)state;
    assert_int_equal(dv_text_distance("qeuries", "queries"), 1);
}

static void a_beginning_is_one_away(void **state) {
    (void)state;
    assert_int_equal(dv_text_distance("mem", "memory-limit"), 1);
    assert_int_equal(dv_text_distance("-", ""), 1);
}

static void long_texts_are_cut(void **state) {
    (void)state;
    char text[1000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_int_equal(dv_text_distance(text, "force"), 63);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_are_counted),
        cmocka_unit_test(swapped_letters_are_one_edit),
        cmocka_unit_test(a_beginning_is_one_away),
        cmocka_unit_test(long_texts_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
