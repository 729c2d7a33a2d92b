/* predictions.h: predicted label maps as a folder of indexed PNGs, one a query image. */
#ifndef DV_PIPELINE_PREDICTIONS_H
#define DV_PIPELINE_PREDICTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

typedef struct dv_predictions dv_predictions;

/* A folder beside `path` that takes its name at the commit. *out: the caller's until commit or abandon. */
DV_MUST_USE dv_status dv_predictions_begin(const char *path, bool force, dv_predictions **out);

/* The name that the folder has until then; borrowed. */
const char *dv_predictions_temporary(const dv_predictions *predictions);

/* Writes IMAGE_ID.png; '/' in an id makes sub-folders. An id that would leave the folder is DV_E_DATA. Any thread. */
DV_MUST_USE dv_status dv_predictions_write(dv_predictions *predictions, const char *image_id, const uint16_t *labels,
                                           size_t height, size_t width);

DV_MUST_USE dv_status dv_predictions_commit(dv_predictions *predictions); /* frees the handle in every case */
void dv_predictions_abandon(dv_predictions *predictions);                 /* NULL is allowed */

#endif
