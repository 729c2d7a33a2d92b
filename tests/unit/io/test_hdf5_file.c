/* Tests of io/hdf5_file.h: opening, checking and reading. Writing: test_hdf5_write.c. */
#include "test_hdf5_support.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/hdf5_file.h"

static dv_h5 *opened(const char *path) {
    dv_h5 *file;
    assert_ok(dv_h5_open(path, &file));
    return file;
}

static dv_status try_open(const char *path) {
    dv_h5 *file = (dv_h5 *)&file;
    const dv_status status = dv_h5_open(path, &file);
    if (status != DV_OK) assert_null(file);
    dv_h5_close(file);
    return status;
}

static dv_status try_data(const char *path, const char *name) {
    dv_h5 *file = opened(path);
    dv_h5_data *data = (dv_h5_data *)&data;
    const dv_status status = dv_h5_data_open(file, name, &data);
    if (status != DV_OK) assert_null(data);
    dv_h5_data_close(data);
    dv_h5_close(file);
    return status;
}

static void missing_file_is_named(void **state) {
    (void)state;
    assert_failed(try_open(scratch("none.h5")), DV_E_MISSING, "none.h5: no such file");
    file_write(scratch("flat"), "x", 1);
    assert_failed(try_open(scratch("flat/none.h5")), DV_E_MISSING, "flat/none.h5: no such file");
}

static void what_is_no_hdf5_file_is_refused(void **state) {
    (void)state;
    assert_int_equal(mkdir(scratch("dir.h5"), 0777), 0);
    assert_failed(try_open(scratch("dir.h5")), DV_E_DATA, "dir.h5: is a folder");
    file_write(scratch("empty.h5"), "", 0);
    assert_failed(try_open(scratch("empty.h5")), DV_E_DATA, "empty.h5: is empty");
    file_write(scratch("text.h5"), "hello", 5);
    assert_failed(try_open(scratch("text.h5")), DV_E_DATA, "text.h5: is not an HDF5 file");
    assert_int_equal(mkfifo(scratch("pipe.h5"), 0666), 0); /* opening it must not wait for a writer */
    assert_failed(try_open(scratch("pipe.h5")), DV_E_DATA, "pipe.h5: is not a regular file");
}

static void file_without_permission_is_an_io_error(void **state) {
    (void)state;
    if (geteuid() == 0) skip();
    file_write(scratch("secret.h5"), "x", 1);
    assert_int_equal(chmod(scratch("secret.h5"), 0), 0);
    assert_failed(try_open(scratch("secret.h5")), DV_E_IO, "secret.h5", "Permission denied");
}

static const hsize_t four[4] = {4};

static void make_small(const char *path) {
    const int32_t values[4] = {1, -2, 3, 4};
    const hid_t file = raw_create(path);
    raw_put(file, "/x", H5T_STD_I32LE, H5T_NATIVE_INT32, four, H5P_DEFAULT, values);
    raw_close(file);
}

static void file_cut_in_half_is_called_truncated(void **state) { /* H5-07 */
    (void)state;
    make_small(scratch("whole.h5"));
    size_t n;
    char *bytes = file_read(scratch("whole.h5"), &n);
    file_write(scratch("half.h5"), bytes, n / 2);
    char expected[100];
    snprintf(expected, sizeof expected, "half.h5: the file is truncated: %zu bytes, expected %zu", n / 2, n);
    assert_failed(try_open(scratch("half.h5")), DV_E_DATA, expected);
    free(bytes);
}

static void file_left_open_by_its_writer_names_the_tool(void **state) { /* H5-07 */
    (void)state;
    const char *path = scratch("flagged.h5");
    const pid_t child = fork();
    if (child == 0) {
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
        const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
        H5Fflush(file, H5F_SCOPE_GLOBAL);
        kill(getpid(), SIGKILL);
    }
    waitpid(child, NULL, 0);
    assert_failed(try_open(path), DV_E_DATA, "flagged.h5: its writer did not close it", "h5clear -s");
}

static void file_on_which_another_holds_a_lock_opens(void **state) { /* H5-01 */
    (void)state;
    make_small(scratch("locked.h5"));
    FILE *stream = fopen(scratch("locked.h5"), "r+b");
    assert_int_equal(flock(fileno(stream), LOCK_EX), 0);
    assert_ok(try_open(scratch("locked.h5")));
    fclose(stream);
}

static void file_without_write_permission_opens(void **state) { /* H5-01 */
    (void)state;
    make_small(scratch("readonly.h5"));
    assert_int_equal(chmod(scratch("readonly.h5"), 0444), 0);
    assert_ok(try_data(scratch("readonly.h5"), "/x"));
}

static void missing_dataset_and_group_are_told_apart(void **state) {
    (void)state;
    const hid_t file = raw_create(scratch("group.h5"));
    H5Gclose(H5Gcreate2(file, "/g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    assert_true(H5Lcreate_soft("/nowhere", file, "/dangling", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    raw_put(file, "/scalar", H5T_STD_I32LE, H5T_NATIVE_INT32, (const hsize_t[4]){0}, H5P_DEFAULT, (const int32_t[]){7});
    raw_close(file);
    const char *path = scratch("group.h5");
    assert_failed(try_data(path, "/x"), DV_E_DATA, "group.h5: /x: missing");
    assert_failed(try_data(path, "/dangling"), DV_E_DATA, "group.h5: /dangling: missing");
    assert_failed(try_data(path, "/g"), DV_E_DATA, "group.h5: /g: is no readable dataset");
    assert_failed(try_data(path, "/scalar"), DV_E_DATA, "group.h5: /scalar: rank 0, expected an array of rank 1..8");
    dv_h5 *h5 = opened(path);
    assert_true(dv_h5_has(h5, "/g"));
    assert_false(dv_h5_has(h5, "/dangling"));
    assert_false(dv_h5_has(h5, "/a/b/c"));
    assert_string_equal(dv_h5_path(h5), path);
    dv_h5_close(h5);
}

static void shape_is_described_and_compared(void **state) {
    (void)state;
    const hid_t file = raw_create(scratch("shape.h5"));
    const uint16_t values[24] = {0};
    raw_put(file, "/a", H5T_STD_U16LE, H5T_NATIVE_UINT16, (const hsize_t[4]){2, 3, 4}, H5P_DEFAULT, values);
    raw_close(file);
    dv_h5 *h5 = opened(scratch("shape.h5"));
    dv_h5_data *data;
    assert_ok(dv_h5_data_open(h5, "/a", &data));
    const dv_h5_shape *shape = dv_h5_data_shape(data);
    assert_int_equal(shape->rank, 3);
    assert_int_equal(shape->dims[2], 4);
    assert_int_equal(shape->type, DV_H5_U16);
    assert_string_equal(shape->type_name, "u16");
    assert_int_equal(shape->row_elements, 12);
    assert_int_equal(shape->row_bytes, 24);
    assert_int_equal(shape->n_elements, 24);
    assert_ok(dv_h5_expect(data, 3, (const size_t[]){2, SIZE_MAX, 4}));
    assert_failed(dv_h5_expect(data, 3, (const size_t[]){SIZE_MAX, 5, 4}), DV_E_DATA,
                  "shape.h5: /a: shape [2, 3, 4], expected [*, 5, 4]");
    assert_failed(dv_h5_expect(data, 2, (const size_t[]){2, 12}), DV_E_DATA, "expected [2, 12]");
    uint16_t row[12];
    assert_failed(dv_h5_read_raw(data, 1, 2, row), DV_E_ARG, "/a: 2 rows from row 1 on, of 2");
    assert_failed(dv_h5_read_raw(data, SIZE_MAX, 2, row), DV_E_ARG, "of 2");
    dv_h5_data_close(data);
    dv_h5_close(h5);
}

/* Writes one element of each type, and asks for its name. */
static void check_type(hid_t type, dv_h5_type expected, const char *name) {
    const hid_t file = raw_create(scratch("type.h5"));
    const char values[64] = {0};
    raw_put(file, "/x", type, type, (const hsize_t[4]){1}, H5P_DEFAULT, values);
    raw_close(file);
    dv_h5 *h5 = opened(scratch("type.h5"));
    dv_h5_data *data;
    assert_ok(dv_h5_data_open(h5, "/x", &data));
    assert_int_equal(dv_h5_data_shape(data)->type, expected);
    assert_string_equal(dv_h5_data_shape(data)->type_name, name);
    if (expected != DV_H5_OTHER) assert_string_equal(dv_h5_type_name(expected), name);
    dv_h5_data_close(data);
    dv_h5_close(h5);
}

static void types_are_known_by_their_bits(void **state) { /* H5-05 */
    (void)state;
    check_type(H5T_STD_I8LE, DV_H5_I8, "i8");
    check_type(H5T_STD_I16LE, DV_H5_I16, "i16");
    check_type(H5T_STD_I32LE, DV_H5_I32, "i32");
    check_type(H5T_STD_I64LE, DV_H5_I64, "i64");
    check_type(H5T_STD_U8BE, DV_H5_U8, "u8");
    check_type(H5T_STD_U16LE, DV_H5_U16, "u16");
    check_type(H5T_STD_U32LE, DV_H5_U32, "u32");
    check_type(H5T_STD_U64LE, DV_H5_U64, "u64");
    check_type(H5T_IEEE_F32LE, DV_H5_F32, "f32");
    check_type(H5T_IEEE_F64LE, DV_H5_F64, "f64");
    check_type(H5T_IEEE_F32BE, DV_H5_OTHER, "big-endian f32");
    check_type(H5T_STD_U16BE, DV_H5_OTHER, "big-endian u16");
    const hid_t half = raw_float(5, 10, 15), brain = raw_float(8, 7, 127), odd = raw_float(6, 9, 31);
    check_type(half, DV_H5_F16, "f16");
    check_type(brain, DV_H5_BF16, "bf16");
    check_type(odd, DV_H5_OTHER, "float of 2 bytes, 16 bits used");
    assert_true(H5Tset_order(half, H5T_ORDER_BE) >= 0);
    check_type(half, DV_H5_OTHER, "big-endian f16");
    H5Tclose(half);
    H5Tclose(brain);
    H5Tclose(odd);
    const hid_t opaque = H5Tcreate(H5T_OPAQUE, 4);
    check_type(opaque, DV_H5_OTHER, "opaque");
    H5Tclose(opaque);
}

static void integers_come_from_any_number_type_or_are_refused_by_index(void **state) {
    (void)state;
    const hid_t file = raw_create(scratch("numbers.h5"));
    const double floats[4] = {1, -2, 3, 4}, halves[4] = {1, 2.5, 3, 4}, with_nan[4] = {1, 2, (double)NAN, 3};
    const uint64_t large[4] = {1, 2, 3, UINT64_MAX};
    const int64_t wide[4] = {1, 2, 2147483647, 2147483648};
    raw_put(file, "/be", H5T_STD_I16BE, H5T_NATIVE_DOUBLE, four, H5P_DEFAULT, floats);
    raw_put(file, "/f32", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, four, H5P_DEFAULT, floats);
    raw_put(file, "/halves", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, four, H5P_DEFAULT, halves);
    raw_put(file, "/nan", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, (const hsize_t[4]){2, 2}, H5P_DEFAULT, with_nan);
    raw_put(file, "/large", H5T_STD_U64LE, H5T_NATIVE_UINT64, four, H5P_DEFAULT, large);
    raw_put(file, "/wide", H5T_STD_I64LE, H5T_NATIVE_INT64, four, H5P_DEFAULT, wide);
    raw_texts(file, "/text", 1, (const char *const[]){"7"});
    raw_close(file);
    static const struct {
        const char *name;
        dv_status status;
        const char *message;
    } cases[] = {{"/be", DV_OK, NULL},
                 {"/f32", DV_OK, NULL},
                 {"/halves", DV_E_DATA, "numbers.h5: /halves [1], value 2.5: expected a whole number"},
                 {"/nan", DV_E_DATA, "/nan [1, 0], value nan: expected a whole number"},
                 {"/large", DV_E_DATA, "/large [3]"},
                 {"/wide", DV_E_DATA, "/wide [3], value 2147483648: expected a number of 32 bits"},
                 {"/text", DV_E_DATA, "/text: type text, expected numbers"}};
    dv_h5 *h5 = opened(scratch("numbers.h5"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dv_h5_data *data;
        int32_t values[4] = {0};
        assert_ok(dv_h5_data_open(h5, cases[i].name, &data));
        const dv_status status = dv_h5_read_i32(data, 0, dv_h5_data_shape(data)->dims[0], values);
        if (cases[i].status == DV_OK) {
            assert_ok(status);
            assert_memory_equal(values, ((const int32_t[]){1, -2, 3, 4}), sizeof values);
        } else
            assert_failed(status, cases[i].status, cases[i].message);
        dv_h5_data_close(data);
    }
    dv_h5_close(h5);
}

static void halves_widen_exactly_whatever_their_number(void **state) { /* H5-04 */
    (void)state;
    enum { N = 65536 };
    uint16_t *bits = malloc(N * sizeof *bits);
    double *values = malloc(N * sizeof *values);
    for (size_t i = 0; i < N; i++) bits[i] = (uint16_t)i;
    const hid_t file = raw_create(scratch("halves.h5")), half = raw_float(5, 10, 15);
    raw_put(file, "/x", half, half, (const hsize_t[4]){N}, H5P_DEFAULT, bits);
    H5Tclose(half);
    raw_close(file);
    dv_h5 *h5 = opened(scratch("halves.h5"));
    dv_h5_data *data;
    assert_ok(dv_h5_data_open(h5, "/x", &data));
    assert_ok(dv_h5_read_f64(data, 0, N, values));
    for (size_t i = 0; i < N; i++) {
        const int exponent = (int)(i >> 10 & 31), mantissa = (int)(i & 1023);
        double expected = exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
        if (exponent == 31) expected = mantissa ? (double)NAN : (double)INFINITY;
        if (i >> 15) expected = -expected;
        if (isnan(expected))
            assert_true(isnan(values[i]));
        else
            assert_true(values[i] == expected && !signbit(values[i]) == !signbit(expected));
    }
    assert_ok(dv_h5_read_f64(data, 15360, 1, values)); /* 0x3c00 */
    assert_true(values[0] == 1.0);
    dv_h5_data_close(data);
    dv_h5_close(h5);
    free(bits);
    free(values);
}

static void texts_are_read_in_every_storage_form(void **state) {
    (void)state;
    const hid_t file = raw_create(scratch("texts.h5"));
    raw_texts(file, "/variable", 3, (const char *const[]){"a", "", "gr\xc3\xbcn \xe7\x8c\xab"});
    const hid_t fixed = H5Tcopy(H5T_C_S1);
    H5Tset_size(fixed, 3);
    H5Tset_strpad(fixed, H5T_STR_NULLPAD);
    raw_put(file, "/fixed", fixed, fixed, (const hsize_t[4]){3}, H5P_DEFAULT, "abcd\0\0\0\0");
    H5Tset_strpad(fixed, H5T_STR_SPACEPAD);
    raw_put(file, "/spaces", fixed, fixed, (const hsize_t[4]){2}, H5P_DEFAULT, "x  y z");
    raw_put(file, "/latin", fixed, fixed, (const hsize_t[4]){2}, H5P_DEFAULT, "abc\xfc  ");
    H5Tclose(fixed);
    raw_put(file, "/number", H5T_STD_I32LE, H5T_NATIVE_INT32, (const hsize_t[4]){1}, H5P_DEFAULT, (const int[]){1});
    raw_close(file);
    static const struct {
        const char *name;
        size_t n;
        const char *texts[3];
        const char *message;
    } cases[] = {{"/variable", 3, {"a", "", "gr\xc3\xbcn \xe7\x8c\xab"}, NULL},
                 {"/fixed", 3, {"abc", "d", ""}, NULL},
                 {"/spaces", 2, {"x", "y z"}, NULL},
                 {"/latin", 0, {NULL}, "texts.h5: /latin, text 1: not valid UTF-8"},
                 {"/number", 0, {NULL}, "/number: type i32, expected text"}};
    dv_h5 *h5 = opened(scratch("texts.h5"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dv_h5_data *data;
        char **texts = (char **)&data;
        assert_ok(dv_h5_data_open(h5, cases[i].name, &data));
        const dv_status status = dv_h5_read_texts(data, &texts);
        if (cases[i].message) {
            assert_failed(status, DV_E_DATA, cases[i].message);
            assert_null(texts);
        } else
            assert_ok(status);
        for (size_t t = 0; t < cases[i].n; t++) assert_string_equal(texts[t], cases[i].texts[t]);
        free(texts);
        dv_h5_data_close(data);
    }
    dv_h5_close(h5);
}

static void attributes_are_read_or_refused_by_name(void **state) {
    (void)state;
    const hid_t file = raw_create(scratch("attributes.h5"));
    raw_attribute_i64(file, "seven", 7);
    raw_attribute_i64(file, "negative", -1);
    raw_attribute_text(file, "text", "hello");
    raw_attribute_f64(file, "list", 3, (const double[]){0.5, 1, 2});
    raw_attribute_f64(file, "half", 1, (const double[]){0.5});
    raw_attribute_f64(file, "infinite", 2, (const double[]){1, INFINITY});
    raw_close(file);
    dv_h5 *h5 = opened(scratch("attributes.h5"));
    uint64_t value = 3;
    double list[3] = {0};
    size_t n;
    char *text;
    assert_true(dv_h5_has_attribute(h5, "seven"));
    assert_false(dv_h5_has_attribute(h5, "eight"));
    assert_ok(dv_h5_attribute_u64(h5, "seven", &value));
    assert_int_equal(value, 7);
    assert_failed(dv_h5_attribute_u64(h5, "eight", &value), DV_E_DATA, "attributes.h5: attribute eight: missing");
    assert_failed(dv_h5_attribute_u64(h5, "negative", &value), DV_E_DATA, "attribute negative: -1, expected a whole");
    assert_failed(dv_h5_attribute_u64(h5, "half", &value), DV_E_DATA, "attribute half: 0.5, expected a whole number");
    assert_failed(dv_h5_attribute_u64(h5, "list", &value), DV_E_DATA, "attribute list: 3 values, expected at most 1");
    assert_failed(dv_h5_attribute_u64(h5, "text", &value), DV_E_DATA, "attribute text: type text, expected numbers");
    assert_int_equal(value, 7);
    assert_ok(dv_h5_attribute_f64(h5, "list", 3, list, &n));
    assert_int_equal(n, 3);
    assert_true(list[0] == 0.5 && list[1] == 1 && list[2] == 2);
    assert_failed(dv_h5_attribute_f64(h5, "list", 2, list, &n), DV_E_DATA, "3 values, expected at most 2");
    assert_failed(dv_h5_attribute_f64(h5, "infinite", 3, list, &n), DV_E_DATA, "infinite: value 1 is inf");
    assert_ok(dv_h5_attribute_text(h5, "text", &text));
    assert_string_equal(text, "hello");
    free(text);
    assert_failed(dv_h5_attribute_text(h5, "seven", &text), DV_E_DATA, "attribute seven: type i64");
    assert_null(text);
    dv_h5_close(h5);
}

/* f32 [100, 4] in chunks of 10 x 2, of which rows first .. end - 1 are written. */
static void make_partly_written(const char *path, hsize_t first, hsize_t end, int deflate) {
    const hid_t file = raw_create(path), plist = raw_chunks((const hsize_t[4]){10, 2}, deflate);
    raw_put(file, "/x", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, (const hsize_t[4]){100, 4}, plist, NULL);
    const hid_t id = H5Dopen2(file, "/x", H5P_DEFAULT), space = H5Dget_space(id);
    const hsize_t begin[2] = {first, 0}, count[2] = {end - first, 4};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, NULL, count, NULL);
    const hid_t memory = H5Screate_simple(2, count, NULL);
    float *values = calloc(400, sizeof *values);
    assert_true(H5Dwrite(id, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, values) >= 0);
    free(values);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(id);
    H5Pclose(plist);
    raw_close(file);
}

static void rows_never_written_are_named(void **state) { /* H5-09 */
    (void)state;
    for (int deflate = 0; deflate < 2; deflate++) {
        make_partly_written(scratch("partly.h5"), 0, 80, deflate);
        assert_failed(try_data(scratch("partly.h5"), "/x"), DV_E_DATA, "partly.h5: /x: rows 80..99 were never written");
        make_partly_written(scratch("partly.h5"), 30, 100, deflate);
        assert_failed(try_data(scratch("partly.h5"), "/x"), DV_E_DATA, "/x: rows 0..29 were never written");
        make_partly_written(scratch("partly.h5"), 0, 100, deflate);
        assert_ok(try_data(scratch("partly.h5"), "/x"));
    }
    const hid_t file = raw_create(scratch("never.h5"));
    raw_put(file, "/x", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, four, H5P_DEFAULT, NULL);
    raw_close(file);
    assert_failed(try_data(scratch("never.h5"), "/x"), DV_E_DATA, "/x: rows 0..3 were never written");
}

/* [8] of which `n` values come from source.h5. */
static void make_virtual(hsize_t n) {
    make_small(scratch("source.h5"));
    const hid_t file = raw_create(scratch("virtual.h5")), plist = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(1, (const hsize_t[]){8}, NULL), from = H5Screate_simple(1, four, NULL);
    for (hsize_t begin = 0; begin < n; begin += 4) {
        assert_true(H5Sselect_hyperslab(space, H5S_SELECT_SET, &begin, NULL, four, NULL) >= 0);
        assert_true(H5Pset_virtual(plist, space, "source.h5", "/x", from) >= 0);
    }
    raw_put(file, "/v", H5T_STD_I32LE, H5T_NATIVE_INT32, (const hsize_t[4]){8}, plist, NULL);
    H5Sclose(space);
    H5Sclose(from);
    H5Pclose(plist);
    raw_close(file);
}

static void virtual_set_reads_through_and_names_what_is_missing(void **state) { /* H5-09 */
    (void)state;
    make_virtual(8);
    dv_h5 *h5 = opened(scratch("virtual.h5"));
    dv_h5_data *data;
    int32_t values[8];
    assert_ok(dv_h5_data_open(h5, "/v", &data));
    assert_ok(dv_h5_read_i32(data, 0, 8, values));
    assert_memory_equal(values, ((const int32_t[]){1, -2, 3, 4, 1, -2, 3, 4}), sizeof values);
    dv_h5_data_close(data);
    dv_h5_close(h5);
    assert_int_equal(unlink(scratch("source.h5")), 0);
    assert_failed(try_data(scratch("virtual.h5"), "/v"), DV_E_DATA,
                  "virtual.h5: /v: source source.h5, /x: ", "no such file");
    make_virtual(4);
    assert_failed(try_data(scratch("virtual.h5"), "/v"), DV_E_DATA, "/v: 4 of 8 values come from a source");
    const hid_t file = raw_create(scratch("source.h5"));
    raw_put(file, "/x", H5T_STD_I32LE, H5T_NATIVE_INT32, (const hsize_t[4]){3}, H5P_DEFAULT, (const int[]){1, 2, 3});
    raw_close(file);
    assert_failed(try_data(scratch("virtual.h5"), "/v"), DV_E_DATA, "/x is not of the size that is mapped");
}

static void data_outside_the_file_are_refused(void **state) {
    (void)state;
    const hid_t file = raw_create(scratch("external.h5")), plist = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_external(plist, "raw.bin", 0, 16) >= 0);
    raw_put(file, "/x", H5T_STD_I32LE, H5T_NATIVE_INT32, four, plist, NULL);
    H5Pclose(plist);
    raw_close(file);
    assert_failed(try_data(scratch("external.h5"), "/x"), DV_E_DATA, "/x: is stored in other, raw files");
}

static size_t pass_through(unsigned flags, size_t n, const unsigned *values, size_t n_bytes, size_t *size,
                           void **buffer) {
    (void)flags, (void)n, (void)values, (void)size, (void)buffer;
    return n_bytes;
}

static void missing_filter_is_a_missing_backend(void **state) {
    (void)state;
    const H5Z_class2_t filter = {.version = H5Z_CLASS_T_VERS,
                                 .id = 301,
                                 .encoder_present = 1,
                                 .decoder_present = 1,
                                 .name = "rare",
                                 .filter = pass_through};
    assert_true(H5Zregister(&filter) >= 0);
    const hid_t file = raw_create(scratch("filter.h5")), plist = raw_chunks(four, 0);
    assert_true(H5Pset_filter(plist, 301, H5Z_FLAG_MANDATORY, 0, NULL) >= 0);
    raw_put(file, "/x", H5T_STD_I32LE, H5T_NATIVE_INT32, four, plist, (const int[]){1, 2, 3, 4});
    H5Pclose(plist);
    raw_close(file);
    assert_ok(try_data(scratch("filter.h5"), "/x"));
    assert_true(H5Zunregister(301) >= 0);
    assert_failed(try_data(scratch("filter.h5"), "/x"), DV_E_BACKEND, "/x: needs the HDF5 filter 301 (rare)");
}

static void sizes_beyond_the_file_are_refused_before_any_memory_is_taken(void **state) { /* R8 */
    (void)state;
    const hsize_t dims[4] = {1 << 20, 1 << 20}, huge[4] = {1ull << 40, 1ull << 40};
    hid_t file = raw_create(scratch("bomb.h5"));
    const hid_t plist = raw_chunks((const hsize_t[4]){1 << 14, 1 << 14}, 9);
    raw_put(file, "/x", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, dims, plist, NULL);
    raw_put(file, "/huge", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, huge, plist, NULL);
    H5Pclose(plist);
    raw_close(file);
    assert_failed(try_data(scratch("bomb.h5"), "/x"), DV_E_DATA, "/x: rows 0..1048575 were never written");
    assert_failed(try_data(scratch("bomb.h5"), "/huge"), DV_E_DATA, "/huge: claims more bytes than any file holds");
    /* One stored chunk of a few bytes that claims a gigabyte. */
    file = raw_create(scratch("bomb.h5"));
    const hid_t one = raw_chunks((const hsize_t[4]){1 << 14, 1 << 14}, 9);
    raw_put(file, "/x", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, (const hsize_t[4]){1 << 14, 1 << 14}, one, NULL);
    const hid_t id = H5Dopen2(file, "/x", H5P_DEFAULT);
    assert_true(H5Dwrite_chunk(id, H5P_DEFAULT, 0, (const hsize_t[]){0, 0}, 10, "0123456789") >= 0);
    H5Dclose(id);
    H5Pclose(one);
    raw_close(file);
    assert_failed(try_data(scratch("bomb.h5"), "/x"), DV_E_DATA,
                  "/x: claims 268435456 values of 4 bytes, but 10 bytes");
}

static void damaged_chunk_fails_in_one_sentence(void **state) {
    (void)state;
    const hid_t file = raw_create(scratch("damaged.h5")), plist = raw_chunks(four, 9);
    raw_put(file, "/x", H5T_STD_I32LE, H5T_NATIVE_INT32, four, plist, NULL);
    const hid_t id = H5Dopen2(file, "/x", H5P_DEFAULT);
    assert_true(H5Dwrite_chunk(id, H5P_DEFAULT, 0, (const hsize_t[]){0}, 10, "0123456789") >= 0);
    H5Dclose(id);
    H5Pclose(plist);
    raw_close(file);
    dv_h5 *h5 = opened(scratch("damaged.h5"));
    dv_h5_data *data;
    int32_t values[4];
    assert_ok(dv_h5_data_open(h5, "/x", &data));
    assert_failed(dv_h5_read_i32(data, 1, 2, values), DV_E_DATA, "damaged.h5: /x: rows 1..2 cannot be read");
    dv_h5_data_close(data);
    dv_h5_close(h5);
}

static void the_callers_error_printing_is_left_as_it_was(void **state) {
    (void)state;
    H5E_auto2_t before, after;
    void *data;
    H5Eget_auto2(H5E_DEFAULT, &before, &data);
    assert_failed(try_open(scratch("none.h5")), DV_E_MISSING, "none.h5");
    assert_failed(try_open(scratch("half.h5")), DV_E_DATA, "half.h5");
    H5Eget_auto2(H5E_DEFAULT, &after, &data);
    assert_true(before == after);
}

/* HDF5 reads zeros where a file has ended meanwhile. */
static void file_changed_while_it_is_read_is_refused(void **state) {
    (void)state;
    const int32_t values[64] = {1};
    for (int cut = 0; cut < 2; cut++) {
        const char *path = scratch(cut ? "cut.h5" : "written.h5");
        hid_t raw = raw_create(path);
        raw_put(raw, "/x", H5T_STD_I32LE, H5T_NATIVE_INT32, (const hsize_t[4]){64}, H5P_DEFAULT, values);
        raw_close(raw);
        assert_int_equal(utimensat(AT_FDCWD, path, (const struct timespec[2]){{0}, {0}}, 0), 0);
        dv_h5 *file = opened(path);
        dv_h5_data *data;
        int32_t read[64];
        assert_ok(dv_h5_data_open(file, "/x", &data));
        assert_ok(dv_h5_read_raw(data, 0, 64, read));
        if (cut)
            assert_int_equal(truncate(path, 2100), 0);
        else
            assert_int_equal(utimensat(AT_FDCWD, path, NULL, 0), 0);
        assert_failed(dv_h5_read_raw(data, 0, 64, read), DV_E_IO, ".h5: was changed while it was read");
        dv_h5_data_close(data);
        dv_h5_close(file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_file_is_named),
        cmocka_unit_test(what_is_no_hdf5_file_is_refused),
        cmocka_unit_test(file_without_permission_is_an_io_error),
        cmocka_unit_test(file_cut_in_half_is_called_truncated),
        cmocka_unit_test(file_left_open_by_its_writer_names_the_tool),
        cmocka_unit_test(file_on_which_another_holds_a_lock_opens),
        cmocka_unit_test(file_without_write_permission_opens),
        cmocka_unit_test(missing_dataset_and_group_are_told_apart),
        cmocka_unit_test(shape_is_described_and_compared),
        cmocka_unit_test(types_are_known_by_their_bits),
        cmocka_unit_test(integers_come_from_any_number_type_or_are_refused_by_index),
        cmocka_unit_test(halves_widen_exactly_whatever_their_number),
        cmocka_unit_test(texts_are_read_in_every_storage_form),
        cmocka_unit_test(attributes_are_read_or_refused_by_name),
        cmocka_unit_test(rows_never_written_are_named),
        cmocka_unit_test(virtual_set_reads_through_and_names_what_is_missing),
        cmocka_unit_test(data_outside_the_file_are_refused),
        cmocka_unit_test(missing_filter_is_a_missing_backend),
        cmocka_unit_test(sizes_beyond_the_file_are_refused_before_any_memory_is_taken),
        cmocka_unit_test(file_changed_while_it_is_read_is_refused),
        cmocka_unit_test(damaged_chunk_fails_in_one_sentence),
        cmocka_unit_test(the_callers_error_printing_is_left_as_it_was),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
