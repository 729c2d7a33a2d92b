/* dining_verdict.h: what a judge said of an answer. */
#ifndef DV_PROTOCOL_DINING_VERDICT_H
#define DV_PROTOCOL_DINING_VERDICT_H

#include "denseval/dining.h"
#include "protocol/dining_text.h"

/* Yes, no or undecided, by the first word (docs/METRICS.md, "Dining"). */
dv_dining_verdict dv_dining_verdict_strict(dv_span text);

/* As DiningBench's own program: by words anywhere, also inside others, those of refusal first. */
bool dv_dining_verdict_compat(dv_span text);

#endif
