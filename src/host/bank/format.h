/* format.h: the names of a "denseval bank v1" file, for its reader and its writer. docs/FORMATS.md describes it. */
#ifndef DV_BANK_FORMAT_H
#define DV_BANK_FORMAT_H

#include <stddef.h>

#include "denseval/bank.h"

#define DV_BANK_SCHEMA "denseval bank v1"

/* "error", "skip" or "keep": the attribute zero_rows. Static lifetime. */
static inline const char *dv_zero_rows_name(dv_zero_rows zero_rows) {
    return zero_rows == DV_ZERO_KEEP ? "keep" : zero_rows == DV_ZERO_SKIP ? "skip" : "error";
}

#endif
