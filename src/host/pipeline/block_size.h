/* block_size.h: how many query images are searched together. */
#ifndef DV_PIPELINE_BLOCK_SIZE_H
#define DV_PIPELINE_BLOCK_SIZE_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/features.h"
#include "denseval/search.h"

typedef struct dv_block_need {
    const dv_feature_info *queries;
    const dv_search_options *options; /* images_per_block, backend, n_threads, memory_limit, k */
    size_t n_lists;                   /* lists of k ids and cosines that are held for a patch */
    size_t extra_bytes;               /* what else is held for an image */
    bool bank_is_streamed;            /* read once a block: blocks are larger, as memory allows */
    bool has_journal;                 /* of finished blocks: none takes long, whatever the backend */
} dv_block_need;

/* The option, or what memory and threads suggest; at least 1. Fails with DV_E_NOMEM when half of the memory limit
 * cannot hold one image (bytes wanted and allowed). */
DV_MUST_USE dv_status dv_block_images(const dv_block_need *need, size_t *n_images);

#endif
