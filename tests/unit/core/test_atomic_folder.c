#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "core/atomic_file.h"
#include "core/log.h"
#include "unit/core/scratch.h"

/* Errors that the next system calls give; 0: the real call. The linker puts these before the library's. */
static int renameat2_error;
static int fsync_error, n_good_fsyncs;   /* the error comes after so many good ones */
static int rename_error, n_good_renames; /* of the plain rename, likewise, once */
static char last_line[SCRATCH_PATH * 2]; /* of the log */

int __real_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
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

int __wrap_rename(const char *from, const char *to) {
    if (!rename_error || n_good_renames-- > 0) return __real_rename(from, to);
    const int error = rename_error;
    rename_error = 0;
    return fail_with(error);
}

int __wrap_fsync(int file) {
    if (fsync_error && n_good_fsyncs-- <= 0) return fail_with(fsync_error);
    return __real_fsync(file);
}

static void keep_line(void *user, dv_log_level level, const char *line) {
    (void)user;
    (void)level;
    snprintf(last_line, sizeof last_line, "%s", line);
}

static int set_up(void **state) {
    renameat2_error = rename_error = n_good_renames = fsync_error = n_good_fsyncs = 0;
    last_line[0] = '\0';
    dv_log_set(keep_line, NULL, DV_LOG_DEBUG);
    return scratch_open(state);
}

static void check_message(const char *name, const char *what) {
    char message[2 * SCRATCH_PATH];
    snprintf(message, sizeof message, "%s: %s", scratch(name), what);
    assert_string_equal(dv_last_error(), message);
}

/* A text file at a path that need not lie in the scratch folder's own top. */
static void write_in(const char *folder, const char *name, const char *text) {
    char path[SCRATCH_PATH + 100];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A folder with the file "file.png" that holds `text`, and a folder "sub" with the file "inner.png". */
static dv_atomic_folder *begin_with_text(const char *name, bool force, const char *text) {
    dv_atomic_folder *folder = NULL;
    char sub[SCRATCH_PATH + 10];
    assert_int_equal(dv_atomic_folder_begin(scratch(name), force, &folder), DV_OK);
    write_in(dv_atomic_folder_temporary(folder), "file.png", text);
    snprintf(sub, sizeof sub, "%s/sub", dv_atomic_folder_temporary(folder));
    assert_int_equal(mkdir(sub, 0777), 0);
    write_in(sub, "inner.png", text);
    return folder;
}

static void make_old(void) {
    assert_int_equal(mkdir(scratch("out"), 0777), 0);
    assert_int_equal(mkdir(scratch("out/deep"), 0777), 0);
    assert_int_equal(scratch_write_text("out/deep/old.png", "old"), 0);
    assert_int_equal(scratch_write_text("out/.denseval-result", ""), 0);
}

static void check_old_alone(void) {
    assert_int_equal(scratch_count("."), 1);
    assert_int_equal(scratch_count("out"), 2);
    assert_string_equal(scratch_text("out/deep/old.png"), "old");
}

static void check_new_alone(void) {
    assert_int_equal(scratch_count("."), 1);
    assert_int_equal(scratch_count("out"), 3); /* with the mark */
    assert_string_equal(scratch_text("out/file.png"), "new");
    assert_string_equal(scratch_text("out/sub/inner.png"), "new");
}

static void folder_appears_complete_at_the_commit(void **state) {
    (void)state;
    dv_atomic_folder *folder = begin_with_text("out", false, "new");
    assert_false(scratch_exists("out"));
    assert_int_equal(scratch_count("."), 1);
    assert_int_equal(dv_atomic_folder_commit(folder), DV_OK);
    check_new_alone();
}

static void slash_at_the_end_is_allowed(void **state) {
    (void)state;
    assert_int_equal(dv_atomic_folder_commit(begin_with_text("out//", false, "new")), DV_OK);
    check_new_alone();
}

static void abandoned_folder_leaves_nothing(void **state) {
    (void)state;
    dv_atomic_folder *folder = begin_with_text("out", false, "new");
    char link[SCRATCH_PATH + 10];
    snprintf(link, sizeof link, "%s/link", dv_atomic_folder_temporary(folder));
    assert_int_equal(scratch_write_text("kept", "kept"), 0);
    assert_int_equal(symlink(scratch("kept"), link), 0); /* removed, not followed */
    dv_atomic_folder_abandon(folder);
    assert_int_equal(scratch_count("."), 1);
    assert_string_equal(scratch_text("kept"), "kept");
    dv_atomic_folder_abandon(NULL);
}

static void existing_path_is_refused_without_force(void **state) {
    (void)state;
    make_old();
    dv_atomic_folder *folder;
    assert_int_equal(dv_atomic_folder_begin(scratch("out"), false, &folder), DV_E_USAGE);
    check_message("out", "exists already; --force replaces it");
    assert_null(folder);
    check_old_alone();
}

static void force_replaces_folders_only(void **state) {
    (void)state;
    assert_int_equal(scratch_write_text("out", "a file"), 0);
    dv_atomic_folder *folder;
    assert_int_equal(dv_atomic_folder_begin(scratch("out"), true, &folder), DV_E_USAGE);
    check_message("out", "exists and is no folder, so --force does not replace it");
    assert_null(folder);
    assert_string_equal(scratch_text("out"), "a file");
}

static void force_removes_the_old_folder_at_the_commit(void **state) {
    (void)state;
    make_old();
    dv_atomic_folder *folder = begin_with_text("out", true, "new");
    assert_string_equal(scratch_text("out/deep/old.png"), "old");
    assert_int_equal(dv_atomic_folder_commit(folder), DV_OK);
    check_new_alone();
}

static void force_works_where_nothing_stands(void **state) {
    (void)state;
    assert_int_equal(dv_atomic_folder_commit(begin_with_text("out", true, "new")), DV_OK);
    check_new_alone();
}

static void abandoned_replacement_keeps_the_old_folder(void **state) {
    (void)state;
    make_old();
    dv_atomic_folder_abandon(begin_with_text("out", true, "new"));
    check_old_alone();
}

static void folder_that_appeared_meanwhile_is_kept(void **state) {
    (void)state;
    for (int lacking = 0; lacking < 2; lacking++) {
        renameat2_error = lacking ? EINVAL : 0;
        dv_atomic_folder *folder = begin_with_text("out", false, "new");
        make_old();
        assert_int_equal(dv_atomic_folder_commit(folder), DV_E_USAGE);
        check_message("out", "exists already; --force replaces it");
        check_old_alone();
        assert_int_equal(unlink(scratch("out/.denseval-result")), 0);
        assert_int_equal(unlink(scratch("out/deep/old.png")) | rmdir(scratch("out/deep")) | rmdir(scratch("out")), 0);
    }
}

static void file_that_took_the_name_meanwhile_is_kept(void **state) {
    (void)state;
    dv_atomic_folder *folder = begin_with_text("out", true, "new");
    assert_int_equal(scratch_write_text("out", "a file"), 0);
    assert_int_equal(dv_atomic_folder_commit(folder), DV_E_USAGE);
    check_message("out", "is no folder by now");
    assert_string_equal(scratch_text("out"), "a file");
    assert_int_equal(scratch_count("."), 1);
}

static void file_systems_that_cannot_exchange_names_are_served(void **state) {
    (void)state;
    renameat2_error = EINVAL;
    assert_int_equal(dv_atomic_folder_commit(begin_with_text("out", false, "new")), DV_OK);
    check_new_alone();
    assert_int_equal(dv_atomic_folder_commit(begin_with_text("out", true, "new")), DV_OK);
    check_new_alone();
}

static void failing_rename_brings_the_old_folder_back(void **state) {
    (void)state;
    make_old();
    renameat2_error = EINVAL;
    for (n_good_renames = 0; n_good_renames < 2;) { /* the rename aside fails, then the rename into place */
        const int n_good = n_good_renames;
        dv_atomic_folder *folder = begin_with_text("out", true, "new");
        rename_error = EIO;
        assert_int_equal(dv_atomic_folder_commit(folder), DV_E_IO);
        check_message("out", "cannot be put in place: Input/output error");
        check_old_alone();
        n_good_renames = n_good + 1;
    }
    renameat2_error = EIO;
    assert_int_equal(dv_atomic_folder_commit(begin_with_text("out", true, "new")), DV_E_IO);
    check_old_alone();
}

static void old_folder_that_cannot_be_removed_by_its_name_is_told(void **state) {
    (void)state;
    make_old();
    renameat2_error = EINVAL;
    dv_atomic_folder *folder = begin_with_text("out", true, "new");
    rename_error = EIO;
    n_good_renames = 2; /* the new folder is in place, the old one stays aside */
    assert_int_equal(dv_atomic_folder_commit(folder), DV_OK);
    assert_string_equal(scratch_text("out/file.png"), "new");
    assert_non_null(strstr(last_line, "/out: the old folder is now "));
}

static void failing_sync_of_the_content_keeps_what_was_there(void **state) {
    (void)state;
    make_old();
    for (int n_good = 0; n_good < 5; n_good++) { /* three files, two folders */
        dv_atomic_folder *folder = begin_with_text("out", true, "new");
        fsync_error = EIO;
        n_good_fsyncs = n_good;
        assert_int_equal(dv_atomic_folder_commit(folder), DV_E_IO);
        check_message("out", "cannot be synced: Input/output error");
        check_old_alone();
        fsync_error = 0;
    }
}

static void failing_sync_of_the_parent_keeps_what_was_there(void **state) {
    (void)state;
    fsync_error = EIO;
    n_good_fsyncs = 5;
    assert_int_equal(dv_atomic_folder_commit(begin_with_text("out", false, "new")), DV_E_IO);
    assert_int_equal(scratch_count("."), 0);
    make_old();
    n_good_fsyncs = 5;
    assert_int_equal(dv_atomic_folder_commit(begin_with_text("out", true, "new")), DV_E_IO);
    check_old_alone();
}

/* Tries to replace "out" and expects it to stay for the sake of what `name` is. */
static void expect_kept(const char *name) {
    char what[SCRATCH_PATH + 100];
    dv_atomic_folder *folder;
    assert_int_equal(dv_atomic_folder_begin(scratch("out"), true, &folder), DV_E_USAGE);
    snprintf(what, sizeof what, "%s is in it, so it is no result that could be replaced", name);
    check_message("out", what);
    assert_null(folder);
    assert_int_equal(scratch_count("."), 1);
}

static void folders_that_are_no_result_are_never_replaced(void **state) {
    (void)state;
    assert_int_equal(mkdir(scratch("out"), 0777), 0);
    assert_int_equal(scratch_write_text("out/a.png", "a picture of somebody"), 0);
    expect_kept("a.png"); /* no mark */
    assert_string_equal(scratch_text("out/a.png"), "a picture of somebody");
    assert_int_equal(scratch_write_text("out/.denseval-result", ""), 0);
    assert_int_equal(mkdir(scratch("out/deep"), 0777), 0);
    assert_int_equal(scratch_write_text("out/deep/notes.txt", "notes"), 0);
    expect_kept("deep/notes.txt");
    assert_int_equal(unlink(scratch("out/deep/notes.txt")), 0);
    assert_int_equal(symlink("a.png", scratch("out/link.png")), 0);
    expect_kept("link.png");
    assert_int_equal(unlink(scratch("out/.denseval-result")), 0);
    assert_int_equal(mkfifo(scratch("out/.denseval-result"), 0666), 0); /* is not waited for */
    expect_kept(".denseval-result");
}

static void links_are_replaced_beside_a_manifest_and_what_they_lead_to_stays(void **state) {
    (void)state;
    assert_int_equal(scratch_write_text("a.jpg", "a picture of somebody"), 0);
    assert_int_equal(mkdir(scratch("out"), 0777), 0);
    assert_int_equal(scratch_write_text("out/.denseval-result", "manifest.json\n"), 0);
    assert_int_equal(scratch_write_text("out/manifest.json", "{}"), 0);
    assert_int_equal(symlink(scratch("a.jpg"), scratch("out/link.jpg")), 0);
    assert_int_equal(symlink("nowhere.jpg", scratch("out/dangling.jpg")), 0);
    assert_int_equal(dv_atomic_folder_commit(begin_with_text("out", true, "new")), DV_OK);
    assert_string_equal(scratch_text("a.jpg"), "a picture of somebody");
    assert_int_equal(unlink(scratch("a.jpg")), 0);
    check_new_alone();
}

static void empty_folder_may_be_replaced(void **state) {
    (void)state;
    assert_int_equal(mkdir(scratch("out"), 0777), 0);
    assert_int_equal(dv_atomic_folder_commit(begin_with_text("out", true, "new")), DV_OK);
    check_new_alone();
}

static void file_put_into_a_result_meanwhile_keeps_it(void **state) {
    (void)state;
    make_old();
    dv_atomic_folder *folder = begin_with_text("out", true, "new");
    assert_int_equal(scratch_write_text("out/notes.txt", "notes"), 0);
    assert_int_equal(dv_atomic_folder_commit(folder), DV_E_USAGE);
    assert_string_equal(scratch_text("out/notes.txt"), "notes");
    assert_string_equal(scratch_text("out/deep/old.png"), "old");
    assert_int_equal(scratch_count("."), 1);
}

static void missing_parent_is_named(void **state) {
    (void)state;
    char what[SCRATCH_PATH + 100];
    dv_atomic_folder *folder;
    assert_int_equal(dv_atomic_folder_begin(scratch("none/out"), false, &folder), DV_E_IO);
    snprintf(what, sizeof what, "folder %s: cannot be written to: No such file or directory", scratch("none"));
    check_message("none/out", what);
    assert_null(folder);
}

static void killed_writer_leaves_the_target_as_it_was(void **state) {
    (void)state;
    make_old();
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dv_atomic_folder *fresh, *old;
        if (dv_atomic_folder_begin(scratch("new"), false, &fresh) != DV_OK) _exit(1);
        if (dv_atomic_folder_begin(scratch("out"), true, &old) != DV_OK) _exit(1);
        kill(getpid(), SIGKILL);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL);
    assert_false(scratch_exists("new"));
    assert_string_equal(scratch_text("out/deep/old.png"), "old");
}

static void temporary_folder_that_is_another_by_now_is_refused_and_kept(void **state) {
    (void)state;
    for (int commit = 0; commit < 2; commit++) {
        dv_atomic_folder *folder;
        char temporary[SCRATCH_PATH];
        assert_int_equal(dv_atomic_folder_begin(scratch("out"), false, &folder), DV_OK);
        snprintf(temporary, sizeof temporary, "%s", dv_atomic_folder_temporary(folder));
        assert_int_equal(rmdir(temporary), 0);
        assert_int_equal(mkdir(temporary, 0777), 0);
        write_in(temporary, "notes.txt", "of somebody");
        if (commit)
            assert_int_equal(dv_atomic_folder_commit(folder), DV_E_IO);
        else
            dv_atomic_folder_abandon(folder);
        assert_false(scratch_exists("out"));
        assert_int_equal(scratch_count(strrchr(temporary, '/') + 1), 1); /* no mark */
    }
    assert_non_null(strstr(dv_last_error(), "where it was being written, was removed by somebody else"));
}

static void temporary_folder_that_was_removed_is_told(void **state) {
    (void)state;
    dv_atomic_folder *folder;
    assert_int_equal(dv_atomic_folder_begin(scratch("out"), true, &folder), DV_OK);
    assert_int_equal(rmdir(dv_atomic_folder_temporary(folder)), 0);
    assert_int_equal(dv_atomic_folder_commit(folder), DV_E_IO);
    assert_int_equal(scratch_count(""), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, scratch_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(folder_appears_complete_at_the_commit),
        TEST(slash_at_the_end_is_allowed),
        TEST(abandoned_folder_leaves_nothing),
        TEST(existing_path_is_refused_without_force),
        TEST(force_replaces_folders_only),
        TEST(force_removes_the_old_folder_at_the_commit),
        TEST(force_works_where_nothing_stands),
        TEST(abandoned_replacement_keeps_the_old_folder),
        TEST(folder_that_appeared_meanwhile_is_kept),
        TEST(file_that_took_the_name_meanwhile_is_kept),
        TEST(file_systems_that_cannot_exchange_names_are_served),
        TEST(failing_rename_brings_the_old_folder_back),
        TEST(old_folder_that_cannot_be_removed_by_its_name_is_told),
        TEST(failing_sync_of_the_content_keeps_what_was_there),
        TEST(failing_sync_of_the_parent_keeps_what_was_there),
        TEST(folders_that_are_no_result_are_never_replaced),
        TEST(links_are_replaced_beside_a_manifest_and_what_they_lead_to_stays),
        TEST(empty_folder_may_be_replaced),
        TEST(file_put_into_a_result_meanwhile_keeps_it),
        TEST(missing_parent_is_named),
        TEST(killed_writer_leaves_the_target_as_it_was),
        TEST(temporary_folder_that_is_another_by_now_is_refused_and_kept),
        TEST(temporary_folder_that_was_removed_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
