#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "io/json_targets.h"
#include "unit/core/scratch.h"

static void targets_come_in_the_order_of_the_file_without_their_reference_views(void **state) {
    (void)state;
    dv_targets targets;
    assert_int_equal(
        scratch_write_text("targets.json",
                           "{\"schema\": \"objects3d-targets v1\", \"height\": 4, \"width\": 6, \"targets\": {"
                           "\"b\": {\"scene\": \"x\", \"category\": \"complex\", \"reference_view\": \"v2\", "
                           "\"views\": [\"v3\", \"v2\", "
                           "\"v1\"]},"
                           "\"a\": {\"scene\": \"y\", \"category\": \"small\", \"reference_view\": \"v1\", \"views\": "
                           "[\"v1\", \"v2\"]}}}"),
        0);
    assert_int_equal(dv_targets_read(scratch("targets.json"), &targets), DV_OK);
    assert_int_equal(targets.height, 4);
    assert_int_equal(targets.width, 6);
    assert_int_equal(targets.n, 2);
    assert_string_equal(targets.targets[0].id, "b");
    assert_string_equal(targets.targets[0].scene, "x");
    assert_string_equal(targets.targets[0].reference_view, "v2");
    assert_int_equal(targets.targets[0].category, DV_OBJECT_COMPLEX);
    assert_int_equal(targets.targets[0].views.n, 2);
    assert_string_equal(targets.targets[0].views.names[0], "v3");
    assert_string_equal(targets.targets[0].views.names[1], "v1");
    assert_string_equal(targets.targets[1].id, "a");
    assert_int_equal(targets.targets[1].category, DV_OBJECT_SMALL);
    assert_int_equal(targets.targets[1].views.n, 1);
    dv_targets_clear(&targets);
    assert_int_equal(targets.n, 0);
}

/* Around one target "t": what stands in it, what stands beside it, what the message ends with. */
static const struct {
    const char *target, *beside, *message;
} bad[] = {
    {"\"category\": \"small\", \"reference_view\": \"a\", \"views\": [\"a\", \"b\"]", "",
     "targets: t: scene: missing, must be a text"},
    {"\"scene\": \"s\", \"category\": \"tiny\", \"reference_view\": \"a\", \"views\": [\"a\", \"b\"]", "",
     "targets: t: category: \"tiny\": must be dominant, occluded, small or complex"},
    {"\"scene\": \"s\", \"category\": \"small\", \"reference_view\": \"c\", \"views\": [\"a\", \"b\"]", "",
     "targets: t: reference_view: \"c\": must be one of the views"},
    {"\"scene\": \"s\", \"category\": \"small\", \"reference_view\": \"a\", \"views\": [\"a\"]", "",
     "targets: t: views: the reference view \"a\" alone: must be more"},
    {"\"scene\": \"s\", \"category\": \"small\", \"reference_view\": \"a\", \"views\": [\"a\", \"a\"]", "",
     "targets: t: views: \"a\" stands there twice"},
    {"\"scene\": \"s\", \"category\": \"small\", \"reference_view\": \"a\", \"views\": [\"a\", \"../b\"]", "",
     "targets: t: \"../b\": must be the name of a file or folder"},
    {"\"scene\": \"s\", \"category\": \"small\", \"reference_view\": \"a\", \"views\": [\"a\", \"b\"]",
     ", \"height\": 3", "the file: width: missing, must be a whole number 1 to 65535"},
};

static void what_is_wrong_is_said_with_its_place(void **state) {
    (void)state;
    char text[600], message[600];
    dv_targets targets;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, "{\"schema\": \"objects3d-targets v1\", \"targets\": {\"t\": {%s}}%s}",
                 bad[i].target, bad[i].beside);
        assert_int_equal(scratch_write_text("bad.json", text), 0);
        assert_int_equal(dv_targets_read(scratch("bad.json"), &targets), DV_E_DATA);
        snprintf(message, sizeof message, "%s: %s", scratch("bad.json"), bad[i].message);
        assert_string_equal(dv_last_error(), message);
        assert_int_equal(targets.n, 0);
        assert_null(targets.targets);
    }
}

static void other_schemas_and_no_targets_are_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"{\"schema\": \"muvod-scenes v1\", \"targets\": {}}",
                                        "{\"schema\": \"objects3d-targets v1\", \"targets\": {}}",
                                        "{\"schema\": \"objects3d-targets v1\", \"targets\": {\"t\": 3}}",
                                        "{\"schema\": \"objects3d-targets v1\", \"targets\": {\"a/b\": {}}}", "[]"};
    dv_targets targets;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(scratch_write_text("bad.json", texts[i]), 0);
        assert_int_equal(dv_targets_read(scratch("bad.json"), &targets), DV_E_DATA);
    }
    assert_int_equal(dv_targets_read(scratch("nowhere.json"), &targets), DV_E_MISSING);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_come_in_the_order_of_the_file_without_their_reference_views),
        cmocka_unit_test(what_is_wrong_is_said_with_its_place),
        cmocka_unit_test(other_schemas_and_no_targets_are_refused),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
