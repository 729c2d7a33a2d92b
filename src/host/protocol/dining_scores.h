/* dining_scores.h: from states and values of questions to scores. */
#ifndef DV_PROTOCOL_DINING_SCORES_H
#define DV_PROTOCOL_DINING_SCORES_H

#include "denseval/dining.h"

/* Could this number be read? */
bool dv_dining_has_value(const dv_dining_answer *answer, size_t nutrient);

/* The strict scores of n questions, members[0..n) or, NULL, all. scratch: f64 [n] */
void dv_dining_summarise(const dv_dining_result *result, dv_dining_task task, const uint32_t *members, size_t n,
                         double *scratch, dv_dining_summary *summary);

/* The scores and counts that DiningBench's programs print. Fails with DV_E_DATA where they end with an exception
 * instead; pred: the name of the file, for the message */
DV_MUST_USE dv_status dv_dining_summarise_compat(dv_dining_result *result, const char *pred);

#endif
