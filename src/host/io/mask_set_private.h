/* mask_set_private.h: what the files of mask_set share: the lists, which the two kinds of storage fill. */
#ifndef DV_IO_MASK_SET_PRIVATE_H
#define DV_IO_MASK_SET_PRIVATE_H

#include <pthread.h>

#include "io/hdf5_file.h"
#include "io/mask_set.h"
#include "io/png.h"

typedef struct dv_mask_frame {
    char *stem; /* owned */
    char *file; /* its name within the folder of the sequence; owned. NULL in an HDF5 file */
    size_t row; /* of the dataset */
} dv_mask_frame;

typedef struct dv_mask_sequence {
    char *name; /* owned */
    size_t n_frames, capacity;
    dv_mask_frame *frames; /* [n_frames], by dv_natural_compare of the stems; owned */
} dv_mask_sequence;

struct dv_mask_set {
    char *path;
    size_t depth;
    dv_mask_palette palette;
    size_t n_passed_over, n_sequences, capacity;
    dv_mask_sequence *sequences; /* [n_sequences], by dv_natural_compare of the names; owned */
    /* In an HDF5 file. */
    dv_h5 *h5;
    pthread_mutex_t lock; /* guards what follows: one handle belongs to one thread at a time */
    dv_h5_data *data;     /* the one dataset that is open, so that chunk caches do not add up; NULL: none */
    size_t data_sequence; /* whose it is */
};

/* Appends a sequence without frames, the last of the list until that is sorted, or a frame of it. file may be NULL.
 * Texts are copied. */
DV_MUST_USE dv_status dv_mask_set_add_sequence(dv_mask_set *set, const char *name);
DV_MUST_USE dv_status dv_mask_set_add_frame(dv_mask_set *set, const char *stem, const char *file, size_t row);

/* Fill the empty lists, in any order. */
DV_MUST_USE dv_status dv_mask_set_list_folder(dv_mask_set *set);
DV_MUST_USE dv_status dv_mask_set_list_hdf5(dv_mask_set *set);

/* As dv_mask_set_read. */
DV_MUST_USE dv_status dv_mask_set_read_file(const dv_mask_set *set, size_t sequence, size_t frame, dv_label_map *map,
                                            char *hash);
DV_MUST_USE dv_status dv_mask_set_read_row(dv_mask_set *set, size_t sequence, size_t frame, dv_label_map *map,
                                           char *hash);

/* What the colours of a mask become. Static lifetime. */
const dv_png_colours *dv_mask_colours(dv_mask_palette palette);

#endif
