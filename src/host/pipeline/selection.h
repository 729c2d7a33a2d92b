/* selection.h: which query images are scored, and to which bin each belongs. */
#ifndef DV_PIPELINE_SELECTION_H
#define DV_PIPELINE_SELECTION_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/features.h"

typedef struct dv_selection {
    size_t *images; /* [n_images], rising */
    size_t n_images;
    size_t n_dropped;
    int32_t *bins; /* [n_bins], distinct and rising; NULL where the set has none */
    size_t n_bins;
    size_t *bin_of; /* [images of the set], index into bins; NULL without bins */
} dv_selection;

/* All images, but those of the last incomplete batch of `drop_last_batch` (0: none are dropped) of each bin, or of the
 * set where it has no bins. Release with dv_selection_clear, also on a zeroed struct. */
DV_MUST_USE dv_status dv_selection_make(const dv_feature_info *queries, size_t drop_last_batch, dv_selection *out);
void dv_selection_clear(dv_selection *selection);

#endif
