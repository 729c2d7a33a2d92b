/* dining_read.h: the records of a truth and of predictions, read by several threads. */
#ifndef DV_PROTOCOL_DINING_READ_H
#define DV_PROTOCOL_DINING_READ_H

#include "core/parallel.h"
#include "denseval/dining.h"
#include "protocol/dining_groups.h"
#include "protocol/dining_judges.h"

/* Fills questions and n of *result, and the values of the fields. fields: [options->n_fields], zeroed; whatever the
 * outcome the caller clears them. Fails as dv_dining_run does */
DV_MUST_USE dv_status dv_dining_read_truth(const dv_dining_options *options, dv_pool *pool, dv_dining_result *result,
                                           dv_dining_values *fields);

/* Fills answers and join of *result from the predictions. verdicts: those that stand in the predictions, where they are
 * wanted (VQA without judges); zeroed, the caller's to clear */
DV_MUST_USE dv_status dv_dining_read_answers(const dv_dining_options *options, dv_pool *pool, dv_dining_result *result,
                                             dv_dining_verdicts *verdicts);

#endif
