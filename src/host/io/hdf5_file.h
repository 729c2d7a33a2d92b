/* hdf5_file.h: a small layer over HDF5. What can go wrong comes back as a status and one plain sentence of the form
 * "PATH: /name: WHAT". No type of hdf5.h shows here; HDF5 itself never prints. Any thread may call, also where the HDF5
 * library is not thread-safe; one handle belongs to one thread at a time. */
#ifndef DV_IO_HDF5_FILE_H
#define DV_IO_HDF5_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/dtype.h"
#include "denseval/status.h"

enum { DV_H5_MAX_RANK = 8, DV_H5_TYPE_NAME_SIZE = 64 };

/* How an element is stored. Integers and floats of these names are little-endian; anything else, big-endian numbers
 * included, is DV_H5_OTHER and known by its type_name alone (numbers among them can still be read as f64 and i64). */
typedef enum dv_h5_type {
    DV_H5_OTHER = 0,
    DV_H5_I8,
    DV_H5_I16,
    DV_H5_I32,
    DV_H5_I64,
    DV_H5_U8,
    DV_H5_U16,
    DV_H5_U32,
    DV_H5_U64,
    DV_H5_F16,  /* IEEE binary16 */
    DV_H5_BF16, /* a custom float: 1 sign, 8 exponent, 7 mantissa bits */
    DV_H5_F32,
    DV_H5_F64,
    DV_H5_TEXT /* strings, of fixed or variable length */
} dv_h5_type;

/* The storage type of a dtype (DV_BF16: the custom float). */
dv_h5_type dv_h5_type_of(dv_dtype dtype);

/* "i8" .. "f64", "bf16", "text", or "unknown". Static lifetime. */
const char *dv_h5_type_name(dv_h5_type type);

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

typedef struct dv_h5 dv_h5;           /* a file opened for reading */
typedef struct dv_h5_data dv_h5_data; /* a dataset of it */

/* Opens a file read-only with locking off.
 * *out  the caller's until dv_h5_close; NULL on failure
 * Fails with DV_E_MISSING (no such file), DV_E_DATA (a folder, not HDF5, truncated, left open by its writer), DV_E_IO
 * (permission), DV_E_NOMEM. */
DV_MUST_USE dv_status dv_h5_open(const char *path, dv_h5 **out);

/* Datasets must be closed before. NULL is allowed. */
void dv_h5_close(dv_h5 *file);

/* As given to dv_h5_open; borrowed. */
const char *dv_h5_path(const dv_h5 *file);

/* Is there an object (dataset or group) of this name? A dangling link counts as none. */
bool dv_h5_has(dv_h5 *file, const char *name);

typedef enum dv_h5_kind { DV_H5_NOTHING = 0 /* a link to nothing, or a type */, DV_H5_GROUP, DV_H5_DATASET } dv_h5_kind;

typedef struct dv_h5_member {
    char *name; /* owned */
    dv_h5_kind kind;
} dv_h5_member;

typedef struct dv_h5_members {
    size_t n;
    dv_h5_member *items; /* [n], by the bytes of the names; owned */
    size_t n_external;   /* links to other files, which are not followed */
} dv_h5_members;

/* What is directly in a group ("/": the root). Fails with DV_E_DATA (no group, damaged), DV_E_NOMEM.
 * *members  release with dv_h5_members_clear; zeroed on failure */
DV_MUST_USE dv_status dv_h5_list(dv_h5 *file, const char *name, dv_h5_members *members);
void dv_h5_members_clear(dv_h5_members *members);

/* A dataset's shape and storage. */
typedef struct dv_h5_shape {
    size_t rank;
    size_t dims[DV_H5_MAX_RANK];
    dv_h5_type type;
    char type_name[DV_H5_TYPE_NAME_SIZE]; /* also says what a DV_H5_OTHER is, for example "big-endian f32" */
    bool is_number;                       /* an integer or a float, of any size and order */
    size_t element_bytes;
    size_t row_elements; /* elements of one index of the first dimension: dims[1] * dims[2] * ... */
    size_t row_bytes;
    size_t n_elements; /* 0 where a dimension is 0 */
    size_t chunk_rows; /* rows that share a chunk; 1 where storage is not chunked */
} dv_h5_shape;

/* Opens a dataset and checks that all of it is there: every chunk was written ("rows 80..99 were never written"), every
 * source of a virtual set exists, the filters are available (else DV_E_BACKEND), and the bytes in the file can hold
 * what the shape claims. The chunk cache holds every chunk of a row, so rows read in rising order decode each chunk
 * once.
 * name  for example "/features"
 * *out  the caller's until dv_h5_data_close; NULL on failure
 * Fails with DV_E_DATA (missing, no dataset, rank 0 or above DV_H5_MAX_RANK, incomplete), DV_E_BACKEND, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_h5_data_open(dv_h5 *file, const char *name, dv_h5_data **out);
void dv_h5_data_close(dv_h5_data *data);

/* Borrowed until the dataset is closed. */
const dv_h5_shape *dv_h5_data_shape(const dv_h5_data *data);

/* DV_E_DATA unless the dataset has this rank and these dimensions, naming both shapes. SIZE_MAX stands for any. */
DV_MUST_USE dv_status dv_h5_expect(const dv_h5_data *data, size_t rank, const size_t *dims);

/* Reads rows first .. first + n - 1 (indices of the first dimension) as they are stored, without conversion.
 * values  n * row_bytes bytes, host memory. Not for DV_H5_TEXT.
 * These four fail with DV_E_ARG (range), DV_E_DATA (damaged), DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_h5_read_raw(dv_h5_data *data, size_t first, size_t n, void *values);

/* The same from any number type, widened to f64: exact but for 64-bit integers above 2^53. values  f64 [n,
 * row_elements] */
DV_MUST_USE dv_status dv_h5_read_f64(dv_h5_data *data, size_t first, size_t n, double *values);

/* The same into integers. A value that is no integer (1.5, nan) or out of range is DV_E_DATA, naming its indices.
 * values  i64 or i32 [n, row_elements] */
DV_MUST_USE dv_status dv_h5_read_i64(dv_h5_data *data, size_t first, size_t n, int64_t *values);
DV_MUST_USE dv_status dv_h5_read_i32(dv_h5_data *data, size_t first, size_t n, int32_t *values);

/* Reads all strings of a dataset of rank 1, of fixed or variable length. Valid UTF-8, else DV_E_DATA.
 * *texts  char * [dims[0]], each NUL-terminated, in one block: the caller's until one free(); NULL on failure */
DV_MUST_USE dv_status dv_h5_read_texts(dv_h5_data *data, char ***texts);

/* An attribute of a dataset that is a list of n texts, as dv_h5_read_texts reads them; anything else of that name is
 * DV_E_DATA. *texts  char * [n], the caller's until one free(); NULL where there is none, and on failure */
DV_MUST_USE dv_status dv_h5_data_texts(dv_h5_data *data, const char *name, size_t n, char ***texts);

/* Attributes of the root group. A missing one, or one of another kind or shape, is DV_E_DATA naming it. */
bool dv_h5_has_attribute(dv_h5 *file, const char *name);
/* *text  the caller's until free(); NULL on failure */
DV_MUST_USE dv_status dv_h5_attribute_text(dv_h5 *file, const char *name, char **text);
/* One whole number >= 0, of any number type. */
DV_MUST_USE dv_status dv_h5_attribute_u64(dv_h5 *file, const char *name, uint64_t *value);
/* 1 to n_max finite numbers of any number type. values  f64 [n_max], *n of them written */
DV_MUST_USE dv_status dv_h5_attribute_f64(dv_h5 *file, const char *name, size_t n_max, double *values, size_t *n);

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

typedef struct dv_h5_writer dv_h5_writer;

/* Creates a file beside `path`, to be renamed by dv_h5_commit. The same calls leave the same bytes: no time stamps.
 * The first failure stays: every later call on the writer, dv_h5_commit included, returns it again.
 * *out  the caller's until dv_h5_commit or dv_h5_abandon; NULL on failure
 * Fails with DV_E_USAGE (path exists and not `force`), DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_h5_create(const char *path, bool force, dv_h5_writer **out);

/* A contiguous dataset, written in full. values: native elements of `type` (not DV_H5_TEXT), row-major. */
DV_MUST_USE dv_status dv_h5_put(dv_h5_writer *writer, const char *name, dv_h5_type type, size_t rank,
                                const size_t *dims, const void *values);

/* A dataset of n variable-length UTF-8 strings. */
DV_MUST_USE dv_status dv_h5_put_texts(dv_h5_writer *writer, const char *name, size_t n, const char *const *texts);

/* Attributes of the root group: a UTF-8 string, an i64 scalar (value up to INT64_MAX), an f64 list. */
DV_MUST_USE dv_status dv_h5_put_attribute_text(dv_h5_writer *writer, const char *name, const char *text);
DV_MUST_USE dv_status dv_h5_put_attribute_u64(dv_h5_writer *writer, const char *name, uint64_t value);
DV_MUST_USE dv_status dv_h5_put_attribute_f64(dv_h5_writer *writer, const char *name, size_t n, const double *values);

/* A dataset that is filled row by row. Borrowed until the writer is committed or abandoned. */
typedef struct dv_h5_rows dv_h5_rows;

/* chunk_rows  rows of a chunk; 0: contiguous
 * deflate     level 0..9, 0: not compressed; needs chunks */
DV_MUST_USE dv_status dv_h5_rows_create(dv_h5_writer *writer, const char *name, dv_h5_type type, size_t rank,
                                        const size_t *dims, size_t chunk_rows, int deflate, dv_h5_rows **out);

/* Appends n rows; more than dims[0] in all is DV_E_ARG. */
DV_MUST_USE dv_status dv_h5_rows_append(dv_h5_rows *rows, size_t n, const void *values);
/* Writes rows first .. first + n - 1, in any order, each of them once. A dataset without chunks has the same bytes
 * then. */
DV_MUST_USE dv_status dv_h5_rows_put(dv_h5_rows *rows, size_t first, size_t n, const void *values);

/* The name that the file has until then; borrowed. */
const char *dv_h5_temporary(const dv_h5_writer *writer);

/* Closes with every return code checked, then syncs and renames. Frees the writer in every case; on failure no file is
 * left. DV_E_ARG when a rows dataset is not full; DV_E_IO for a full disk. */
DV_MUST_USE dv_status dv_h5_commit(dv_h5_writer *writer);

/* Removes what was written. NULL is allowed. */
void dv_h5_abandon(dv_h5_writer *writer);

#endif
