/* dining_verdict.h: what a judge said of an answer. */
#ifndef DV_PROTOCOL_DINING_VERDICT_H
#define DV_PROTOCOL_DINING_VERDICT_H

#include "protocol/dining_text.h"

typedef enum dv_verdict { DV_VERDICT_UNDECIDED = 0, DV_VERDICT_YES = 1, DV_VERDICT_NO = 2 } dv_verdict;

/* By the first word (docs/METRICS.md, "Dining"). */
dv_verdict dv_dining_verdict_strict(dv_span text);

/* As DiningBench's own program: by words anywhere, also inside others, those of refusal first. */
bool dv_dining_verdict_compat(dv_span text);

#endif
