/* query_limits.h: which rows a query does not want: those of a group, and those below a cosine. */
#ifndef DV_SEARCH_QUERY_LIMITS_H
#define DV_SEARCH_QUERY_LIMITS_H

#include <math.h>

#include "denseval/device.h"

/* Rows of this group are hidden; -1: none are. */
static inline int32_t dv_query_hidden(const dv_queries *queries, size_t query) {
    return queries->group ? queries->group[query] : -1;
}

/* Rows with a smaller cosine are left out. */
static inline double dv_query_least(const dv_queries *queries, size_t query) {
    return queries->least ? queries->least[query] : -INFINITY;
}

#endif
