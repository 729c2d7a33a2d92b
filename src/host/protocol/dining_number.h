/* dining_number.h: numbers as models write them. */
#ifndef DV_PROTOCOL_DINING_NUMBER_H
#define DV_PROTOCOL_DINING_NUMBER_H

#include "protocol/dining_text.h"

/* An optional sign, digits with an optional fraction (".5" and "5." too), an optional exponent, space, tab, CR, LF
 * around it; and finite. */
bool dv_dining_decimal(dv_span text, double *value);

/* What Python's float() takes as text: digits of any script, single underscores between digits, white space of Unicode
 * around it, "nan", "inf", "infinity" in any case. */
bool dv_dining_python_float(dv_span text, double *value);

#endif
