/* tally.h: all that a sweep counts for one encoder, as one row of sums: what a block adds is a list of changes. */
#ifndef DV_PIPELINE_TALLY_H
#define DV_PIPELINE_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/confusion.h"
#include "denseval/ranks.h"
#include "denseval/status.h"

typedef struct dv_tally_shape {
    size_t n_configs, n_bins, n_classes, n_objects;
    size_t n_sources; /* bank bins of all configurations together */
} dv_tally_shape;

/* Where the neighbours of one image came from; counts of neighbours. */
typedef struct dv_tally_origin {
    uint64_t *from; /* u64 [n_sources] */
    uint64_t n_class, n_object, n_unfilled;
} dv_tally_origin;

typedef struct dv_tally {
    dv_tally_shape shape;
    size_t n_values;
    uint64_t *sums;  /* u64 [n_values], of finished blocks */
    uint64_t *block; /* u64 [n_values], of the block at work */
    size_t *touched; /* [n_touched], where block is not 0 */
    size_t n_touched;
    uint64_t *scratch; /* u64 [3, n_classes] */
} dv_tally;

/* One change of a finished block. */
typedef struct dv_tally_change {
    uint64_t index, value;
} dv_tally_change;

/* Zeros. Release with dv_tally_clear, also after a failure and on a zeroed struct. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_tally_make(const dv_tally_shape *shape, dv_tally *tally);
void dv_tally_clear(dv_tally *tally);

/* Adds one image to the block at work. bin, object: indices */
void dv_tally_add_image(dv_tally *tally, size_t config, size_t bin, size_t object, const dv_confusion *confusion,
                        const dv_tally_origin *origin);

/* Brings the blocks at work of all ranks to rank 0; those of the others are empty then. Every rank must call it. */
DV_MUST_USE dv_status dv_tally_join(dv_ranks *ranks, dv_tally *tally);

/* Ends the block: n_touched changes, in `changes` (which has room for them), go to the sums. */
void dv_tally_end_block(dv_tally *tally, dv_tally_change *changes);

/* Adds the changes of a block that an earlier run finished. DV_E_DATA for an index that is none. */
DV_MUST_USE dv_status dv_tally_replay(dv_tally *tally, const dv_tally_change *changes, size_t n_changes);

/* The sums of one configuration and bin; pointers are borrowed until the tally changes. */
typedef struct dv_tally_cell {
    uint64_t n_images;
    const uint64_t *confusion, *false_positives; /* u64 [n_classes, n_classes], [n_classes] */
    dv_tally_origin origin;
} dv_tally_cell;

dv_tally_cell dv_tally_get(const dv_tally *tally, size_t config, size_t bin);

/* u64 [3, n_classes] of one object in it: intersections, unions, truths. */
const uint64_t *dv_tally_object(const dv_tally *tally, size_t config, size_t bin, size_t object);

#endif
