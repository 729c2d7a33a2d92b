#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/check.h"
#include "denseval/status.h"

static void *read_message(void *copy) {
    memccpy(copy, dv_last_error(), '\0', DV_MESSAGE_SIZE);
    return NULL;
}

static void *fail_elsewhere(void *unused) {
    dv_fail(DV_E_IO, "elsewhere");
    return unused;
}

static void in_a_thread(void *(*work)(void *), void *argument) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, work, argument), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void message_is_empty_before_any_failure(void **state) {
    (void)state;
    char copy[DV_MESSAGE_SIZE] = "old";
    in_a_thread(read_message, copy);
    assert_string_equal(copy, "");
}

static void failure_returns_its_status_and_sets_the_message(void **state) {
    (void)state;
    assert_int_equal(dv_fail(DV_E_DATA, "row %d, value %s", 12, "nan"), DV_E_DATA);
    assert_string_equal(dv_last_error(), "row 12, value nan");
    assert_int_equal(dv_fail(DV_E_ARG, "other"), DV_E_ARG);
    assert_string_equal(dv_last_error(), "other");
}

static void control_characters_become_spaces(void **state) {
    (void)state;
    dv_fail(DV_E_DATA, "one\ntwo\r\n%s", "a\nna\x1bme\x7f");
    assert_string_equal(dv_last_error(), "one two  a na me ");
    dv_context(DV_E_DATA, "file\nname");
    assert_string_equal(dv_last_error(), "file name: one two  a na me ");
}

/* What a terminal could take for a command: controls of 8 bits (C1), also as UTF-8, and bytes that are no text. */
static void bytes_that_are_no_text_become_question_marks(void **state) {
    (void)state;
    dv_fail(DV_E_DATA, "%s", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xc2\xa0");
    assert_string_equal(dv_last_error(), "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xc2\xa0");
    dv_fail(DV_E_DATA, "a\x9b%s", "31mb\xc2\x9bz\xc0\x9b\xed\xa0\x80\xff\xe2\x82");
    assert_string_equal(dv_last_error(), "a?31mb  z?????"
                                         "???");
    char text[3] = "";
    for (int byte = 0x80; byte < 0x100; byte++) {
        text[0] = (char)byte;
        text[1] = 'x';
        dv_fold_lines(text);
        assert_string_equal(text, "?x");
    }
}

static void context_goes_before_the_message(void **state) {
    (void)state;
    dv_fail(DV_E_DATA, "row 12: is zero");
    assert_int_equal(dv_context(DV_E_DATA, "/features"), DV_E_DATA);
    assert_int_equal(dv_context(DV_E_DATA, "%s", "test.h5"), DV_E_DATA);
    assert_string_equal(dv_last_error(), "test.h5: /features: row 12: is zero");
}

static void context_of_a_success_changes_nothing(void **state) {
    (void)state;
    dv_fail(DV_E_DATA, "older");
    assert_int_equal(dv_context(DV_OK, "context"), DV_OK);
    assert_string_equal(dv_last_error(), "older");
}

static void arguments_may_point_into_the_message(void **state) {
    (void)state;
    dv_fail(DV_E_DATA, "inner");
    dv_fail(DV_E_DATA, "outer, %s", dv_last_error());
    assert_string_equal(dv_last_error(), "outer, inner");
    dv_context(DV_E_DATA, "[%s]", dv_last_error());
    assert_string_equal(dv_last_error(), "[outer, inner]: outer, inner");
}

static void long_messages_are_cut(void **state) {
    (void)state;
    static char longest[DV_MESSAGE_SIZE + 100];
    memset(longest, 'x', sizeof longest - 1);
    dv_fail(DV_E_DATA, "%s", longest);
    assert_int_equal(strlen(dv_last_error()), DV_MESSAGE_SIZE - 1);
    dv_context(DV_E_DATA, "context");
    assert_int_equal(strncmp(dv_last_error(), "context: xxx", 12), 0);
    assert_in_range(strlen(dv_last_error()), DV_MESSAGE_SIZE - 4, DV_MESSAGE_SIZE - 1);
    dv_context(DV_E_DATA, "%s", longest);
    assert_int_equal(strlen(dv_last_error()), DV_MESSAGE_SIZE - 1);
}

/* Every length of a context near the end of the room: never more than fits, always one text. */
static void context_of_any_length_fits(void **state) {
    (void)state;
    static char context[DV_MESSAGE_SIZE];
    for (size_t length = DV_MESSAGE_SIZE - 12; length < DV_MESSAGE_SIZE; length++) {
        memset(context, 'c', length);
        context[length] = '\0';
        dv_fail(DV_E_DATA, "message");
        dv_context(DV_E_DATA, "%s", context);
        assert_in_range(strlen(dv_last_error()), length, DV_MESSAGE_SIZE - 1);
        assert_memory_equal(dv_last_error(), context, length);
    }
}

static void each_thread_has_its_own_message(void **state) {
    (void)state;
    char copy[DV_MESSAGE_SIZE];
    dv_fail(DV_E_DATA, "mine");
    in_a_thread(fail_elsewhere, NULL);
    assert_string_equal(dv_last_error(), "mine");
    in_a_thread(read_message, copy);
    assert_string_equal(copy, "");
}

static dv_status pass_on(dv_status status, int *went_on) {
    DV_TRY(status);
    *went_on = 1;
    return DV_OK;
}

static void try_passes_failures_on_and_goes_on_after_success(void **state) {
    (void)state;
    int went_on = 0;
    assert_int_equal(pass_on(DV_E_NOMEM, &went_on), DV_E_NOMEM);
    assert_int_equal(went_on, 0);
    assert_int_equal(pass_on(DV_OK, &went_on), DV_OK);
    assert_int_equal(went_on, 1);
}

static void every_status_has_its_stable_number_and_name(void **state) {
    (void)state;
    const struct {
        int number;
        const char *name;
    } all[] = {{0, "DV_OK"},          {10, "DV_E_ARG"},     {11, "DV_E_USAGE"},
               {20, "DV_E_DATA"},     {21, "DV_E_MISSING"}, {30, "DV_E_IO"},
               {40, "DV_E_NOMEM"},    {50, "DV_E_BACKEND"}, {60, "DV_E_INTERRUPTED"},
               {90, "DV_E_INTERNAL"}, {1, "unknown"},       {-1, "unknown"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_string_equal(dv_status_name((dv_status)all[i].number), all[i].name);
}

static void errno_has_an_english_text(void **state) {
    (void)state;
    assert_string_equal(dv_error_text(ENOENT), "No such file or directory");
    assert_string_equal(dv_error_text(123456), "unknown error");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_is_empty_before_any_failure),
        cmocka_unit_test(failure_returns_its_status_and_sets_the_message),
        cmocka_unit_test(control_characters_become_spaces),
        cmocka_unit_test(bytes_that_are_no_text_become_question_marks),
        cmocka_unit_test(context_goes_before_the_message),
        cmocka_unit_test(context_of_a_success_changes_nothing),
        cmocka_unit_test(arguments_may_point_into_the_message),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(context_of_any_length_fits),
        cmocka_unit_test(each_thread_has_its_own_message),
        cmocka_unit_test(try_passes_failures_on_and_goes_on_after_success),
        cmocka_unit_test(every_status_has_its_stable_number_and_name),
        cmocka_unit_test(errno_has_an_english_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
