#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#include "core/folder_content.h"
#include "pipeline/run_folder.h"
#include "pipeline/run_owner.h"
#include "unit/core/scratch.h"

static const char settings[] = "k: 30\n", other_settings[] = "k: 20\n";

/* System calls after which this process is killed by itself, as by a job scheduler; 0: never. */
static int steps_to_live;

static void live_on(void) {
    if (steps_to_live > 0 && --steps_to_live == 0) raise(SIGKILL);
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to) {
    live_on();
    return __real_rename(from, to);
}

int __real_unlink(const char *path);
int __wrap_unlink(const char *path);
int __wrap_unlink(const char *path) {
    live_on();
    return __real_unlink(path);
}

int __real_fsync(int file);
int __wrap_fsync(int file);
int __wrap_fsync(int file) {
    live_on();
    return __real_fsync(file);
}

static dv_status count(void *user, const dv_journal_record *record) {
    (void)record;
    ++*(size_t *)user;
    return DV_OK;
}

/* Begins in "out". *n_records: of earlier starts. */
static dv_status begin(bool force, const char *with, size_t *n_records, dv_run_folder **folder) {
    *n_records = 0;
    const dv_run_spec spec = {.path = scratch("out"),
                              .force = force,
                              .key = {with, "a.h5: 3 bytes\n"},
                              .job = "job 77",
                              .visit = count,
                              .user = n_records};
    return dv_run_folder_begin(&spec, folder);
}

static dv_run_folder *begin_well(bool force, const char *with, size_t n_wanted) {
    size_t n_records;
    dv_run_folder *folder;
    assert_int_equal(begin(force, with, &n_records, &folder), DV_OK);
    assert_int_equal(n_records, n_wanted);
    assert_int_equal(dv_run_folder_continued(folder), n_wanted > 0);
    return folder;
}

static void append(dv_run_folder *folder) {
    const dv_journal_record record = {1, 2, 3, "abc"};
    assert_int_equal(dv_run_folder_append(folder, &record), DV_OK);
}

static void put(const char *stage, const char *name, const char *text) {
    char path[SCRATCH_PATH];
    snprintf(path, sizeof path, "%s/%s", stage, name);
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Stages results.json, table.csv and curves/a.svg. */
static void stage(dv_run_folder *folder, const char *text) {
    const char *path;
    char sub[SCRATCH_PATH];
    assert_int_equal(dv_run_folder_stage(folder, &path), DV_OK);
    snprintf(sub, sizeof sub, "%s/curves", path);
    assert_int_equal(mkdir(sub, 0777), 0);
    put(path, "results.json", text);
    put(path, "table.csv", text);
    put(path, "curves/a.svg", text);
}

static void check_result(const char *text) {
    assert_string_equal(scratch_text("out/results.json"), text);
    assert_string_equal(scratch_text("out/table.csv"), text);
    assert_string_equal(scratch_text("out/curves/a.svg"), text);
    assert_string_equal(scratch_text("out/.denseval-result"), "curves/a.svg\nresults.json\ntable.csv\n");
    assert_int_equal(scratch_count("out"), 4);
    assert_int_equal(dv_folder_check_ours(scratch("out")), DV_OK);
}

static int remove_out(void **state) {
    (void)state;
    char command[SCRATCH_PATH];
    snprintf(command, sizeof command, "rm -rf -- '%s'", scratch("out"));
    return system(command);
}

static void complete(bool force, const char *with, const char *text) {
    dv_run_folder *const folder = begin_well(force, with, 0);
    append(folder);
    stage(folder, text);
    assert_int_equal(dv_run_folder_commit(folder), DV_OK);
    check_result(text);
}

static void finished_run_leaves_results_alone(void **state) {
    (void)state;
    complete(false, settings, "new");
    assert_int_equal(scratch_count("."), 1);
}

static void stopped_run_goes_on(void **state) {
    (void)state;
    dv_run_folder *folder = begin_well(false, settings, 0);
    append(folder);
    append(folder);
    stage(folder, "half");
    dv_run_folder_abandon(folder);
    assert_true(scratch_exists("out/run.journal"));
    assert_false(scratch_exists("out/run.owner"));
    assert_false(scratch_exists("out/.staging"));
    assert_false(scratch_exists("out/results.json"));
    folder = begin_well(false, settings, 2);
    stage(folder, "new");
    assert_int_equal(dv_run_folder_commit(folder), DV_OK);
    check_result("new");
}

static void run_without_a_block_leaves_nothing(void **state) {
    (void)state;
    dv_run_folder_abandon(begin_well(false, settings, 0));
    assert_int_equal(scratch_count("."), 0);
    complete(false, settings, "old");
    dv_run_folder_abandon(begin_well(true, settings, 0));
    check_result("old");
}

/* As another rank does that ends this one. */
static void run_without_a_block_is_undone_by_another_process(void **state) {
    (void)state;
    char *claim;
    for (int replacing = 0; replacing < 2; replacing++) {
        dv_run_folder *const folder = begin_well(replacing, settings, 0);
        assert_int_equal(dv_run_folder_claim(folder, &claim), DV_OK);
        dv_run_folder_undo(claim);
        if (replacing)
            check_result("old");
        else
            assert_int_equal(scratch_count("."), 0);
        dv_run_folder_undo(claim); /* as if this process had come first */
        free(claim);
        dv_run_folder_abandon(folder);
        if (!replacing) complete(false, settings, "old");
    }
    check_result("old");
}

static void folder_that_was_taken_over_is_not_undone(void **state) {
    (void)state;
    char *claim, *none;
    dv_run_folder *folder = begin_well(false, settings, 0);
    assert_int_equal(dv_run_folder_claim(folder, &claim), DV_OK);
    dv_run_folder_abandon(folder);
    folder = begin_well(false, settings, 0);
    dv_run_folder_undo(claim);
    assert_true(scratch_exists("out/run.journal"));
    append(folder);
    dv_run_folder_abandon(folder);
    folder = begin_well(false, settings, 1);
    assert_int_equal(dv_run_folder_claim(folder, &none), DV_OK);
    assert_null(none); /* there is a block */
    dv_run_folder_abandon(folder);
    free(claim);
}

static void finished_result_is_refused_without_force(void **state) {
    (void)state;
    char wanted[SCRATCH_PATH];
    size_t n_records;
    dv_run_folder *folder;
    complete(false, settings, "old");
    assert_int_equal(begin(false, settings, &n_records, &folder), DV_E_USAGE);
    assert_null(folder);
    snprintf(wanted, sizeof wanted, "%s: exists already; --force replaces it", scratch("out"));
    assert_string_equal(dv_last_error(), wanted);
    check_result("old");
}

static void force_keeps_the_old_result_until_the_new_one_is_there(void **state) {
    (void)state;
    complete(false, settings, "old");
    dv_run_folder *folder = begin_well(true, other_settings, 0);
    append(folder);
    assert_string_equal(scratch_text("out/results.json"), "old");
    dv_run_folder_abandon(folder);
    assert_string_equal(scratch_text("out/results.json"), "old");
    folder = begin_well(false, other_settings, 1); /* a journal is gone on with, force or not */
    stage(folder, "new");
    assert_int_equal(dv_run_folder_commit(folder), DV_OK);
    check_result("new");
}

static void files_that_the_new_result_lacks_go(void **state) {
    (void)state;
    const char *path;
    complete(false, settings, "old");
    dv_run_folder *const folder = begin_well(true, settings, 0);
    assert_int_equal(dv_run_folder_stage(folder, &path), DV_OK);
    put(path, "results.json", "new");
    assert_int_equal(dv_run_folder_commit(folder), DV_OK);
    assert_string_equal(scratch_text("out/.denseval-result"), "results.json\n");
    assert_int_equal(scratch_count("out"), 2);
}

static void folders_of_others_stay_as_they_are(void **state) {
    (void)state;
    size_t n_records;
    dv_run_folder *folder;
    assert_int_equal(mkdir(scratch("out"), 0777), 0);
    assert_int_equal(scratch_write_text("out/notes.txt", "notes"), 0);
    assert_int_equal(begin(true, settings, &n_records, &folder), DV_E_USAGE);
    assert_non_null(strstr(dv_last_error(), "notes.txt is in it"));
    assert_int_equal(scratch_count("out"), 1);
    assert_int_equal(unlink(scratch("out/notes.txt")), 0);
    assert_int_equal(rmdir(scratch("out")), 0);
    assert_int_equal(scratch_write_text("out", "a file"), 0);
    assert_int_equal(begin(true, settings, &n_records, &folder), DV_E_USAGE);
    assert_string_equal(scratch_text("out"), "a file");
}

static void files_of_others_that_came_meanwhile_stay(void **state) {
    (void)state;
    dv_run_folder *folder = begin_well(false, settings, 0);
    append(folder);
    assert_int_equal(scratch_write_text("out/slurm-77.out", "log"), 0);
    stage(folder, "new");
    assert_int_equal(dv_run_folder_commit(folder), DV_OK);
    assert_string_equal(scratch_text("out/slurm-77.out"), "log");
    assert_string_equal(scratch_text("out/results.json"), "new");
}

static void name_taken_by_a_file_of_others_is_told_before_anything_moves(void **state) {
    (void)state;
    dv_run_folder *folder = begin_well(false, settings, 0);
    assert_int_equal(scratch_write_text("out/table.csv", "mine"), 0);
    stage(folder, "new");
    assert_int_equal(dv_run_folder_commit(folder), DV_E_USAGE);
    assert_true(scratch_exists("out/run.journal")); /* also where no block was finished */
    folder = begin_well(false, settings, 0);
    append(folder);
    stage(folder, "new");
    assert_int_equal(dv_run_folder_commit(folder), DV_E_USAGE);
    assert_non_null(strstr(dv_last_error(), "/out/table.csv: is in the way of a result and none of ours"));
    assert_string_equal(scratch_text("out/table.csv"), "mine");
    assert_false(scratch_exists("out/results.json"));
    assert_int_equal(unlink(scratch("out/table.csv")), 0);
    folder = begin_well(false, settings, 1);
    stage(folder, "new");
    assert_int_equal(dv_run_folder_commit(folder), DV_OK);
    check_result("new");
}

static void journal_of_another_run_is_refused_or_replaced_by_force(void **state) {
    (void)state;
    size_t n_records;
    dv_run_folder *folder = begin_well(false, settings, 0);
    append(folder);
    dv_run_folder_abandon(folder);
    assert_int_equal(begin(false, other_settings, &n_records, &folder), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "\"k: 30\"; here "));
    dv_run_folder_abandon(begin_well(false, settings, 1)); /* it is still there */
    dv_run_folder_abandon(begin_well(true, settings, 1));  /* of this run: gone on with */
    folder = begin_well(true, other_settings, 0);
    append(folder);
    dv_run_folder_abandon(folder);
    dv_run_folder_abandon(begin_well(false, other_settings, 1));
}

/* A killed process leaves its owner file and what it had staged; neither is in the mark. */
static void journal_of_a_killed_run_is_replaced_by_force(void **state) {
    (void)state;
    for (int with_old = 0; with_old < 2; with_old++) {
        if (with_old) complete(false, settings, "old");
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            size_t n_records;
            dv_run_folder *folder;
            if (begin(with_old, settings, &n_records, &folder) != DV_OK) _exit(2);
            append(folder);
            stage(folder, "half");
            raise(SIGKILL);
        }
        int how = 0;
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(WIFSIGNALED(how));
        assert_true(scratch_exists("out/run.owner"));
        assert_true(scratch_exists("out/.staging/results.json"));
        complete(true, other_settings, "new");
        assert_int_equal(remove_out(NULL), 0);
    }
}

static void damaged_journal_is_refused_or_replaced_by_force(void **state) {
    (void)state;
    size_t n_records;
    dv_run_folder *folder = begin_well(false, settings, 0);
    append(folder);
    append(folder);
    dv_run_folder_abandon(folder);
    FILE *const file = fopen(scratch("out/run.journal"), "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, -50, SEEK_END), 0); /* records of 43 bytes: in the one before the last */
    assert_int_equal(fputc('#', file), '#');
    assert_int_equal(fclose(file), 0);
    assert_int_equal(begin(false, settings, &n_records, &folder), DV_E_DATA);
    assert_true(scratch_exists("out/run.journal"));
    dv_run_folder_abandon(begin_well(true, settings, 0));
    assert_int_equal(scratch_count("."), 0);
}

static void folder_in_use_names_who_uses_it(void **state) {
    (void)state;
    size_t n_records;
    dv_run_folder *folder;
    int ready[2];
    char byte, wanted[64];
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        byte = (char)begin(false, settings, &n_records, &folder);
        if (write(ready[1], &byte, 1) == 1) pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, DV_OK);
    for (int force = 0; force < 2; force++) {
        assert_int_equal(begin(force, settings, &n_records, &folder), DV_E_INTERRUPTED);
        snprintf(wanted, sizeof wanted, "/out: in use by process %ld on ", (long)child);
        assert_non_null(strstr(dv_last_error(), wanted));
        assert_non_null(strstr(dv_last_error(), ", job 77 since 2"));
    }
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    dv_run_folder_abandon(begin_well(false, settings, 0)); /* the owner's text alone is no obstacle */
    close(ready[0]);
    close(ready[1]);
}

/* A child does the whole run and is killed before one of its system calls; then the same run goes on. */
static bool run_killed_at(int step, bool force, const char *text) {
    int how;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        size_t n_records;
        dv_run_folder *folder;
        const char *path;
        steps_to_live = step;
        if (begin(force, other_settings, &n_records, &folder) != DV_OK) _exit(2);
        const dv_journal_record record = {1, 2, 3, "abc"};
        if (dv_run_folder_append(folder, &record) != DV_OK) _exit(3);
        if (dv_run_folder_stage(folder, &path) != DV_OK) _exit(4);
        stage(folder, text);
        _exit(dv_run_folder_commit(folder) == DV_OK ? 0 : 5);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) || WEXITSTATUS(how) == 0);
    return WIFSIGNALED(how);
}

/* Without a journal the folder holds one whole result, or there is none. */
static void check_no_mixture(void) {
    char text[16];
    if (scratch_exists("out/run.journal")) return;
    snprintf(text, sizeof text, "%.15s", scratch_text("out/results.json"));
    assert_string_equal(scratch_text("out/table.csv"), text);
    assert_string_equal(scratch_text("out/curves/a.svg"), text);
}

static void go_on_after_kills(bool with_old) {
    int step = 1;
    for (;; step++) {
        size_t n_records;
        dv_run_folder *folder;
        if (with_old) complete(false, settings, "old");
        if (!run_killed_at(step, with_old, "new")) break;
        check_no_mixture();
        const bool done = !scratch_exists("out/run.journal") && strcmp(scratch_text("out/results.json"), "new") == 0;
        if (!done) {
            assert_int_equal(begin(with_old, other_settings, &n_records, &folder), DV_OK);
            stage(folder, "new");
            assert_int_equal(dv_run_folder_commit(folder), DV_OK);
        }
        check_result("new");
        assert_int_equal(remove_out(NULL), 0);
    }
    check_result("new");
    assert_true(step > 15); /* that many calls were there to be killed at */
}

static void kill_at_any_step_loses_nothing(void **state) {
    (void)state;
    go_on_after_kills(false);
    assert_int_equal(remove_out(NULL), 0);
    go_on_after_kills(true);
}

static void mark_that_leads_out_of_its_folder_removes_nothing(void **state) {
    (void)state;
    assert_int_equal(scratch_write_text("victim", "mine"), 0);
    complete(false, settings, "old");
    assert_int_equal(scratch_write_text("out/.denseval-result",
                                        "../victim\ncurves/../../victim\ncurves/a.svg\nresults.json\ntable.csv\n"),
                     0);
    complete(true, settings, "new");
    assert_string_equal(scratch_text("victim"), "mine");
    assert_int_equal(unlink(scratch("victim")), 0);
}

/* ---- Owners under another kernel -----------------------------------------------------------------------------------
 */

static const dv_run_beat quick = {.every_s = 0.02, .watch_s = 0.2}, patient = {.every_s = 0.02, .watch_s = 300};

/* An owner file as another machine writes it. */
static void write_foreign_owner(const char *number) {
    char text[200];
    snprintf(text, sizeof text, "process 7 on far, Slurm job 9 since 2026-01-01T00:00:00Z\nother-kernel\ntoken\n%s\n",
             number);
    assert_int_equal(scratch_write_text("out/run.owner", text), 0);
}

static dv_status begin_with(dv_run_beat beat, dv_run_folder **folder) {
    size_t n_records = 0;
    const dv_run_spec spec = {
        .path = scratch("out"), .key = {settings, "a.h5: 3 bytes\n"}, .beat = beat, .visit = count, .user = &n_records};
    return dv_run_folder_begin(&spec, folder);
}

static void leave_a_run(void) {
    dv_run_folder *const folder = begin_well(false, settings, 0);
    append(folder);
    dv_run_folder_abandon(folder);
}

/* SYS-01 on file systems whose locks do not reach other machines: the lock is to be had, the owner alive. */
static void owner_of_another_machine_that_is_alive_is_named(void **state) {
    (void)state;
    dv_run_folder *folder;
    leave_a_run();
    write_foreign_owner("0000000001");
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct timespec nap = {.tv_nsec = 100000000};
        for (int i = 2; i < 1000; i++) {
            char number[16];
            snprintf(number, sizeof number, "%010d", i);
            nanosleep(&nap, NULL);
            write_foreign_owner(number);
        }
        _exit(0);
    }
    assert_int_equal(begin_with(patient, &folder), DV_E_INTERRUPTED);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_non_null(
        strstr(dv_last_error(), "/out: in use by process 7 on far, Slurm job 9 since 2026-01-01T00:00:00Z"));
    assert_true(scratch_exists("out/run.owner"));
    assert_true(scratch_exists("out/run.journal"));
}

static void owner_of_another_machine_without_a_sign_of_life_is_replaced(void **state) {
    (void)state;
    dv_run_folder *folder;
    leave_a_run();
    write_foreign_owner("0000000001");
    assert_int_equal(begin_with(quick, &folder), DV_OK);
    assert_null(strstr(scratch_text("out/run.owner"), "other-kernel"));
    dv_run_folder_abandon(folder);
    assert_false(scratch_exists("out/run.owner"));
}

static void owner_gives_signs_of_life(void **state) {
    (void)state;
    dv_run_folder *folder;
    char before[SCRATCH_PATH];
    const struct timespec nap = {.tv_nsec = 10000000};
    assert_int_equal(begin_with(quick, &folder), DV_OK);
    snprintf(before, sizeof before, "%s", scratch_text("out/run.owner"));
    while (strcmp(before, scratch_text("out/run.owner")) == 0) nanosleep(&nap, NULL); /* for ever where there is none */
    assert_int_equal(strlen(scratch_text("out/run.owner")), strlen(before));
    dv_run_folder_abandon(folder);
}

/* It slept while another watched, and wakes. */
static void owner_that_was_replaced_leaves_all_as_it_is(void **state) {
    (void)state;
    dv_run_folder *folder;
    const dv_journal_record record = {1, 2, 3, "abc"};
    assert_int_equal(begin_with(quick, &folder), DV_OK);
    append(folder);
    write_foreign_owner("0000000001");
    assert_int_equal(dv_run_folder_append(folder, &record), DV_E_INTERRUPTED);
    assert_non_null(strstr(dv_last_error(), "/out/run.owner: was taken over by process 7 on far"));
    dv_run_folder_abandon(folder);
    assert_non_null(strstr(scratch_text("out/run.owner"), "other-kernel"));
    assert_true(scratch_exists("out/run.journal"));
    assert_int_equal(unlink(scratch("out/run.owner")), 0);
    folder = begin_well(false, settings, 1);
    append(folder);
    stage(folder, "new");
    assert_int_equal(unlink(scratch("out/run.owner")), 0);
    assert_int_equal(dv_run_folder_commit(folder), DV_E_INTERRUPTED);
    assert_non_null(strstr(dv_last_error(), "/out/run.owner: was removed by somebody else"));
    assert_false(scratch_exists("out/results.json"));
}

/* ---- Other things under a run's names ------------------------------------------------------------------------------
 */

static int make_socket(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int file = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    const int failed = bind(file, (const struct sockaddr *)&address, sizeof address);
    return close(file) | failed;
}

static int make_thing(int kind, const char *path) {
    switch (kind) {
    case 0:
        return mkfifo(path, 0666);
    case 1:
        return mkdir(path, 0777);
    case 2:
        return make_socket(path);
    default:
        return symlink("nowhere", path);
    }
}

static void what_is_no_file_is_refused_at_once_and_stays(void **state) {
    (void)state;
    static const char *const names[] = {"out/run.owner", "out/run.journal"};
    for (int i = 0; i < 2 * 4 * 2; i++) {
        const char *const name = names[i & 1];
        const bool force = (i & 2) != 0;
        size_t n_records;
        char wanted[64];
        dv_run_folder *folder;
        assert_int_equal(mkdir(scratch("out"), 0777), 0);
        assert_int_equal(make_thing(i / 4, scratch(name)), 0);
        snprintf(wanted, sizeof wanted, "/%s: is no regular file", name);
        assert_int_equal(begin(force, settings, &n_records, &folder), DV_E_DATA);
        assert_null(folder);
        assert_non_null(strstr(dv_last_error(), wanted));
        assert_true(scratch_exists(name));
        assert_int_equal(remove_out(NULL), 0);
    }
}

/* The owner of a folder in use may be replaced at any time: whoever tells of it does not wait for a writer. */
static void owner_in_use_that_became_a_pipe_is_another_process(void **state) {
    (void)state;
    assert_int_equal(mkfifo(scratch("pipe"), 0666), 0);
    assert_int_equal(dv_run_owner_refuse(scratch("pipe")), DV_E_INTERRUPTED);
    assert_string_equal(dv_last_error(), "in use by another process; run the same command again when it has ended");
    assert_int_equal(unlink(scratch("pipe")), 0);
}

static void bytes_of_a_damaged_owner_are_shown_as_text(void **state) {
    (void)state;
    assert_int_equal(scratch_write_text("owner", "a\x9b\x31m\xff\x1b[31m\nkernel\n"), 0);
    assert_int_equal(dv_run_owner_refuse(scratch("owner")), DV_E_INTERRUPTED);
    assert_non_null(strstr(dv_last_error(), "in use by a?1m? [31m; run"));
    assert_int_equal(unlink(scratch("owner")), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(finished_run_leaves_results_alone, remove_out),
        cmocka_unit_test_teardown(stopped_run_goes_on, remove_out),
        cmocka_unit_test_teardown(run_without_a_block_leaves_nothing, remove_out),
        cmocka_unit_test_teardown(run_without_a_block_is_undone_by_another_process, remove_out),
        cmocka_unit_test_teardown(folder_that_was_taken_over_is_not_undone, remove_out),
        cmocka_unit_test_teardown(finished_result_is_refused_without_force, remove_out),
        cmocka_unit_test_teardown(force_keeps_the_old_result_until_the_new_one_is_there, remove_out),
        cmocka_unit_test_teardown(files_that_the_new_result_lacks_go, remove_out),
        cmocka_unit_test_teardown(folders_of_others_stay_as_they_are, remove_out),
        cmocka_unit_test_teardown(files_of_others_that_came_meanwhile_stay, remove_out),
        cmocka_unit_test_teardown(name_taken_by_a_file_of_others_is_told_before_anything_moves, remove_out),
        cmocka_unit_test_teardown(journal_of_another_run_is_refused_or_replaced_by_force, remove_out),
        cmocka_unit_test_teardown(journal_of_a_killed_run_is_replaced_by_force, remove_out),
        cmocka_unit_test_teardown(damaged_journal_is_refused_or_replaced_by_force, remove_out),
        cmocka_unit_test_teardown(folder_in_use_names_who_uses_it, remove_out),
        cmocka_unit_test_teardown(owner_of_another_machine_that_is_alive_is_named, remove_out),
        cmocka_unit_test_teardown(owner_of_another_machine_without_a_sign_of_life_is_replaced, remove_out),
        cmocka_unit_test_teardown(owner_gives_signs_of_life, remove_out),
        cmocka_unit_test_teardown(owner_that_was_replaced_leaves_all_as_it_is, remove_out),
        cmocka_unit_test_teardown(what_is_no_file_is_refused_at_once_and_stays, remove_out),
        cmocka_unit_test(owner_in_use_that_became_a_pipe_is_another_process),
        cmocka_unit_test(bytes_of_a_damaged_owner_are_shown_as_text),
        cmocka_unit_test_teardown(kill_at_any_step_loses_nothing, remove_out),
        cmocka_unit_test_teardown(mark_that_leads_out_of_its_folder_removes_nothing, remove_out),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
