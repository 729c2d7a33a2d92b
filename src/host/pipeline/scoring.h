/* scoring.h: from the neighbours of a block of query images to counts: soft labels, the class of every pixel,
 * confusion. The device holds everything but the counts. */
#ifndef DV_PIPELINE_SCORING_H
#define DV_PIPELINE_SCORING_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/confusion.h"
#include "denseval/device.h"
#include "denseval/features.h"

/* What is scored, and how; all borrowed until dv_scoring_clear. */
typedef struct dv_scoring_spec {
    dv_device *device;
    const dv_feature_info *queries;
    const dv_pixel_policy *pixels;
    size_t block_images, k, n_classes;
    double beta;
    const uint16_t *counts; /* u16 [n_rows, n_classes], pixels of each class of each bank row */
    size_t n_rows;
    size_t n_blank_rows; /* further rows without label, behind those */
} dv_scoring_spec;

typedef struct dv_scoring {
    dv_scoring_spec spec;
    size_t n_pixels; /* of an image */
    /* Device memory of a block. */
    int64_t *ids;    /* i64 [block_images * P, k]: the neighbours, filled by the caller */
    double *cosines; /* f64, likewise */
    double *soft;
    uint16_t *counts, *pure, *truth;
    uint16_t *pred; /* u16 [block_images, H, W], the result */
    dv_upsampler *upsampler;
    dv_confusion **confusions;     /* [block_images], of one image each: the result */
    double aggregate_s, segment_s; /* wall seconds so far */
} dv_scoring;

/* What an image of a block takes in memory, the reader's second block included, but the lists of neighbours. */
size_t dv_scoring_image_bytes(const dv_feature_info *queries, size_t n_classes);

/* Release with dv_scoring_clear, also after a failure and on a zeroed struct, before the device is closed. Fails as the
 * slots of the device, with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_scoring_make(const dv_scoring_spec *spec, dv_scoring *scoring);
void dv_scoring_clear(dv_scoring *scoring);

/* Brings the truth of a block to the device, for all dv_scoring_run until the next block.
 * block  with labels, read under the rule for invalid ones of spec.pixels; borrowed until dv_scoring_run returns */
DV_MUST_USE dv_status dv_scoring_begin(dv_scoring *scoring, const dv_feature_block *block);

/* Scores the neighbours in ids and cosines of the first n_images images of the block: pred, confusions. Blocking. */
DV_MUST_USE dv_status dv_scoring_run(dv_scoring *scoring, size_t n_images);

/* What resampling needs of one group of images: u64 [n_classes] each, TP, TP + FP + FN and truth pixels, false
 * positives of invalid labels included. */
void dv_class_counts(const dv_confusion *confusion, uint64_t *intersections, uint64_t *unions, uint64_t *truths);

#endif
