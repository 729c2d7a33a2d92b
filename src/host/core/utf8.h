/* utf8.h: where the characters of a text begin and end. */
#ifndef DV_CORE_UTF8_H
#define DV_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#define DV_UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD, for a byte that begins no character */

/* Bytes of the first character, 1..4; 0 where the text is at its end or none begins there (overlong, a surrogate, above
 * U+10FFFF, cut off). */
size_t dv_utf8_bytes(const char *text);

/* Characters of a text; a byte that begins none counts as one. */
size_t dv_utf8_count(const char *text);

/* Is a byte of the text an ASCII control character? Such a text fits no line of a table or message. */
bool dv_utf8_has_control(const char *text);

#endif
