/* mask_counts.h: what J and F of the objects in one frame are made of, as counts (docs/METRICS.md, "J and F"). */
#ifndef DENSEVAL_MASK_COUNTS_H
#define DENSEVAL_MASK_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

DV_C_BEGIN

enum { DV_MAX_RADII = 16 };

/* What is counted. */
typedef struct dv_mask_rules {
    double bound;                    /* radius as a share of the diagonal, above 0; where n_radii is 0 */
    size_t n_radii;                  /* up to DV_MAX_RADII */
    uint32_t radii_px[DV_MAX_RADII]; /* absolute radii, in place of `bound` */
    bool bipartite;                  /* matched pixels: of a maximum matching one to one, not of a disk test */
    bool all_pairs;                  /* every truth id with every predicted id; else equal ids alone */
    bool areas_only;                 /* pixels alone: everything about contours is 0 */
} dv_mask_rules;

/* One object of one side. */
typedef struct dv_mask_size {
    uint16_t id;
    uint64_t pixels, contour; /* contour pixels */
} dv_mask_size;

/* An object of the truth and one of the prediction, both in the frame. */
typedef struct dv_mask_pair {
    uint16_t truth_id, pred_id;
    uint64_t intersection; /* pixels of both */
    uint64_t truth_matched[DV_MAX_RADII],
        pred_matched[DV_MAX_RADII]; /* contour pixels within a radius of the other's */
} dv_mask_pair;

/* Counts of a frame: objects that have no pixel are not listed. Zeroed it is empty, and may be filled again. */
typedef struct dv_mask_counts {
    size_t height, width, n_radii;
    uint32_t radii_px[DV_MAX_RADII];
    size_t n_truth, n_pred, n_pairs;
    dv_mask_size *truth, *pred; /* [n_truth], [n_pred], by id; owned */
    dv_mask_pair *pairs;        /* [n_pairs], by truth id, then predicted id; owned */
    size_t truth_capacity, pred_capacity, pair_capacity;
} dv_mask_counts;

/* Makes room for so many objects and pairs; what was counted is lost. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_mask_counts_reserve(dv_mask_counts *counts, size_t n_truth, size_t n_pred, size_t n_pairs);
void dv_mask_counts_clear(dv_mask_counts *counts);

/* ceil(bound x diagonal) in double: 8 for 0.008 and 480 x 854. Source: Perazzi et al., CVPR 2016, and the evaluation of
 * DAVIS 2017. bound x diagonal: below 2^31 */
uint32_t dv_mask_radius(double bound, size_t height, size_t width);

DV_C_END
#endif
