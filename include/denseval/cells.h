/* cells.h: scores of a grid of encoders x memory x difficulties x viewpoint bins: what `sweep` writes and `viewpoint
 * analyze` reads. */
#ifndef DENSEVAL_CELLS_H
#define DENSEVAL_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

DV_C_BEGIN

/* From which bank bins the neighbours of one cell's query patches came; counts of neighbours. */
typedef struct dv_provenance {
    size_t n_bins;       /* 0: not known */
    int32_t *bins;       /* i32 [n_bins]: bank bins, rising */
    uint64_t *from;      /* u64 [n_bins] */
    uint64_t n_class;    /* neighbours of the query image's class */
    uint64_t n_object;   /* neighbours of the query image's object */
    uint64_t n_unfilled; /* neighbours that are unfilled rows */
} dv_provenance;

/* One configuration (encoder, memory, difficulty) scored on the images of one viewpoint bin. */
typedef struct dv_cell {
    char *encoder;
    uint64_t memory; /* rows asked for, or patches an image where per_image; 0: not known */
    bool per_image;
    char *difficulty;        /* "" where not known */
    int32_t *reference_bins; /* i32 [n_reference_bins], rising: the bank's */
    size_t n_reference_bins;
    int32_t bin;                    /* degrees */
    bool reference;                 /* bin is one of reference_bins */
    uint64_t n_images, n_bank_rows; /* 0: not known */
    double miou, miou_objects;      /* with and without class 0; NaN where nothing counts */
    double *iou;                    /* f64 [n_classes]; NaN: absent, left out of means */
    uint64_t *confusion;            /* u64 [n_classes, n_classes], truth rows, before relabelling; NULL: not known */
    int32_t *relabel;               /* i32 [n_classes]: class given to predicted class j; NULL: not relabelled */
    dv_provenance provenance;
} dv_cell;

/* All cells of a run, or of several. Cells stand in the order of the configuration: encoder, memory, difficulty, bin.
 */
typedef struct dv_cells {
    size_t n_classes;
    char **class_names; /* [n_classes], or NULL */
    size_t n;
    dv_cell *cells; /* [n] */
} dv_cells;

void dv_cells_clear(dv_cells *cells); /* also on a zeroed struct */

/* Appends an empty cell, owned by *cells: n_classes, to be set before the first one, NaN in `iou`, NaN scores, and NULL
 * or 0 in all else; texts and lists put into it must be from malloc. Fails with DV_E_NOMEM. *out stays valid until the
 * next one is added. */
DV_MUST_USE dv_status dv_cells_add(dv_cells *cells, dv_cell **out);

/* Reads result files of either kind, by content: CSV in the published columns (`model`, `train_bins`, `val_bin`,
 * `jac_mean`, `jac0`..; an empty score: no value; the memory from a column `memory`, or from `memoryN` in the file
 * name), or `results.json` of `sweep`. Several files make one set; the same cell twice with equal values counts once,
 * with other values it is DV_E_DATA naming both places. *out is cleared on failure. Fails with DV_E_DATA, DV_E_MISSING,
 * DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_cells_read(const char *const *paths, size_t n_paths, dv_cells *out);

/* The cells in the published columns with `memory` and `difficulty`, with three decimals where `rounded` else the
 * fewest digits that read back as the same double, to *text, the caller's until free(). */
DV_MUST_USE dv_status dv_cells_csv(const dv_cells *cells, bool rounded, char **text);

DV_C_END
#endif
