/* filter.h: a block of queries on its way through a coded bank: their codes and bounds, what they have found, and the
 * lower bound of the k-th cosine that decides what is still looked at. The argument: docs/EXACTNESS.md. */
#ifndef DV_SEARCH_FILTER_H
#define DV_SEARCH_FILTER_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/device.h"
#include "denseval/status.h"
#include "search/coded_bank.h"
#include "search/lists.h"
#include "search/scan.h"
#include "search/score.h"
#include "search/topk.h"

/* What does not change from block to block. */
typedef struct dv_filter_bank {
    const dv_scored_rows *scored;
    const dv_coded_bank *coded;
    const dv_scan_kernel *kernel;
} dv_filter_bank;

/* Queries in codes, as a scan takes them. */
typedef struct dv_coded_queries {
    size_t dim_padded;
    int8_t *codes;  /* as of dv_scan_block */
    double *scales; /* f64 [padded queries] */
} dv_coded_queries;

/* Candidates of a query are pairs of position and sum, `counts` of them. No row whose cosine is below `lower` is in
 * the answer: it is at most the k-th best cosine of the bank, or `least`, and only rises. Arrays of what kernels read
 * are padded to DV_BLOCK_QUERIES. */
typedef struct dv_filter {
    size_t most, n; /* queries: room for, and in the block now */
    size_t dim, k;
    bool biased;                   /* as the kernel wants its codes */
    dv_coded_queries whole, heads; /* heads: in two stages, else empty */
    double *reaches, *rests;       /* of whole queries: A, e of docs/EXACTNESS.md, 2; with a centre as 13 has them */
    dv_list_bounds *bounds;        /* the same as floats, about rows or, with heads, about rows in fine codes */
    double *allowances;            /* what a cosine may be above a sum of what is scanned, beside the slope's part */
    int8_t *plain;                 /* i8 [most, whole dim]: whole codes without bias; with heads only */
    float *unit, *products;        /* f32 [most, dim], [most, components], scratch; with heads only */
    double *least;                 /* no row below it is wanted */
    double *lower, *base, *slope;
    double *middles; /* <q, mu>, which sums and bounds know nothing of; 0 without a centre */
    double *norms;
    int32_t *hidden, *thresholds;
    dv_hits hits;
    uint32_t *kept;      /* counts before the chunk that is being scanned */
    dv_neighbour *heaps; /* [most, k] */
    dv_topk *best;       /* rows whose cosine is known */
    float *low;          /* f32 [stride], scratch: lower bounds of one query's candidates */
    int32_t *rows;       /* i32 [stride], scratch */
    double *values;      /* f64 [prepared size], scratch: one query */
    double *turned;      /* f64, scratch: it, turned */
    double *coded;       /* f64, scratch: what is coded of it where that is not the query itself */
    float *seeds;        /* f32 [most, n_seeds]: lower bounds of as many different rows */
    int32_t *peaks;      /* i32 [padded, 16], scratch */
    size_t n_seeds;
    double eta;         /* |canonical - exact cosine| is at most that */
    bool *overflowed;   /* a chunk had more candidates than room: it was scanned again in slices */
    uint64_t n_refined; /* rows that the second stage looked at */
    uint64_t n_scored;  /* rows whose cosine was taken */
    uint64_t n_overflowed;
    double code_s, seed_s, scan_s, refine_s, score_s; /* time, of whoever uses the filter to take */
} dv_filter;

/* How many candidates a query has room for: never less than k and a tile. */
size_t dv_filter_capacity(size_t k, const dv_codes *scanned);

/* Room for `most` queries. Fails with DV_E_NOMEM; release with dv_filter_free in every case.
 * n_seed_tiles  tiles that dv_filter_seed will look at; may be 0 */
DV_MUST_USE dv_status dv_filter_create(size_t most, size_t k, const dv_coded_bank *bank, bool biased,
                                       size_t n_seed_tiles, dv_filter *out);
void dv_filter_free(dv_filter *filter); /* also on a zeroed struct */

/* Takes queries first .. first + n - 1, n <= most, with nothing found. Fails with DV_E_ARG where one is not finite
 * ("query Q: features must be finite"). A zero query never has candidates: all rows tie. */
DV_MUST_USE dv_status dv_filter_begin(dv_filter *filter, const dv_coded_bank *bank, const dv_queries *queries,
                                      size_t first, size_t n);

/* Makes a block of n queries, n <= most, that are copied in next. */
void dv_filter_clear(dv_filter *filter, size_t n);

/* Query q of one filter becomes query `slot` of another of the same shape, with all it has found. */
void dv_filter_copy_query(const dv_filter *from, size_t q, dv_filter *to, size_t slot);

/* What the kernel works on. */
dv_scan_block dv_filter_block(const dv_filter *filter);

/* Raises all lower bounds by a sample, as many tiles of dv_seed_codes as at creation: of each 16th of a tile the best
 * row is found, and the k-th best of those bounds the k-th best of all. */
void dv_filter_seed(dv_filter *filter, const dv_filter_bank *bank);

/* Adds what a part found in the chunk, of the same shape; what has no room counts as overflow. */
void dv_filter_take(dv_filter *filter, const dv_hits *part);

/* After a chunk was scanned: takes what it found through the second stage where there is one, raises the lower bound of
 * query q by its candidates and drops those that are below. False where the chunk overflowed: then nothing but the
 * candidates before it is left, and it must be scanned again. */
bool dv_filter_tighten(dv_filter *filter, size_t q, const dv_coded_bank *bank);

/* Scores all candidates of query q, so that none is left; the lower bound rises to the k-th best of what is known. */
void dv_filter_absorb(dv_filter *filter, size_t q, const dv_filter_bank *bank, const dv_queries *queries, size_t query);

/* The answer of query q: ids i64 [k], cosines f64 [k]. */
void dv_filter_settle(dv_filter *filter, size_t q, const dv_filter_bank *bank, const dv_queries *queries, size_t query,
                      int64_t *ids, double *cosines);

#endif
