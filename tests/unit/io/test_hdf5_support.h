/* test_hdf5_support.h: scratch folders and small HDF5 files, good and bad, for the tests of io/. */
#ifndef DV_TEST_HDF5_SUPPORT_H
#define DV_TEST_HDF5_SUPPORT_H

#include <hdf5.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "denseval/status.h"

/* A fresh folder under TMPDIR, and its removal; cmocka group fixtures. */
int scratch_make(void **state);
int scratch_remove(void **state);

/* "SCRATCH/name". Stays valid until the test program ends. */
const char *scratch(const char *name);

/* Asserts that a call failed with this status and that each text (the list ends with NULL) is in the message. */
#define assert_failed(call, status, ...) check_failed((call), (status), __FILE__, __LINE__, __VA_ARGS__, NULL)
void check_failed(dv_status found, dv_status expected, const char *file, int line, ...);
#define assert_ok(call) check_ok((call), __FILE__, __LINE__)
void check_ok(dv_status found, const char *file, int line);

/* ---- raw HDF5: what our own writer would not write. All of these assert success. ---- */
hid_t raw_create(const char *path);
hid_t raw_open(const char *path);
void raw_close(hid_t file);
/* A dataset of rank <= 4; dims ends at the first 0 or after 4. plist may be H5P_DEFAULT. values NULL: nothing written.
 */
void raw_put(hid_t file, const char *name, hid_t stored, hid_t memory, const hsize_t dims[4], hid_t plist,
             const void *values);
hid_t raw_chunks(const hsize_t dims[4], int deflate);
void raw_attribute_i64(hid_t file, const char *name, int64_t value);
void raw_attribute_text(hid_t file, const char *name, const char *text);
void raw_attribute_f64(hid_t file, const char *name, size_t n, const double *values);
void raw_texts(hid_t file, const char *name, size_t n, const char *const *texts);
hid_t raw_float(size_t exponent_bits, size_t mantissa_bits, size_t bias);

/* Whole files. */
void *file_read(const char *path, size_t *n_bytes);
void file_write(const char *path, const void *bytes, size_t n_bytes);
bool file_exists(const char *path);
/* Names in the scratch folder that begin with `prefix`. */
size_t count_files(const char *prefix);
void assert_same_files(const char *a, const char *b);

#endif
