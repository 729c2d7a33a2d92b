/* test_json_lines.c: lines of a file, whichever blocks they begin and end in and however many threads read them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/check.h"
#include "io/json_lines.h"

enum { MOST_LINES = 64, N_WORD = 40 };

/* Lines as they were taken over: "[*]NUMBER:TEXT", the star where a byte-order mark stood before. */
typedef struct taken_lines {
    size_t n, stop_after; /* lines; 0: never */
    uint64_t bad;         /* length of lines that read refuses; 0: none */
    char lines[MOST_LINES][N_WORD + 32];
} taken_lines;

typedef struct part {
    size_t n;
    uint64_t numbers[MOST_LINES];
    char texts[MOST_LINES][N_WORD + 2];
} part;

static char path[256];

static dv_status read_line(void *context, void *out, const dv_json_line *line) {
    const taken_lines *const taken = context;
    part *const made = out;
    if (taken->bad && line->n == taken->bad) return dv_fail(DV_E_DATA, "is refused");
    made->numbers[made->n] = line->number;
    snprintf(made->texts[made->n++], N_WORD + 2, "%s%.*s", line->marked ? "*" : "", (int)line->n, line->text);
    return DV_OK;
}

static dv_status take_lines(void *context, void *from, uint64_t n_before, bool *done) {
    taken_lines *const taken = context;
    part *const made = from;
    for (size_t i = 0; i < made->n && !*done; i++) {
        snprintf(taken->lines[taken->n], sizeof *taken->lines, "%llu:%s",
                 (unsigned long long)(n_before + made->numbers[i]), made->texts[i]);
        *done = ++taken->n == taken->stop_after;
    }
    made->n = 0;
    return DV_OK;
}

static void clear_part(void *out) {
    (void)out;
}

static dv_status read_ends(bool cr_ends, size_t block_bytes, size_t n_threads, taken_lines *taken, dv_file_hash *hash) {
    const dv_json_work work = {sizeof(part), cr_ends, read_line, take_lines, clear_part};
    dv_pool *pool;
    assert_int_equal(dv_pool_create(n_threads, &pool), DV_OK);
    const dv_status status = dv_json_lines_read(path, block_bytes, pool, &work, taken, hash);
    dv_pool_free(pool);
    return status;
}

static dv_status read_file(size_t block_bytes, size_t n_threads, taken_lines *taken, dv_file_hash *hash) {
    return read_ends(false, block_bytes, n_threads, taken, hash);
}

static void write_bytes(const char *bytes, size_t n) {
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static int name_file(void **state) {
    (void)state;
    const char *const temporary = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/denseval-lines-XXXXXX", temporary ? temporary : "/tmp");
    const int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state) {
    (void)state;
    return remove(path);
}

static const size_t threads[] = {1, 2, 7};
enum { N_THREADS = sizeof threads / sizeof *threads, MOST_BLOCK = 70 };

/* Mark, CRLF, blank and white lines, a line longer than many blocks, none at the end of the last. */
static const char bytes[] = "\xef\xbb\xbf{1}\r\n\n  \t\r\n {2} \n{3333333333333333333333333333333333333}\n\n{4}\n5";
static const char *const wanted[] = {"1:*{1}", "4:{2}", "5:{3333333333333333333333333333333333333}", "7:{4}", "8:5"};
enum { N_WANTED = sizeof wanted / sizeof *wanted };

static void lines_do_not_depend_on_blocks_or_threads(void **state) {
    (void)state;
    char expected[DV_HASH_TEXT_SIZE];
    write_bytes(bytes, sizeof bytes - 1);
    dv_hash_bytes(bytes, sizeof bytes - 1, expected);
    for (size_t block = 1; block < MOST_BLOCK; block++)
        for (size_t t = 0; t < N_THREADS; t++) {
            taken_lines taken = {0};
            dv_file_hash hash;
            assert_int_equal(read_file(block, threads[t], &taken, &hash), DV_OK);
            assert_int_equal(taken.n, N_WANTED);
            for (size_t i = 0; i < N_WANTED; i++) assert_string_equal(taken.lines[i], wanted[i]);
            assert_string_equal(hash.text, expected);
            assert_int_equal(hash.size_bytes, sizeof bytes - 1);
        }
}

static void last_newlines_begin_no_line(void **state) {
    (void)state;
    for (size_t n = 0; n < 4; n++) {
        write_bytes("\n\n\n\n", n);
        for (size_t block = 1; block < 5; block++) {
            taken_lines taken = {0};
            dv_file_hash hash;
            assert_int_equal(read_file(block, 2, &taken, &hash), DV_OK);
            assert_int_equal(taken.n, 0);
            assert_int_equal(hash.size_bytes, n);
        }
    }
}

static void mark_alone_is_a_line(void **state) {
    (void)state;
    write_bytes("\xef\xbb\xbf \n1", 6);
    for (size_t block = 1; block < 7; block++) {
        taken_lines taken = {0};
        dv_file_hash hash;
        assert_int_equal(read_file(block, 2, &taken, &hash), DV_OK);
        assert_int_equal(taken.n, 2);
        assert_string_equal(taken.lines[0], "1:*");
        assert_string_equal(taken.lines[1], "2:1");
    }
}

static void carriage_returns_end_lines_where_asked_for(void **state) {
    (void)state;
    static const char text[] = "\xef\xbb\xbf"
                               "0\r1\r\r 2 \r\n\r3\n4\r";
    static const char *const lines[] = {"1:*0", "1:1", "1:2", "2:3", "3:4"};
    write_bytes(text, sizeof text - 1);
    for (size_t block = 1; block < sizeof text; block++) {
        taken_lines taken = {0};
        dv_file_hash hash;
        assert_int_equal(read_ends(true, block, 2, &taken, &hash), DV_OK);
        assert_int_equal(taken.n, sizeof lines / sizeof *lines);
        for (size_t i = 0; i < taken.n; i++) assert_string_equal(taken.lines[i], lines[i]);
    }
}

static void failure_comes_after_the_lines_before_it(void **state) {
    (void)state;
    char message[512];
    write_bytes(bytes, sizeof bytes - 1);
    snprintf(message, sizeof message, "%s: line 5: is refused", path);
    for (size_t block = 1; block < MOST_BLOCK; block++)
        for (size_t t = 0; t < N_THREADS; t++) {
            taken_lines taken = {.bad = strlen(wanted[2]) - 2};
            dv_file_hash hash;
            assert_int_equal(read_file(block, threads[t], &taken, &hash), DV_E_DATA);
            assert_string_equal(dv_last_error(), message);
            assert_int_equal(taken.n, 2);
            assert_string_equal(hash.text, "");
        }
}

static void nothing_behind_the_end_is_wanted(void **state) {
    (void)state;
    write_bytes(bytes, sizeof bytes - 1);
    for (size_t block = 1; block < MOST_BLOCK; block++) {
        taken_lines taken = {.stop_after = 2, .bad = strlen(wanted[2]) - 2};
        dv_file_hash hash;
        assert_int_equal(read_file(block, 2, &taken, &hash), DV_OK);
        assert_int_equal(taken.n, 2);
        assert_string_equal(hash.text, "");
    }
}

static void line_above_the_limit_is_named(void **state) {
    (void)state;
    const size_t n = (16 << 20) + 4;
    char *const long_line = malloc(n), message[512];
    assert_non_null(long_line);
    memset(long_line, 'x', n);
    memcpy(long_line, "1\n\n", 3);
    long_line[n - 1] = '\n'; /* 16 MiB lie between */
    write_bytes(long_line, n);
    for (size_t t = 0; t < 2; t++) {
        taken_lines taken = {0};
        dv_file_hash hash;
        assert_int_equal(read_file(DV_JSON_BLOCK_BYTES, threads[t], &taken, &hash), DV_OK);
        assert_int_equal(taken.n, 2);
    }
    long_line[2] = 'x';
    long_line[1] = '\n';
    write_bytes(long_line, n);
    free(long_line);
    snprintf(message, sizeof message, "%s: line 2: longer than 16 MiB", path);
    for (size_t t = 0; t < 2; t++) {
        taken_lines taken = {0};
        dv_file_hash hash;
        assert_int_equal(read_file(DV_JSON_BLOCK_BYTES, threads[t], &taken, &hash), DV_E_DATA);
        assert_string_equal(dv_last_error(), message);
        assert_int_equal(taken.n, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_do_not_depend_on_blocks_or_threads),
        cmocka_unit_test(last_newlines_begin_no_line),
        cmocka_unit_test(mark_alone_is_a_line),
        cmocka_unit_test(carriage_returns_end_lines_where_asked_for),
        cmocka_unit_test(failure_comes_after_the_lines_before_it),
        cmocka_unit_test(nothing_behind_the_end_is_wanted),
        cmocka_unit_test(line_above_the_limit_is_named),
    };
    return cmocka_run_group_tests(tests, name_file, remove_file);
}
