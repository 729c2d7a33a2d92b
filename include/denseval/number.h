/* number.h: numbers as text, the same in every locale. */
#ifndef DENSEVAL_NUMBER_H
#define DENSEVAL_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

DV_C_BEGIN

enum { DV_NUMBER_SIZE = 32 }; /* bytes that hold any printed number and its NUL */

/* Parse a whole text: no leading or trailing space, no sign but '-' (i64, double), decimal only. Anything else, or a
 * value out of range, is DV_E_USAGE with the text in the message, and *value stays as it was. */
DV_MUST_USE dv_status dv_parse_i64(const char *text, int64_t *value);
DV_MUST_USE dv_status dv_parse_u64(const char *text, uint64_t *value);

/* Finite decimal numbers only: "nan", "inf" and hexadecimal floats are refused. */
DV_MUST_USE dv_status dv_parse_double(const char *text, double *value);

/* A count with an optional decimal suffix as in the papers: "320k" = 320 000, "1m" = 1 000 000, "2g" = 2e9 (either
 * case); plain integers as they are. Also "64MiB", "2GiB", "512KiB" for memory sizes. */
DV_MUST_USE dv_status dv_parse_size(const char *text, size_t *value);

/* The shortest of at most 17 significant digits that reads back as the same double; "nan", "inf", "-inf" otherwise.
 * buffer  char [DV_NUMBER_SIZE]; returned for convenience */
const char *dv_format_double(double value, char *buffer);

DV_C_END
#endif
