/* overlay_join.h: which picture goes with which label maps. */
#ifndef DV_REPORT_OVERLAY_JOIN_H
#define DV_REPORT_OVERLAY_JOIN_H

#include <stddef.h>

#include "denseval/overlay.h"
#include "report/overlay_labels.h"

typedef struct dv_overlay_pair {
    const dv_folder_file *picture; /* borrowed from the join */
    size_t pred, truth;            /* items; truth is DV_NO_ITEM where there is none */
} dv_overlay_pair;

typedef struct dv_overlay_join {
    const char *images; /* borrowed */
    dv_folder pictures;
    dv_label_source pred, truth; /* truth is empty without one */
    size_t n_pairs;
    dv_overlay_pair *pairs; /* [n_pairs], pictures in natural order; owned */
    size_t n_pictures_without_prediction, n_predictions_without_picture;
} dv_overlay_join;

/* Lists the folders and pairs by key. What is left over on either side is counted and logged. Fails with DV_E_MISSING,
 * DV_E_DATA (two pictures or two maps of one key; no pair at all), DV_E_IO, DV_E_NOMEM.
 * options  borrowed until the join is cleared
 * *join    release with dv_overlay_join_clear; cleared on failure */
DV_MUST_USE dv_status dv_overlay_join_make(const dv_overlay_options *options, dv_overlay_join *join);
void dv_overlay_join_clear(dv_overlay_join *join);

#endif
