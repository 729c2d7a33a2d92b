/* dining_option.h: the option letter that an answer names. */
#ifndef DV_PROTOCOL_DINING_OPTION_H
#define DV_PROTOCOL_DINING_OPTION_H

#include "protocol/dining_text.h"

enum { DV_LAST_OPTION = 'H' };

/* The letter 'A'..'H'; '\0': the answer is not readable, as docs/METRICS.md, "Dining", says. scratch: two texts whose
 * contents are replaced. Fails with DV_E_NOMEM */
DV_MUST_USE dv_status dv_dining_option_strict(dv_span answer, dv_json_text *scratch, char *letter);

/* What DiningBench's own program takes for the letter, 'A'..'Z': the first letter of the upper-case text; '\0': that is
 * none of those, or there is none, or the call failed. */
char dv_dining_option_compat(dv_span answer);

#endif
