/* test_json_scan.c: values of a JSON text where they stand, in both dialects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "io/json_scan.h"

static bool takes(const char *text, dv_json_dialect dialect) {
    dv_json_value value;
    return dv_json_scan(text, strlen(text), dialect, &value);
}

static void values_of_the_standard_are_taken(void **state) {
    (void)state;
    static const char *const good[] = {"0",  "-0.5e+3",        " [1, {\"a\": [true, null]}] ",
                                       "{}", "\"\\u00e9\\n\"", "\"\\ud800\""};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!takes(good[i], DV_JSON_RFC)) fail_msg("%s", good[i]);
}

static void others_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"",
                                      "01",
                                      "1.",
                                      ".5",
                                      "+1",
                                      "[1,]",
                                      "{\"a\": 1,}",
                                      "{a: 1}",
                                      "{\"a\" 1}",
                                      "\"a\nb\"",
                                      "\"\\x\"",
                                      "\"\\u12\"",
                                      "\"a",
                                      "\"\xff\"",
                                      "nul",
                                      "1 2",
                                      "[1",
                                      "{\"a\": 1",
                                      "\"\xed\xa0\x80\"",
                                      "'a'"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (takes(bad[i], DV_JSON_RFC) || takes(bad[i], DV_JSON_PYTHON)) fail_msg("%s", bad[i]);
}

static void python_alone_has_constants(void **state) {
    (void)state;
    static const char *const constants[] = {"NaN", "Infinity", "[-Infinity]"};
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        assert_true(takes(constants[i], DV_JSON_PYTHON));
        assert_false(takes(constants[i], DV_JSON_RFC));
    }
}

/* Half of a pair stands in a text as three bytes only where an escape was resolved. */
static void texts_alone_hold_surrogates(void **state) {
    (void)state;
    static const char *const bad[] = {"\"\xed\xa0\"", "\"\xed\xa0z\"", "\"\xed\"", "\"\xff\""};
    assert_true(takes("\"\xed\xa0\x80\xed\xbf\xbf\"", DV_JSON_PYTHON_TEXT));
    assert_true(takes("[NaN]", DV_JSON_PYTHON_TEXT));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(takes(bad[i], DV_JSON_PYTHON_TEXT));
}

static void only_long_texts_are_let_go(void **state) {
    (void)state;
    dv_json_text text = {0};
    assert_int_equal(dv_json_text_reserve(&text, 1 << 20), DV_OK);
    dv_json_text_drop_long(&text);
    assert_int_equal(text.capacity, 1 << 20);
    assert_int_equal(dv_json_text_reserve(&text, (1 << 20) + 1), DV_OK);
    dv_json_text_drop_long(&text);
    assert_null(text.text);
    assert_int_equal(text.capacity, 0);
}

static void of_a_key_that_stands_there_twice_the_last_value_counts(void **state) {
    (void)state;
    static const char text[] = "{\"a\": 1, \"\\u0061\": 22, \"b\": {\"a\": 3}}";
    static const dv_json_name names[] = {{"a", 1}, {"c", 1}};
    dv_json_value values[2];
    assert_true(dv_json_pick(text, sizeof text - 1, DV_JSON_RFC, names, 2, values));
    assert_int_equal(values[0].n, 2);
    assert_memory_equal(values[0].text, "22", 2);
    assert_int_equal(values[1].kind, DV_JSON_ABSENT);
}

static void escapes_become_what_they_mean(void **state) {
    (void)state;
    static const char text[] = "\"a\\u00e9\\ud83c\\udf5c\\\\\\/\\t\"";
    dv_json_value value;
    dv_json_text scratch = {0};
    const char *meaning;
    size_t n;
    assert_true(dv_json_scan(text, sizeof text - 1, DV_JSON_RFC, &value));
    assert_int_equal(dv_json_string(&value, &scratch, &meaning, &n), DV_OK);
    assert_int_equal(n, 10);
    assert_memory_equal(meaning, "a\xc3\xa9\xf0\x9f\x8d\x9c\\/\t", n);
    assert_true(dv_json_is(&value, "a\xc3\xa9\xf0\x9f\x8d\x9c\\/\t"));
    assert_false(dv_json_is(&value, "a"));
    free(scratch.text);
}

/* A thousand lists in each other, and one more. */
static void nesting_has_a_bound(void **state) {
    (void)state;
    enum { DEPTH = 1000 };
    char text[2 * DEPTH + 2];
    dv_json_value value;
    memset(text, '[', DEPTH + 1);
    memset(text + DEPTH + 1, ']', DEPTH + 1);
    assert_true(dv_json_scan(text + 1, 2 * DEPTH, DV_JSON_RFC, &value));
    assert_false(dv_json_scan(text, 2 * DEPTH + 2, DV_JSON_RFC, &value));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_the_standard_are_taken),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(python_alone_has_constants),
        cmocka_unit_test(texts_alone_hold_surrogates),
        cmocka_unit_test(only_long_texts_are_let_go),
        cmocka_unit_test(of_a_key_that_stands_there_twice_the_last_value_counts),
        cmocka_unit_test(escapes_become_what_they_mean),
        cmocka_unit_test(nesting_has_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
