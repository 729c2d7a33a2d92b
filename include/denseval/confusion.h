/* confusion.h: how often each true class was predicted as each class. */
#ifndef DENSEVAL_CONFUSION_H
#define DENSEVAL_CONFUSION_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/labels.h"
#include "denseval/status.h"

DV_C_BEGIN

/* Pixel counts of one group of label maps. One thread at a time; handles are independent and can be merged. */
typedef struct dv_confusion dv_confusion;

/* Which truth pixels count. `ignored` wins over `invalid`. */
typedef struct dv_pixel_policy {
    dv_label_set ignored;
    dv_invalid_labels invalid;
} dv_pixel_policy;

/* Makes a matrix of zeros. Fails with DV_E_ARG, DV_E_NOMEM.
 * n_classes  count, 1..DV_MAX_CLASSES, background included
 * *out       the caller's until dv_confusion_free; NULL on failure */
DV_MUST_USE dv_status dv_confusion_create(size_t n_classes, dv_confusion **out);

/* The same for 1..DV_MAX_SPARSE_CLASSES classes: only pairs of classes that occur take memory. */
DV_MUST_USE dv_status dv_confusion_create_sparse(size_t n_classes, dv_confusion **out);
void dv_confusion_free(dv_confusion *confusion);
void dv_confusion_clear(dv_confusion *confusion);

/* Adds one label map; adds nothing and fails with DV_E_DATA when a truth label is invalid under DV_INVALID_ERROR ("row
 * R column C, label L: labels must be below N") or a prediction is no class (DV_E_ARG, "row R column C, prediction P:
 * ..."). The first such pixel is named. Predictions under pixels that are ignored or dropped are not looked at. A
 * sparse matrix fails with DV_E_NOMEM too, and is then of no more use.
 * truth, pred  u16 [height, width], host memory, borrowed for the call */
DV_MUST_USE dv_status dv_confusion_add(dv_confusion *confusion, const dv_pixel_policy *policy, const uint16_t *truth,
                                       const uint16_t *pred, size_t height, size_t width);

/* The same of labels of 8 bits.
 * truth, pred  u8 [height, width], host memory, borrowed for the call */
DV_MUST_USE dv_status dv_confusion_add_u8(dv_confusion *confusion, const dv_pixel_policy *policy, const uint8_t *truth,
                                          const uint8_t *pred, size_t height, size_t width);

/* Adds the counts of `other` (same n_classes, both sparse or neither, else DV_E_ARG) to `confusion`. Fails with
 * DV_E_NOMEM where both are sparse. */
DV_MUST_USE dv_status dv_confusion_merge(dv_confusion *confusion, const dv_confusion *other);

/* Adds counts that were taken before to a matrix that is not sparse: u64 [n_classes, n_classes] as dv_confusion_counts
 * gives them, u64 [n_classes] as dv_confusion_false_positives does. */
void dv_confusion_add_counts(dv_confusion *confusion, const uint64_t *counts, const uint64_t *false_positives);

/* Adds pixels that were left out before: as dv_confusion_ignored and dv_confusion_dropped tell them. */
void dv_confusion_add_left_out(dv_confusion *confusion, uint64_t ignored, uint64_t dropped);

size_t dv_confusion_classes(const dv_confusion *confusion);

/* u64 [n_classes, n_classes], row = truth, column = prediction; borrowed until the handle changes or is freed. NULL of
 * a sparse one. */
const uint64_t *dv_confusion_counts(const dv_confusion *confusion);

/* A cell of the matrix. */
typedef struct dv_confusion_cell {
    uint16_t truth, pred;
    uint64_t n_pixels;
} dv_confusion_cell;

/* The cells above 0, by truth, then prediction. Fails with DV_E_NOMEM.
 * *cells  [*n_cells], the caller's until free(); NULL on failure */
DV_MUST_USE dv_status dv_confusion_cells(const dv_confusion *confusion, dv_confusion_cell **cells, size_t *n_cells);

/* Pixels of each class: in the truth, in the prediction (false positives of invalid labels included), and in both.
 * truth, predicted, correct  u64 [n_classes], written in full */
void dv_confusion_sums(const dv_confusion *confusion, uint64_t *truth, uint64_t *predicted, uint64_t *correct);

/* u64 [n_classes]: pixels of each predicted class whose truth was invalid under DV_INVALID_FALSE_POSITIVE; borrowed. */
const uint64_t *dv_confusion_false_positives(const dv_confusion *confusion);

/* Pixels left out so far: ignored, and invalid under DV_INVALID_DROP. */
uint64_t dv_confusion_ignored(const dv_confusion *confusion);
uint64_t dv_confusion_dropped(const dv_confusion *confusion);

DV_C_END
#endif
