#include "test_hdf5_support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_NAMES = 512 };
static char folder[512];
static char *names[MOST_NAMES];
static size_t n_names;

int scratch_make(void **state) {
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/denseval-io-XXXXXX", base && *base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

/* Removes the files of one folder, and the folder. */
static void remove_folder(const char *path) {
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char name[1024];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        struct stat info;
        if (lstat(name, &info) == 0 && S_ISDIR(info.st_mode))
            remove_folder(name);
        else
            unlink(name);
    }
    if (dir) closedir(dir);
    rmdir(path);
}

int scratch_remove(void **state) {
    (void)state;
    remove_folder(folder);
    for (size_t i = 0; i < n_names; i++) free(names[i]);
    n_names = 0;
    H5close();
    return 0;
}

const char *scratch(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (size_t i = 0; i < n_names; i++)
        if (strcmp(names[i], path) == 0) return names[i];
    assert_true(n_names < MOST_NAMES);
    names[n_names] = strdup(path);
    return names[n_names++];
}

void check_ok(dv_status found, const char *file, int line) {
    if (found == DV_OK) return;
    print_error("%s: %s\n", dv_status_name(found), dv_last_error());
    _fail(file, line);
}

void check_failed(dv_status found, dv_status expected, const char *file, int line, ...) {
    bool good = found == expected;
    if (!good) print_error("%s, expected %s: %s\n", dv_status_name(found), dv_status_name(expected), dv_last_error());
    va_list texts;
    va_start(texts, line);
    for (const char *text; (text = va_arg(texts, const char *));) {
        if (found == DV_OK || strstr(dv_last_error(), text)) continue;
        print_error("message \"%s\", expected in it \"%s\"\n", dv_last_error(), text);
        good = false;
    }
    va_end(texts);
    if (!good) _fail(file, line);
}

static hid_t access_unlocked(void) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    assert_true(access >= 0 && H5Pset_file_locking(access, 0, 1) >= 0);
    return access;
}

hid_t raw_create(const char *path) {
    const hid_t access = access_unlocked();
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    assert_true(file >= 0);
    return file;
}

hid_t raw_open(const char *path) {
    const hid_t access = access_unlocked();
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, access);
    H5Pclose(access);
    assert_true(file >= 0);
    return file;
}

void raw_close(hid_t file) {
    assert_true(H5Fclose(file) >= 0);
}

static int rank_of(const hsize_t dims[4]) {
    int rank = 0;
    while (rank < 4 && dims[rank]) rank++;
    return rank;
}

void raw_put(hid_t file, const char *name, hid_t stored, hid_t memory, const hsize_t dims[4], hid_t plist,
             const void *values) {
    const hid_t space = H5Screate_simple(rank_of(dims), dims, NULL);
    const hid_t id = H5Dcreate2(file, name, stored, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    assert_true(id >= 0);
    if (values) assert_true(H5Dwrite(id, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    assert_true(H5Dclose(id) >= 0);
    H5Sclose(space);
}

hid_t raw_chunks(const hsize_t dims[4], int deflate) {
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_chunk(plist, rank_of(dims), dims) >= 0);
    if (deflate) assert_true(H5Pset_deflate(plist, (unsigned)deflate) >= 0);
    return plist;
}

/* Replaces the attribute where there is one. */
static void raw_attribute(hid_t file, const char *name, hid_t type, hid_t space, const void *value) {
    if (H5Aexists(file, name) > 0) assert_true(H5Adelete(file, name) >= 0);
    const hid_t id = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(id >= 0 && H5Awrite(id, type, value) >= 0 && H5Aclose(id) >= 0);
    H5Sclose(space);
}

void raw_attribute_i64(hid_t file, const char *name, int64_t value) {
    raw_attribute(file, name, H5T_NATIVE_INT64, H5Screate(H5S_SCALAR), &value);
}

static hid_t text_type(void) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    assert_true(H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0);
    return type;
}

void raw_attribute_text(hid_t file, const char *name, const char *text) {
    const hid_t type = text_type();
    raw_attribute(file, name, type, H5Screate(H5S_SCALAR), &text);
    H5Tclose(type);
}

void raw_attribute_f64(hid_t file, const char *name, size_t n, const double *values) {
    const hsize_t extent = n;
    raw_attribute(file, name, H5T_NATIVE_DOUBLE, H5Screate_simple(1, &extent, NULL), values);
}

void raw_texts(hid_t file, const char *name, size_t n, const char *const *texts) {
    const hid_t type = text_type();
    raw_put(file, name, type, type, (const hsize_t[4]){n}, H5P_DEFAULT, texts);
    H5Tclose(type);
}

hid_t raw_float(size_t exponent_bits, size_t mantissa_bits, size_t bias) {
    const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
    const size_t sign = exponent_bits + mantissa_bits;
    assert_true(H5Tset_fields(type, sign, mantissa_bits, exponent_bits, 0, mantissa_bits) >= 0);
    assert_true(H5Tset_size(type, (sign + 1) / 8) >= 0 && H5Tset_ebias(type, bias) >= 0);
    return type;
}

void *file_read(const char *path, size_t *n_bytes) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    *n_bytes = (size_t)info.st_size;
    void *bytes = malloc(*n_bytes + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *n_bytes, stream), *n_bytes);
    fclose(stream);
    return bytes;
}

void file_write(const char *path, const void *bytes, size_t n_bytes) {
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, n_bytes, stream), n_bytes);
    assert_int_equal(fclose(stream), 0);
}

bool file_exists(const char *path) {
    return access(path, F_OK) == 0;
}

size_t count_files(const char *prefix) {
    size_t n = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) n += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
    closedir(dir);
    return n;
}

void assert_same_files(const char *a, const char *b) {
    size_t n_a, n_b;
    void *bytes_a = file_read(a, &n_a), *bytes_b = file_read(b, &n_b);
    assert_int_equal(n_a, n_b);
    assert_memory_equal(bytes_a, bytes_b, n_a);
    free(bytes_a);
    free(bytes_b);
}
