/* Tests of dv_fault_list: which faults are logged, and when. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "core/fault_list.h"

enum { MANY = 25 };

typedef struct lines {
    dv_log_level level; /* that lines must have */
    size_t n;
    char text[MANY + 2][64];
} lines;

static void take_line(void *user, dv_log_level level, const char *line) {
    lines *all = user;
    assert_int_equal(level, all->level);
    assert_true(all->n < MANY + 2);
    snprintf(all->text[all->n++], sizeof all->text[0], "%s", line);
}

/* Adds "fault 0" to "fault n - 1" and ends the list. */
static void add_faults(size_t n, bool left_out, dv_fault_list *list, lines *logged) {
    memset(list, 0, sizeof *list);
    memset(logged, 0, sizeof *logged);
    list->left_out = left_out;
    logged->level = left_out ? DV_LOG_WARNING : DV_LOG_ERROR;
    dv_log_set(take_line, logged, DV_LOG_WARNING);
    for (size_t i = 0; i < n; i++) {
        char what[32];
        snprintf(what, sizeof what, "fault %zu", i);
        dv_fault_list_add(list, what);
    }
    dv_fault_list_end(list);
    dv_log_set(NULL, NULL, DV_LOG_ERROR);
}

static void a_fault_alone_is_left_to_the_failure(void **state) {
    (void)state;
    dv_fault_list list;
    lines logged;
    add_faults(0, false, &list, &logged);
    assert_int_equal(list.n, 0);
    assert_int_equal(logged.n, 0);
    add_faults(1, false, &list, &logged);
    assert_int_equal(list.n, 1);
    assert_int_equal(logged.n, 0);
    assert_string_equal(list.first, "fault 0");
}

static void twenty_are_listed_and_the_rest_counted(void **state) { /* R12 */
    (void)state;
    static const struct {
        size_t n, n_lines;
        const char *last;
    } cases[] = {{2, 2, "fault 1"},
                 {20, 20, "fault 19"},
                 {21, 21, "and 1 more like these"},
                 {MANY, 21, "and 5 more like these"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dv_fault_list list;
        lines logged;
        add_faults(cases[i].n, false, &list, &logged);
        assert_int_equal(list.n, cases[i].n);
        assert_string_equal(list.first, "fault 0");
        assert_int_equal(logged.n, cases[i].n_lines);
        for (size_t line = 0; line < cases[i].n && line < 20; line++) {
            char expected[32];
            snprintf(expected, sizeof expected, "fault %zu", line);
            assert_string_equal(logged.text[line], expected);
        }
        assert_string_equal(logged.text[logged.n - 1], cases[i].last);
    }
}

static void what_is_left_out_is_a_warning_also_when_alone(void **state) { /* R12 */
    (void)state;
    dv_fault_list list;
    lines logged;
    add_faults(1, true, &list, &logged);
    assert_int_equal(logged.n, 1);
    assert_string_equal(logged.text[0], "left out: fault 0");
    add_faults(MANY, true, &list, &logged);
    assert_int_equal(logged.n, 21);
    assert_string_equal(logged.text[19], "left out: fault 19");
    assert_string_equal(logged.text[20], "and 5 more like these");
}

static void the_last_word_is_the_fault_or_their_number(void **state) {
    (void)state;
    dv_fault_list list;
    lines logged;
    add_faults(0, false, &list, &logged);
    assert_int_equal(dv_fault_list_judge(&list, DV_E_DATA, "frames are bad"), DV_OK);
    add_faults(1, false, &list, &logged);
    assert_int_equal(dv_fault_list_judge(&list, DV_E_MISSING, "frames are bad"), DV_E_MISSING);
    assert_string_equal(dv_last_error(), "fault 0");
    add_faults(3, false, &list, &logged);
    assert_int_equal(dv_fault_list_judge(&list, DV_E_DATA, "frames are bad"), DV_E_DATA);
    assert_string_equal(dv_last_error(), "3 frames are bad, the first: fault 0");
    add_faults(3, true, &list, &logged);
    assert_int_equal(dv_fault_list_judge(&list, DV_E_DATA, "frames are bad"), DV_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_alone_is_left_to_the_failure),
        cmocka_unit_test(twenty_are_listed_and_the_rest_counted),
        cmocka_unit_test(what_is_left_out_is_a_warning_also_when_alone),
        cmocka_unit_test(the_last_word_is_the_fault_or_their_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
