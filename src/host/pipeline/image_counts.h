/* image_counts.h: what a bootstrap needs of every image that was scored. */
#ifndef DV_PIPELINE_IMAGE_COUNTS_H
#define DV_PIPELINE_IMAGE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/confusion.h"
#include "denseval/ranks.h"

typedef struct dv_image_counts {
    size_t n_images, n_classes;
    uint64_t *scored;                          /* u64 [n_images]: 1 where an image was; all arrays are one block */
    uint64_t *intersections, *unions, *truths; /* u64 [n_images, n_classes] */
} dv_image_counts;

/* Zeros. Release with dv_image_counts_clear, also on a zeroed struct. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_image_counts_make(size_t n_images, size_t n_classes, dv_image_counts *counts);
void dv_image_counts_clear(dv_image_counts *counts);

/* Once an image. place: 0..n_images - 1 */
void dv_image_counts_set(dv_image_counts *counts, size_t place, const dv_confusion *confusion);

/* Brings what the ranks scored to rank 0. */
DV_MUST_USE dv_status dv_image_counts_join(dv_ranks *ranks, dv_image_counts *counts);

/* Closes the gaps of the images that were not scored; n_images are left. */
void dv_image_counts_pack(dv_image_counts *counts);

#endif
