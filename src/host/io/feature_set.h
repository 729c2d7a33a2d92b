/* feature_set.h: the inside of a dv_features, shared by opening and reading. */
#ifndef DV_IO_FEATURE_SET_H
#define DV_IO_FEATURE_SET_H

#include "io/feature_file.h"

struct dv_features {
    dv_feature_info info;
    dv_feature_file *files; /* [info.n_files] */
    size_t *first;          /* [info.n_files + 1], the index in the set of each file's first image */
    /* What info points at, joined over the files; texts stay in the files' blocks. */
    const char **paths, **image_ids, **object_ids;
    char *numbers; /* the texts of image_ids where no file has them */
    int32_t *view_bins, *class_ids;
    double *view_angles, *uniforms;
    /* One file is open at a time: a set may have more files than a process may open. */
    size_t open_file;
    dv_h5 *h5; /* NULL: none */
    dv_h5_data *rows, *labels;
};

/* The file that holds an image of the set. */
size_t dv_features_file_of(const dv_features *features, size_t image);

/* Makes `file` the open one. */
DV_MUST_USE dv_status dv_features_switch(dv_features *features, size_t file);

/* DV_E_DATA naming both files and rows, unless all image ids differ. */
DV_MUST_USE dv_status dv_features_check_unique(const dv_features *features);

#endif
