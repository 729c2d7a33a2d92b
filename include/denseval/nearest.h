/* nearest.h: which known name somebody may have meant. */
#ifndef DENSEVAL_NEAREST_H
#define DENSEVAL_NEAREST_H

#include <stddef.h>

#include "denseval/status.h"

DV_C_BEGIN

/* How far `text` is from `name`: letters put in, left out, changed, or swapped with their neighbour; a beginning of
 * `name` is 1 away. Only the first 63 letters count. */
size_t dv_text_distance(const char *text, const char *name);

DV_C_END
#endif
