#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "core/atomic_file.h"
#include "core/left_over.h"
#include "unit/core/scratch.h"

/* What a process that is killed in the middle of writing `name` leaves. */
static void leave(const char *name, bool folder) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dv_atomic_file *file;
        dv_atomic_folder *made;
        const dv_status status = folder ? dv_atomic_folder_begin(scratch(name), true, &made)
                                        : dv_atomic_file_begin(scratch(name), true, &file);
        if (status != DV_OK) _exit(1);
        if (folder) {
            char inside[SCRATCH_PATH];
            snprintf(inside, sizeof inside, "%s/inside", dv_atomic_folder_temporary(made));
            const int opened = open(inside, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
            if (opened < 0 || write(opened, "x", 1) != 1) _exit(1);
        }
        raise(SIGKILL);
    }
    int end;
    assert_int_equal(waitpid(child, &end, 0), child);
    assert_true(WIFSIGNALED(end) && WTERMSIG(end) == SIGKILL);
}

static void what_the_dead_left_is_removed(void **state) {
    (void)state;
    leave("result.h5", false);
    leave("result.h5", false);
    leave("other.h5", false);
    assert_int_equal(scratch_count(""), 3);
    dv_remove_abandoned(scratch("result.h5"));
    assert_int_equal(scratch_count(""), 1);
    dv_remove_abandoned(scratch("other.h5"));
    assert_int_equal(scratch_count(""), 0);
}

static void a_folder_begins_by_removing_them(void **state) {
    (void)state;
    leave("result", true);
    assert_int_equal(scratch_count(""), 1);
    dv_atomic_folder *folder;
    assert_int_equal(dv_atomic_folder_begin(scratch("result"), false, &folder), DV_OK);
    assert_int_equal(scratch_count(""), 1);
    dv_atomic_folder_abandon(folder);
    assert_int_equal(scratch_count(""), 0);
}

/* As long as the writer lives, in this process or another one. */
static void what_is_being_written_stays(void **state) {
    (void)state;
    dv_atomic_file *file;
    dv_atomic_folder *folder;
    assert_int_equal(dv_atomic_file_begin(scratch("result"), false, &file), DV_OK);
    assert_int_equal(dv_atomic_folder_begin(scratch("result"), false, &folder), DV_OK);
    dv_remove_abandoned(scratch("result"));
    assert_int_equal(scratch_count(""), 2);
    dv_atomic_folder_abandon(folder);
    assert_int_equal(dv_atomic_file_commit(file), DV_OK);
    assert_int_equal(scratch_count(""), 1);
    assert_true(scratch_exists("result"));
}

/* What a dead writer's name means by now may be somebody's. */
static void what_no_writer_makes_stays(void **state) {
    (void)state;
    char name[DV_TEMPORARY_SIZE];
    assert_true(dv_temporary_name("result", name));
    assert_int_equal(mkfifo(scratch(name), 0666), 0);
    dv_remove_abandoned(scratch("result"));
    assert_true(scratch_exists(name));
}

/* Its lock may be unknown here. And names that only look alike are nobody's. */
static void what_another_kernel_wrote_stays(void **state) {
    (void)state;
    char name[DV_TEMPORARY_SIZE];
    assert_true(dv_temporary_name("result", name));
    char *const digit = name + sizeof ".result." - 1;
    assert_int_equal(scratch_write_text(name, ""), 0);
    *digit = *digit == '0' ? '1' : '0';
    assert_int_equal(scratch_write_text(name, ""), 0);
    assert_int_equal(scratch_write_text(".result.tmp", ""), 0);
    dv_remove_abandoned(scratch("result"));
    assert_int_equal(scratch_count(""), 2);
    assert_true(scratch_exists(name));
    dv_remove_left_over(scratch("result")); /* the caller knows that nobody writes */
    assert_int_equal(scratch_count(""), 1);
}

/* Between the making of a file and its lock another process may have taken it. */
static void a_writer_takes_another_name_where_one_was_taken(void **state) {
    (void)state;
    int lock;
    assert_false(dv_temporary_hold(scratch("gone"), &lock));
    assert_int_equal(lock, -1);
    assert_int_equal(scratch_write_text("file", ""), 0);
    assert_true(dv_temporary_hold(scratch("file"), &lock));
    assert_true(lock >= 0);
    close(lock);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_the_dead_left_is_removed, scratch_open, scratch_close),
        cmocka_unit_test_setup_teardown(a_folder_begins_by_removing_them, scratch_open, scratch_close),
        cmocka_unit_test_setup_teardown(what_is_being_written_stays, scratch_open, scratch_close),
        cmocka_unit_test_setup_teardown(what_no_writer_makes_stays, scratch_open, scratch_close),
        cmocka_unit_test_setup_teardown(what_another_kernel_wrote_stays, scratch_open, scratch_close),
        cmocka_unit_test_setup_teardown(a_writer_takes_another_name_where_one_was_taken, scratch_open, scratch_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
