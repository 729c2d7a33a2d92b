#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "core/atomic_file.h"
#include "unit/core/scratch.h"

/* Errors that the next system calls give; 0: the real call. The linker puts these before the library's. */
static int renameat2_error, link_error;
static int fsync_error, n_good_fsyncs; /* the error comes after so many good ones */

int __real_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
int __real_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);
int __real_fsync(int file);
int __wrap_fsync(int file);

static int fail_with(int error) {
    errno = error;
    return -1;
}

int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    if (renameat2_error) return fail_with(renameat2_error);
    return __real_renameat2(from_folder, from, to_folder, to, flags);
}

int __wrap_link(const char *from, const char *to) {
    return link_error ? fail_with(link_error) : __real_link(from, to);
}

int __wrap_fsync(int file) {
    if (fsync_error && n_good_fsyncs-- <= 0) return fail_with(fsync_error);
    return __real_fsync(file);
}

/* An empty folder and no error for each test. */
static int set_up(void **state) {
    renameat2_error = link_error = fsync_error = n_good_fsyncs = 0;
    return scratch_open(state);
}

static void check_message(const char *name, const char *what) {
    char message[2 * SCRATCH_PATH];
    snprintf(message, sizeof message, "%s: %s", scratch(name), what);
    assert_string_equal(dv_last_error(), message);
}

static dv_atomic_file *begin(const char *name, bool force) {
    dv_atomic_file *file = NULL;
    assert_int_equal(dv_atomic_file_begin(scratch(name), force, &file), DV_OK);
    assert_non_null(file);
    return file;
}

static dv_atomic_file *begin_with_text(const char *name, bool force, const char *text) {
    dv_atomic_file *file = begin(name, force);
    FILE *stream;
    assert_int_equal(dv_atomic_file_stream(file, &stream), DV_OK);
    assert_true(fputs(text, stream) >= 0);
    return file;
}

static void check_refused_begin(const char *name, bool force, dv_status expected, const char *what) {
    dv_atomic_file *file = (dv_atomic_file *)(void *)&expected;
    const size_t n_before = scratch_count(".");
    assert_int_equal(dv_atomic_file_begin(scratch(name), force, &file), expected);
    check_message(name, what);
    assert_null(file);
    assert_int_equal(scratch_count("."), n_before);
}

static void file_appears_complete_at_the_commit(void **state) {
    (void)state;
    dv_atomic_file *file = begin_with_text("out", false, "content");
    assert_false(scratch_exists("out"));
    assert_int_equal(scratch_count("."), 1);
    assert_int_equal(dv_atomic_file_commit(file), DV_OK);
    assert_string_equal(scratch_text("out"), "content");
    assert_int_equal(scratch_count("."), 1);
}

static void temporary_name_is_hidden_beside_the_target(void **state) {
    (void)state;
    dv_atomic_file *file = begin("out.h5", false);
    const char *start = scratch(".out.h5.");
    assert_int_equal(strncmp(dv_atomic_file_temporary(file), start, strlen(start)), 0);
    dv_atomic_file_abandon(file);
}

static void file_may_be_written_by_its_temporary_path(void **state) {
    (void)state;
    dv_atomic_file *file = begin("out", false);
    FILE *other = fopen(dv_atomic_file_temporary(file), "wb");
    assert_non_null(other);
    assert_true(fputs("by path", other) >= 0);
    assert_int_equal(fclose(other), 0);
    assert_int_equal(dv_atomic_file_commit(file), DV_OK);
    assert_string_equal(scratch_text("out"), "by path");
}

static void mode_follows_the_umask(void **state) {
    (void)state;
    struct stat found;
    const mode_t before = umask(027);
    assert_int_equal(dv_atomic_file_commit(begin_with_text("out", false, "x")), DV_OK);
    umask(before);
    assert_int_equal(stat(scratch("out"), &found), 0);
    assert_int_equal(found.st_mode & 07777, 0640);
}

static void stream_is_the_same_when_asked_for_again(void **state) {
    (void)state;
    dv_atomic_file *file = begin("out", false);
    FILE *first, *second;
    assert_int_equal(dv_atomic_file_stream(file, &first), DV_OK);
    assert_int_equal(dv_atomic_file_stream(file, &second), DV_OK);
    assert_ptr_equal(first, second);
    assert_int_equal(dv_atomic_file_commit(file), DV_OK);
}

static void abandoned_file_leaves_nothing(void **state) {
    (void)state;
    dv_atomic_file_abandon(begin_with_text("out", false, "content"));
    assert_int_equal(scratch_count("."), 0);
    dv_atomic_file_abandon(begin("out", false));
    assert_int_equal(scratch_count("."), 0);
    dv_atomic_file_abandon(NULL);
}

static void existing_file_is_refused_without_force(void **state) {
    (void)state;
    assert_int_equal(scratch_write_text("out", "old"), 0);
    check_refused_begin("out", false, DV_E_USAGE, "exists already; --force replaces it");
    assert_string_equal(scratch_text("out"), "old");
    assert_int_equal(symlink("nowhere", scratch("link")), 0);
    check_refused_begin("link", false, DV_E_USAGE, "exists already; --force replaces it");
}

static void force_replaces_at_the_commit_and_not_before(void **state) {
    (void)state;
    assert_int_equal(scratch_write_text("out", "old"), 0);
    dv_atomic_file_abandon(begin_with_text("out", true, "never"));
    assert_string_equal(scratch_text("out"), "old");
    dv_atomic_file *file = begin_with_text("out", true, "new");
    assert_string_equal(scratch_text("out"), "old");
    assert_int_equal(dv_atomic_file_commit(file), DV_OK);
    assert_string_equal(scratch_text("out"), "new");
    assert_int_equal(dv_atomic_file_commit(begin_with_text("fresh", true, "new")), DV_OK);
    assert_int_equal(scratch_count("."), 2);
}

static void force_replaces_a_symbolic_link_itself(void **state) {
    (void)state;
    assert_int_equal(scratch_write_text("aim", "kept"), 0);
    assert_int_equal(symlink("aim", scratch("out")), 0);
    assert_int_equal(dv_atomic_file_commit(begin_with_text("out", true, "new")), DV_OK);
    assert_string_equal(scratch_text("aim"), "kept");
    assert_string_equal(scratch_text("out"), "new");
}

static void force_replaces_files_only(void **state) {
    (void)state;
    const char *what = "exists and is no regular file, so --force does not replace it";
    assert_int_equal(mkdir(scratch("folder"), 0777), 0);
    assert_int_equal(mkfifo(scratch("pipe"), 0666), 0);
    check_refused_begin("folder", true, DV_E_USAGE, what);
    check_refused_begin("pipe", true, DV_E_USAGE, what);
    dv_atomic_file *file;
    assert_int_equal(dv_atomic_file_begin("/dev/null", true, &file), DV_E_USAGE);
}

static void path_that_names_no_file_is_refused(void **state) {
    (void)state;
    const char *const paths[] = {"", "/", ".", "..", "a/..", "a/."};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        dv_atomic_file *file;
        char message[100];
        assert_int_equal(dv_atomic_file_begin(paths[i], false, &file), DV_E_USAGE);
        snprintf(message, sizeof message, "\"%s\": names nothing that could be written", paths[i]);
        assert_string_equal(dv_last_error(), message);
    }
    check_refused_begin("folder/", false, DV_E_USAGE, "names a folder, must name a file");
}

/* Whoever came first keeps the name; played also for file systems that lack the calls that refuse to replace. */
static void target_that_appeared_meanwhile_is_kept(void **state) {
    (void)state;
    for (int lacking = 0; lacking < 3; lacking++) {
        renameat2_error = lacking > 0 ? EINVAL : 0;
        link_error = lacking > 1 ? EPERM : 0;
        dv_atomic_file *file = begin_with_text("out", false, "ours");
        assert_int_equal(scratch_write_text("out", "theirs"), 0);
        assert_int_equal(dv_atomic_file_commit(file), DV_E_USAGE);
        check_message("out", "exists already; --force replaces it");
        assert_string_equal(scratch_text("out"), "theirs");
        assert_int_equal(scratch_count("."), 1);
        assert_int_equal(unlink(scratch("out")), 0);
    }
}

static void file_systems_without_the_newer_calls_are_served(void **state) {
    (void)state;
    for (int lacking = 1; lacking < 3; lacking++) {
        renameat2_error = EINVAL;
        link_error = lacking > 1 ? EPERM : 0;
        assert_int_equal(dv_atomic_file_commit(begin_with_text("out", false, "content")), DV_OK);
        assert_string_equal(scratch_text("out"), "content");
        assert_int_equal(scratch_count("."), 1);
        assert_int_equal(unlink(scratch("out")), 0);
    }
}

static void failing_rename_is_reported_and_leaves_nothing(void **state) {
    (void)state;
    renameat2_error = EIO;
    assert_int_equal(dv_atomic_file_commit(begin_with_text("out", false, "x")), DV_E_IO);
    check_message("out", "cannot be put in place: Input/output error");
    assert_int_equal(scratch_count("."), 0);
    renameat2_error = EINVAL;
    link_error = EIO;
    assert_int_equal(dv_atomic_file_commit(begin_with_text("out", false, "x")), DV_E_IO);
    assert_int_equal(scratch_count("."), 0);
}

static void failing_sync_of_the_content_keeps_what_was_there(void **state) {
    (void)state;
    assert_int_equal(scratch_write_text("out", "old"), 0);
    fsync_error = EIO;
    assert_int_equal(dv_atomic_file_commit(begin_with_text("out", true, "new")), DV_E_IO);
    check_message("out", "writing failed: Input/output error");
    assert_string_equal(scratch_text("out"), "old");
    assert_int_equal(scratch_count("."), 1);
}

static void failing_sync_of_the_folder_leaves_no_result(void **state) {
    (void)state;
    fsync_error = EIO;
    n_good_fsyncs = 1;
    assert_int_equal(dv_atomic_file_commit(begin_with_text("out", false, "x")), DV_E_IO);
    assert_non_null(strstr(dv_last_error(), ": cannot be synced: Input/output error"));
    assert_int_equal(scratch_count("."), 0);
    fsync_error = EINVAL; /* a file system that syncs no folders */
    n_good_fsyncs = 1;
    assert_int_equal(dv_atomic_file_commit(begin_with_text("out", false, "x")), DV_OK);
}

static void missing_or_impossible_folder_is_named(void **state) {
    (void)state;
    char what[SCRATCH_PATH + 100];
    snprintf(what, sizeof what, "folder %s: cannot be written to: No such file or directory", scratch("none"));
    check_refused_begin("none/out", false, DV_E_IO, what);
    check_refused_begin("none/out", true, DV_E_IO, what);
    assert_int_equal(scratch_write_text("file", "x"), 0);
    snprintf(what, sizeof what, "folder %s: cannot be written to: Not a directory", scratch("file"));
    check_refused_begin("file/out", false, DV_E_IO, what);
}

static void unwritable_folder_is_named(void **state) {
    (void)state;
    char what[SCRATCH_PATH + 100];
    assert_int_equal(mkdir(scratch("locked"), 0500), 0);
    if (access(scratch("locked"), W_OK) != 0) { /* root may write everywhere */
        snprintf(what, sizeof what, "folder %s: cannot be written to: Permission denied", scratch("locked"));
        check_refused_begin("locked/out", false, DV_E_IO, what);
    }
    dv_atomic_file *file; /* where even root makes no file */
    assert_int_equal(dv_atomic_file_begin("/proc/denseval", false, &file), DV_E_IO);
    assert_non_null(strstr(dv_last_error(), "/proc/denseval: folder /proc: cannot be written to: "));
    assert_null(file);
}

static void name_in_the_current_folder_and_the_longest_name_work(void **state) {
    (void)state;
    char before[SCRATCH_PATH], longest[256];
    memset(longest, 'n', 255);
    longest[255] = '\0';
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(scratch_folder), 0);
    dv_atomic_file *file;
    assert_int_equal(dv_atomic_file_begin("bare", false, &file), DV_OK);
    assert_int_equal(strncmp(dv_atomic_file_temporary(file), "./.bare.", 8), 0);
    assert_int_equal(dv_atomic_file_commit(file), DV_OK);
    assert_int_equal(dv_atomic_file_begin(longest, false, &file), DV_OK);
    assert_int_equal(dv_atomic_file_commit(file), DV_OK);
    assert_int_equal(chdir(before), 0);
    assert_true(scratch_exists("bare"));
    assert_true(scratch_exists(longest));
}

static void two_writers_of_one_target_do_not_meet(void **state) {
    (void)state;
    dv_atomic_file *first = begin_with_text("out", false, "first"), *second = begin_with_text("out", false, "second");
    assert_string_not_equal(dv_atomic_file_temporary(first), dv_atomic_file_temporary(second));
    assert_int_equal(dv_atomic_file_commit(second), DV_OK);
    assert_int_equal(dv_atomic_file_commit(first), DV_E_USAGE);
    assert_string_equal(scratch_text("out"), "second");
    assert_int_equal(scratch_count("."), 1);
}

/* A limit on the size of files plays the full disk: the write that fails may be one of fclose, or one long before. */
static void full_disk_is_reported_and_leaves_nothing(void **state) {
    (void)state;
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 10000, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    for (int n_lines = 2000; n_lines <= 20000; n_lines *= 10) {
        dv_atomic_file *file = begin("out", false);
        FILE *stream;
        assert_int_equal(dv_atomic_file_stream(file, &stream), DV_OK);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        for (int i = 0; i < n_lines; i++) fputs("line 10 b\n", stream);
        const dv_status status = dv_atomic_file_commit(file);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(status, DV_E_IO);
        assert_non_null(strstr(dv_last_error(), "/out: writing failed"));
        assert_int_equal(scratch_count("."), 0);
    }
    signal(SIGXFSZ, SIG_DFL);
}

/* R1: whenever a writer dies, nothing has the name of the result, and an older result is as it was. */
static void killed_writer_leaves_the_target_as_it_was(void **state) {
    (void)state;
    assert_int_equal(scratch_write_text("old", "old"), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dv_atomic_file *fresh, *old;
        FILE *stream;
        if (dv_atomic_file_begin(scratch("new"), false, &fresh) != DV_OK) _exit(1);
        if (dv_atomic_file_begin(scratch("old"), true, &old) != DV_OK) _exit(1);
        if (dv_atomic_file_stream(old, &stream) != DV_OK || fputs("half", stream) < 0 || fflush(stream) != 0) _exit(1);
        kill(getpid(), SIGKILL);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL);
    assert_false(scratch_exists("new"));
    assert_string_equal(scratch_text("old"), "old");
    assert_int_equal(dv_atomic_file_commit(begin_with_text("new", false, "again")), DV_OK);
}

static void parents_are_made_and_the_last_component_is_not(void **state) {
    (void)state;
    const char *const folder = scratch("");
    assert_int_equal(dv_make_parents(folder, "a/b//c/out.h5"), DV_OK);
    assert_true(scratch_exists("a/b/c"));
    assert_int_equal(scratch_count("a/b/c"), 0);
    assert_int_equal(dv_make_parents(folder, "a/b/c/out.h5"), DV_OK); /* again */
    assert_int_equal(dv_make_parents(folder, "bare"), DV_OK);
    assert_int_equal(scratch_count(""), 1);
}

static void parent_that_is_a_file_is_named(void **state) {
    (void)state;
    char what[SCRATCH_PATH + 100];
    assert_int_equal(scratch_write_text("file", "x"), 0);
    assert_int_equal(dv_make_parents(scratch("."), "file/out"), DV_E_IO);
    snprintf(what, sizeof what, "folder %s: cannot be made: File exists", scratch("./file"));
    check_message("./file/out", what);
    assert_int_equal(dv_make_parents(scratch("."), "file/b/out"), DV_E_IO);
}

/* Somebody may have removed it for a reason. */
static void folder_that_is_gone_is_not_made_again(void **state) {
    (void)state;
    assert_int_equal(dv_make_parents(scratch("gone"), "a/out"), DV_E_IO);
    assert_false(scratch_exists("gone"));
}

static void temporary_file_that_is_another_by_now_is_refused_and_kept(void **state) {
    (void)state;
    for (int commit = 0; commit < 2; commit++) {
        dv_atomic_file *file = begin_with_text("out", false, "new");
        char temporary[SCRATCH_PATH];
        snprintf(temporary, sizeof temporary, "%s", dv_atomic_file_temporary(file));
        assert_int_equal(unlink(temporary), 0);
        assert_int_equal(scratch_write_text(strrchr(temporary, '/') + 1, "of somebody"), 0);
        if (commit)
            assert_int_equal(dv_atomic_file_commit(file), DV_E_IO);
        else
            dv_atomic_file_abandon(file);
        assert_false(scratch_exists("out"));
        assert_string_equal(scratch_text(strrchr(temporary, '/') + 1), "of somebody");
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, scratch_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(file_appears_complete_at_the_commit),
        TEST(temporary_name_is_hidden_beside_the_target),
        TEST(file_may_be_written_by_its_temporary_path),
        TEST(mode_follows_the_umask),
        TEST(stream_is_the_same_when_asked_for_again),
        TEST(abandoned_file_leaves_nothing),
        TEST(existing_file_is_refused_without_force),
        TEST(force_replaces_at_the_commit_and_not_before),
        TEST(force_replaces_a_symbolic_link_itself),
        TEST(force_replaces_files_only),
        TEST(path_that_names_no_file_is_refused),
        TEST(target_that_appeared_meanwhile_is_kept),
        TEST(file_systems_without_the_newer_calls_are_served),
        TEST(failing_rename_is_reported_and_leaves_nothing),
        TEST(failing_sync_of_the_content_keeps_what_was_there),
        TEST(failing_sync_of_the_folder_leaves_no_result),
        TEST(missing_or_impossible_folder_is_named),
        TEST(unwritable_folder_is_named),
        TEST(name_in_the_current_folder_and_the_longest_name_work),
        TEST(two_writers_of_one_target_do_not_meet),
        TEST(full_disk_is_reported_and_leaves_nothing),
        TEST(killed_writer_leaves_the_target_as_it_was),
        TEST(parents_are_made_and_the_last_component_is_not),
        TEST(parent_that_is_a_file_is_named),
        TEST(folder_that_is_gone_is_not_made_again),
        TEST(temporary_file_that_is_another_by_now_is_refused_and_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
