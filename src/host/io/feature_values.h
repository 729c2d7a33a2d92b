/* feature_values.h: is a patch's feature finite, and not zero? Looked at as bits, in one pass that compilers vectorise.
 */
#ifndef DV_IO_FEATURE_VALUES_H
#define DV_IO_FEATURE_VALUES_H

#include <stddef.h>

#include "denseval/dtype.h"

typedef enum dv_feature_state { DV_FEATURE_GOOD, DV_FEATURE_ZERO, DV_FEATURE_NOT_FINITE } dv_feature_state;

/* row  dtype [dim], aligned to its element */
dv_feature_state dv_feature_check(const void *row, dv_dtype dtype, size_t dim);

/* The first value that is not finite, widened; *index is its place. Only for a row in DV_FEATURE_NOT_FINITE. */
double dv_feature_first_not_finite(const void *row, dv_dtype dtype, size_t dim, size_t *index);

#endif
