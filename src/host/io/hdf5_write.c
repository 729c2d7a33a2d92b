#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/left_over.h"
#include "core/memory.h"
#include "io/hdf5_driver.h"
#include "io/hdf5_writer.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are written as they lie in memory");

dv_status dv_h5_standing(const dv_h5_writer *writer) {
    if (writer->status == DV_OK) return DV_OK;
    return dv_fail(writer->status, "%s", writer->message ? writer->message : writer->path);
}

dv_status dv_h5_settle(dv_h5_writer *writer, dv_status status) {
    if (writer->error) status = dv_fail(DV_E_IO, "%s: cannot be written: %s", writer->path, strerror(writer->error));
    if (status == DV_OK || writer->status != DV_OK) return status;
    writer->status = status;
    writer->message = strdup(dv_last_error());
    return status;
}

dv_status dv_h5_write_failed(const dv_h5_writer *writer, const char *name) {
    char text[300];
    dv_h5_error_text(text, sizeof text);
    return dv_fail(DV_E_IO, "%s: %s: cannot be written (HDF5: %s)", writer->path, name, text);
}

static dv_status create_file(dv_h5_writer *writer) {
    writer->driver = dv_h5_driver_register();
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (writer->driver >= 0 && access >= 0 && dv_h5_driver_set(access, writer->driver, &writer->error) >= 0)
        writer->id = H5Fcreate(dv_atomic_file_temporary(writer->target), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    const dv_status status = writer->id >= 0 ? DV_OK : dv_h5_write_failed(writer, "/");
    if (access >= 0) H5Pclose(access);
    return dv_h5_settle(writer, status);
}

dv_status dv_h5_create(const char *path, bool force, dv_h5_writer **out) {
    *out = NULL;
    DV_H5_SESSION;
    dv_h5_writer *made = NULL;
    DV_TRY(dv_alloc(1, sizeof *made, "HDF5 writer", &made));
    made->driver = made->id = H5I_INVALID_HID;
    dv_status status = dv_strdup(path, &made->path);
    if (status == DV_OK) dv_remove_abandoned(path);
    if (status == DV_OK) status = dv_atomic_file_begin(path, force, &made->target);
    if (status == DV_OK) status = create_file(made);
    if (status != DV_OK) {
        dv_h5_abandon(made);
        return status;
    }
    *out = made;
    return DV_OK;
}

hid_t dv_h5_create_dataset(const dv_h5_writer *writer, const char *name, hid_t type, size_t rank, const size_t *dims,
                           hid_t plist, hid_t access) {
    hsize_t extent[DV_H5_MAX_RANK];
    for (size_t i = 0; i < rank; i++) extent[i] = dims[i];
    const hid_t space = H5Screate_simple((int)rank, extent, NULL);
    if (space < 0) return -1;
    const hid_t id = H5Dcreate2(writer->id, name, type, space, H5P_DEFAULT, plist, access);
    H5Sclose(space);
    return id;
}

hid_t dv_h5_make_plist(void) {
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    if (plist >= 0 && H5Pset_obj_track_times(plist, 0) < 0) {
        H5Pclose(plist);
        return -1;
    }
    return plist;
}

/* Writes a whole dataset from memory of `type`. */
static dv_status put_whole(dv_h5_writer *writer, const char *name, hid_t type, size_t rank, const size_t *dims,
                           const void *values) {
    bool empty = false;
    for (size_t i = 0; i < rank; i++) empty = empty || dims[i] == 0;
    const hid_t plist = dv_h5_make_plist();
    const hid_t id =
        plist >= 0 && type >= 0 ? dv_h5_create_dataset(writer, name, type, rank, dims, plist, H5P_DEFAULT) : -1;
    bool good = id >= 0 && (empty || H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    dv_status status = good ? DV_OK : dv_h5_write_failed(writer, name);
    if (id >= 0 && H5Dclose(id) < 0 && good) status = dv_h5_write_failed(writer, name);
    if (plist >= 0) H5Pclose(plist);
    return status;
}

dv_status dv_h5_check_rank(const dv_h5_writer *writer, const char *name, dv_h5_type type, size_t rank) {
    if (rank >= 1 && rank <= DV_H5_MAX_RANK && type != DV_H5_OTHER && type != DV_H5_TEXT) return DV_OK;
    return dv_fail(DV_E_ARG, "%s: %s: rank %zu, type %s: cannot be written", writer->path, name, rank,
                   dv_h5_type_name(type));
}

dv_status dv_h5_put(dv_h5_writer *writer, const char *name, dv_h5_type type, size_t rank, const size_t *dims,
                    const void *values) {
    DV_TRY(dv_h5_standing(writer));
    DV_TRY(dv_h5_check_rank(writer, name, type, rank));
    DV_H5_SESSION;
    const hid_t stored = dv_h5_make_type(type);
    const dv_status status = put_whole(writer, name, stored, rank, dims, values);
    if (stored >= 0) H5Tclose(stored);
    return dv_h5_settle(writer, status);
}

dv_status dv_h5_put_texts(dv_h5_writer *writer, const char *name, size_t n, const char *const *texts) {
    DV_TRY(dv_h5_standing(writer));
    DV_H5_SESSION;
    const hid_t type = dv_h5_make_text_type();
    const dv_status status = put_whole(writer, name, type, 1, &n, texts);
    if (type >= 0) H5Tclose(type);
    return dv_h5_settle(writer, status);
}

/* Writes an attribute of the root group; takes `space` and closes it. */
static dv_status put_attribute(dv_h5_writer *writer, const char *name, hid_t type, hid_t space, const void *value) {
    const hid_t id = type >= 0 && space >= 0 ? H5Acreate2(writer->id, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    const bool good = id >= 0 && H5Awrite(id, type, value) >= 0;
    dv_status status = good ? DV_OK : dv_h5_write_failed(writer, name);
    if (id >= 0 && H5Aclose(id) < 0 && good) status = dv_h5_write_failed(writer, name);
    if (space >= 0) H5Sclose(space);
    return dv_h5_settle(writer, status);
}

dv_status dv_h5_put_attribute_text(dv_h5_writer *writer, const char *name, const char *text) {
    DV_TRY(dv_h5_standing(writer));
    DV_H5_SESSION;
    const hid_t type = dv_h5_make_text_type();
    const dv_status status = put_attribute(writer, name, type, H5Screate(H5S_SCALAR), &text);
    if (type >= 0) H5Tclose(type);
    return status;
}

dv_status dv_h5_put_attribute_u64(dv_h5_writer *writer, const char *name, uint64_t value) {
    DV_TRY(dv_h5_standing(writer));
    if (value > INT64_MAX)
        return dv_fail(DV_E_ARG, "%s: attribute %s: %llu does not fit", writer->path, name, (unsigned long long)value);
    DV_H5_SESSION;
    const int64_t stored = (int64_t)value;
    return put_attribute(writer, name, H5T_STD_I64LE, H5Screate(H5S_SCALAR), &stored);
}

dv_status dv_h5_put_attribute_f64(dv_h5_writer *writer, const char *name, size_t n, const double *values) {
    DV_TRY(dv_h5_standing(writer));
    DV_H5_SESSION;
    const hsize_t extent = n;
    return put_attribute(writer, name, H5T_IEEE_F64LE, H5Screate_simple(1, &extent, NULL), values);
}

static dv_status check_full(const dv_h5_writer *writer) {
    for (const dv_h5_rows *rows = writer->rows; rows; rows = rows->next)
        if (rows->n_written != rows->dims[0])
            return dv_fail(DV_E_ARG, "%s: %s: %zu of %zu rows were written", writer->path, rows->name, rows->n_written,
                           rows->dims[0]);
    return DV_OK;
}

/* Closes all that HDF5 holds, whatever happened before; false when a close failed. */
static bool close_hdf5(dv_h5_writer *writer) {
    bool good = true;
    while (writer->rows) {
        dv_h5_rows *rows = writer->rows;
        writer->rows = rows->next;
        if (rows->id >= 0) good = H5Dclose(rows->id) >= 0 && good;
        if (rows->type >= 0) H5Tclose(rows->type);
        free(rows->name);
        free(rows);
    }
    if (writer->id >= 0) good = H5Fclose(writer->id) >= 0 && good;
    if (writer->driver >= 0) H5FDunregister(writer->driver);
    writer->id = writer->driver = H5I_INVALID_HID;
    return good;
}

const char *dv_h5_temporary(const dv_h5_writer *writer) {
    return dv_atomic_file_temporary(writer->target);
}

static void free_writer(dv_h5_writer *writer) {
    free(writer->message);
    free(writer->path);
    free(writer);
}

dv_status dv_h5_commit(dv_h5_writer *writer) {
    dv_status status = dv_h5_standing(writer);
    if (status == DV_OK) status = check_full(writer);
    DV_H5_SESSION;
    if (status == DV_OK) status = dv_h5_settle(writer, close_hdf5(writer) ? DV_OK : dv_h5_write_failed(writer, "/"));
    if (status != DV_OK) {
        dv_h5_abandon(writer);
        return status;
    }
    status = dv_atomic_file_commit(writer->target);
    free_writer(writer);
    return status;
}

void dv_h5_abandon(dv_h5_writer *writer) {
    if (!writer) return;
    DV_H5_SESSION;
    close_hdf5(writer); /* nothing of it will stay, so nothing can be lost */
    dv_atomic_file_abandon(writer->target);
    free_writer(writer);
}
