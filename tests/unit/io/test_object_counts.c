/* Count files: what is written comes back, the bytes repeat, and a file that is wrong is refused by name. */
#include "test_hdf5_support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "denseval/object_counts.h"

enum { CELLS = 3, OBJECTS = 2, CLASSES = 4, VALUES = CELLS * OBJECTS * CLASSES };

static dv_object_counts make_counts(void) {
    dv_object_counts counts;
    assert_ok(dv_object_counts_create(CELLS, OBJECTS, CLASSES, &counts));
    for (size_t i = 0; i < VALUES; i++) {
        assert_int_equal(counts.intersections[i] | counts.unions[i] | counts.truths[i], 0);
        counts.intersections[i] = i;
        counts.truths[i] = i + i % 5;
        counts.unions[i] = counts.truths[i] + (UINT64_C(1) << i);
    }
    assert_null(counts.object_ids[0]);
    counts.object_ids[0] = strdup("cup/0 \xc3\xa9");
    counts.object_ids[1] = strdup("");
    return counts;
}

static void write_counts(const char *path) {
    dv_object_counts counts = make_counts();
    assert_ok(dv_object_counts_write(path, &counts));
    dv_object_counts_clear(&counts);
}

static void what_is_written_comes_back(void **state) {
    (void)state;
    dv_object_counts made = make_counts(), read;
    write_counts(scratch("a.h5"));
    assert_ok(dv_object_counts_read(scratch("a.h5"), &read));
    assert_int_equal(read.n_cells, CELLS);
    assert_int_equal(read.n_objects, OBJECTS);
    assert_int_equal(read.n_classes, CLASSES);
    assert_string_equal(read.object_ids[0], "cup/0 \xc3\xa9");
    assert_string_equal(read.object_ids[1], "");
    assert_memory_equal(read.intersections, made.intersections, VALUES * sizeof(uint64_t));
    assert_memory_equal(read.unions, made.unions, VALUES * sizeof(uint64_t));
    assert_memory_equal(read.truths, made.truths, VALUES * sizeof(uint64_t));
    dv_object_counts_clear(&read);
    dv_object_counts_clear(&read); /* also when it is empty */
    assert_null(read.unions);
    dv_object_counts_clear(&made);
}

static void same_counts_are_the_same_bytes_and_replace_what_was_there(void **state) {
    (void)state;
    write_counts(scratch("first.h5"));
    file_write(scratch("second.h5"), "old", 3);
    write_counts(scratch("second.h5"));
    assert_same_files(scratch("first.h5"), scratch("second.h5"));
    assert_int_equal(count_files(".second"), 0);
}

static void zeros_take_little_room(void **state) {
    (void)state;
    dv_object_counts counts;
    assert_ok(dv_object_counts_create(40, 50, 60, &counts));
    for (size_t i = 0; i < 50; i++) {
        char id[8];
        snprintf(id, sizeof id, "%zu", i);
        counts.object_ids[i] = strdup(id);
    }
    assert_ok(dv_object_counts_write(scratch("zeros.h5"), &counts));
    dv_object_counts_clear(&counts);
    struct stat info;
    assert_int_equal(stat(scratch("zeros.h5"), &info), 0);
    assert_true(info.st_size < 64 * 1024); /* of 2.9 MB */
}

static void nothing_at_all_is_a_file_too(void **state) {
    (void)state;
    dv_object_counts counts;
    assert_ok(dv_object_counts_create(0, 0, CLASSES, &counts));
    assert_ok(dv_object_counts_write(scratch("empty.h5"), &counts));
    dv_object_counts_clear(&counts);
    assert_ok(dv_object_counts_read(scratch("empty.h5"), &counts));
    assert_int_equal(counts.n_cells + counts.n_objects, 0);
    dv_object_counts_clear(&counts);
}

static void an_object_without_id_is_refused_and_nothing_is_written(void **state) {
    (void)state;
    dv_object_counts counts = make_counts();
    free(counts.object_ids[1]);
    counts.object_ids[1] = NULL;
    assert_failed(dv_object_counts_write(scratch("noid.h5"), &counts), DV_E_ARG, "noid.h5: object 1 has no id");
    assert_false(file_exists(scratch("noid.h5")));
    dv_object_counts_clear(&counts);
}

static void sizes_that_overflow_are_refused(void **state) {
    (void)state;
    dv_object_counts counts;
    assert_failed(dv_object_counts_create(SIZE_MAX / 2, 3, 1, &counts), DV_E_NOMEM, "object counts");
    assert_null(counts.object_ids);
    assert_int_equal(counts.n_objects, 0);
}

/* ---- Damage -------------------------------------------------------------------------------------------------------
 */

/* A good file whose object `name` is gone; the caller puts another in its place. */
static hid_t open_without(const char *path, const char *name) {
    write_counts(path);
    const hid_t file = raw_open(path);
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    return file;
}

#define refused(path, status, ...)                                                                                     \
    do {                                                                                                               \
        dv_object_counts refused_counts;                                                                               \
        assert_failed(dv_object_counts_read(path, &refused_counts), status, __VA_ARGS__);                              \
        assert_null(refused_counts.object_ids);                                                                        \
        assert_int_equal(refused_counts.n_cells, 0);                                                                   \
    } while (0)

static void another_schema_is_refused(void **state) {
    (void)state;
    const char *path = scratch("schema.h5");
    write_counts(path);
    hid_t file = raw_open(path);
    raw_attribute_text(file, "schema", "denseval bank v1");
    raw_close(file);
    refused(path, DV_E_DATA, "schema.h5: schema \"denseval bank v1\": must be \"denseval counts v1\"");
    file = raw_open(path);
    assert_true(H5Adelete(file, "schema") >= 0);
    raw_close(file);
    refused(path, DV_E_DATA, "schema.h5: attribute schema");
}

static void a_missing_part_is_named(void **state) {
    (void)state;
    const char *const gone[] = {"/intersections", "/unions", "/truths", "/object_id"};
    for (size_t i = 0; i < 4; i++) {
        raw_close(open_without(scratch("gone.h5"), gone[i]));
        refused(scratch("gone.h5"), DV_E_DATA, "gone.h5: ", gone[i]);
    }
    refused(scratch("none.h5"), DV_E_MISSING, "none.h5");
}

static void another_shape_or_type_is_refused(void **state) {
    (void)state;
    const char *path = scratch("shape.h5");
    static const uint64_t zeros[CELLS * OBJECTS * 5000];
    const struct {
        const char *name;
        hsize_t dims[4];
        hid_t type;
        const char *what;
    } cases[] = {
        {"/unions", {CELLS, OBJECTS, CLASSES + 1}, H5T_STD_U64LE, "/unions"},
        {"/unions", {CELLS + 1, OBJECTS, CLASSES}, H5T_STD_U64LE, "/unions"},
        {"/intersections", {CELLS, OBJECTS}, H5T_STD_U64LE, "/intersections"},
        {"/intersections", {CELLS, OBJECTS, 5000}, H5T_STD_U64LE, "/intersections of 5000 classes: must be 1 to 4096"},
        {"/truths", {CELLS, OBJECTS, CLASSES}, H5T_STD_I64LE, "/truths of type i64: must be u64"},
        {"/truths", {CELLS, OBJECTS, CLASSES}, H5T_IEEE_F64LE, "/truths of type f64: must be u64"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const hid_t file = open_without(path, cases[i].name);
        raw_put(file, cases[i].name, cases[i].type, H5T_NATIVE_UINT64, cases[i].dims, H5P_DEFAULT, zeros);
        if (cases[i].dims[2] == 5000) { /* so that the shapes agree and only the count of classes is wrong */
            assert_true(H5Ldelete(file, "/unions", H5P_DEFAULT) >= 0 && H5Ldelete(file, "/truths", H5P_DEFAULT) >= 0);
            raw_put(file, "/unions", H5T_STD_U64LE, H5T_NATIVE_UINT64, cases[i].dims, H5P_DEFAULT, zeros);
            raw_put(file, "/truths", H5T_STD_U64LE, H5T_NATIVE_UINT64, cases[i].dims, H5P_DEFAULT, zeros);
        }
        raw_close(file);
        refused(path, DV_E_DATA, "shape.h5: ", cases[i].what);
    }
}

static void object_ids_must_fit_and_be_unique(void **state) {
    (void)state;
    const char *path = scratch("ids.h5");
    hid_t file = open_without(path, "/object_id");
    raw_texts(file, "/object_id", OBJECTS, (const char *const[]){"same", "same"});
    raw_close(file);
    refused(path, DV_E_DATA, "ids.h5: /object_id \"same\": must be there once");
    file = open_without(path, "/object_id");
    raw_texts(file, "/object_id", 3, (const char *const[]){"a", "b", "c"});
    raw_close(file);
    refused(path, DV_E_DATA, "ids.h5: /object_id");
}

static void counts_that_cannot_be_are_refused_with_their_place(void **state) {
    (void)state;
    const char *path = scratch("values.h5");
    const struct { uint64_t both, truth, either; } cases[] = {{5, 4, 6}, {1, 7, 6}, {1, 2, UINT64_MAX / OBJECTS + 1}};
    for (size_t i = 0; i < 3; i++) {
        dv_object_counts counts = make_counts();
        const size_t at = (1 * OBJECTS + 0) * CLASSES + 2;
        counts.intersections[at] = cases[i].both;
        counts.truths[at] = cases[i].truth;
        counts.unions[at] = cases[i].either;
        assert_ok(dv_object_counts_write(path, &counts));
        dv_object_counts_clear(&counts);
        refused(path, DV_E_DATA, "values.h5: cell 1, object \"cup/0 \xc3\xa9\", class 2, intersection ");
    }
}

static void a_truncated_file_is_refused_at_every_length(void **state) {
    (void)state;
    size_t n_bytes;
    write_counts(scratch("whole.h5"));
    unsigned char *bytes = file_read(scratch("whole.h5"), &n_bytes);
    for (size_t n = 0; n < n_bytes; n += n_bytes / 23) {
        file_write(scratch("cut.h5"), bytes, n);
        refused(scratch("cut.h5"), DV_E_DATA, "cut.h5");
    }
    free(bytes);
}

/* The counts are compressed, with a checksum. */
static void a_changed_byte_of_the_counts_is_seen(void **state) {
    (void)state;
    const char *path = scratch("changed.h5");
    write_counts(path);
    hid_t file = raw_open(path);
    const hid_t data = H5Dopen2(file, "/unions", H5P_DEFAULT);
    haddr_t at = 0;
    hsize_t size = 0;
    assert_true(H5Dget_chunk_info_by_coord(data, (const hsize_t[]){1, 0, 0}, NULL, &at, &size) >= 0);
    H5Dclose(data);
    raw_close(file);
    size_t n_bytes;
    unsigned char *bytes = file_read(path, &n_bytes);
    bytes[at + size / 2] ^= 0x10;
    file_write(path, bytes, n_bytes);
    free(bytes);
    refused(path, DV_E_DATA, "changed.h5: /unions");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_comes_back),
        cmocka_unit_test(same_counts_are_the_same_bytes_and_replace_what_was_there),
        cmocka_unit_test(zeros_take_little_room),
        cmocka_unit_test(nothing_at_all_is_a_file_too),
        cmocka_unit_test(an_object_without_id_is_refused_and_nothing_is_written),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(another_schema_is_refused),
        cmocka_unit_test(a_missing_part_is_named),
        cmocka_unit_test(another_shape_or_type_is_refused),
        cmocka_unit_test(object_ids_must_fit_and_be_unique),
        cmocka_unit_test(counts_that_cannot_be_are_refused_with_their_place),
        cmocka_unit_test(a_truncated_file_is_refused_at_every_length),
        cmocka_unit_test(a_changed_byte_of_the_counts_is_seen),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
