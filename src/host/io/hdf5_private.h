/* hdf5_private.h: what the files of the HDF5 layer share. The only header of ours that shows hdf5.h. */
#ifndef DV_IO_HDF5_PRIVATE_H
#define DV_IO_HDF5_PRIVATE_H

#include <hdf5.h>
#include <time.h>

#include "io/hdf5_file.h"

struct dv_h5 {
    char *path;
    hid_t id;
    uint64_t size_bytes;     /* of the file, to check claimed sizes against */
    int descriptor;          /* HDF5's; -1: not opened yet */
    struct timespec written; /* when the file was last written, before it was opened */
};

struct dv_h5_data {
    const dv_h5 *file;
    char *name;
    hid_t id, type;
    bool is_float, is_signed;
    dv_h5_shape shape;
};

/* Every function of the layer that calls HDF5 opens a session first: it keeps HDF5 from printing in this thread and,
 * where the library is not thread-safe, holds our one lock. Sessions nest. */
typedef struct dv_h5_session {
    H5E_auto2_t print;
    void *print_data;
    bool locked;
} dv_h5_session;
dv_h5_session dv_h5_enter(void);
void dv_h5_leave(dv_h5_session *session);
#define DV_H5_SESSION const dv_h5_session h5_session __attribute__((cleanup(dv_h5_leave_const), unused)) = dv_h5_enter()
static inline void dv_h5_leave_const(const dv_h5_session *session) {
    dv_h5_session copy = *session;
    dv_h5_leave(&copy);
}

/* The innermost entry of HDF5's error stack: where a failure began. text char [size], one line */
void dv_h5_error_text(char *text, size_t size);

/* Fails for a call of HDF5 that has just failed: "PATH: NAME: WHAT (...)"; DV_E_IO where the system refused, DV_E_NOMEM
 * where memory ended, else DV_E_DATA. name NULL: leave it out. */
dv_status dv_h5_failed(const char *path, const char *name, const char *what);

/* DV_E_IO where the file was written or cut since it was opened: HDF5 reads what is no longer there as zeros. */
dv_status dv_h5_check_unchanged(const dv_h5 *file);

/* Access properties of every file that we open or create: locking off. Negative on failure. */
hid_t dv_h5_access(void);

/* Sets is_float, is_signed and what the shape says about the type from data->type. */
void dv_h5_classify(dv_h5_data *data);

/* A new handle of a storage type; negative on failure. */
hid_t dv_h5_make_type(dv_h5_type type);
/* A new handle of variable-length UTF-8 strings; negative on failure. */
hid_t dv_h5_make_text_type(void);

/* dv_h5_data_open for the source of a virtual set, `depth` sets deep. */
dv_status dv_h5_data_open_nested(dv_h5 *file, const char *name, int depth, dv_h5_data **out);

/* DV_E_DATA unless all that the shape claims was written and lies in the file. `plist`: the creation properties. */
dv_status dv_h5_check_complete(const dv_h5_data *data, hid_t plist, int depth);
dv_status dv_h5_check_virtual(const dv_h5_data *data, hid_t plist, int depth);

/* DV_E_DATA unless all n texts of variable length of a dataset or attribute, with handle `id`, lie in the file, each of
 * the length that its reference gives. HDF5 itself must not be asked for them before. Not for virtual sets. */
dv_status dv_h5_check_texts(const dv_h5 *file, const char *name, hid_t id, size_t n);

/* Bytes of a chunk, and into how many chunks a row is cut. `dims` of the chunk. */
size_t dv_h5_chunk_bytes(const dv_h5_data *data, const hsize_t *dims);
size_t dv_h5_chunks_a_row(const dv_h5_data *data, const hsize_t *dims);

/* Copies n texts (NULL counts as "") into one block; DV_E_DATA naming `path` and `name` where one is not valid UTF-8.
 * max_bytes  no text is longer; SIZE_MAX where they end with NUL */
dv_status dv_h5_copy_texts(const char *path, const char *name, const char *const *sources, size_t n, size_t max_bytes,
                           char ***texts);

#endif
