/* sampling.h: which patches of an image become rows of the bank. */
#ifndef DV_BANK_SAMPLING_H
#define DV_BANK_SAMPLING_H

#include <stddef.h>
#include <stdint.h>

/* The weight of each patch: the sum over its classes of the number of the image's patches that hold the class. A patch
 * without a counted pixel weighs 0 and is never a row.
 * counts     u16 [n_patches, n_classes], borrowed for the call
 * frequency  u32 [n_classes], scratch: in the end the patches that hold each class
 * weights    f64 [n_patches], written in full: whole numbers */
void dv_patch_weights(const uint16_t *counts, size_t n_patches, size_t n_classes, uint32_t *frequency, double *weights);

/* A patch and what it is ordered by. */
typedef struct dv_scored_patch {
    double score;
    int32_t patch;
} dv_scored_patch;

/* Orders the patches of a positive weight by rising weight * uniform, ties to the lower patch; a smaller bank takes a
 * prefix. Returns how many there are.
 * uniforms  f64 [n_patches], in [0, 1), borrowed for the call; NULL: row-major order, score 0
 * scored    [n_patches], of which the returned number is written */
size_t dv_order_patches(const double *weights, const double *uniforms, size_t n_patches, dv_scored_patch *scored);

#endif
