/* exact_scan.h: every row scored in double, one query at a time: what the reference does, and what settles a query that
 * no bound could settle. */
#ifndef DV_SEARCH_EXACT_SCAN_H
#define DV_SEARCH_EXACT_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "search/score.h"
#include "search/topk.h"

/* Offers each visible row to `best` and returns how many were scored.
 * group   i32 [n_rows]; rows with group == hidden are passed over where hidden is not -1. NULL: all are visible
 * query   a prepared row (dv_prepare_row) with its norm. For a zero query all rows tie at 0, so it stops at k */
size_t dv_exact_scan(const dv_scored_rows *scored, const int32_t *group, int32_t hidden, const double *query,
                     double query_norm, dv_topk *best);

#endif
