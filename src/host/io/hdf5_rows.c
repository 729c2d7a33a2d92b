/* Datasets that are written row by row. */
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/hdf5_writer.h"

/* Chunks of whole rows with a cache that holds one, so that a chunk is encoded once. */
static dv_status create_rows(dv_h5_rows *rows, size_t chunk_rows, int deflate) {
    size_t row_elements = 1;
    hsize_t chunk[DV_H5_MAX_RANK] = {0};
    for (size_t i = 1; i < rows->rank; i++) DV_TRY(dv_mul_size(row_elements, rows->dims[i], rows->name, &row_elements));
    for (size_t i = 1; i < rows->rank; i++) chunk[i] = rows->dims[i];
    chunk[0] = chunk_rows < rows->dims[0] ? chunk_rows : rows->dims[0];
    size_t chunk_bytes;
    DV_TRY(dv_mul_size(row_elements, chunk[0], rows->name, &chunk_bytes));
    DV_TRY(dv_mul_size(chunk_bytes, H5Tget_size(rows->type), rows->name, &chunk_bytes));
    const bool chunked = chunk_bytes > 0; /* HDF5 has no chunks of no size */
    const hid_t plist = dv_h5_make_plist(), access = H5Pcreate(H5P_DATASET_ACCESS);
    bool good = plist >= 0 && access >= 0;
    if (good && chunked)
        good = H5Pset_chunk(plist, (int)rows->rank, chunk) >= 0 &&
               H5Pset_chunk_cache(access, 101, chunk_bytes, 1.0) >= 0 &&
               (deflate == 0 || H5Pset_deflate(plist, (unsigned)deflate) >= 0);
    if (good)
        rows->id = dv_h5_create_dataset(rows->writer, rows->name, rows->type, rows->rank, rows->dims, plist, access);
    const dv_status status = rows->id >= 0 ? DV_OK : dv_h5_write_failed(rows->writer, rows->name);
    if (access >= 0) H5Pclose(access);
    if (plist >= 0) H5Pclose(plist);
    return status;
}

dv_status dv_h5_rows_create(dv_h5_writer *writer, const char *name, dv_h5_type type, size_t rank, const size_t *dims,
                            size_t chunk_rows, int deflate, dv_h5_rows **out) {
    *out = NULL;
    DV_TRY(dv_h5_standing(writer));
    DV_TRY(dv_h5_check_rank(writer, name, type, rank));
    if (deflate < 0 || deflate > 9 || (deflate > 0 && chunk_rows == 0))
        return dv_fail(DV_E_ARG, "%s: %s: deflate level %d in chunks of %zu rows", writer->path, name, deflate,
                       chunk_rows);
    DV_H5_SESSION;
    dv_h5_rows *made = NULL;
    DV_TRY(dv_alloc(1, sizeof *made, name, &made));
    made->writer = writer;
    made->next = writer->rows;
    writer->rows = made; /* the writer's from here */
    made->id = H5I_INVALID_HID;
    made->type = dv_h5_make_type(type);
    made->rank = rank;
    memcpy(made->dims, dims, rank * sizeof *dims);
    dv_status status = dv_strdup(name, &made->name);
    if (status == DV_OK)
        status = made->type >= 0 ? create_rows(made, chunk_rows, deflate) : dv_h5_write_failed(writer, name);
    status = dv_h5_settle(writer, status);
    if (status == DV_OK) *out = made;
    return status;
}

static dv_status put(dv_h5_rows *rows, size_t first, size_t n, const void *values) {
    hsize_t begin[DV_H5_MAX_RANK] = {first}, count[DV_H5_MAX_RANK] = {n};
    bool empty = n == 0;
    for (size_t i = 1; i < rows->rank; i++) {
        count[i] = rows->dims[i];
        empty = empty || count[i] == 0;
    }
    if (empty) return DV_OK;
    const hid_t stored = H5Dget_space(rows->id), memory = H5Screate_simple((int)rows->rank, count, NULL);
    const bool good = stored >= 0 && memory >= 0 &&
                      H5Sselect_hyperslab(stored, H5S_SELECT_SET, begin, NULL, count, NULL) >= 0 &&
                      H5Dwrite(rows->id, rows->type, memory, stored, H5P_DEFAULT, values) >= 0;
    const dv_status status = good ? DV_OK : dv_h5_write_failed(rows->writer, rows->name);
    if (memory >= 0) H5Sclose(memory);
    if (stored >= 0) H5Sclose(stored);
    return status;
}

dv_status dv_h5_rows_put(dv_h5_rows *rows, size_t first, size_t n, const void *values) {
    dv_h5_writer *writer = rows->writer;
    DV_TRY(dv_h5_standing(writer));
    if (first > rows->dims[0] || n > rows->dims[0] - first)
        return dv_fail(DV_E_ARG, "%s: %s: %zu rows after %zu of %zu", writer->path, rows->name, n, first,
                       rows->dims[0]);
    DV_H5_SESSION;
    DV_TRY(dv_h5_settle(writer, put(rows, first, n, values)));
    rows->n_written += n;
    return DV_OK;
}

dv_status dv_h5_rows_append(dv_h5_rows *rows, size_t n, const void *values) {
    return dv_h5_rows_put(rows, rows->n_written, n, values);
}
