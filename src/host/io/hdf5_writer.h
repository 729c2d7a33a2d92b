/* hdf5_writer.h: what the writing files of the HDF5 layer share. */
#ifndef DV_IO_HDF5_WRITER_H
#define DV_IO_HDF5_WRITER_H

#include "core/atomic_file.h"
#include "io/hdf5_private.h"

struct dv_h5_rows {
    dv_h5_writer *writer;
    dv_h5_rows *next; /* of the writer's list */
    char *name;
    hid_t id, type;
    size_t rank;
    size_t dims[DV_H5_MAX_RANK];
    size_t n_written;
};

struct dv_h5_writer {
    char *path;
    dv_atomic_file *target;
    hid_t driver, id;
    int error;        /* errno of the driver's first failure */
    dv_status status; /* the first failure */
    char *message;    /* its text */
    dv_h5_rows *rows;
};

/* The failure that stands; every call begins here. */
dv_status dv_h5_standing(const dv_h5_writer *writer);

/* Ends a call: a failure of the system goes before what HDF5 made of it, and the first failure stays. */
dv_status dv_h5_settle(dv_h5_writer *writer, dv_status status);

/* Fails for a call of HDF5 that has just failed. */
dv_status dv_h5_write_failed(const dv_h5_writer *writer, const char *name);

/* Creates a dataset; negative on failure. */
hid_t dv_h5_create_dataset(const dv_h5_writer *writer, const char *name, hid_t type, size_t rank, const size_t *dims,
                           hid_t plist, hid_t access);

/* Creation properties without time stamps, so that bytes repeat; negative on failure. */
hid_t dv_h5_make_plist(void);

/* DV_E_ARG for a rank or type that cannot be written. */
dv_status dv_h5_check_rank(const dv_h5_writer *writer, const char *name, dv_h5_type type, size_t rank);

#endif
