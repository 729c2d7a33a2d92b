/* objects_scores.h: from counts of views to the IoU of targets, and of groups of them. */
#ifndef DV_PROTOCOL_OBJECTS_SCORES_H
#define DV_PROTOCOL_OBJECTS_SCORES_H

#include "denseval/objects.h"

/* Fills n_shown, n_hidden and iou from the views that are counted. */
void dv_object_score_fill(dv_object_score *score, size_t n_views);

/* Fills the groups of a method, and their mean, from the IoU of its targets. Fails with DV_E_NOMEM; what was made by
 * then goes with dv_objects_result_clear. */
DV_MUST_USE dv_status dv_objects_scores_group(const dv_objects_result *result, dv_object_views views,
                                              dv_objects_scores *scores);

#endif
