/* search.h: the launchers of the exact top-k search; rules for all launchers stand in kernels/kernels.h. How the
 * kernels make a search, and why that is exact: docs/EXACTNESS.md, src/host/device/cuda/cuda_search.c.
 *
 * Structs are read on the host; the pointers in them are device memory. */
#ifndef DV_KERNELS_SEARCH_H
#define DV_KERNELS_SEARCH_H

#include "denseval/dtype.h"
#include "kernels/kernels.h"

DV_EXTERN_C_BEGIN

enum {
    DV_CODED_TILE = 256,      /* rows that share a scale */
    DV_CODED_QUERIES = 128,   /* coded queries are padded to a multiple of it */
    DV_SEED_ROWS = 16,        /* rows of a tile that give one maximum */
    DV_MOST_OF_SCORES = 1024, /* that dv_launch_select_scores takes */
    DV_MOST_NEIGHBOURS = 7936 /* of a selection in 128 KB of shared memory */
};

/* Rows with what scoring them takes: as dv_scored_rows of the host. */
typedef struct dv_measured_rows {
    dv_rows rows;       /* finite; dim at least 1 */
    double *norms;      /* f64 [n_rows], of the scaled row for f64; 0 for a zero row */
    int32_t *exponents; /* i32 [n_rows], a row is scaled by 2^-exponent; NULL unless f64 */
} dv_measured_rows;

/* Queries ready for scoring: widened and scaled. */
typedef struct dv_prepared_queries {
    double *values; /* f64 [n, dim] */
    double *norms;  /* f64 [n] */
} dv_prepared_queries;

/* A bank in 8-bit codes, rows in an order of their own. */
typedef struct dv_bank_codes {
    int8_t *codes;               /* i8 [n_tiles * 256, dim_padded], 16-byte aligned; zeros past dim */
    int32_t *rows;               /* i32 [n_tiles * 256]: the row at each position, -1: none */
    int32_t *group;              /* i32 [n_tiles * 256]: of the row at each position; NULL: no masks */
    float *scales;               /* f32 [n_tiles], above 0 */
    float *slacks;               /* f32 [n_tiles]: at least |x - scale * codes| of each unit row x of the tile */
    int64_t n_tiles, dim_padded; /* dim_padded: a multiple of 64 */
} dv_bank_codes;

/* Queries in 8-bit codes. */
typedef struct dv_query_codes {
    int8_t *codes;       /* i8 [n_padded, dim_padded], 16-byte aligned; zeros past n and dim */
    float *scales;       /* f32 [n_padded], above 0 */
    float *reaches;      /* f32 [n_padded]: at least |scale * codes| */
    float *rests;        /* f32 [n_padded]: at least |q - scale * codes| of the unit query q */
    int32_t *hidden;     /* i32 [n_padded]: the group that the query does not see, -1: none; NULL: no masks */
    int64_t n, n_padded; /* n_padded: a multiple of 128 */
} dv_query_codes;

/* Norms, exponents (f64) and peaks of rows, to the bit those of dv_prepare_row; not finite where an element is not.
 * peaks  f32 [n_rows]: largest |element| over norm, 0 for a zero row */
DV_MUST_USE int dv_launch_measure(const dv_measured_rows *of, float *peaks, dv_stream stream);

/* Codes of a bank with the rows and scales that `bank` gives; fills codes and slacks. */
DV_MUST_USE int dv_launch_encode_bank(const dv_measured_rows *of, const dv_bank_codes *bank, dv_stream stream);

/* Prepares and codes queries, each with the scale that fits it. Fills queries and, but for hidden, codes.
 * peaks       f32 [n], of dv_launch_measure; queries->norms are of->norms
 * dim_padded  a multiple of 64, at least dim */
DV_MUST_USE int dv_launch_encode_queries(const dv_measured_rows *of, const float *peaks, int64_t dim_padded,
                                         const dv_prepared_queries *queries, const dv_query_codes *codes,
                                         dv_stream stream);

/* A row that may belong to an answer: its position in the bank's codes, and the sum of products of its codes. */
typedef struct dv_hit {
    uint32_t position;
    int32_t sum;
} dv_hit;

/* Hits of each query, in no order. */
typedef struct dv_hit_lists {
    dv_hit *hits;     /* [n, capacity] */
    uint32_t *counts; /* u32 [n]; above capacity: hits are missing */
    int64_t capacity;
} dv_hit_lists;

/* Lists of candidates with their scores, in no order. */
typedef struct dv_scored_lists {
    int64_t *ids;    /* i64 [n, stride], rows; -1: none */
    double *cosines; /* f64 [n, stride] */
    int64_t stride;
} dv_scored_lists;

/* Rows and canonical cosines, to the bit those of dv_score, of the first min(count, capacity) hits of each of n
 * queries. rows  i32, the row at each position; lists: stride is at least the capacity
 * n_scored  how many were scored is added to it */
DV_MUST_USE int dv_launch_score_hits(const dv_measured_rows *of, const dv_prepared_queries *queries, int64_t n,
                                     const dv_hit_lists *hits, const int32_t *rows, const dv_scored_lists *lists,
                                     unsigned long long *n_scored, dv_stream stream);

/* The same of rows first_row .. first_row + n_rows - 1 for the queries that `chosen` lists, list i for query chosen[i].
 * chosen         u32 [n_chosen], at most 65535; NULL: list i is of query i
 * group, hidden  i32 [rows of the bank] and i32 [queries], rows that a query does not see get id -1; NULL: no masks
 * lists          stride is at least n_rows */
DV_MUST_USE int dv_launch_score_rows(const dv_measured_rows *of, const dv_prepared_queries *queries,
                                     const uint32_t *chosen, int64_t n_chosen, const int32_t *group,
                                     const int32_t *hidden, int64_t first_row, int64_t n_rows,
                                     const dv_scored_lists *lists, dv_stream stream);

/* Bytes of shared memory that a block of dv_launch_topk takes: 32 KB up to k 1792, 64 KB up to 3840, else 128 KB. */
size_t dv_topk_shared_bytes(int64_t k);

/* The k best of each list in the total order: cosine falling as double, then id rising; the rest is id -1, cosine -2.
 * counts        u32 [n_lists], above stride stands for stride; NULL: all of stride
 * chosen        u32 [n_lists], the query of each list; NULL: list i is of query i
 * least         f64 [queries], candidates below it are left out; NULL: none are
 * keep          what ids and cosines hold from an earlier call, of other candidates, takes part
 * ids, cosines  i64 and f64 [queries, k], of the queries with lists alone are written; k in 1..DV_MOST_NEIGHBOURS */
DV_MUST_USE int dv_launch_topk(const dv_scored_lists *lists, int64_t n_lists, const uint32_t *counts,
                               const uint32_t *chosen, const double *least, int64_t k, int keep, int64_t *ids,
                               double *cosines, dv_stream stream);

/* Blocks of threads of the products of codes: 128 queries by 128 rows, in steps of 64 columns, which any GPU from 8.0
 * on takes; or by 256 rows, in steps of 128, for 8.0 and 9.0 (145 KB of shared memory, dim_padded a multiple of 128).
 */
typedef enum dv_product_shape { DV_PRODUCT_SMALL = 0, DV_PRODUCT_LARGE = 1 } dv_product_shape;

/* Bytes of shared memory that a block of that shape takes, and how many blocks fit a multiprocessor of 8.0. */
size_t dv_product_shared_bytes(dv_product_shape shape);
int64_t dv_product_blocks(dv_product_shape shape);

/* Adds to the hits of each query all rows of tiles first_tile .. first_tile + n_tiles - 1 whose sum reaches the
 * threshold and that the query sees. Counts go on where a list is full.
 * thresholds  i32 [n_tiles, n_padded] of dv_launch_thresholds, 2^30 past the queries: |threshold| <= 2^30
 * hits        as they are before: counts are added to
 * n_blocks    of the grid, each takes its share of the products; 0: one a product. n_tiles * n_padded is below 2^36 */
DV_MUST_USE int dv_launch_filter(dv_product_shape shape, const dv_query_codes *queries, const dv_bank_codes *bank,
                                 int64_t first_tile, int64_t n_tiles, const int32_t *thresholds,
                                 const dv_hit_lists *hits, int64_t n_blocks, dv_stream stream);

/* The same by wgmma and TMA, for GPUs of compute capability 9.0 alone, in builds with DENSEVAL_WGMMA; else it is not
 * built and its launch fails with cudaErrorNotSupported. dim_padded is a multiple of 128.
 * cluster  2: blocks in pairs, which share their rows; 1: each for itself */
bool dv_wgmma_is_built(void);
DV_MUST_USE int dv_launch_filter_wgmma(int cluster, const dv_query_codes *queries, const dv_bank_codes *bank,
                                       int64_t first_tile, int64_t n_tiles, const int32_t *thresholds,
                                       const dv_hit_lists *hits, int64_t n_blocks, dv_stream stream);

/* The same hits from sums that were multiplied before (device/cuda/gemm.h): as dv_launch_filter for those tiles.
 * scores  i32 [n_padded, n_tiles * 256]; n_padded at most 2^19, n_tiles below 2^31 */
DV_MUST_USE int dv_launch_filter_scores(const dv_query_codes *queries, const dv_bank_codes *bank, int64_t first_tile,
                                        int64_t n_tiles, const int32_t *scores, const int32_t *thresholds,
                                        const dv_hit_lists *hits, dv_stream stream);

/* The k best of given float scores: score falling, then row rising, exactly in that order; NaN is left out and the rest
 * of the places is id -1, score -2. Nothing is said about the cosines that the scores stand for: this is the selection
 * of a search in floats, to compare with.
 * scores      f32 [n, n_rows], of rows first_row .. first_row + n_rows - 1, which end below 2^31; n below 2^31
 * keep        what ids and best hold from an earlier call, of other rows, takes part
 * ids, best   i64 and f32 [n, k]; k in 1..1024 */
DV_MUST_USE int dv_launch_select_scores(const float *scores, int64_t n, int64_t n_rows, int64_t first_row, int64_t k,
                                        int keep, int64_t *ids, float *best, dv_stream stream);

/* Of every 16 rows in a row of tiles 0 .. n_tiles - 1 the largest sum among those that the query sees, INT32_MIN where
 * it sees none.
 * maxima  i32 [n_padded, n_tiles * 16] */
DV_MUST_USE int dv_launch_seed(dv_product_shape shape, const dv_query_codes *queries, const dv_bank_codes *bank,
                               int64_t n_tiles, int32_t *maxima, int64_t n_blocks, dv_stream stream);

/* Lower bounds of the k-th largest cosine of each query, raised to the k-th largest of those of the maxima, if there
 * are k of them. maxima  of dv_launch_seed for n_tiles tiles eta     how far a canonical cosine may lie from the exact
 * one: dv_bound_canonical lower   f64 [n], raised */
DV_MUST_USE int dv_launch_seed_bounds(const dv_query_codes *queries, const dv_bank_codes *bank, const int32_t *maxima,
                                      int64_t n_tiles, int64_t k, double eta, double *lower, dv_stream stream);

/* What is known of a query when its block has been searched. */
typedef enum dv_query_fate {
    DV_QUERY_ANSWERED = 0,
    DV_QUERY_OVERFLOWED = 1, /* dv_launch_compact */
    DV_QUERY_ZERO = 2,       /* of no direction */
    DV_QUERY_NOT_FINITE = 3
} dv_query_fate;

/* Lower bounds before the search: `least`; INFINITY, so that no row is taken, for a query that is zero or not finite.
 * norms, least  f64 [queries], dv_launch_measure's; least NULL: -INFINITY
 * chosen        u32 [n], bound i is of query chosen[i]; NULL: of query i
 * fates         u32 [n], not DV_QUERY_OVERFLOWED yet; NULL: not wanted */
DV_MUST_USE int dv_launch_first_bounds(const double *norms, const double *least, const uint32_t *chosen, int64_t n,
                                       double *lower, uint32_t *fates, dv_stream stream);

/* The least sum that a row with a cosine of at least `lower` can have: docs/EXACTNESS.md, 5. lower -INFINITY: all pass;
 * INFINITY: none does.
 * thresholds  i32 [n_tiles, n_padded], of tiles first_tile .. first_tile + n_tiles - 1 */
DV_MUST_USE int dv_launch_thresholds(const dv_query_codes *queries, const dv_bank_codes *bank, int64_t first_tile,
                                     int64_t n_tiles, double eta, const double *lower, int32_t *thresholds,
                                     dv_stream stream);

/* Raises `lower` to the k-th largest lower bound among the hits and drops hits that can no longer reach it. Where a
 * list ran over, the query gets fates[query] = DV_QUERY_OVERFLOWED, no hits, and a lower bound of INFINITY, so that it
 * takes no more. lower  f64 [n]; fates u32 [n]; both as they are before */
DV_MUST_USE int dv_launch_compact(const dv_query_codes *queries, const dv_bank_codes *bank, int64_t k, double eta,
                                  const dv_hit_lists *hits, double *lower, uint32_t *fates, dv_stream stream);

/* Raises lower[i] to the k-th cosine of query chosen[i], where it has k neighbours, and empties list i.
 * ids, cosines  of dv_launch_topk; counts u32 [n_chosen], set to 0 */
DV_MUST_USE int dv_launch_raise(const uint32_t *chosen, int64_t n_chosen, const int64_t *ids, const double *cosines,
                                int64_t k, double *lower, uint32_t *counts, dv_stream stream);

/* Copies the chosen queries, in order, to the first places of `to`, whose n is n_chosen; places after them get codes of
 * zeros.
 * dim, dim_padded  of values and codes */
DV_MUST_USE int dv_launch_gather(const uint32_t *chosen, const dv_query_codes *codes,
                                 const dv_prepared_queries *prepared, int64_t dim, int64_t dim_padded,
                                 const dv_query_codes *to_codes, const dv_prepared_queries *to_prepared,
                                 dv_stream stream);

DV_EXTERN_C_END
#endif
