/* features.h: reading and writing of "denseval features v1" files (docs/FORMATS.md). Several files make one set. */
#ifndef DENSEVAL_FEATURES_H
#define DENSEVAL_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/dtype.h"
#include "denseval/labels.h"
#include "denseval/status.h"

DV_C_BEGIN

enum { DV_MAX_CHANNELS = 16, DV_MAX_DIM = 65536 };

/* How the pictures were prepared, as the file says: what must agree between a bank and its queries. */
typedef struct dv_preprocessing {
    const char *encoder;     /* "" where the file does not say */
    size_t patch_size;       /* pixels */
    size_t input_h, input_w; /* pixels */
    size_t n_mean, n_std;    /* 0 where the file does not say */
    double mean[DV_MAX_CHANNELS], std[DV_MAX_CHANNELS];
} dv_preprocessing;

/* What a set holds. Pointers are borrowed until the set is closed; arrays are [n_images], NULL where no file has them
 * (a set whose files differ in what they have is refused). */
typedef struct dv_feature_info {
    size_t n_images, n_patches, grid_h, grid_w, dim;
    dv_dtype dtype;
    dv_preprocessing preprocessing;
    bool has_labels;
    size_t n_classes;               /* 0 without /class_names */
    const char *const *class_names; /* [n_classes] */
    const char *const *image_ids;   /* unique over the set; the row number as text where a file has none */
    const char *const *object_ids;  /* integers are given as decimal text */
    const int32_t *view_bins;       /* degrees */
    const double *view_angles;      /* degrees */
    const int32_t *class_ids;
    const double
        *uniforms; /* f64 [n_images, n_patches] of /uniform; NULL where absent. Loaded by dv_features_load_uniforms */
    size_t n_files;
    const char *const *paths; /* [n_files], as given */
} dv_feature_info;

typedef struct dv_features dv_features;

/* Opens files read-only, with locking off, and checks every object's type, rank, shape and attribute, and that all of
 * it was written. Labels that are stored as other numbers than u8 or u16 are taken too: their values are checked when
 * read.
 * paths  [n_paths], borrowed for the call; in this order they make one set
 * *out   the caller's until dv_features_close; NULL on failure
 * Fails with DV_E_MISSING (no such file), DV_E_DATA (not HDF5, truncated, missing or misshapen objects, rows never
 * written, sizes that the file cannot hold, files that do not fit together, duplicate image ids: all naming file and
 * object), DV_E_BACKEND (a compression filter that is not installed), DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_features_open(const char *const *paths, size_t n_paths, dv_features **out);
void dv_features_close(dv_features *features);
const dv_feature_info *dv_features_info(const dv_features *features);

/* Reads /uniform of every file (f32 or f64 [N, P], values in [0, 1), else DV_E_DATA). DV_E_MISSING where one has none.
 */
DV_MUST_USE dv_status dv_features_load_uniforms(dv_features *features);

/* A zero row has no direction, so no cosine (`--zero-rows`). */
typedef enum dv_zero_rows { DV_ZERO_ERROR = 0, DV_ZERO_SKIP = 1, DV_ZERO_KEEP = 2 } dv_zero_rows;

/* Reads images first .. first + n_images - 1. One thread at a time a set.
 * rows    dtype of the set [n_images, n_patches, dim], host memory; NULL: not wanted
 * labels  u16 [n_images, input_h, input_w], widened where the file holds u8; NULL: not wanted
 * Fails with DV_E_ARG (range; labels of a set that has none), DV_E_DATA naming file, image and patch or pixel: a
 * non-finite value, under DV_ZERO_ERROR a zero row, a label that is no whole number 0..65535, damaged storage; DV_E_IO.
 */
DV_MUST_USE dv_status dv_features_read(dv_features *features, size_t first, size_t n_images, dv_zero_rows zero_rows,
                                       void *rows, uint16_t *labels);

/* "PATH: image N (ID)", N the row within that file: the beginning of messages on what is found later.
 * text  char [size] */
void dv_features_locate(const dv_features *features, size_t image, char *text, size_t size);

/* A block of images in memory. Borrowed until the next call on its reader. */
typedef struct dv_feature_block {
    size_t n_images;
    const size_t *images;   /* [n_images], indices into the set */
    const size_t *places;   /* [n_images], where each stands in the reader's list */
    const void *rows;       /* dtype [n_images, n_patches, dim]; NULL where not wanted */
    const uint16_t *labels; /* u16 [n_images, input_h, input_w]; NULL where not wanted */
} dv_feature_block;

/* A thread that reads the next block while the caller works on this one. The set must not be read by anyone else until
 * the reader is closed. */
typedef struct dv_feature_reader dv_feature_reader;

/* What a reader does about images that are bad: with values that are not finite, with zero rows under DV_ZERO_ERROR,
 * with labels that are no classes, or not to be decoded. */
typedef enum dv_bad_images {
    DV_BAD_FAIL = 0, /* the first one ends the reading */
    DV_BAD_LIST = 1, /* from the first one on no blocks are given; the rest is read to list all (dv_log, errors) */
    DV_BAD_SKIP = 2  /* they are left out of the blocks, listed (dv_log, warnings) and counted */
} dv_bad_images;

typedef struct dv_feature_reader_options {
    const size_t *images; /* [n_images], rising, borrowed until the reader is closed */
    size_t n_images;
    size_t images_per_block; /* >= 1 */
    bool want_rows, want_labels;
    dv_zero_rows zero_rows;
    size_t n_classes;            /* labels must be below it, or ignored; 0: any label is good */
    const dv_label_set *ignored; /* with n_classes; borrowed until the reader is closed */
    dv_bad_images bad_images;
    bool one_block; /* only one block is in memory: the next one is read when it is asked for, instead of ahead */
    bool keep_bad;  /* bad images are not logged and no failure: whoever joins several readers does both */
} dv_feature_reader_options;

DV_MUST_USE dv_status dv_feature_reader_open(dv_features *features, const dv_feature_reader_options *options,
                                             dv_feature_reader **out);
/* *block: NULL after the last one; it has at least one image. Passes on the failure of the reader thread, message
 * included. Under DV_BAD_LIST it fails with DV_E_DATA once all bad images are listed: the first one's message, and how
 * many there are. */
DV_MUST_USE dv_status dv_feature_reader_next(dv_feature_reader *reader, const dv_feature_block **block);
/* Images left out so far. */
size_t dv_feature_reader_skipped(const dv_feature_reader *reader);
void dv_feature_reader_close(dv_feature_reader *reader);

/* What dv_features_create needs to know; pointers borrowed for the call. NULL or 0 leaves an optional object out. */
typedef struct dv_feature_spec {
    size_t n_images, grid_h, grid_w, dim;
    dv_dtype dtype;
    dv_preprocessing preprocessing;
    bool has_labels;
    bool wide_labels; /* u16 instead of u8 */
    size_t n_classes;
    const char *const *class_names;
    const char *const *image_ids;
    const char *const *object_ids;
    const int32_t *view_bins;
    const double *view_angles;
    const int32_t *class_ids;
    const double *uniforms; /* f64 [n_images, n_patches] */
} dv_feature_spec;

typedef struct dv_feature_writer dv_feature_writer;

/* Writes beside `path` and renames when dv_feature_writer_finish has seen every image; the same calls leave the same
 * bytes. An existing path is DV_E_USAGE unless `force`. */
DV_MUST_USE dv_status dv_feature_writer_create(const char *path, const dv_feature_spec *spec, bool force,
                                               dv_feature_writer **out);
/* Appends images in order. rows dtype [n, n_patches, dim]; labels u16 [n, input_h, input_w] or NULL as in the spec. */
DV_MUST_USE dv_status dv_feature_writer_append(dv_feature_writer *writer, size_t n, const void *rows,
                                               const uint16_t *labels);
DV_MUST_USE dv_status dv_feature_writer_finish(dv_feature_writer *writer);
/* Without a finish before it, no file is left. NULL is allowed. */
void dv_feature_writer_free(dv_feature_writer *writer);

DV_C_END
#endif
