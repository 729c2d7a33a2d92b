/* codes.h: a bank in 8-bit codes: rows sorted by their largest element, cut in tiles that share one scale, and for each
 * tile a bound on how far its rows are from their codes. Why that settles a search: docs/EXACTNESS.md. */
#ifndef DV_SEARCH_CODES_H
#define DV_SEARCH_CODES_H

#include <stddef.h>
#include <stdint.h>

#include "core/parallel.h"
#include "denseval/status.h"
#include "search/centre.h"
#include "search/head.h"
#include "search/scan.h"
#include "search/score.h"

enum { DV_MOST_CODED_DIM = 32768, DV_MOST_PADDED_DIM = DV_MOST_CODED_DIM + DV_CODE_STEP, DV_TILE_ROWS = 256 };

/* Read-only once made, so several threads may share it. */
typedef struct dv_codes {
    size_t n_rows, dim, dim_padded;
    size_t n_tiles, tile_rows; /* tile_rows: a power of two, 32 or more */
    unsigned tile_shift;       /* position >> tile_shift is the tile */
    int8_t *codes;             /* i8 [n_tiles, tile_rows / 16, dim_padded / 4, 16, 4] */
    int32_t *offsets;          /* i32 [n_tiles * tile_rows]: -128 times the sum of the row's codes */
    int32_t *rows;             /* i32 [n_tiles * tile_rows]: the row at each position; n_rows and on: -1 */
    int32_t *group;            /* i32 [n_tiles * tile_rows] of the row at each position, or NULL */
    float *scales;             /* f32 [n_tiles] */
    float *slacks;             /* f32 [n_tiles]: at least |x - scale * codes| of each unit row x of the tile */
    dv_centre centre;          /* with one, rows are centred before they are coded, and the next two are set */
    double share;              /* slacks are at least |y - scale * codes| + share * |y| of each centred row y */
    double least_slack;        /* the smallest of them */
    double extent;             /* at least |y| of every centred row y */
} dv_codes;

/* Codes a set of rows, one at least; dim is at most DV_MOST_CODED_DIM, else DV_E_ARG. Blocking. Fails with DV_E_NOMEM;
 * *out is cleared then.
 * set        borrowed for the call
 * group      i32 [n_rows] or NULL, borrowed for the call
 * peaks      f32 [n_rows] of dv_scored_rows_create, borrowed for the call; turned and centred rows have their own
 * centre     becomes part of *out, or is freed on failure; a zeroed one: none
 * tile_rows  rounded up to a power of two; 0: DV_TILE_ROWS, fewer for a small bank */
DV_MUST_USE dv_status dv_codes_create(dv_row_source source, dv_row_set set, const int32_t *group, const float *peaks,
                                      dv_centre centre, size_t tile_rows, dv_pool *pool, dv_codes *out);

/* Codes the heads of all rows, in their order, position = row; slacks are those of heads. Fails as above.
 * head  borrowed for the call */
DV_MUST_USE dv_status dv_codes_create_heads(const dv_scored_rows *scored, const int32_t *group, const dv_head *head,
                                            size_t tile_rows, dv_pool *pool, dv_codes *out);
void dv_codes_free(dv_codes *codes); /* also on a zeroed struct */

/* What a kernel sees of a tile. */
dv_code_tile dv_codes_tile(const dv_codes *codes, size_t tile);

/* Tiles of a bank in a fixed order that goes everywhere soon: rows are sorted by their largest element, so a run of
 * tiles is no fair sample. */
typedef struct dv_tile_order {
    size_t n_tiles, step; /* no common divisor */
} dv_tile_order;

dv_tile_order dv_tile_order_make(size_t n_tiles);

/* Tile number `i` of the order. */
static inline size_t dv_tile_order_at(const dv_tile_order *order, size_t i) {
    return i * order->step % order->n_tiles; /* both are below 2^32 */
}

#endif
