/* unit.h: rows of length 1 in f32, what float filters work on. */
#ifndef DV_SEARCH_UNIT_H
#define DV_SEARCH_UNIT_H

#include <stddef.h>

#include "core/parallel.h"
#include "denseval/status.h"
#include "search/score.h"

/* unit[i] = values[i] / norm in double, rounded to f32; zeros for a zero row.
 * values  f64 [dim], a prepared row (dv_prepare_row); norm: its norm; unit: f32 [dim] */
void dv_unit_row(const double *values, double norm, size_t dim, float *unit);

/* Unit rows first .. first + n - 1 of a set: f32 [n, dim]. Blocking. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_unit_rows(const dv_scored_rows *scored, size_t first, size_t n, dv_pool *pool, float *unit);

#endif
