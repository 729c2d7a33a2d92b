#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/hdf5_private.h"

_Static_assert(sizeof(double) == sizeof(int64_t), "read_i64 turns doubles into integers in place");

static dv_status check_range(const dv_h5_data *data, size_t first, size_t n) {
    const size_t n_rows = data->shape.dims[0];
    if (first <= n_rows && n <= n_rows - first) return DV_OK;
    return dv_fail(DV_E_ARG, "%s: %s: %zu rows from row %zu on, of %zu", data->file->path, data->name, n, first,
                   n_rows);
}

/* H5Dread of rows first .. first + n - 1 into memory of the given type. */
static dv_status read_rows(const dv_h5_data *data, size_t first, size_t n, hid_t memory_type, void *values) {
    const dv_h5_shape *shape = &data->shape;
    if (n == 0 || shape->row_elements == 0) return DV_OK;
    hsize_t begin[DV_H5_MAX_RANK] = {first}, count[DV_H5_MAX_RANK] = {n};
    for (size_t i = 1; i < shape->rank; i++) count[i] = shape->dims[i];
    const hid_t stored = H5Dget_space(data->id);
    const hid_t memory = H5Screate_simple((int)shape->rank, count, NULL);
    const bool good = stored >= 0 && memory >= 0 &&
                      H5Sselect_hyperslab(stored, H5S_SELECT_SET, begin, NULL, count, NULL) >= 0 &&
                      H5Dread(data->id, memory_type, memory, stored, H5P_DEFAULT, values) >= 0;
    dv_status status = DV_OK;
    if (!good) {
        char what[100];
        snprintf(what, sizeof what, "rows %zu..%zu cannot be read", first, first + n - 1);
        status = dv_h5_failed(data->file->path, data->name, what);
    }
    if (memory >= 0) H5Sclose(memory);
    if (stored >= 0) H5Sclose(stored);
    return status == DV_OK ? dv_h5_check_unchanged(data->file) : status;
}

/* Before anything is read as numbers. */
static dv_status check_numbers(const dv_h5_data *data, size_t first, size_t n) {
    if (data->shape.is_number) return check_range(data, first, n);
    return dv_fail(DV_E_DATA, "%s: %s: type %s, expected numbers", data->file->path, data->name, data->shape.type_name);
}

dv_status dv_h5_read_raw(dv_h5_data *data, size_t first, size_t n, void *values) {
    DV_TRY(check_numbers(data, first, n));
    DV_H5_SESSION;
    return read_rows(data, first, n, data->type, values); /* the file's own type: HDF5 only copies */
}

/* 16-bit floats: HDF5's own conversion is two orders slower than ours. They lie in the upper quarter of `values` and
 * are widened from the front, a piece at a time, so that no element is overwritten before it was read. */
static dv_status read_halves(const dv_h5_data *data, size_t first, size_t n, dv_dtype dtype, double *values) {
    enum { PIECE = 512 };
    const size_t n_values = n * data->shape.row_elements;
    char *raw = (char *)values + n_values * (sizeof *values - sizeof(uint16_t));
    DV_TRY(read_rows(data, first, n, data->type, raw));
    uint16_t piece[PIECE];
    for (size_t i = 0; i < n_values; i += PIECE) {
        const size_t n_piece = n_values - i < PIECE ? n_values - i : PIECE;
        memcpy(piece, raw + i * sizeof *piece, n_piece * sizeof *piece);
        dv_widen_f64(piece, dtype, values + i, n_piece);
    }
    return DV_OK;
}

dv_status dv_h5_read_f64(dv_h5_data *data, size_t first, size_t n, double *values) {
    DV_TRY(check_numbers(data, first, n));
    DV_H5_SESSION;
    if (data->shape.type == DV_H5_F16) return read_halves(data, first, n, DV_F16, values);
    if (data->shape.type == DV_H5_BF16) return read_halves(data, first, n, DV_BF16, values);
    return read_rows(data, first, n, H5T_NATIVE_DOUBLE, values);
}

/* "[12, 3, 200]" of the element at `offset` behind row `first`. */
static void format_index(const dv_h5_shape *shape, size_t first, size_t offset, char *text, size_t size) {
    size_t index[DV_H5_MAX_RANK];
    for (size_t i = shape->rank; i-- > 1;) {
        index[i] = offset % shape->dims[i];
        offset /= shape->dims[i];
    }
    index[0] = first + offset;
    size_t used = (size_t)snprintf(text, size, "[%zu", index[0]);
    for (size_t i = 1; i < shape->rank && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, ", %zu", index[i]);
    if (used < size) snprintf(text + used, size - used, "]");
}

static dv_status no_integer(const dv_h5_data *data, size_t first, size_t offset, double value, const char *expected) {
    char index[200];
    format_index(&data->shape, first, offset, index, sizeof index);
    return dv_fail(DV_E_DATA, "%s: %s %s, value %.17g: expected %s", data->file->path, data->name, index, value,
                   expected);
}

/* Doubles that lie in `values` become integers in place. */
static dv_status doubles_to_integers(const dv_h5_data *data, size_t first, size_t n_values, int64_t *values) {
    for (size_t i = 0; i < n_values; i++) {
        double value;
        memcpy(&value, &values[i], sizeof value);
        if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0) || trunc(value) != value)
            return no_integer(data, first, i, value, "a whole number");
        values[i] = (int64_t)value;
    }
    return DV_OK;
}

dv_status dv_h5_read_i64(dv_h5_data *data, size_t first, size_t n, int64_t *values) {
    DV_TRY(check_numbers(data, first, n));
    DV_H5_SESSION;
    const size_t n_values = n * data->shape.row_elements;
    if (data->is_float) {
        DV_TRY(dv_h5_read_f64(data, first, n, (void *)values)); /* as wide: turned in place */
        return doubles_to_integers(data, first, n_values, values);
    }
    const hid_t type = data->is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64; /* one too big would be clipped */
    DV_TRY(read_rows(data, first, n, type, values));
    for (size_t i = 0; i < n_values && !data->is_signed; i++)
        if (values[i] < 0)
            return no_integer(data, first, i, (double)(uint64_t)values[i], "at most 9223372036854775807");
    return DV_OK;
}

dv_status dv_h5_read_i32(dv_h5_data *data, size_t first, size_t n, int32_t *values) {
    size_t n_values;
    int64_t *wide = NULL;
    DV_TRY(dv_mul_size(n, data->shape.row_elements, data->name, &n_values));
    DV_TRY(dv_alloc(n_values, sizeof *wide, data->name, &wide));
    dv_status status = dv_h5_read_i64(data, first, n, wide);
    for (size_t i = 0; i < n_values && status == DV_OK; i++) {
        if (wide[i] < INT32_MIN || wide[i] > INT32_MAX)
            status = no_integer(data, first, i, (double)wide[i], "a number of 32 bits");
        else
            values[i] = (int32_t)wide[i];
    }
    free(wide);
    return status;
}
