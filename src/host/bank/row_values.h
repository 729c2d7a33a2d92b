/* row_values.h: what a stored feature row must not hold, told from its bits. */
#ifndef DV_BANK_ROW_VALUES_H
#define DV_BANK_ROW_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/dtype.h"

/* Is every element +0 or -0? row: dtype [dim], borrowed for the call. */
bool dv_row_is_zero(const void *row, dv_dtype dtype, size_t dim);

/* Index of the first infinity or NaN; n where there is none. values: dtype [n], borrowed for the call. */
size_t dv_find_nonfinite(const void *values, dv_dtype dtype, size_t n);

#endif
