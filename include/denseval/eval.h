/* eval.h: dense evaluation by retrieval: bank and queries to mIoU (Hummingbird). */
#ifndef DENSEVAL_EVAL_H
#define DENSEVAL_EVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/bank.h"
#include "denseval/bootstrap.h"
#include "denseval/confusion.h"
#include "denseval/features.h"
#include "denseval/iou.h"
#include "denseval/search.h"
#include "denseval/status.h"

DV_C_BEGIN

typedef enum dv_relabel { DV_RELABEL_NONE = 0, DV_RELABEL_HUNGARIAN = 1, DV_RELABEL_BOTH = 2 } dv_relabel;

typedef struct dv_eval_options {
    dv_search_options search;
    double beta; /* softmax temperature, > 0 */
    dv_pixel_policy pixels;
    dv_absent absent;
    dv_relabel relabel;
    const bool *excluded;    /* bool [n_classes] or NULL, left out of the means */
    size_t drop_last_batch;  /* 0: keep; else query images of a last incomplete batch of this size, of each bin, are
                                dropped */
    const char *predictions; /* folder for indexed PNGs, one a query image (IMAGE_ID.png); NULL: none */
    bool force;
    bool skip_bad; /* bad query images (dv_bad_images) are not scored; else all are listed by dv_log and the call fails
                    */
    bool allow_empty;   /* nothing scored is a result without values; else DV_E_DATA */
    size_t n_resamples; /* bootstrap; 0: none */
    uint64_t seed;
} dv_eval_options;

/* Scores of one group of images: a viewpoint bin, or all. */
typedef struct dv_eval_group {
    int32_t bin; /* degrees; of the total: 0 */
    size_t n_images;
    dv_confusion *confusion;
    dv_iou iou;            /* under the policy in force; DV_RELABEL_BOTH: without relabelling */
    dv_iou iou_relabelled; /* DV_RELABEL_BOTH only, else zeroed */
} dv_eval_group;

typedef struct dv_eval_result {
    size_t n_classes;
    dv_eval_group total;
    size_t n_bins;
    dv_eval_group *bins;  /* [n_bins], rising; NULL where queries carry no bins */
    dv_interval interval; /* of the total's mIoU; n_resamples 0 without bootstrap */
    size_t n_dropped_images;
    size_t n_skipped_images; /* bad ones left out under skip_bad */
    dv_search_summary search;
    double aggregate_s, segment_s; /* wall seconds */
} dv_eval_result;

/* Scores every query image. With relabelling and bins, the total's matrix is relabelled as a whole.
 * bank, queries  open, borrowed for the call; queries must have labels of the bank's classes
 * *result        release with dv_eval_result_clear; zeroed on failure, and no prediction folder is left. With ranks it
 * is complete on rank 0 alone, which writes the folder Fails as its parts do, DV_E_DATA for inputs that do not fit
 * together, DV_E_INTERRUPTED. */
DV_MUST_USE dv_status dv_eval_run(dv_bank *bank, dv_features *queries, const dv_eval_options *options,
                                  dv_eval_result *result);
void dv_eval_result_clear(dv_eval_result *result);

DV_C_END
#endif
