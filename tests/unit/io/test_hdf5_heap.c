/* Collections of HDF5's global heap: whole ones give the sizes of their objects, and no damage to one, or to a
 * reference into it, brings down the library or keeps it for ever. */
#include "test_hdf5_support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/hdf5_file.h"
#include "io/hdf5_heap.h"

static dv_h5_heap heap;

/* An object's header: its data are left as they are. */
static uint8_t *put_object(uint8_t *at, unsigned index, uint64_t size) {
    memset(at, 0, 16);
    at[0] = (uint8_t)index;
    at[1] = (uint8_t)(index >> 8);
    memcpy(at + 8, &size, sizeof size);
    return at + 16;
}

static void put_header(uint8_t *bytes, uint64_t size) {
    memcpy(bytes, "GCOL\1\0\0\0", 8);
    memcpy(bytes + 8, &size, sizeof size);
}

static void a_whole_collection_gives_the_sizes_of_its_objects(void **state) {
    (void)state;
    uint8_t bytes[256] = {0};
    put_header(bytes, sizeof bytes);
    uint8_t *next = put_object(bytes + 16, 7, 9) + 16; /* 9 bytes, padded to 16 */
    next = put_object(next, 300, 0);
    put_object(next, 0, (uint64_t)(bytes + sizeof bytes - next));
    assert_int_equal(dv_h5_heap_size(bytes, 8), 256);
    assert_null(dv_h5_heap_walk(&heap, bytes, sizeof bytes, 8));
    assert_true(dv_h5_heap_holds(&heap, 7, 9) && dv_h5_heap_holds(&heap, 300, 0));
    assert_false(dv_h5_heap_holds(&heap, 7, 8) || dv_h5_heap_holds(&heap, 8, 0) || dv_h5_heap_holds(&heap, 0, 192) ||
                 dv_h5_heap_holds(&heap, 65536 + 7, 9));
    put_header(bytes, 56); /* 8 bytes are left: too few for a header */
    assert_null(dv_h5_heap_walk(&heap, bytes, 56, 8));
    assert_true(dv_h5_heap_holds(&heap, 7, 9));
    assert_false(dv_h5_heap_holds(&heap, 300, 0)); /* of the walk before */
}

static void shorter_numbers_stand_in_headers_of_the_same_size(void **state) {
    (void)state;
    uint8_t bytes[64] = {0};
    put_header(bytes, 64 | UINT64_C(1) << 40); /* of the size, 4 bytes count */
    put_object(bytes + 16, 1, 8 | UINT64_C(1) << 40);
    put_object(bytes + 40, 0, 24);
    assert_int_equal(dv_h5_heap_header(4), 16);
    assert_int_equal(dv_h5_heap_header(8), 16);
    assert_null(dv_h5_heap_walk(&heap, bytes, sizeof bytes, 4));
    assert_true(dv_h5_heap_holds(&heap, 1, 8));
}

static void damage_is_told(void **state) {
    (void)state;
    static const struct {
        unsigned index;
        uint64_t size;
        const char *what;
    } cases[] = {{2, 88, NULL},
                 {2, 89, "reaches beyond"},
                 {2, UINT64_MAX, "reaches beyond"},
                 {2, UINT64_MAX - 7, "reaches beyond"},
                 {1, 88, "two objects of one index"},
                 {0, 104, NULL},
                 {0, 105, "reaches beyond"},
                 {0, 8, "free space smaller"},
                 {0, 0, "free space smaller"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[144] = {0};
        put_header(bytes, sizeof bytes);
        put_object(put_object(bytes + 16, 1, 8) + 8, cases[i].index, cases[i].size);
        const char *found = dv_h5_heap_walk(&heap, bytes, sizeof bytes, 8);
        if (cases[i].what)
            assert_true(found && strstr(found, cases[i].what));
        else
            assert_null(found);
    }
    uint8_t bytes[32] = {0};
    assert_int_equal(dv_h5_heap_size(bytes, 8), 0);
    put_header(bytes, 40);
    assert_non_null(dv_h5_heap_walk(&heap, bytes, sizeof bytes, 8));
    assert_non_null(dv_h5_heap_walk(&heap, bytes, 8, 8));
    bytes[4] = 2; /* another version */
    assert_int_equal(dv_h5_heap_size(bytes, 8), 0);
}

/* A dataset of texts, one of them too long for the room that HDF5 takes at least; an attribute of it; one of the file.
 */
static void make_texts(const char *path) {
    enum { LONG = 5000 };
    char *text = calloc(LONG + 1, 1);
    assert_non_null(text);
    memset(text, 'x', LONG);
    const hid_t file = raw_create(path);
    raw_attribute_text(file, "schema", "denseval features v1");
    raw_texts(file, "/names", 4, (const char *const[]){"one", "", text, "fourth"});
    const hid_t data = H5Dopen2(file, "/names", H5P_DEFAULT), type = H5Dget_type(data);
    const hid_t space = H5Screate_simple(1, (const hsize_t[]){2}, NULL);
    const hid_t list = H5Acreate2(data, "list", type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(list >= 0 && H5Awrite(list, type, (const char *[]){"left", "right"}) >= 0 && H5Aclose(list) >= 0);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(data);
    raw_close(file);
    free(text);
}

static dv_status read_names(dv_h5 *file) {
    dv_h5_data *data;
    char **texts;
    dv_status status = dv_h5_data_open(file, "/names", &data);
    if (status != DV_OK) return status;
    status = dv_h5_read_texts(data, &texts);
    free(texts);
    if (status == DV_OK) {
        status = dv_h5_data_texts(data, "list", 2, &texts);
        free(texts);
    }
    dv_h5_data_close(data);
    return status;
}

/* Reads all texts of the file; the first failure. */
static dv_status read_all(const char *path) {
    dv_h5 *file;
    char *text;
    assert_ok(dv_h5_open(path, &file));
    dv_status status = dv_h5_attribute_text(file, "schema", &text);
    free(text);
    if (status == DV_OK) status = read_names(file);
    dv_h5_close(file);
    return status;
}

/* Changes a byte of the file, reads all texts, and puts it back. */
static dv_status read_changed(const char *path, int descriptor, size_t at, uint8_t mask) {
    uint8_t byte;
    assert_int_equal(pread(descriptor, &byte, 1, (off_t)at), 1);
    const uint8_t changed = byte ^ mask;
    assert_int_equal(pwrite(descriptor, &changed, 1, (off_t)at), 1);
    const dv_status status = read_all(path);
    assert_int_equal(pwrite(descriptor, &byte, 1, (off_t)at), 1);
    return status;
}

/* Is byte i of a collection one of its bookkeeping or of a short text, not of a long text or free space? */
static bool matters(const uint8_t *bytes, size_t n, size_t i) {
    static const uint8_t zeros[16], xs[16] = "xxxxxxxxxxxxxxxx";
    return i < 16 || i + 16 > n || (memcmp(bytes + i - 16, zeros, 16) != 0 && memcmp(bytes + i - 8, xs, 16) != 0);
}

/* Is byte i of a file part of a reference (u32 length, u64 address, u32 index) into the collection at `address`? */
static bool refers(const uint8_t *bytes, size_t n_bytes, size_t i, uint64_t address) {
    for (size_t at = i > 15 ? i - 15 : 0; at <= i && at + 16 <= n_bytes; at++)
        if (dv_h5_heap_number(bytes + at + 4, 8) == address && dv_h5_heap_number(bytes + at, 4) - 1 < 5000 &&
            dv_h5_heap_number(bytes + at + 12, 4) - 1 < 6)
            return true;
    return false;
}

/* Tries two changes of byte `at`. Returns how many of them were refused. */
static size_t refused_changes(const char *path, int descriptor, size_t at) {
    static const uint8_t masks[] = {0xff, 0x01};
    size_t n_refused = 0;
    for (size_t i = 0; i < sizeof masks; i++) {
        const dv_status status = read_changed(path, descriptor, at, masks[i]);
        assert_true(status == DV_OK || status == DV_E_DATA);
        if (status == DV_E_DATA) assert_non_null(strstr(dv_last_error(), "texts.h5: "));
        n_refused += status == DV_E_DATA;
    }
    return n_refused;
}

static void changed_heaps_and_references_are_refused_or_read(void **state) {
    (void)state;
    const char *path = scratch("texts.h5");
    make_texts(path);
    assert_ok(read_all(path));
    size_t n_bytes, n_collections = 0, n_heap = 0, n_references = 0;
    uint8_t *bytes = file_read(path, &n_bytes);
    const int descriptor = open(path, O_RDWR | O_CLOEXEC);
    assert_true(descriptor >= 0);
    for (size_t i = 0; i + 16 <= n_bytes; i++) {
        const size_t n = (size_t)dv_h5_heap_size(bytes + i, 8);
        if (n == 0) continue;
        n_collections++;
        for (size_t k = 0; k < n; k++)
            if (matters(bytes + i, n, k)) n_heap += refused_changes(path, descriptor, i + k);
        for (size_t k = 0; k < n_bytes; k++)
            if (refers(bytes, n_bytes, k, i)) n_references += refused_changes(path, descriptor, k);
    }
    assert_true(n_collections == 2 && n_heap > 250);
    assert_int_equal(n_references, 6 * 16 * 2); /* every change of every one but that to no text */
    close(descriptor);
    free(bytes);
}

static void a_damaged_heap_is_named(void **state) {
    (void)state;
    const char *path = scratch("named.h5");
    make_texts(path);
    size_t n_bytes, at = 0;
    uint8_t *bytes = file_read(path, &n_bytes);
    while (dv_h5_heap_size(bytes + at, 8) == 0) at++;
    const uint8_t huge[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};
    memcpy(bytes + at + 8, huge, sizeof huge);
    file_write(path, bytes, n_bytes);
    assert_failed(read_all(path), DV_E_DATA, "named.h5: schema: damaged: the global heap at byte ",
                  ": claims too many bytes");
    free(bytes);
}

/* A virtual set of the n texts /names of another file. */
static void make_virtual(const char *path, const char *source, hsize_t n) {
    const hid_t file = raw_create(path), plist = H5Pcreate(H5P_DATASET_CREATE), type = H5Tcopy(H5T_C_S1);
    const hid_t space = H5Screate_simple(1, &n, NULL);
    assert_true(H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0);
    assert_true(H5Pset_virtual(plist, space, source, "/names", space) >= 0);
    const hid_t id = H5Dcreate2(file, "/names", type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    assert_true(id >= 0 && H5Dclose(id) >= 0);
    H5Sclose(space);
    H5Tclose(type);
    H5Pclose(plist);
    raw_close(file);
}

/* Short addresses, and bytes before the file's own: references are shorter, and count from elsewhere. */
static void texts_of_other_layouts_are_read(void **state) {
    (void)state;
    const hid_t plist = H5Pcreate(H5P_FILE_CREATE);
    assert_true(H5Pset_sizes(plist, 4, 4) >= 0 && H5Pset_userblock(plist, 512) >= 0);
    const hid_t file = H5Fcreate(scratch("short.h5"), H5F_ACC_TRUNC, plist, H5P_DEFAULT);
    assert_true(file >= 0);
    H5Pclose(plist);
    raw_texts(file, "/names", 3, (const char *const[]){"one", "", "three"});
    raw_close(file);
    make_virtual(scratch("virtual.h5"), "short.h5", 3);
    for (size_t i = 0; i < 2; i++) {
        dv_h5 *opened;
        dv_h5_data *data;
        char **texts;
        assert_ok(dv_h5_open(scratch(i ? "virtual.h5" : "short.h5"), &opened));
        assert_ok(dv_h5_data_open(opened, "/names", &data));
        assert_ok(dv_h5_read_texts(data, &texts));
        assert_string_equal(texts[0], "one");
        assert_string_equal(texts[1], "");
        assert_string_equal(texts[2], "three");
        free(texts);
        dv_h5_data_close(data);
        dv_h5_close(opened);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_collection_gives_the_sizes_of_its_objects),
        cmocka_unit_test(shorter_numbers_stand_in_headers_of_the_same_size),
        cmocka_unit_test(damage_is_told),
        cmocka_unit_test(a_damaged_heap_is_named),
        cmocka_unit_test(changed_heaps_and_references_are_refused_or_read),
        cmocka_unit_test(texts_of_other_layouts_are_read),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
