/* image_slab.h: the features of bank rows while they still lie in the feature set, read by runs of neighbouring images.
 */
#ifndef DV_BANK_IMAGE_SLAB_H
#define DV_BANK_IMAGE_SLAB_H

#include <stddef.h>

#include "denseval/bank.h"
#include "denseval/status.h"

/* Consecutive images of a feature set. The last read is kept: rising reads find an image that a slab's end cut. */
typedef struct dv_image_slab {
    unsigned char *rows; /* dtype [capacity, n_patches, dim]; owned, NULL before the first read */
    size_t capacity;     /* images */
    size_t first, n_images;
} dv_image_slab;

/* Where the features of a filled row lie. Reads its image where that is not at hand, together with the neighbours that
 * rows row + 1 .. end - 1 go on with.
 * bank      a built bank; its slab is used
 * *source   dtype [dim], borrowed until the next call
 * Fails as dv_features_read, with DV_E_INTERRUPTED, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_image_slab_find(dv_bank *bank, size_t row, size_t end, const void **source);

/* Bytes that a slab holds at most: none of an opened bank. */
size_t dv_image_slab_bytes(const dv_bank *bank);

void dv_image_slab_clear(dv_image_slab *slab);

#endif
