#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "denseval/version.h"

static void version_is_the_one_of_the_build(void **state) {
    (void)state;
    assert_string_equal(dv_version(), EXPECTED_VERSION);
}

static void build_info_has_one_fact_a_line(void **state) {
    (void)state;
    char text[2000];
    dv_build_info(text, sizeof text);
    print_message("%s\n", text);
    const char first[] = "denseval: " EXPECTED_VERSION "\n";
    assert_memory_equal(text, first, sizeof first - 1);
    const char *const facts[] = {"\ncompiler: ", "\nbuild: ", "\ncpu: ", "\nwidening: "};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) assert_non_null(strstr(text, facts[i]));
    assert_true(text[strlen(text) - 1] != '\n');
}

static void build_info_is_cut_where_there_is_no_room(void **state) {
    (void)state;
    char text[16];
    for (size_t size = 1; size <= 12; size++) {
        memset(text, '#', sizeof text);
        dv_build_info(text, size);
        assert_int_equal(strlen(text), size - 1);
        assert_memory_equal(text, "denseval: " EXPECTED_VERSION, size - 1);
        assert_int_equal(text[size], '#');
    }
    memset(text, '#', sizeof text);
    dv_build_info(text, 0);
    assert_int_equal(text[0], '#');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_is_the_one_of_the_build),
        cmocka_unit_test(build_info_has_one_fact_a_line),
        cmocka_unit_test(build_info_is_cut_where_there_is_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
