#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/check.h"
#include "core/log.h"

/* What a callback was told; no lock of its own: the lines come one at a time. */
typedef struct heard {
    size_t n_lines;
    dv_log_level level;
    char line[DV_MESSAGE_SIZE + 1];
} heard;

static void hear(void *user, dv_log_level level, const char *line) {
    heard *all = user;
    all->n_lines++;
    all->level = level;
    snprintf(all->line, sizeof all->line, "%s", line);
}

static void lines_are_dropped_without_a_callback(void **state) {
    (void)state;
    dv_log(DV_LOG_ERROR, "nobody listens");
    dv_log_set(NULL, NULL, DV_LOG_DEBUG);
    dv_log(DV_LOG_ERROR, "nobody listens");
}

static void line_comes_with_its_level_and_arguments(void **state) {
    (void)state;
    heard all = {0};
    dv_log_set(hear, &all, DV_LOG_DEBUG);
    dv_log(DV_LOG_WARNING, "%d of %s", 3, "bins");
    assert_int_equal(all.n_lines, 1);
    assert_int_equal(all.level, DV_LOG_WARNING);
    assert_string_equal(all.line, "3 of bins");
    dv_log_set(NULL, NULL, DV_LOG_ERROR);
    dv_log(DV_LOG_ERROR, "after the end");
    assert_int_equal(all.n_lines, 1);
}

static void lines_below_the_level_are_dropped(void **state) {
    (void)state;
    for (int level = DV_LOG_ERROR; level <= DV_LOG_DEBUG; level++) {
        heard all = {0};
        dv_log_set(hear, &all, (dv_log_level)level);
        for (int said = DV_LOG_ERROR; said <= DV_LOG_DEBUG; said++) dv_log((dv_log_level)said, "line");
        assert_int_equal(all.n_lines, level + 1);
        assert_int_equal(all.level, level); /* the last one that came through */
    }
    dv_log_set(NULL, NULL, DV_LOG_ERROR);
}

static void line_has_no_newline_and_is_cut_where_it_is_too_long(void **state) {
    (void)state;
    static char longest[DV_MESSAGE_SIZE + 10];
    heard all = {0};
    dv_log_set(hear, &all, DV_LOG_INFO);
    dv_log(DV_LOG_INFO, "a\nb\r%s", "c\n");
    assert_string_equal(all.line, "a b c ");
    memset(longest, 'x', sizeof longest - 1);
    dv_log(DV_LOG_INFO, "%s", longest);
    assert_int_equal(strlen(all.line), DV_MESSAGE_SIZE - 1);
    dv_log_set(NULL, NULL, DV_LOG_ERROR);
}

static void logging_leaves_the_last_error_alone(void **state) {
    (void)state;
    heard all = {0};
    dv_log_set(hear, &all, DV_LOG_INFO);
    dv_fail(DV_E_DATA, "the error");
    dv_log(DV_LOG_ERROR, "a line");
    assert_string_equal(dv_last_error(), "the error");
    dv_log_set(NULL, NULL, DV_LOG_ERROR);
}

enum { N_THREADS = 4, N_LINES = 500 };

static void *say_much(void *unused) {
    for (int i = 0; i < N_LINES; i++) dv_log(DV_LOG_INFO, "line %d", i);
    return unused;
}

static void lines_of_many_threads_come_one_at_a_time(void **state) {
    (void)state;
    heard all = {0};
    pthread_t threads[N_THREADS];
    dv_log_set(hear, &all, DV_LOG_INFO);
    for (int i = 0; i < N_THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, say_much, NULL), 0);
    for (int i = 0; i < N_THREADS; i++) pthread_join(threads[i], NULL);
    dv_log_set(NULL, NULL, DV_LOG_ERROR);
    assert_int_equal(all.n_lines, N_THREADS * N_LINES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_dropped_without_a_callback),
        cmocka_unit_test(line_comes_with_its_level_and_arguments),
        cmocka_unit_test(lines_below_the_level_are_dropped),
        cmocka_unit_test(line_has_no_newline_and_is_cut_where_it_is_too_long),
        cmocka_unit_test(logging_leaves_the_last_error_alone),
        cmocka_unit_test(lines_of_many_threads_come_one_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
