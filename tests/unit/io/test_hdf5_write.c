/* Tests of the writing half of io/hdf5_file.h. */
#include "test_hdf5_support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/hdf5_file.h"

/* Writes one of everything. */
static dv_status write_all(const char *path, bool force) {
    dv_h5_writer *writer;
    dv_h5_rows *plain, *packed;
    const double list[2] = {0.5, -1};
    float values[12];
    for (size_t i = 0; i < 12; i++) values[i] = (float)i;
    dv_status status = dv_h5_create(path, force, &writer);
    if (status != DV_OK) return status;
    assert_ok(dv_h5_put_attribute_text(writer, "schema", "test v1"));
    assert_ok(dv_h5_put_attribute_u64(writer, "k", 30));
    assert_ok(dv_h5_put_attribute_f64(writer, "mean", 2, list));
    assert_ok(dv_h5_put(writer, "/ids", DV_H5_I64, 2, (const size_t[]){2, 2}, (const int64_t[]){1, -2, 3, 4}));
    assert_ok(dv_h5_put(writer, "/none", DV_H5_I64, 3, (const size_t[]){0, 4, 30}, NULL));
    assert_ok(dv_h5_put_texts(writer, "/names", 2, (const char *const[]){"b\xc3\xa4r", ""}));
    assert_ok(dv_h5_rows_create(writer, "/plain", DV_H5_F32, 2, (const size_t[]){3, 4}, 0, 0, &plain));
    assert_ok(dv_h5_rows_create(writer, "/packed", DV_H5_F32, 2, (const size_t[]){3, 4}, 2, 6, &packed));
    assert_ok(dv_h5_rows_append(plain, 1, values));
    assert_ok(dv_h5_rows_append(packed, 1, values));
    assert_ok(dv_h5_rows_append(plain, 2, values + 4));
    assert_ok(dv_h5_rows_append(packed, 2, values + 4));
    return dv_h5_commit(writer);
}

static void check_rows(dv_h5 *file, const char *name) {
    dv_h5_data *data;
    float values[12];
    assert_ok(dv_h5_data_open(file, name, &data));
    assert_ok(dv_h5_expect(data, 2, (const size_t[]){3, 4}));
    assert_ok(dv_h5_read_raw(data, 0, 3, values));
    for (size_t i = 0; i < 12; i++) assert_true(values[i] == (float)i);
    dv_h5_data_close(data);
}

static void what_was_written_is_read_back(void **state) {
    (void)state;
    assert_ok(write_all(scratch("all.h5"), false));
    dv_h5 *file;
    dv_h5_data *data;
    char *text, **texts;
    uint64_t k;
    double mean[4];
    size_t n;
    int64_t ids[4];
    assert_ok(dv_h5_open(scratch("all.h5"), &file));
    assert_ok(dv_h5_attribute_text(file, "schema", &text));
    assert_string_equal(text, "test v1");
    free(text);
    assert_ok(dv_h5_attribute_u64(file, "k", &k));
    assert_int_equal(k, 30);
    assert_ok(dv_h5_attribute_f64(file, "mean", 4, mean, &n));
    assert_true(n == 2 && mean[0] == 0.5 && mean[1] == -1);
    assert_ok(dv_h5_data_open(file, "/ids", &data));
    assert_ok(dv_h5_read_i64(data, 0, 2, ids));
    assert_memory_equal(ids, ((const int64_t[]){1, -2, 3, 4}), sizeof ids);
    dv_h5_data_close(data);
    assert_ok(dv_h5_data_open(file, "/none", &data)); /* HB-08: nothing to hold is no failure */
    assert_ok(dv_h5_expect(data, 3, (const size_t[]){0, 4, 30}));
    assert_ok(dv_h5_read_i64(data, 0, 0, ids));
    dv_h5_data_close(data);
    assert_ok(dv_h5_data_open(file, "/names", &data));
    assert_ok(dv_h5_read_texts(data, &texts));
    assert_string_equal(texts[0], "b\xc3\xa4r");
    assert_string_equal(texts[1], "");
    free(texts);
    dv_h5_data_close(data);
    check_rows(file, "/plain");
    check_rows(file, "/packed");
    dv_h5_close(file);
}

static void same_calls_leave_the_same_bytes(void **state) {
    (void)state;
    assert_ok(write_all(scratch("one.h5"), false));
    sleep(1); /* a time stamp would differ */
    assert_ok(write_all(scratch("two.h5"), false));
    assert_same_files(scratch("one.h5"), scratch("two.h5"));
}

static void existing_file_stays_without_force(void **state) {
    (void)state;
    file_write(scratch("there.h5"), "old", 3);
    assert_failed(write_all(scratch("there.h5"), false), DV_E_USAGE, "there.h5");
    size_t n;
    char *bytes = file_read(scratch("there.h5"), &n);
    assert_int_equal(n, 3);
    free(bytes);
    assert_ok(write_all(scratch("there.h5"), true));
    assert_int_equal(count_files("there.h5"), 1);
}

static void missing_folder_is_an_io_error(void **state) {
    (void)state;
    assert_failed(write_all(scratch("no/such/folder.h5"), false), DV_E_IO, "no/such");
}

static void rows_that_do_not_fit_are_refused(void **state) {
    (void)state;
    dv_h5_writer *writer;
    dv_h5_rows *rows;
    const float values[8] = {0};
    assert_ok(dv_h5_create(scratch("short.h5"), false, &writer));
    assert_failed(dv_h5_rows_create(writer, "/x", DV_H5_F32, 2, (const size_t[]){2, 4}, 0, 3, &rows), DV_E_ARG,
                  "deflate");
    assert_failed(dv_h5_put(writer, "/x", DV_H5_TEXT, 1, (const size_t[]){1}, values), DV_E_ARG, "/x", "text");
    assert_ok(dv_h5_rows_create(writer, "/x", DV_H5_F32, 2, (const size_t[]){2, 4}, 1, 0, &rows));
    assert_ok(dv_h5_rows_append(rows, 1, values));
    assert_failed(dv_h5_rows_append(rows, 2, values), DV_E_ARG, "short.h5: /x: 2 rows after 1 of 2");
    assert_failed(dv_h5_commit(writer), DV_E_ARG, "short.h5: /x: 1 of 2 rows were written");
    assert_int_equal(count_files("short.h5"), 0);
    assert_int_equal(count_files("."), 2); /* "." and ".." */
}

static void abandoned_file_leaves_nothing(void **state) {
    (void)state;
    dv_h5_writer *writer;
    assert_ok(dv_h5_create(scratch("left.h5"), false, &writer));
    assert_ok(dv_h5_put_attribute_u64(writer, "k", 1));
    dv_h5_abandon(writer);
    dv_h5_abandon(NULL);
    assert_int_equal(count_files("left.h5"), 0);
    assert_int_equal(count_files("."), 2);
}

/* In a child: writes more than the limit on file sizes allows. The exit status says what happened. */
static int fill_disk(const char *path, size_t limit, int deflate) {
    enum { ROWS = 64, ROW = 1024 };
    static float values[ROW];
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit small = {limit, RLIM_INFINITY};
    if (setrlimit(RLIMIT_FSIZE, &small) != 0) return 1;
    for (size_t i = 0; i < ROW; i++) values[i] = (float)(i * 2654435761u % 1000003);
    dv_h5_writer *writer;
    dv_h5_rows *rows = NULL;
    if (dv_h5_create(path, false, &writer) != DV_OK) return 2;
    dv_status status = dv_h5_put_texts(writer, "/names", 1, (const char *const[]){"a"});
    if (status == DV_OK)
        status =
            dv_h5_rows_create(writer, "/x", DV_H5_F32, 2, (const size_t[]){ROWS, ROW}, deflate ? 4 : 0, deflate, &rows);
    for (size_t i = 0; i < ROWS && status == DV_OK; i++) status = dv_h5_rows_append(rows, 1, values);
    if (status != DV_OK && rows && dv_h5_rows_append(rows, 1, values) == DV_OK) return 3;
    const dv_status committed = dv_h5_commit(writer);
    if (committed != DV_E_IO || !strstr(dv_last_error(), "File too large"))
        return fprintf(stderr, "limit %zu: %s: %s\n", limit, dv_status_name(committed), dv_last_error()), 4;
    if (file_exists(path)) return 5;
    return H5close() < 0 ? 6 : 42;
}

static void full_disk_is_an_io_error_and_leaves_nothing(void **state) { /* R1 */
    (void)state;
    for (int deflate = 0; deflate < 2; deflate++)
        for (size_t limit = 512; limit <= 50000; limit = limit * 5 / 2) {
            const pid_t child = fork();
            if (child == 0) _exit(fill_disk(scratch("full.h5"), limit, deflate));
            int status = 0;
            assert_int_equal(waitpid(child, &status, 0), child);
            assert_true(WIFEXITED(status));
            assert_int_equal(WEXITSTATUS(status), 42);
        }
    assert_int_equal(count_files("full.h5"), 0);
    assert_int_equal(count_files("."), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read_back),
        cmocka_unit_test(same_calls_leave_the_same_bytes),
        cmocka_unit_test(existing_file_stays_without_force),
        cmocka_unit_test(missing_folder_is_an_io_error),
        cmocka_unit_test(rows_that_do_not_fit_are_refused),
        cmocka_unit_test(abandoned_file_leaves_nothing),
        cmocka_unit_test(full_disk_is_an_io_error_and_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
