/* Untrusted bytes in a page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report/html_text.h"

#define LOST "\xef\xbf\xbd"

static void expect(const char *text, const char *expected) {
    char *found;
    size_t size;
    FILE *const stream = open_memstream(&found, &size);
    assert_non_null(stream);
    dv_html_put_text(stream, text);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(found, expected);
    free(found);
}

static void nothing_opens_or_closes_an_element_or_attribute(void **state) {
    (void)state;
    expect("", "");
    expect("a&b<c>d\"e'f", "a&amp;b&lt;c&gt;d&quot;e&#39;f");
    expect("&amp;</td><script>", "&amp;amp;&lt;/td&gt;&lt;script&gt;");
}

static void a_start_ends_between_characters(void **state) {
    (void)state;
    char *found;
    size_t size;
    FILE *const stream = open_memstream(&found, &size);
    assert_non_null(stream);
    dv_html_put_start(stream, "a\xc3\xa9&", 3);
    dv_html_put_start(stream, "<\xc3\xa9\xff\xffz", 3);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(found, "a\xc3\xa9&amp;&lt;\xc3\xa9\xef\xbf\xbd\xe2\x80\xa6");
    free(found);
}

static void what_is_no_text_of_html_is_replaced(void **state) {
    (void)state;
    expect("a\tb\nc\rd", "a\tb\nc d");
    expect("\x01\x1f\x7f", LOST LOST LOST);
    expect("\xc2\x80\xc2\x9f\xc2\xa0", LOST LOST "\xc2\xa0");         /* U+0080, U+009F, U+00A0 */
    expect("\xff<\xc0\xbc\xe2\x82", LOST "&lt;" LOST LOST LOST LOST); /* no UTF-8: stray, overlong '<', cut off */
    expect("\xef\xb7\x8f\xef\xb7\x90\xef\xb7\xaf\xef\xb7\xb0", "\xef\xb7\x8f" LOST LOST "\xef\xb7\xb0");
    expect("\xef\xbf\xbd\xef\xbf\xbe\xf0\x9f\xbf\xbf\xf4\x8f\xbf\xbf", "\xef\xbf\xbd" LOST LOST LOST);
    expect("\xc3\xa9\xe2\x82\xac\xf0\x9f\x8d\x8b", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x8d\x8b");
}

/* The vectors of RFC 4648. */
static void data_are_base64(void **state) {
    (void)state;
    static const char *const expected[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (size_t n = 0; n <= 6; n++) {
        char *found, whole[64];
        size_t size;
        FILE *const stream = open_memstream(&found, &size);
        assert_non_null(stream);
        dv_html_put_data(stream, "image/png", (const uint8_t *)"foobar", n);
        assert_int_equal(fclose(stream), 0);
        snprintf(whole, sizeof whole, "data:image/png;base64,%s", expected[n]);
        assert_string_equal(found, whole);
        free(found);
    }
}

static void sizes_have_the_largest_unit_they_reach(void **state) {
    (void)state;
    char text[DV_HTML_BYTES_SIZE];
    assert_string_equal(dv_html_bytes_text(0, text), "0 bytes");
    assert_string_equal(dv_html_bytes_text(1023, text), "1023 bytes");
    assert_string_equal(dv_html_bytes_text(1536, text), "1.5 KiB");
    assert_string_equal(dv_html_bytes_text((uint64_t)3 << 30, text), "3.0 GiB");
    assert_string_equal(dv_html_bytes_text(UINT64_MAX, text), "16.0 EiB");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_opens_or_closes_an_element_or_attribute),
        cmocka_unit_test(a_start_ends_between_characters),
        cmocka_unit_test(what_is_no_text_of_html_is_replaced),
        cmocka_unit_test(data_are_base64),
        cmocka_unit_test(sizes_have_the_largest_unit_they_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
