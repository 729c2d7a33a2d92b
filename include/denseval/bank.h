/* bank.h: the memory bank: patches with soft labels that queries are compared with. */
#ifndef DENSEVAL_BANK_H
#define DENSEVAL_BANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/dtype.h"
#include "denseval/features.h"
#include "denseval/labels.h"
#include "denseval/ranks.h"
#include "denseval/status.h"

DV_C_BEGIN

typedef enum dv_memory_ignored {
    DV_MEMORY_EXCLUDE = 0,   /* ignored pixels are no class; a patch of them alone is no row */
    DV_MEMORY_BACKGROUND = 1 /* ignored pixels, and 255 whether ignored or not, become class 0 */
} dv_memory_ignored;

/* Which patches become rows, and what their labels are. Zero-initialised: every patch of every image, nothing ignored.
 */
typedef struct dv_bank_options {
    size_t memory_size;  /* rows in all, n = memory_size / (images * passes); 0: see per_image */
    size_t per_image;    /* n itself, with memory_size 0; both 0: every patch, row-major */
    size_t passes;       /* samplings of each image; 0 means 1. With every patch it must be 1 */
    const int32_t *bins; /* [n_bins], view bins whose images join; NULL: all images */
    size_t n_bins;
    uint64_t seed;
    /* [n_uniform_paths], files whose /uniform (f32 or f64 [N, P], or [passes, N, P], in [0, 1)) replaces the seeded
     * numbers. They form one list: by /image_id where the files have it, else row by row as long as the set. NULL:
     * seeded */
    const char *const *uniform_paths;
    size_t n_uniform_paths;
    size_t n_classes; /* wanted where the set has no class names; else 0 or the same number */
    dv_label_set ignored;
    dv_invalid_labels invalid; /* DROP and FALSE_POSITIVE: an invalid pixel is no class */
    dv_memory_ignored memory_ignored;
    dv_zero_rows zero_rows; /* KEEP also appends unfilled rows of memory_size (per_image: of n an image) as zero rows
                               without label, and so allows a memory larger than the patches */
    size_t drop_last_batch; /* 0: keep; else images of a last incomplete batch of this size are dropped, after n is
                               taken */
    bool labels_optional;   /* for every patch: a set without labels, or whose class count nobody says, gives a bank
                               without   classes (n_classes 0), which is not to be saved */
    bool skip_bad;          /* bad images (dv_bad_images) give no rows, as if they were not there after n is taken; else
                               all are listed by dv_log and the build fails */
    size_t n_threads;       /* 0 means 1 */
    dv_ranks *ranks;        /* processes that build the same bank: each reads a share of the images. NULL: none */
} dv_bank_options;

typedef struct dv_bank dv_bank;

/* What a bank holds; pointers are borrowed until the bank is closed. */
typedef struct dv_bank_info {
    size_t n_rows, dim, n_classes, n_images; /* n_images: of the source set that the bank was sampled from */
    size_t n_bank_images;                    /* images that gave rows */
    dv_dtype dtype;
    dv_preprocessing preprocessing;
    const uint16_t *counts; /* u16 [n_rows, n_classes], pixels of each class in the patch; all 0 for an unfilled row */
    const int32_t *image;   /* i32 [n_rows], index into image_ids; -1 for an unfilled row */
    const int32_t *patch;   /* i32 [n_rows]; -1 for an unfilled row */
    const int32_t *rank;    /* i32 [n_rows], position in the order of its image and pass; -1 for an unfilled row */
    const char *const *image_ids;   /* [n_images] */
    const char *const *object_ids;  /* [n_images], or NULL */
    const char *const *class_names; /* [n_classes], or NULL */
    size_t n_skipped_zero_rows;     /* left out under DV_ZERO_SKIP: labelled patches of the images sampled from */
    size_t n_unfilled_rows;         /* zero rows appended under DV_ZERO_KEEP */
    size_t n_skipped_images;        /* bad ones left out under skip_bad */
} dv_bank_info;

/* Samples a bank from a set; its features stay in the files and are read when asked for, but all those of the images
 * sampled from are read once and checked, so a bad row is refused here, after all bad images are listed. Patches are at
 * most 255 pixels wide. Sampling: frequency[c] = patches of the image that hold class c; score of a patch = sum of the
 * frequencies of its classes, times its uniform number; the n lowest, ties to the lower patch. Rows: pass, then image
 * as given, then rising score. A smaller n gives a prefix of each image's rows; nothing depends on the order of images,
 * threads or blocks. features  borrowed until the bank is closed; must have labels (see labels_optional). Fails with
 * DV_E_USAGE (a size no set can meet: the smallest or largest legal one is named), DV_E_DATA, DV_E_NOMEM,
 * DV_E_INTERRUPTED. Source: Balazevic et al., NeurIPS 2023; open-hummingbird-eval, _sample_features. */
DV_MUST_USE dv_status dv_bank_build(dv_features *features, const dv_bank_options *options, dv_bank **out);

/* Opens a "denseval bank v1" file; checks as in dv_features_open. */
DV_MUST_USE dv_status dv_bank_open(const char *path, dv_bank **out);

/* Writes a "denseval bank v1" file beside `path` and renames it. An existing path is DV_E_USAGE unless `force`; also
 * fails as dv_bank_read does. */
DV_MUST_USE dv_status dv_bank_save(dv_bank *bank, const char *path, bool force);

void dv_bank_close(dv_bank *bank);
const dv_bank_info *dv_bank_get_info(const dv_bank *bank);

/* Features of rows first .. first + n_rows - 1. One thread at a time a bank; for a built one nobody else may read the
 * set meanwhile. Rising ranges read each image once, and a file's bytes once.
 * rows  dtype of the bank [n_rows, dim], host memory. Unfilled rows are zeros.
 * Fails with DV_E_ARG (range), DV_E_DATA naming file and row: a value that is not
 * finite, a zero row that the bank was not told to keep; DV_E_IO, DV_E_NOMEM, DV_E_INTERRUPTED. */
DV_MUST_USE dv_status dv_bank_read(dv_bank *bank, size_t first, size_t n_rows, void *rows);

DV_C_END
#endif
