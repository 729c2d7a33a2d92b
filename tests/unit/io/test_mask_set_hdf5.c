#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "denseval/hash.h"
#include "io/mask_set.h"
#include "unit/io/test_hdf5_support.h"

static const uint8_t ids[2 * 2 * 3] = {0, 1, 2, 3, 4, 255, 6, 7, 8, 9, 10, 11}; /* two frames of 2 x 3 */
static const hsize_t dims[4] = {2, 2, 3};
static char hash[DV_HASH_TEXT_SIZE];

static hid_t create(const char *name, const char *schema) {
    const hid_t file = raw_create(scratch(name));
    if (schema) raw_attribute_text(file, "schema", schema);
    return file;
}

/* A list of texts as the attribute of a dataset; size 0: of variable length. */
static void put_frames(hid_t file, const char *dataset, size_t n, const void *texts, size_t size) {
    const hid_t type = H5Tcopy(H5T_C_S1), data = H5Dopen2(file, dataset, H5P_DEFAULT);
    const hsize_t extent = n;
    const hid_t space = H5Screate_simple(1, &extent, NULL);
    assert_true(H5Tset_size(type, size ? size : H5T_VARIABLE) >= 0);
    const hid_t id = H5Acreate2(data, "frames", type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(id >= 0 && H5Awrite(id, type, texts) >= 0 && H5Aclose(id) >= 0);
    H5Sclose(space);
    H5Tclose(type);
    assert_true(H5Dclose(data) >= 0);
}

static void put_group(hid_t file, const char *name) {
    const hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(group >= 0 && H5Gclose(group) >= 0);
}

/* One dataset /bear in a file of that schema. */
static const char *make_one(const char *name, hid_t stored, hid_t memory, const hsize_t extent[4], const void *values) {
    const hid_t file = create(name, "denseval masks v1");
    raw_put(file, "/bear", stored, memory, extent, H5P_DEFAULT, values);
    raw_close(file);
    return scratch(name);
}

static void assert_frame(dv_mask_set *set, size_t sequence, size_t frame, size_t height, size_t width,
                         const uint16_t *expected) {
    dv_label_map map = {0};
    assert_ok(dv_mask_set_read(set, sequence, frame, &map, hash));
    assert_int_equal(map.height, height);
    assert_int_equal(map.width, width);
    assert_memory_equal(map.labels, expected, height * width * sizeof *expected);
    char of_labels[DV_HASH_TEXT_SIZE];
    dv_hash_bytes(expected, height * width * sizeof *expected, of_labels);
    assert_string_equal(hash, of_labels); /* however they are stored */
    dv_label_map_clear(&map);
}

static void stacks_give_their_frames(void **state) {
    (void)state;
    const uint16_t wide[12] = {0, 1, 2, 3, 4, 255, 6, 7, 8, 9, 10, 65535}, first[6] = {0, 1, 2, 3, 4, 255},
                   second[6] = {6, 7, 8, 9, 10, 11}, second_wide[6] = {6, 7, 8, 9, 10, 65535};
    const hid_t file = create("good.h5", "denseval masks v1"), chunks = raw_chunks((const hsize_t[4]){1, 2, 3}, 5);
    raw_put(file, "/s10", H5T_STD_U8LE, H5T_NATIVE_UINT8, dims, chunks, ids);
    raw_put(file, "/s9", H5T_STD_U16LE, H5T_NATIVE_UINT16, dims, H5P_DEFAULT, wide);
    put_frames(file, "/s9", 2, (const char *[]){"f10", "f9"}, 0);
    put_group(file, "/scene");
    H5Pclose(chunks);
    raw_close(file);
    dv_mask_set *set;
    assert_ok(dv_mask_set_open(scratch("good.h5"), 1, DV_PALETTE_NONE, &set));
    assert_int_equal(dv_mask_set_n_sequences(set), 2);
    assert_int_equal(dv_mask_set_n_passed_over(set), 1);
    assert_string_equal(dv_mask_set_sequence(set, 0), "s9");
    assert_string_equal(dv_mask_set_sequence(set, 1), "s10");
    assert_string_equal(dv_mask_set_frame(set, 0, 0), "f9"); /* natural order: its row is 1 */
    assert_string_equal(dv_mask_set_frame(set, 0, 1), "f10");
    assert_string_equal(dv_mask_set_frame(set, 1, 0), "00000");
    assert_string_equal(dv_mask_set_frame(set, 1, 1), "00001");
    assert_int_equal(dv_mask_set_find_frame(set, 0, "f10"), 1);
    assert_frame(set, 0, 0, 2, 3, second_wide);
    assert_frame(set, 0, 1, 2, 3, first);
    assert_frame(set, 1, 1, 2, 3, second);
    assert_frame(set, 1, 0, 2, 3, first);
    char name[600], expected[600];
    dv_mask_set_name_frame(set, 1, 1, name, sizeof name);
    snprintf(expected, sizeof expected, "%s: /s10, frame 00001", scratch("good.h5"));
    assert_string_equal(name, expected);
    dv_mask_set_close(set);
}

static void cameras_are_datasets_of_scenes(void **state) {
    (void)state;
    const hid_t file = create("scenes.h5", "denseval masks v1");
    put_group(file, "/b");
    put_group(file, "/a");
    raw_put(file, "/b/1", H5T_STD_U8LE, H5T_NATIVE_UINT8, dims, H5P_DEFAULT, ids);
    raw_put(file, "/a/2", H5T_STD_U8LE, H5T_NATIVE_UINT8, dims, H5P_DEFAULT, ids);
    put_frames(file, "/a/2", 2, "x\0yy", 2); /* of fixed length */
    raw_put(file, "/top", H5T_STD_U8LE, H5T_NATIVE_UINT8, dims, H5P_DEFAULT, ids);
    assert_true(H5Lcreate_external("other.h5", "/x", file, "/a/3", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    assert_true(H5Lcreate_soft("/nowhere", file, "/a/4", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    raw_close(file);
    dv_mask_set *set;
    assert_ok(dv_mask_set_open(scratch("scenes.h5"), 2, DV_PALETTE_VOC, &set));
    assert_int_equal(dv_mask_set_n_sequences(set), 2);
    assert_string_equal(dv_mask_set_sequence(set, 0), "a/2");
    assert_string_equal(dv_mask_set_sequence(set, 1), "b/1");
    assert_string_equal(dv_mask_set_frame(set, 0, 0), "x");
    assert_string_equal(dv_mask_set_frame(set, 0, 1), "yy");
    assert_int_equal(dv_mask_set_n_passed_over(set), 3); /* top, both links */
    assert_frame(set, 1, 0, 2, 3, (const uint16_t[]){0, 1, 2, 3, 4, 255});
    dv_mask_set_close(set);
    const hid_t again = raw_open(scratch("scenes.h5"));
    put_group(again, "/empty");
    raw_close(again);
    assert_failed(dv_mask_set_open(scratch("scenes.h5"), 2, DV_PALETTE_NONE, &set), DV_E_DATA,
                  "scenes.h5: /empty: a scene without cameras");
}

static void assert_refused(const char *path, const char *what) {
    dv_mask_set *set;
    assert_failed(dv_mask_set_open(path, 1, DV_PALETTE_NONE, &set), DV_E_DATA, path, what);
    assert_null(set);
}

static void other_files_are_refused(void **state) {
    (void)state;
    file_write(scratch("no.h5"), "hello", 5);
    assert_refused(scratch("no.h5"), "is not an HDF5 file");
    raw_close(create("none.h5", NULL));
    assert_refused(scratch("none.h5"), "attribute schema: missing, expected \"denseval masks v1\"");
    raw_close(create("other.h5", "denseval bank v1"));
    assert_refused(scratch("other.h5"), "schema \"denseval bank v1\": must be \"denseval masks v1\"");
    raw_close(create("empty.h5", "denseval masks v1"));
    assert_refused(scratch("empty.h5"), "no sequence, expected datasets /SEQUENCE");
}

static void other_types_and_shapes_are_refused(void **state) {
    (void)state;
    const hsize_t flat[4] = {4, 3};
    float reals[12] = {0};
    int16_t shorts[12] = {0};
    assert_refused(make_one("f32.h5", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, dims, reals),
                   "/bear: type f32, expected u8 or u16");
    assert_refused(make_one("i16.h5", H5T_STD_I16LE, H5T_NATIVE_INT16, dims, shorts), "type i16, expected u8 or u16");
    assert_refused(make_one("be.h5", H5T_STD_U16BE, H5T_NATIVE_INT16, dims, shorts), "expected u8 or u16");
    assert_refused(make_one("flat.h5", H5T_STD_U8LE, H5T_NATIVE_UINT8, flat, ids),
                   "/bear: shape [4, 3], expected [*, *, *]");
}

/* R8: what a header claims is checked before anything of its size is allocated. */
static void claims_are_checked(void **state) {
    (void)state;
    hid_t file = create("wide.h5", "denseval masks v1");
    hid_t chunks = raw_chunks((const hsize_t[4]){1, 1, 65536}, 9);
    uint8_t *zeros = calloc(1 << 22, 1);
    assert_non_null(zeros);
    raw_put(file, "/bear", H5T_STD_U8LE, H5T_NATIVE_UINT8, (const hsize_t[4]){1, 1, 65536}, chunks, zeros);
    raw_close(file);
    H5Pclose(chunks);
    assert_refused(scratch("wide.h5"), "/bear: 1x65536 (height x width), sides must be 1..65535");
    file = create("many.h5", "denseval masks v1");
    chunks = raw_chunks((const hsize_t[4]){1 << 22, 1, 1}, 9);
    raw_put(file, "/bear", H5T_STD_U8LE, H5T_NATIVE_UINT8, (const hsize_t[4]){1 << 22, 1, 1}, chunks, zeros);
    raw_put(file, "/cow", H5T_STD_U8LE, H5T_NATIVE_UINT8, (const hsize_t[4]){1, 1, 1}, H5P_DEFAULT, zeros);
    raw_close(file);
    H5Pclose(chunks);
    free(zeros);
    assert_refused(scratch("many.h5"), "/cow: 1 frames, expected at most 4194304 in a file");
    file = create("unwritten.h5", "denseval masks v1");
    raw_put(file, "/bear", H5T_STD_U8LE, H5T_NATIVE_UINT8, (const hsize_t[4]){1 << 20, 4000, 4000}, H5P_DEFAULT, NULL);
    raw_close(file);
    assert_refused(scratch("unwritten.h5"), "/bear: rows 0..1048575 were never written");
    file = create("zero.h5", "denseval masks v1");
    const hsize_t none[3] = {0, 2, 3}, flat[3] = {(hsize_t)1 << 40, 0, 3};
    const hid_t space = H5Screate_simple(3, none, NULL), endless = H5Screate_simple(3, flat, NULL);
    H5Dclose(H5Dcreate2(file, "/bear", H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    raw_close(file);
    assert_refused(scratch("zero.h5"), ": /bear: a sequence without frames");
    file = create("flat.h5", "denseval masks v1");
    H5Dclose(H5Dcreate2(file, "/bear", H5T_STD_U8LE, endless, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    raw_close(file);
    H5Sclose(space);
    H5Sclose(endless);
    assert_refused(scratch("flat.h5"), "/bear: 0x3 (height x width), sides must be 1..65535");
}

static void names_of_frames_are_checked(void **state) {
    (void)state;
    const struct {
        size_t n;
        const char *names[3];
        const char *what;
    } cases[] = {{2, {"a", "a"}, ": /bear, names of frames: \"a\" is there twice"},
                 {3, {"a", "b", "c"}, ": /bear, attribute frames: 3 values, expected a list of 2 texts"},
                 {2, {"a", ""}, ": /bear, names of frames: text 1 is empty"},
                 {2, {"a", "\xff"}, "not valid UTF-8"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        make_one("names.h5", H5T_STD_U8LE, H5T_NATIVE_UINT8, dims, ids);
        const hid_t file = raw_open(scratch("names.h5"));
        put_frames(file, "/bear", cases[i].n, cases[i].names, 0);
        raw_close(file);
        assert_refused(scratch("names.h5"), cases[i].what);
    }
    make_one("names.h5", H5T_STD_U8LE, H5T_NATIVE_UINT8, dims, ids);
    const hid_t file = raw_open(scratch("names.h5")), data = H5Dopen2(file, "/bear", H5P_DEFAULT);
    raw_attribute_i64(data, "frames", 2);
    H5Dclose(data);
    raw_close(file);
    assert_refused(scratch("names.h5"), "attribute frames: 1 values, expected a list of 2 texts");
}

/* Exits: what libhdf5 leaks on damage stays in this process. */
static void read_changed_files(uint8_t *bytes, size_t n_bytes) {
    for (size_t i = 0; i < n_bytes; i += 7) {
        bytes[i] ^= 0xff;
        file_write(scratch("bad.h5"), bytes, n_bytes);
        bytes[i] ^= 0xff;
        dv_mask_set *set;
        if (dv_mask_set_open(scratch("bad.h5"), 1, DV_PALETTE_NONE, &set) != DV_OK) continue;
        dv_label_map map = {0};
        if (dv_mask_set_read(set, 0, 0, &map, hash) == DV_OK) dv_label_map_clear(&map);
        dv_mask_set_close(set);
    }
    _exit(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0 ? 0 : 1);
}

/* A file that is cut is refused; one with a byte changed gives a status and at worst other labels, never a crash, and
 * leaves nothing open. */
static void damaged_files_are_noticed_or_read(void **state) {
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* libhdf5 1.10 itself uses memory that it freed where an allocation fails, which damage asks for */
#endif
    const hid_t file = create("whole.h5", "denseval masks v1");
    raw_put(file, "/bear", H5T_STD_U8LE, H5T_NATIVE_UINT8, dims, H5P_DEFAULT, ids);
    put_frames(file, "/bear", 2, "x\0yy", 2);
    raw_close(file);
    dv_mask_set *whole;
    assert_ok(dv_mask_set_open(scratch("whole.h5"), 1, DV_PALETTE_NONE, &whole));
    dv_mask_set_close(whole);
    size_t n_bytes;
    uint8_t *good = file_read(scratch("whole.h5"), &n_bytes);
    for (size_t n = 0; n < n_bytes; n += 61) {
        file_write(scratch("cut.h5"), good, n);
        assert_refused(scratch("cut.h5"), "cut.h5: ");
    }
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) read_changed_files(good, n_bytes);
    int result = -1;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
    free(good);
}

/* A damaged chunk shows when its frame is read, and leaves the others as they are. */
static void a_damaged_frame_is_named(void **state) {
    (void)state;
    enum { SIDE = 64, N = SIDE * SIDE };
    uint8_t *two = malloc(2 * N);
    assert_non_null(two);
    for (size_t i = 0; i < 2 * N; i++) two[i] = (uint8_t)(i * 2654435761U >> 13);
    const hid_t file = create("chunk.h5", "denseval masks v1");
    const hid_t chunks = raw_chunks((const hsize_t[4]){1, SIDE, SIDE}, 1);
    raw_put(file, "/bear", H5T_STD_U8LE, H5T_NATIVE_UINT8, (const hsize_t[4]){2, SIDE, SIDE}, chunks, two);
    const hid_t data = H5Dopen2(file, "/bear", H5P_DEFAULT);
    haddr_t at = 0;
    hsize_t size = 0;
    assert_true(H5Dget_chunk_info_by_coord(data, (const hsize_t[]){1, 0, 0}, NULL, &at, &size) >= 0);
    H5Dclose(data);
    H5Pclose(chunks);
    raw_close(file);
    size_t n_bytes;
    uint8_t *bytes = file_read(scratch("chunk.h5"), &n_bytes);
    bytes[at + size / 2] ^= 0x55;
    file_write(scratch("chunk.h5"), bytes, n_bytes);
    free(bytes);
    dv_mask_set *set;
    assert_ok(dv_mask_set_open(scratch("chunk.h5"), 1, DV_PALETTE_NONE, &set));
    dv_label_map map = {0};
    assert_ok(dv_mask_set_read(set, 0, 0, &map, hash)); /* its memory is used again, or given back */
    assert_failed(dv_mask_set_read(set, 0, 1, &map, hash), DV_E_DATA, "chunk.h5: /bear: rows 1..1 cannot be read");
    assert_null(map.labels);
    assert_int_equal(map.height, 0);
    assert_ok(dv_mask_set_read(set, 0, 0, &map, hash));
    for (size_t i = 0; i < N; i++) assert_int_equal(map.labels[i], two[i]);
    dv_label_map_clear(&map);
    dv_mask_set_close(set);
    free(two);
}

static void *read_many(void *argument) {
    dv_mask_set *const set = argument;
    char mine[DV_HASH_TEXT_SIZE];
    size_t n_good = 0;
    for (size_t i = 0; i < 60; i++) {
        dv_label_map map = {0};
        if (dv_mask_set_read(set, i % 2, i / 2 % 2, &map, mine) != DV_OK) continue;
        n_good += map.labels[5] == (i / 2 % 2 ? 11 : 255);
        dv_label_map_clear(&map);
    }
    return n_good == 60 ? NULL : argument;
}

static void any_thread_may_read(void **state) {
    (void)state;
    const hid_t file = create("threads.h5", "denseval masks v1");
    raw_put(file, "/a", H5T_STD_U8LE, H5T_NATIVE_UINT8, dims, H5P_DEFAULT, ids);
    raw_put(file, "/b", H5T_STD_U8LE, H5T_NATIVE_UINT8, dims, H5P_DEFAULT, ids);
    raw_close(file);
    dv_mask_set *set;
    assert_ok(dv_mask_set_open(scratch("threads.h5"), 1, DV_PALETTE_NONE, &set));
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, read_many, set), 0);
    for (size_t i = 0; i < 4; i++) {
        void *fault;
        pthread_join(threads[i], &fault);
        assert_null(fault);
    }
    dv_mask_set_close(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_give_their_frames),
        cmocka_unit_test(cameras_are_datasets_of_scenes),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(other_types_and_shapes_are_refused),
        cmocka_unit_test(claims_are_checked),
        cmocka_unit_test(names_of_frames_are_checked),
        cmocka_unit_test(damaged_files_are_noticed_or_read),
        cmocka_unit_test(a_damaged_frame_is_named),
        cmocka_unit_test(any_thread_may_read),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
