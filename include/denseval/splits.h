/* splits.h: images that two splits of a data set share, by id and by identical pixels. */
#ifndef DENSEVAL_SPLITS_H
#define DENSEVAL_SPLITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/hash.h"
#include "denseval/names.h"
#include "denseval/status.h"

DV_C_BEGIN

enum { DV_N_SPLITS = 2 };

/* Texts are borrowed for the call. */
typedef struct dv_splits_options {
    const char *lists[DV_N_SPLITS]; /* text files: an id a line, with or without .png, .jpg, .jpeg */
    const char *images;             /* folder of pictures, called after their ids; NULL: ids alone are compared */
    bool skip_bad;
    size_t n_threads;
} dv_splits_options;

/* Indices into the ids of two splits, or of one. */
typedef struct dv_split_pair {
    size_t a, b;
} dv_split_pair;

typedef struct dv_split_pairs {
    size_t n;
    dv_split_pair *pairs; /* [n], by a, then b; owned */
} dv_split_pairs;

typedef struct dv_splits_result {
    dv_names ids[DV_N_SPLITS];           /* each once, in natural order; owned */
    size_t n_repeated[DV_N_SPLITS];      /* lines whose id stands in the list before */
    dv_split_pairs same_id;              /* the same id in both */
    dv_split_pairs same_pixels;          /* other ids, equal sizes and equal decoded pixels, a of the first split */
    dv_split_pairs inside[DV_N_SPLITS];  /* the same within a split, a < b */
    size_t n_left_out;                   /* pictures that skip_bad left out */
    uint64_t image_bytes;                /* of the picture files that were read */
    char images_hash[DV_HASH_TEXT_SIZE]; /* of ids and decoded pixels, in order; "" without pictures */
} dv_splits_result;

/* Fails with DV_E_MISSING (a list, the folder, pictures of ids), DV_E_DATA (a list without ids, pictures that cannot be
 * read or are two of one id, more than 2^20 pairs of the same pixels), DV_E_IO, DV_E_NOMEM, DV_E_INTERRUPTED. Missing
 * and bad pictures are listed; skip_bad leaves them out. *result: release with dv_splits_result_clear; zeroed on
 * failure */
DV_MUST_USE dv_status dv_splits_run(const dv_splits_options *options, dv_splits_result *result);
void dv_splits_result_clear(dv_splits_result *result);

DV_C_END
#endif
