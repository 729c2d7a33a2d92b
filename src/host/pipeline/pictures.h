/* pictures.h: predicted label maps from the device to PNGs, block by block; those of other ranks go to rank 0, which
 * writes them. All ranks make the same calls. */
#ifndef DV_PIPELINE_PICTURES_H
#define DV_PIPELINE_PICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/parallel.h"
#include "denseval/device.h"
#include "denseval/features.h"
#include "denseval/ranks.h"

typedef struct dv_pictures dv_pictures;

/* Borrowed until the pictures are committed or abandoned. */
typedef struct dv_pictures_spec {
    const char *path; /* folder, see dv_predictions_begin */
    bool force;
    dv_ranks *ranks;
    const dv_feature_info *queries;
    dv_pool *pool;
} dv_pictures_spec;

/* *out: the caller's until commit or abandon; NULL on failure. */
DV_MUST_USE dv_status dv_pictures_begin(const dv_pictures_spec *spec, dv_pictures **out);

/* Before the first block: n_images are to come from this rank, at most block_images together (the same on all). */
DV_MUST_USE dv_status dv_pictures_expect(dv_pictures *pictures, size_t n_images, size_t block_images);

/* pred: u16 [n_images, H, W], device memory */
DV_MUST_USE dv_status dv_pictures_put(dv_pictures *pictures, const dv_feature_block *block, dv_device *device,
                                      const uint16_t *pred);

/* After the last block: takes part in the blocks that other ranks still have. */
DV_MUST_USE dv_status dv_pictures_end(dv_pictures *pictures);

DV_MUST_USE dv_status dv_pictures_commit(dv_pictures *pictures); /* frees the handle in every case */
void dv_pictures_abandon(dv_pictures *pictures);                 /* NULL is allowed */

#endif
