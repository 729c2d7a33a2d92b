/* scan.h: what a kernel does: queries in 8-bit codes against one tile of coded rows, and which pairs it reports. No
 * instruction set shows here; the kernels stand in device/cpu/kernels/, and later ones elsewhere. */
#ifndef DV_SEARCH_SCAN_H
#define DV_SEARCH_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DV_GROUP_ROWS = 16,   /* rows, and queries, that lie interleaved */
    DV_CODE_STEP = 64,    /* codes of one query that lie together; dims are padded to a multiple of it */
    DV_BLOCK_QUERIES = 32 /* query blocks are padded to a multiple of it, tiles hold a multiple of as many rows */
};

/* Bytes of codes that a row of `dim` elements takes: dim rounded up to DV_CODE_STEP. */
static inline size_t dv_padded_dim(size_t dim) {
    return (dim + DV_CODE_STEP - 1) / DV_CODE_STEP * DV_CODE_STEP;
}

#define DV_NEVER (1 << 30) /* a threshold that no sum reaches: |sum| <= 32768 * 127^2 < 2^30 */

/* A tile of coded rows, all with one scale. */
typedef struct dv_code_tile {
    const int8_t *codes;    /* i8 [n_groups, dim_padded / 4, 16 rows, 4], 64-byte aligned */
    const int8_t *ahead;    /* codes of the tile that comes next, to be fetched meanwhile; NULL: none */
    const int32_t *offsets; /* i32 [n_groups * 16]: -128 times the sum of the row's codes */
    const int32_t *group;   /* i32 [n_groups * 16], or NULL: nothing is hidden */
    size_t n_groups;        /* even */
    uint32_t first;         /* position of the first row */
    uint32_t end;           /* positions from here on are padding: never reported */
    double inverse_scale, slack;
} dv_code_tile;

/* What was found for each query: positions and sums of one query lie together. */
typedef struct dv_hits {
    uint32_t *positions; /* u32 [n_queries, stride] */
    int32_t *sums;       /* i32 [n_queries, stride] */
    uint32_t *counts;    /* u32 [n_queries]: goes on counting past the capacity, where nothing is stored */
    size_t capacity;     /* what may be stored, less than stride: the place behind the last is written too */
    size_t stride;
} dv_hits;

/* Queries in codes. A pair is reported iff sum >= T with sum = <query, row> over the codes, exactly, and
 * T = dv_threshold(base, slope, tile), unless the row is padding or hidden. */
typedef struct dv_scan_block {
    const int8_t *codes;   /* i8 [n / 16, dim_padded / 64, 16 queries, 64], 64-byte aligned; u8 where biased */
    size_t n;              /* padded to a multiple of DV_BLOCK_QUERIES; the base of padding is INFINITY */
    size_t dim_padded;     /* multiple of DV_CODE_STEP */
    const double *base;    /* f64 [n] */
    const double *slope;   /* f64 [n] */
    const int32_t *hidden; /* i32 [n]: rows of this group are hidden where the tile has groups; -1: none */
    int32_t *thresholds;   /* i32 [n], scratch, 64-byte aligned */
    dv_hits hits;
} dv_scan_block;

/* The integer threshold: at most the least sum that a row of the answer can have (docs/EXACTNESS.md, 5). Truncation
 * after 1 is taken away never rises above the ceiling of the real quotient, as long as the computed one is within 1. */
static inline int32_t dv_threshold(double base, double slope, double inverse_scale, double slack) {
    double quotient = (base - slope * slack) * inverse_scale - 1.0;
    quotient = quotient < (double)DV_NEVER ? quotient : (double)DV_NEVER;
    quotient = quotient > -(double)DV_NEVER ? quotient : -(double)DV_NEVER;
    return (int32_t)quotient;
}

/* A kernel: one way to do it. All report the same pairs, each query's in the order of their positions. */
typedef struct dv_scan_kernel {
    const char *name; /* lower case, static lifetime */
    double rate;      /* multiply-adds a nanosecond and thread, about: one stage or two hangs on it, no result does */
    bool biased;      /* takes queries as u8: each code, padding too, plus 128 */
    bool (*usable)(void);
    void (*scan)(const dv_scan_block *block, const dv_code_tile *tile);
    /* Reports nothing and looks at no threshold. peaks[q, r] = the largest sum of query q with those of rows r, r + 16,
     * r + 32, ... of the tile that it may see; INT32_MIN where it sees none. No row of the tile is padding.
     * peaks  i32 [n, 16], 64-byte aligned */
    void (*peaks)(const dv_scan_block *block, const dv_code_tile *tile, int32_t *peaks);
} dv_scan_kernel;

#endif
