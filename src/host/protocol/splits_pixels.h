/* splits_pixels.h: hashes of the decoded pixels of pictures that are found by id. */
#ifndef DV_PROTOCOL_SPLITS_PIXELS_H
#define DV_PROTOCOL_SPLITS_PIXELS_H

#include "denseval/splits.h"

/* A picture of a split. */
typedef struct dv_split_picture {
    size_t split, id;             /* index into its ids */
    char hash[DV_HASH_TEXT_SIZE]; /* of size and RGB values; "": bad or missing */
} dv_split_picture;

/* Reads the pictures of all ids of *result, those of the first split first. Fills n_left_out, image_bytes and
 * images_hash. Fails as dv_splits_run does.
 * *pictures  [ids of both splits], the caller's until free(); NULL on failure */
DV_MUST_USE dv_status dv_split_pictures_read(const dv_splits_options *options, dv_splits_result *result,
                                             dv_split_picture **pictures);

#endif
