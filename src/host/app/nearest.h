/* nearest.h: what somebody may have meant. */
#ifndef DV_APP_NEAREST_H
#define DV_APP_NEAREST_H

#include <stddef.h>

/* How far `text` is from `name`: letters put in, left out, changed, or swapped with their neighbour; a beginning of
 * `name` is 1 away. Only the first 63 letters count. */
size_t dv_text_distance(const char *text, const char *name);

#endif
