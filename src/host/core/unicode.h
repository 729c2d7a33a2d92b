/* unicode.h: what characters are: letters, white space, digits of any script. */
#ifndef DV_CORE_UNICODE_H
#define DV_CORE_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first character of text[0..n), n >= 1, and how many bytes it has. A byte that begins none is a character of its
 * own, above all that exist. */
uint32_t dv_unicode_next(const char *text, size_t n, size_t *n_bytes);

/* Is text[0..n) UTF-8 throughout? */
bool dv_unicode_is_sound(const char *text, size_t n);

/* Python's str.isspace of one character. */
bool dv_unicode_is_space(uint32_t character);

/* Drops white space at both ends of text[0..*n), as Python's str.strip does. */
const char *dv_unicode_strip(const char *text, size_t *n);

/* Its value where the character is a decimal digit; -1 else. */
int dv_unicode_digit(uint32_t character);

/* The first letter of the character's full upper case: 'A'..'Z', also for "ß" and the like; 1: another letter; 0: there
 * is none. */
char dv_unicode_capital(uint32_t character);

#endif
