/* products.cuh: what the kernels that multiply codes share: their arguments, and how a row that passes is kept. */
#ifndef DV_KERNELS_PRODUCTS_CUH
#define DV_KERNELS_PRODUCTS_CUH

#include "kernels/launch.cuh"
#include "kernels/search.h"

struct dv_multiplying {
    dv_query_codes queries;
    dv_bank_codes bank;
    int64_t first_tile;
    int n_query_tiles, n_products, n_steps; /* n_steps: of one product */
    const int32_t *thresholds;              /* of the filter */
    dv_hit_lists hits;
    int32_t *maxima;  /* of the seed */
    int64_t n_maxima; /* of a query */
};

/* What every filter is given; the rest is 0. */
inline dv_multiplying dv_filtering(const dv_query_codes *queries, const dv_bank_codes *bank, int64_t first_tile,
                                   const int32_t *thresholds, const dv_hit_lists *hits) {
    dv_multiplying of = {};
    of.queries = *queries;
    of.bank = *bank;
    of.first_tile = first_tile;
    of.thresholds = thresholds;
    of.hits = *hits;
    return of;
}

/* Is there a row at a position, and does the query see it? */
__device__ inline bool dv_is_seen(const dv_multiplying &of, int64_t query, int64_t position) {
    if (of.bank.rows[position] < 0) return false;
    if (!of.queries.hidden) return true;
    const int32_t hidden = of.queries.hidden[query];
    return hidden == -1 || of.bank.group[position] != hidden;
}

/* Adds a row that passed to the hits of a query, if the query sees it. */
__device__ inline void dv_append(const dv_multiplying &of, int64_t query, int64_t position, int32_t sum) {
    if (!dv_is_seen(of, query, position)) return;
    const uint32_t at = atomicAdd(of.hits.counts + query, 1u);
    if (at < of.hits.capacity)
        of.hits.hits[query * of.hits.capacity + at] = dv_hit{static_cast<uint32_t>(position), sum};
}

#endif
