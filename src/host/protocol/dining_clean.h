/* dining_clean.h: what DiningBench's programs make of the raw output of a model, before they store it as an answer. */
#ifndef DV_PROTOCOL_DINING_CLEAN_H
#define DV_PROTOCOL_DINING_CLEAN_H

#include "denseval/dining.h"
#include "protocol/dining_text.h"

/* What is left of a text. *answer: a piece of `text` or of `scratch`, whose content is replaced. Fails with DV_E_NOMEM.
 * Source: clean_thinking_by_model of eval_classification.py, expression by expression. */
DV_MUST_USE dv_status dv_dining_clean_compat(dv_span text, dv_dining_model model, dv_json_text *scratch,
                                             dv_span *answer);

#endif
