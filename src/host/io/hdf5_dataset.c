#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/hdf5_private.h"

_Static_assert(sizeof(size_t) == sizeof(hsize_t), "sizes of files fit the address space");

/* Fills in rank, dimensions and what follows from them; the type is known. */
static dv_status read_shape(dv_h5_data *data) {
    const char *path = data->file->path;
    dv_h5_shape *shape = &data->shape;
    const hid_t space = H5Dget_space(data->id);
    if (space < 0) return dv_h5_failed(path, data->name, "its shape cannot be read");
    const int rank = H5Sget_simple_extent_ndims(space);
    hsize_t dims[DV_H5_MAX_RANK] = {0};
    const bool usable = H5Sget_simple_extent_type(space) == H5S_SIMPLE && rank >= 1 && rank <= DV_H5_MAX_RANK &&
                        H5Sget_simple_extent_dims(space, dims, NULL) == rank;
    H5Sclose(space);
    if (!usable)
        return dv_fail(DV_E_DATA, "%s: %s: rank %d, expected an array of rank 1..%d", path, data->name, rank,
                       DV_H5_MAX_RANK);
    shape->rank = (size_t)rank;
    shape->row_elements = 1;
    bool fits = true;
    for (size_t i = 0; i < shape->rank; i++) {
        shape->dims[i] = dims[i];
        if (i > 0) fits = fits && !__builtin_mul_overflow(shape->row_elements, dims[i], &shape->row_elements);
    }
    size_t n_bytes;
    fits = fits && !__builtin_mul_overflow(shape->row_elements, shape->dims[0], &shape->n_elements) &&
           !__builtin_mul_overflow(shape->row_elements, shape->element_bytes, &shape->row_bytes) &&
           !__builtin_mul_overflow(shape->n_elements, shape->element_bytes, &n_bytes) && n_bytes <= PTRDIFF_MAX;
    return fits ? DV_OK : dv_fail(DV_E_DATA, "%s: %s: claims more bytes than any file holds", path, data->name);
}

size_t dv_h5_chunk_bytes(const dv_h5_data *data, const hsize_t *dims) {
    size_t bytes = data->shape.element_bytes;
    for (size_t i = 0; i < data->shape.rank; i++)
        if (__builtin_mul_overflow(bytes, dims[i], &bytes)) return SIZE_MAX;
    return bytes;
}

size_t dv_h5_chunks_a_row(const dv_h5_data *data, const hsize_t *dims) {
    size_t n = 1; /* at most row_elements, which is known to fit */
    for (size_t i = 1; i < data->shape.rank; i++)
        n *= data->shape.dims[i] / dims[i] + (data->shape.dims[i] % dims[i] != 0);
    return n;
}

/* Opens the dataset again with a cache that holds all chunks of a row: a smaller one would decode a chunk anew for each
 * block that reads a part of it. Unfiltered chunks of whole rows are read in place and want no cache. */
static dv_status size_cache(dv_h5_data *data, hid_t plist) {
    dv_h5_shape *shape = &data->shape;
    shape->chunk_rows = 1;
    if (H5Pget_layout(plist) != H5D_CHUNKED || shape->n_elements == 0) return DV_OK;
    hsize_t dims[DV_H5_MAX_RANK] = {0};
    if (H5Pget_chunk(plist, DV_H5_MAX_RANK, dims) != (int)shape->rank)
        return dv_h5_failed(data->file->path, data->name, "its chunks cannot be read");
    shape->chunk_rows = dims[0];
    const size_t n_chunks = dv_h5_chunks_a_row(data, dims);
    size_t bytes;
    if (__builtin_mul_overflow(n_chunks, dv_h5_chunk_bytes(data, dims), &bytes) || bytes > PTRDIFF_MAX)
        bytes = PTRDIFF_MAX;
    if (n_chunks <= 1 && H5Pget_nfilters(plist) == 0) bytes = 0;
    const size_t most_slots = 1000003, wanted_slots = n_chunks < most_slots / 100 ? n_chunks * 100 + 1 : most_slots;
    const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    hid_t id = -1;
    if (access >= 0 && H5Pset_chunk_cache(access, wanted_slots, bytes, 1.0) >= 0) {
        H5Dclose(data->id); /* HDF5 keeps the first cache of a dataset as long as any handle on it is open */
        data->id = -1;
        id = H5Dopen2(data->file->id, data->name, access);
    }
    if (access >= 0) H5Pclose(access);
    if (id < 0) return dv_h5_failed(data->file->path, data->name, "cannot be opened");
    data->id = id;
    return DV_OK;
}

static dv_status check_filters(const dv_h5_data *data, hid_t plist) {
    const int n_filters = H5Pget_nfilters(plist);
    for (int i = 0; i < n_filters; i++) {
        char name[64] = "";
        size_t n_values = 0;
        unsigned flags = 0, config = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(plist, (unsigned)i, &flags, &n_values, NULL, sizeof name, name, &config);
        if (filter < 0) return dv_h5_failed(data->file->path, data->name, "its filters cannot be read");
        if (H5Zfilter_avail(filter) <= 0)
            return dv_fail(DV_E_BACKEND, "%s: %s: needs the HDF5 filter %d (%s), which is not installed",
                           data->file->path, data->name, (int)filter, name);
    }
    return DV_OK;
}

/* Everything after the handle itself: type, shape, storage, cache. */
static dv_status examine(dv_h5_data *data, int depth) {
    const char *path = data->file->path;
    data->type = H5Dget_type(data->id);
    if (data->type < 0) return dv_h5_failed(path, data->name, "its type cannot be read");
    dv_h5_classify(data);
    DV_TRY(read_shape(data));
    const hid_t plist = H5Dget_create_plist(data->id);
    if (plist < 0) return dv_h5_failed(path, data->name, "its storage cannot be read");
    dv_status status = check_filters(data, plist);
    if (status == DV_OK) status = dv_h5_check_complete(data, plist, depth);
    if (status == DV_OK) status = size_cache(data, plist);
    H5Pclose(plist);
    return status;
}

dv_status dv_h5_data_open_nested(dv_h5 *file, const char *name, int depth, dv_h5_data **out) {
    *out = NULL;
    DV_H5_SESSION;
    if (!dv_h5_has(file, name)) return dv_fail(DV_E_DATA, "%s: %s: missing", file->path, name);
    dv_h5_data *made = NULL;
    DV_TRY(dv_alloc(1, sizeof *made, "HDF5 dataset", &made));
    made->file = file;
    made->id = made->type = H5I_INVALID_HID;
    dv_status status = dv_strdup(name, &made->name);
    if (status == DV_OK) {
        made->id = H5Dopen2(file->id, name, H5P_DEFAULT);
        if (made->id < 0) status = dv_h5_failed(file->path, name, "is no readable dataset");
    }
    if (status == DV_OK) status = examine(made, depth);
    if (status != DV_OK) {
        dv_h5_data_close(made);
        return status;
    }
    *out = made;
    return DV_OK;
}

dv_status dv_h5_data_open(dv_h5 *file, const char *name, dv_h5_data **out) {
    return dv_h5_data_open_nested(file, name, 0, out);
}

void dv_h5_data_close(dv_h5_data *data) {
    if (!data) return;
    DV_H5_SESSION;
    if (data->type >= 0) H5Tclose(data->type);
    if (data->id >= 0) H5Dclose(data->id);
    free(data->name);
    free(data);
}

const dv_h5_shape *dv_h5_data_shape(const dv_h5_data *data) {
    return &data->shape;
}

/* "[3, 4, *]" */
static void format_dims(size_t rank, const size_t *dims, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "[");
    for (size_t i = 0; i < rank && used < size; i++) {
        const char *comma = i ? ", " : "";
        const int n = dims[i] == SIZE_MAX ? snprintf(text + used, size - used, "%s*", comma)
                                          : snprintf(text + used, size - used, "%s%zu", comma, dims[i]);
        used += (size_t)n;
    }
    if (used < size) snprintf(text + used, size - used, "]");
}

dv_status dv_h5_expect(const dv_h5_data *data, size_t rank, const size_t *dims) {
    bool good = data->shape.rank == rank;
    for (size_t i = 0; i < rank && good; i++) good = dims[i] == SIZE_MAX || dims[i] == data->shape.dims[i];
    if (good) return DV_OK;
    char found[200], expected[200];
    format_dims(data->shape.rank, data->shape.dims, found, sizeof found);
    format_dims(rank, dims, expected, sizeof expected);
    return dv_fail(DV_E_DATA, "%s: %s: shape %s, expected %s", data->file->path, data->name, found, expected);
}
