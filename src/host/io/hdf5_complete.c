/* Is all of a dataset there? HDF5 reads fill values in place of what was never written and of sources that are gone,
 * without an error; and a header may claim any size. */
#include <stdlib.h>

#include "core/check.h"
#include "io/hdf5_private.h"

enum {
    MOST_LOOKUPS = 1 << 20, /* bounds the search for the last missing row; a longer range is cut there */
    DEFLATE_RATIO = 1100    /* deflate gains at most 1032 to 1 */
};

static bool chunk_written(const dv_h5_data *data, const hsize_t *offset) {
    hsize_t bytes = 0;
    return H5Dget_chunk_storage_size(data->id, offset, &bytes) >= 0 && bytes > 0;
}

/* Were all chunks of the row of chunks that starts at `row` written? */
static bool row_written(const dv_h5_data *data, const hsize_t *chunk, hsize_t row) {
    const dv_h5_shape *shape = &data->shape;
    hsize_t offset[DV_H5_MAX_RANK] = {row};
    for (;;) {
        if (!chunk_written(data, offset)) return false;
        size_t i = shape->rank; /* the next chunk: an odometer over all dimensions but the first */
        while (i-- > 1) {
            offset[i] += chunk[i];
            if (offset[i] < shape->dims[i]) break;
            offset[i] = 0;
        }
        if (i == 0) return true;
    }
}

/* Fewer chunks are stored than the shape needs: finds the first gap. The rows before it are all stored, so the file
 * bounds the search for its begin. */
static dv_status name_missing_rows(const dv_h5_data *data, const hsize_t *chunk) {
    const size_t n_rows = data->shape.dims[0];
    size_t first = 0, lookups = 0;
    while (first < n_rows && row_written(data, chunk, first)) first += chunk[0];
    size_t end = first;
    while (end < n_rows && lookups++ < MOST_LOOKUPS && !row_written(data, chunk, end)) end += chunk[0];
    if (end > n_rows) end = n_rows;
    return dv_fail(DV_E_DATA, "%s: %s: rows %zu..%zu were never written", data->file->path, data->name, first, end - 1);
}

/* Can `stored` bytes unfold to `n_bytes`? Known for deflate alone and for no compression. */
static bool plausible(hid_t plist, double n_bytes, double stored) {
    double ratio = 1;
    const int n_filters = H5Pget_nfilters(plist);
    for (int i = 0; i < n_filters; i++) {
        size_t n_values = 0;
        unsigned flags = 0, config = 0;
        const H5Z_filter_t filter = H5Pget_filter2(plist, (unsigned)i, &flags, &n_values, NULL, 0, NULL, &config);
        if (filter == H5Z_FILTER_DEFLATE)
            ratio *= DEFLATE_RATIO;
        else if (filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
            return true;
    }
    return n_bytes <= stored * ratio;
}

static dv_status claims_too_much(const dv_h5_data *data, size_t stored) {
    return dv_fail(DV_E_DATA, "%s: %s: claims %zu values of %zu bytes, but %zu bytes are stored in a file of %llu",
                   data->file->path, data->name, data->shape.n_elements, data->shape.element_bytes, stored,
                   (unsigned long long)data->file->size_bytes);
}

static dv_status check_chunks(const dv_h5_data *data, hid_t plist, size_t stored) {
    const dv_h5_shape *shape = &data->shape;
    const char *path = data->file->path;
    hsize_t chunk[DV_H5_MAX_RANK] = {0}, n_found = 0;
    if (H5Pget_chunk(plist, DV_H5_MAX_RANK, chunk) != (int)shape->rank)
        return dv_h5_failed(path, data->name, "its chunks cannot be read");
    for (size_t i = 0; i < shape->rank; i++)
        if (chunk[i] == 0) return dv_fail(DV_E_DATA, "%s: %s: chunks of no size", path, data->name);
    const size_t n_across = dv_h5_chunks_a_row(data, chunk);
    const size_t n_needed = n_across * (shape->dims[0] / chunk[0] + (shape->dims[0] % chunk[0] != 0));
    const hid_t space = H5Dget_space(data->id);
    const bool counted = space >= 0 && H5Dget_num_chunks(data->id, space, &n_found) >= 0;
    if (space >= 0) H5Sclose(space);
    if (!counted) return dv_h5_failed(path, data->name, "its chunks cannot be counted");
    if (n_found < n_needed) return name_missing_rows(data, chunk);
    if (stored > data->file->size_bytes ||
        !plausible(plist, (double)n_needed * (double)dv_h5_chunk_bytes(data, chunk), (double)stored))
        return claims_too_much(data, stored);
    return DV_OK;
}

/* The texts themselves lie in heaps elsewhere in the file. A virtual set's are checked where they lie. */
static dv_status check_texts(const dv_h5_data *data) {
    if (data->shape.type != DV_H5_TEXT || data->shape.rank != 1 || H5Tis_variable_str(data->type) <= 0) return DV_OK;
    return dv_h5_check_texts(data->file, data->name, data->id, data->shape.n_elements);
}

dv_status dv_h5_check_complete(const dv_h5_data *data, hid_t plist, int depth) {
    const char *path = data->file->path;
    const dv_h5_shape *shape = &data->shape;
    if (H5Pget_external_count(plist) > 0)
        return dv_fail(DV_E_DATA, "%s: %s: is stored in other, raw files; expected it in this one", path, data->name);
    if (shape->n_elements == 0) return DV_OK;
    const H5D_layout_t layout = H5Pget_layout(plist);
    if (layout == H5D_VIRTUAL) return dv_h5_check_virtual(data, plist, depth);
    const size_t stored = H5Dget_storage_size(data->id);
    if (layout == H5D_CHUNKED) {
        DV_TRY(check_chunks(data, plist, stored));
        return check_texts(data);
    }
    if (stored == 0)
        return dv_fail(DV_E_DATA, "%s: %s: rows 0..%zu were never written", path, data->name, shape->dims[0] - 1);
    if (stored > data->file->size_bytes || stored < shape->n_elements * shape->element_bytes)
        return claims_too_much(data, stored);
    return check_texts(data);
}
