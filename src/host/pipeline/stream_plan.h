/* stream_plan.h: how a memory limit is shared out between a slab of the bank and a block of queries. */
#ifndef DV_PIPELINE_STREAM_PLAN_H
#define DV_PIPELINE_STREAM_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/status.h"

/* What a search works on, and the bytes that everything takes. */
typedef struct dv_stream_sizes {
    size_t limit;        /* bytes in all; 0: none */
    size_t fixed_bytes;  /* whatever slab and block are */
    size_t n_rows;       /* of the bank */
    size_t row_bytes;    /* a bank row on the device, as stored and coded */
    size_t most_rows;    /* of a part that the device has room for; 0: any */
    size_t n_shards;     /* parts at least */
    size_t n_images;     /* query images */
    size_t n_patches;    /* of an image */
    size_t image_bytes;  /* an image of the block */
    size_t ahead_bytes;  /* and one of the next block, which is read meanwhile if the bank stays */
    size_t block_images; /* images of a block that somebody asked for; 0: free to choose */
    size_t usual_images; /* a block where memory is no matter */
} dv_stream_sizes;

typedef struct dv_stream_plan {
    bool resident;  /* the bank stays on the device; else it is read again for every block */
    size_t n_parts; /* 1..n_rows */
    size_t block_images;
} dv_stream_plan;

/* A bank that stays is one that the device has room for. Every block costs a pass over the rows (reading, coding), and
 * every slab a visit of all queries (coding, rescoring): of the shares that fit, the one of the least work. Fails with
 * DV_E_NOMEM naming the bytes where not one row and one image fit, DV_E_USAGE for more shards than rows. */
DV_MUST_USE dv_status dv_stream_plan_make(const dv_stream_sizes *sizes, dv_stream_plan *plan);

#endif
