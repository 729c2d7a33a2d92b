/* feature_file.h: what one "denseval features v1" file says of itself, checked. A set (feature_set.h) joins several. */
#ifndef DV_IO_FEATURE_FILE_H
#define DV_IO_FEATURE_FILE_H

#include <sys/types.h>
#include <time.h>

#include "denseval/features.h"
#include "io/hdf5_file.h"

/* How a file is known again when it is opened a second time. */
typedef struct dv_file_identity {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec modified;
} dv_file_identity;

/* Owned by dv_feature_file_clear; arrays are [n_images] or NULL. Texts lie in one block each (dv_h5_read_texts). */
typedef struct dv_feature_file {
    char *path;
    dv_file_identity identity;
    size_t n_images, n_patches, grid_h, grid_w, dim;
    dv_dtype dtype;
    dv_preprocessing preprocessing; /* encoder: owned */
    bool has_labels;
    size_t n_classes;
    char **class_names, **image_ids, **object_ids;
    int32_t *view_bins, *class_ids;
    double *view_angles;
} dv_feature_file;

/* Reads everything but features, labels and uniform numbers, whose shapes it checks. `file` is zeroed before, and to be
 * cleared also on failure. */
DV_MUST_USE dv_status dv_feature_file_load(const char *path, dv_feature_file *file);
void dv_feature_file_clear(dv_feature_file *file);

/* Opens the file again; *labels may be NULL: not wanted. DV_E_DATA where it is another one by now. */
DV_MUST_USE dv_status dv_feature_file_open(const dv_feature_file *file, dv_h5 **h5, dv_h5_data **features,
                                           dv_h5_data **labels);

/* DV_E_DATA naming both files and both values, unless `other` can join a set with `first`. */
DV_MUST_USE dv_status dv_feature_files_agree(const dv_feature_file *first, const dv_feature_file *other);

#endif
