/* counts.h: how many pixels of each class a patch holds: the soft label of a bank row before it is divided. */
#ifndef DV_BANK_COUNTS_H
#define DV_BANK_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/bank.h"
#include "denseval/labels.h"
#include "denseval/status.h"

enum {
    DV_MAX_PATCH_SIZE = 255, /* the largest whose pixels fit a u16 count: 255 * 255 = 65025 */
    DV_N_LABELS = 65536,     /* values of a stored label */
    DV_PUBLISHED_VOID = 255, /* what the published memory sends to class 0 whatever it ignores when scoring */
    DV_CLASS_NONE = -1,      /* the pixel is of no class */
    DV_CLASS_INVALID = -2    /* the label is to be refused */
};

/* What each label value counts as. */
typedef struct dv_class_map {
    size_t n_classes;
    int16_t of[DV_N_LABELS]; /* class, or DV_CLASS_NONE, DV_CLASS_INVALID */
} dv_class_map;

/* Fills a map. A label that is ignored is no class, or class 0 under DV_MEMORY_BACKGROUND (255 too, ignored or not);
 * any other below n_classes is itself; the rest are refused under DV_INVALID_ERROR and no class otherwise.
 * n_classes  1..DV_MAX_CLASSES; 0 where nobody says: then whatever is not ignored counts as class 0 of one */
void dv_class_map_fill(dv_class_map *map, size_t n_classes, const dv_label_set *ignored, dv_invalid_labels invalid,
                       dv_memory_ignored memory_ignored);

/* A label map and how it is cut into patches. */
typedef struct dv_patch_grid {
    size_t grid_h, grid_w; /* patches */
    size_t patch_size;     /* pixels, 1..DV_MAX_PATCH_SIZE */
} dv_patch_grid;

/* Counts the pixels of each class in each patch of one image. Fails with DV_E_DATA at the first label to be refused
 * (row-major), naming pixel row, column, label and class count; the counts are then undefined.
 * labels  u16 [grid_h * patch_size, grid_w * patch_size], borrowed for the call
 * counts  u16 [grid_h * grid_w, map->n_classes], written in full */
DV_MUST_USE dv_status dv_patch_counts(const dv_class_map *map, const dv_patch_grid *grid, const uint16_t *labels,
                                      uint16_t *counts);

#endif
