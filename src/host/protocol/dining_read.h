/* dining_read.h: the records of a truth and of predictions, one line in memory at a time. */
#ifndef DV_PROTOCOL_DINING_READ_H
#define DV_PROTOCOL_DINING_READ_H

#include "denseval/dining.h"
#include "protocol/dining_groups.h"

/* Fills questions and n of *result, and the values of the fields. fields: [options->n_fields], zeroed; whatever the
 * outcome the caller clears them. Fails as dv_dining_run does */
DV_MUST_USE dv_status dv_dining_read_truth(const dv_dining_options *options, dv_dining_result *result,
                                           dv_dining_values *fields);

/* Fills answers and join of *result from the predictions. */
DV_MUST_USE dv_status dv_dining_read_answers(const dv_dining_options *options, dv_dining_result *result);

#endif
