/* slices.h: queries that found more candidates in a chunk of tiles than they have room for look at it again, tile by
 * tile, and score what they hold whenever room runs out. That cannot overflow, and it ends. */
#ifndef DV_SEARCH_SLICES_H
#define DV_SEARCH_SLICES_H

#include <stddef.h>

#include "search/filter.h"

/* Scans tiles begin..end-1 of the order again for query q of `filter`, n_flagged of them.
 * flagged  query numbers in the block, [n_flagged]
 * slice    a filter of the same shape, of any size; what was scored there is counted there
 * first    the block's first query */
void dv_scan_in_slices(dv_filter *filter, const size_t *flagged, size_t n_flagged, const dv_filter_bank *bank,
                       const dv_tile_order *order, size_t begin, size_t end, const dv_queries *queries, size_t first,
                       dv_filter *slice);

#endif
