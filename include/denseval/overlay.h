/* overlay.h: pictures with truth and prediction drawn over them. */
#ifndef DENSEVAL_OVERLAY_H
#define DENSEVAL_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/labels.h"
#include "denseval/status.h"

DV_C_BEGIN

typedef enum dv_overlay_mode {
    DV_OVERLAY_SIDE_BY_SIDE = 0, /* picture, truth over it, prediction over it, beside each other */
    DV_OVERLAY_BLEND = 1,        /* the prediction over the picture: translucent regions with a bright border */
    DV_OVERLAY_DIFFERENCE = 2    /* right pixels faded, wrong ones in the predicted class's colour, ignored ones gray */
} dv_overlay_mode;

typedef struct dv_overlay_options {
    const char *images; /* folder of JPEG or PNG pictures, searched with its sub-folders */
    const char *truth;  /* folder of label PNGs, or a feature file with /labels; NULL: none (not for DIFFERENCE) */
    const char *pred;   /* folder of label PNGs */
    const char *out;    /* folder to make; must not exist unless force */
    dv_overlay_mode mode;
    bool sheet;           /* also OUT/sheet.png: the overlays in a grid, scaled down by whole factors */
    size_t sheet_columns; /* 0: the nearest to a square */
    size_t limit;         /* first pictures in natural order; 0: all */
    dv_label_set ignored;
    bool apply_exif; /* turn the picture as its orientation says; else a warning is logged when it is not 1 */
    bool force;
    bool skip_bad;
} dv_overlay_options;

typedef struct dv_overlay_result {
    size_t n_written;
    size_t n_pictures_without_prediction, n_predictions_without_picture, n_skipped;
    char *sheet_path; /* owned; NULL without a sheet */
} dv_overlay_result;

/* Draws every picture that has a prediction, as OUT/KEY.png. They are joined by key: the path below its folder, without
 * the components "img", "mask", "images", "masks" of the CLASS/BIN/{img,mask} layout, and without the last extension;
 * x.jpg.png also pairs with x.jpg, and image ids of a feature file count as such paths. Leftovers on either side are
 * logged. Label 0 is the background: regions of it are left clear.
 *
 * Bad items (unreadable; sizes that differ: both are named; no truth where truth was given) are logged, the first 20 in
 * full, and fail the run once all were looked at: DV_E_DATA, or DV_E_MISSING where nothing but files is missing. With
 * skip_bad they are left out and counted, but a run without any overlay still fails. Other failures: DV_E_MISSING (a
 * folder), DV_E_DATA (two files of one key, no pair), DV_E_USAGE (`out` exists, no truth for a difference, a sheet too
 * large), DV_E_IO, DV_E_NOMEM. On any of them `out` is as it was.
 * *result  release with dv_overlay_result_clear; zeroed on failure */
DV_MUST_USE dv_status dv_overlay_run(const dv_overlay_options *options, dv_overlay_result *result);
void dv_overlay_result_clear(dv_overlay_result *result);

DV_C_END
#endif
