/* filter_parts.h: what the files of a filter share: its memory, its queries in codes, what they find. */
#ifndef DV_SEARCH_FILTER_PARTS_H
#define DV_SEARCH_FILTER_PARTS_H

#include <stddef.h>

#include "search/filter.h"

static inline size_t dv_filter_pad(size_t n, size_t to) {
    return (n + to - 1) / to * to;
}

/* Widens a query to f->values; its norm. */
double dv_filter_prepare(const dv_filter *filter, const dv_queries *queries, size_t query);

/* Sets the lower bound of query q, and what thresholds follow from. */
void dv_filter_set_lower(dv_filter *filter, size_t q, double lower);

/* What a kernel works on: the block in these codes. */
dv_scan_block dv_filter_block_of(const dv_filter *filter, const dv_coded_queries *queries);

#endif
