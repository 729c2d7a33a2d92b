/* dining_letters.h: options by letter, as results show them. */
#ifndef DV_REPORT_DINING_LETTERS_H
#define DV_REPORT_DINING_LETTERS_H

#include <stdint.h>
#include <stdio.h>

#include "denseval/dining.h"

/* How often an option was right, and how often it was named. */
void dv_dining_letter_count(const dv_dining_result *result, size_t option, uint64_t *right, uint64_t *named);

/* The confusion of the letters in use, with the recall and the precision of each; nothing where none is. */
void dv_dining_letters_print(FILE *stream, const dv_dining_result *result);

#endif
