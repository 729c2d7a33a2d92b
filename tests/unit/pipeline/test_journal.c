#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "denseval/hash.h"
#include "pipeline/journal.h"
#include "unit/core/scratch.h"

static const dv_journal_key key = {"beta: 0.02\nk: 30\n", "a.h5: 3 bytes, xxh3-128:00\n"};
static const char *const payloads[] = {"first", "", "the third one"};
enum { N_RECORDS = 3, MAX_BYTES = 1024 };

/* What a reading gave. */
typedef struct seen {
    size_t n;
    uint64_t keys[8];
    char texts[8][32];
} seen;

static dv_status see(void *user, const dv_journal_record *record) {
    seen *const s = user;
    assert_true(s->n < 8 && record->n_bytes < 32);
    assert_int_equal(record->kind, 7);
    s->keys[s->n] = record->key;
    memcpy(s->texts[s->n], record->payload, record->n_bytes);
    s->texts[s->n++][record->n_bytes] = '\0';
    return DV_OK;
}

static void append(dv_journal *journal, size_t i) {
    const dv_journal_record record = {7, UINT64_MAX - i, strlen(payloads[i]), payloads[i]};
    assert_int_equal(dv_journal_append(journal, &record), DV_OK);
}

/* A journal of three records in the file "j"; its bytes, and where each record ends. */
static size_t make(unsigned char *bytes, size_t *ends) {
    dv_journal *journal;
    unlink(scratch("j"));
    assert_int_equal(dv_journal_create(scratch("j"), &key, false), DV_OK);
    assert_int_equal(dv_journal_open(scratch("j"), &key, &journal), DV_OK);
    assert_int_equal(dv_journal_read(journal, NULL, NULL), DV_OK);
    struct stat found;
    for (size_t i = 0; i <= N_RECORDS; i++) {
        assert_int_equal(stat(scratch("j"), &found), 0);
        ends[i] = (size_t)found.st_size;
        if (i < N_RECORDS) append(journal, i);
    }
    assert_int_equal(dv_journal_n_records(journal), N_RECORDS);
    dv_journal_close(journal);
    FILE *const file = fopen(scratch("j"), "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, MAX_BYTES, file), ends[N_RECORDS]);
    fclose(file);
    return ends[N_RECORDS];
}

/* Opens and reads "j"; the journal stays open on success. */
static dv_status reread(seen *s, dv_journal **journal) {
    *s = (seen){0};
    dv_status status = dv_journal_open(scratch("j"), &key, journal);
    if (status != DV_OK) return status;
    status = dv_journal_read(*journal, see, s);
    if (status != DV_OK) dv_journal_close(*journal);
    return status;
}

static void expect_records(const seen *s, size_t n) {
    assert_int_equal(s->n, n);
    for (size_t i = 0; i < n; i++) {
        assert_true(s->keys[i] == UINT64_MAX - i);
        assert_string_equal(s->texts[i], payloads[i]);
    }
}

static void records_come_back_in_order(void **state) {
    (void)state;
    unsigned char bytes[MAX_BYTES];
    size_t ends[N_RECORDS + 1];
    seen s;
    dv_journal *journal;
    make(bytes, ends);
    assert_int_equal(reread(&s, &journal), DV_OK);
    expect_records(&s, N_RECORDS);
    append(journal, 1);
    dv_journal_close(journal);
    assert_int_equal(reread(&s, &journal), DV_OK);
    assert_int_equal(s.n, N_RECORDS + 1);
    dv_journal_close(journal);
}

static void torn_tail_is_cut_off_at_every_byte(void **state) {
    (void)state;
    unsigned char bytes[MAX_BYTES];
    size_t ends[N_RECORDS + 1];
    const size_t size = make(bytes, ends);
    for (size_t length = ends[0]; length <= size; length++) {
        seen s;
        dv_journal *journal;
        size_t whole = 0;
        while (whole < N_RECORDS && ends[whole + 1] <= length) whole++;
        assert_int_equal(scratch_write("j", bytes, length), 0);
        assert_int_equal(reread(&s, &journal), DV_OK);
        expect_records(&s, whole);
        if (whole < N_RECORDS) append(journal, whole); /* goes on as if nothing had happened */
        dv_journal_close(journal);
        assert_int_equal(reread(&s, &journal), DV_OK);
        expect_records(&s, whole < N_RECORDS ? whole + 1 : whole);
        dv_journal_close(journal);
    }
}

static void header_that_is_cut_is_refused_at_every_byte(void **state) {
    (void)state;
    unsigned char bytes[MAX_BYTES];
    size_t ends[N_RECORDS + 1];
    make(bytes, ends);
    for (size_t length = 0; length < ends[0]; length++) {
        dv_journal *journal = NULL;
        assert_int_equal(scratch_write("j", bytes, length), 0);
        assert_int_equal(dv_journal_open(scratch("j"), &key, &journal), DV_E_DATA);
        assert_null(journal);
    }
}

/* A flipped bit is never taken for data: it is refused, or it was in the last record, which is done again. */
static void flipped_bits_are_noticed(void **state) {
    (void)state;
    unsigned char bytes[MAX_BYTES];
    size_t ends[N_RECORDS + 1];
    const size_t size = make(bytes, ends);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        seen s;
        dv_journal *journal;
        char wanted[64];
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_int_equal(scratch_write("j", bytes, size), 0);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        const dv_status status = reread(&s, &journal);
        if (bit / 8 < ends[N_RECORDS - 1]) {
            assert_int_equal(status, DV_E_DATA);
            size_t start = 0;
            while (ends[start + 1] <= bit / 8) start++;
            snprintf(wanted, sizeof wanted, ": byte %zu: the record is damaged", ends[start]);
            if (bit / 8 >= ends[0]) assert_non_null(strstr(dv_last_error(), wanted));
        } else {
            assert_int_equal(status, DV_OK);
            expect_records(&s, N_RECORDS - 1);
            dv_journal_close(journal);
        }
    }
}

static void zeros_after_a_power_failure_are_a_torn_tail(void **state) {
    (void)state;
    unsigned char bytes[MAX_BYTES] = {0};
    size_t ends[N_RECORDS + 1];
    seen s;
    dv_journal *journal;
    const size_t size = make(bytes, ends);
    assert_int_equal(scratch_write("j", bytes, size + 200), 0);
    assert_int_equal(reread(&s, &journal), DV_OK);
    expect_records(&s, N_RECORDS);
    dv_journal_close(journal);
    struct stat found;
    assert_int_equal(stat(scratch("j"), &found), 0);
    assert_int_equal(found.st_size, size);
}

static void other_settings_and_inputs_are_refused_by_line(void **state) {
    (void)state;
    unsigned char bytes[MAX_BYTES];
    size_t ends[N_RECORDS + 1];
    char wanted[SCRATCH_PATH * 2], theirs[DV_HASH_TEXT_SIZE], ours[DV_HASH_TEXT_SIZE];
    dv_journal *journal;
    make(bytes, ends);
    const dv_journal_key other = {"beta: 0.02\nk: 20\n", key.inputs}, fewer = {"beta: 0.02\n", key.inputs},
                         changed = {key.settings, "a.h5: 3 bytes, xxh3-128:01\n"};
    assert_int_equal(dv_journal_open(scratch("j"), &other, &journal), DV_E_DATA);
    dv_hash_bytes(key.settings, strlen(key.settings), theirs);
    dv_hash_bytes(other.settings, strlen(other.settings), ours);
    snprintf(wanted, sizeof wanted, "%s: belongs to a run with other settings: there %s, \"k: 30\"; here %s, \"k: 20\"",
             scratch("j"), theirs, ours);
    assert_string_equal(dv_last_error(), wanted);
    assert_int_equal(dv_journal_open(scratch("j"), &fewer, &journal), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "\"k: 30\"; here"));
    assert_int_equal(dv_journal_open(scratch("j"), &changed, &journal), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "other inputs: there xxh3-128:"));
    assert_non_null(strstr(dv_last_error(), "\"a.h5: 3 bytes, xxh3-128:01\""));
    assert_int_equal(dv_journal_open(scratch("j"), &key, &journal), DV_OK); /* nothing was changed by that */
    dv_journal_close(journal);
}

static void foreign_and_missing_files_are_refused(void **state) {
    (void)state;
    dv_journal *journal;
    char wanted[SCRATCH_PATH];
    assert_int_equal(scratch_write_text("f", "some text that is long enough to hold a header of ours"), 0);
    assert_int_equal(dv_journal_open(scratch("f"), &key, &journal), DV_E_DATA);
    snprintf(wanted, sizeof wanted, "%s: is no journal: must begin with \"denseval journal\"", scratch("f"));
    assert_string_equal(dv_last_error(), wanted);
    assert_int_equal(scratch_write_text("old", "denseval journal\1   and what an earlier version put there"), 0);
    assert_int_equal(dv_journal_open(scratch("old"), &key, &journal), DV_E_DATA);
    assert_non_null(
        strstr(dv_last_error(), ": must be 2; go on with the program that began it, or begin anew with force"));
    assert_int_equal(dv_journal_open(scratch("absent"), &key, &journal), DV_E_MISSING);
    assert_int_equal(dv_journal_create(scratch("f"), &key, false), DV_E_USAGE);
    assert_string_equal(scratch_text("f"), "some text that is long enough to hold a header of ours");
}

static dv_status fail_at_second(void *user, const dv_journal_record *record) {
    (void)record;
    return ++*(size_t *)user == 2 ? DV_E_BACKEND : DV_OK;
}

static void visit_that_fails_ends_the_reading(void **state) {
    (void)state;
    unsigned char bytes[MAX_BYTES];
    size_t ends[N_RECORDS + 1], n_calls = 0;
    dv_journal *journal;
    make(bytes, ends);
    assert_int_equal(dv_journal_open(scratch("j"), &key, &journal), DV_OK);
    assert_int_equal(dv_journal_read(journal, fail_at_second, &n_calls), DV_E_BACKEND);
    assert_int_equal(n_calls, 2);
    dv_journal_close(journal);
}

/* In a child that holds the journal until its end of the pipe is closed. */
static void second_process_is_told_and_a_dead_one_is_no_obstacle(void **state) {
    (void)state;
    unsigned char bytes[MAX_BYTES];
    size_t ends[N_RECORDS + 1];
    dv_journal *journal;
    int ready[2];
    char byte;
    make(bytes, ends);
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const dv_status status = dv_journal_open(scratch("j"), &key, &journal);
        byte = (char)status;
        if (write(ready[1], &byte, 1) == 1) pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, DV_OK);
    assert_int_equal(dv_journal_open(scratch("j"), &key, &journal), DV_E_INTERRUPTED);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(dv_journal_open(scratch("j"), &key, &journal), DV_OK);
    dv_journal_close(journal);
    close(ready[0]);
    close(ready[1]);
}

static void full_disk_leaves_the_records_before(void **state) {
    (void)state;
    unsigned char bytes[MAX_BYTES];
    size_t ends[N_RECORDS + 1];
    dv_journal *journal;
    struct rlimit before;
    seen s;
    const size_t size = make(bytes, ends);
    char large[400];
    memset(large, 'x', sizeof large);
    assert_int_equal(reread(&s, &journal), DV_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
    const struct rlimit full = {size + 100, before.rlim_max}; /* part of the record fits, as on a disk */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    const dv_journal_record record = {7, 0, sizeof large, large};
    const dv_status status = dv_journal_append(journal, &record);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, DV_E_IO);
    assert_non_null(strstr(dv_last_error(), "/j: cannot be written: "));
    struct stat found;
    assert_int_equal(stat(scratch("j"), &found), 0);
    assert_int_equal(found.st_size, size);
    append(journal, 0); /* there is room again */
    dv_journal_close(journal);
    assert_int_equal(reread(&s, &journal), DV_OK);
    assert_int_equal(s.n, N_RECORDS + 1);
    dv_journal_close(journal);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_back_in_order),
        cmocka_unit_test(torn_tail_is_cut_off_at_every_byte),
        cmocka_unit_test(header_that_is_cut_is_refused_at_every_byte),
        cmocka_unit_test(flipped_bits_are_noticed),
        cmocka_unit_test(zeros_after_a_power_failure_are_a_torn_tail),
        cmocka_unit_test(other_settings_and_inputs_are_refused_by_line),
        cmocka_unit_test(foreign_and_missing_files_are_refused),
        cmocka_unit_test(visit_that_fails_ends_the_reading),
        cmocka_unit_test(second_process_is_told_and_a_dead_one_is_no_obstacle),
        cmocka_unit_test(full_disk_leaves_the_records_before),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
