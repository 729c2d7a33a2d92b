/* colmap.h: the cameras of a COLMAP model, from its images.bin or images.txt. */
#ifndef DV_IO_COLMAP_H
#define DV_IO_COLMAP_H

#include <stddef.h>

#include "denseval/status.h"

/* A registered picture. World to camera: x_camera = R x_world + t. Quaternions are w, x, y, z. */
typedef struct dv_colmap_image {
    char *name;            /* bytes as stored, sub-folders allowed; owned */
    double stored[4];      /* the quaternion as the file has it, not of unit length in every file */
    double rotation[4];    /* the same at unit length; q and -q are one rotation */
    double translation[3]; /* in the model's unit */
} dv_colmap_image;

/* Zeroed it is empty; release with dv_colmap_clear. */
typedef struct dv_colmap_model {
    size_t n_images;
    dv_colmap_image
        *images; /* [n_images], by dv_natural_compare of the names, whatever their order in the file; owned */
} dv_colmap_model;

/* Reads a file, as text where its name ends in ".txt". 2D points are passed over. Fails with DV_E_MISSING; DV_E_DATA
 * (no regular file; the file is shorter or longer than its counts say; a name that is empty, or there twice; a
 * quaternion of length 0; a pose that is not finite; a line that does not parse: file and image or line are named);
 * DV_E_IO; DV_E_NOMEM. A model without images is no failure.
 * Source: COLMAP, src/colmap/scene/reconstruction_io (binary: little-endian; text: two lines an image).
 * *model: zeroed on failure */
DV_MUST_USE dv_status dv_colmap_read(const char *path, dv_colmap_model *model);
void dv_colmap_clear(dv_colmap_model *model);

/* A model that lies in a folder. */
typedef struct dv_colmap_file {
    char *number; /* "0", "1", ... as its folder is called; "" where the folder given is the model itself; owned */
    char *path;   /* of its images.bin, or else its images.txt; owned */
} dv_colmap_file;

typedef struct dv_colmap_files {
    size_t n;
    dv_colmap_file *files; /* [n], by number; owned */
} dv_colmap_files;

/* Finds the models of a folder: the folder itself; else its sub-folders of digits; else both of these in its sub-folder
 * "sparse". None is no failure. Fails with DV_E_MISSING (no such folder), DV_E_DATA (not a folder), DV_E_IO,
 * DV_E_NOMEM. *files: release with dv_colmap_files_clear; zeroed on failure */
DV_MUST_USE dv_status dv_colmap_find(const char *folder, dv_colmap_files *files);
void dv_colmap_files_clear(dv_colmap_files *files);

#endif
