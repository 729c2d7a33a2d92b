/* turn.h: rows and queries turned by one fixed rotation, which leaves their products alone and spreads what a few
 * elements hold over many: 8-bit codes of a row with one large element would have nothing left for the others. */
#ifndef DV_SEARCH_TURN_H
#define DV_SEARCH_TURN_H

#include <stddef.h>
#include <stdint.h>

#include "core/parallel.h"
#include "denseval/status.h"
#include "search/score.h"

/* Signs, then Hadamard matrices along the diagonal, each over a power of two of elements, divided by the root of it. */
typedef struct dv_turn {
    size_t size;   /* elements of a turned row: dim rounded up to DV_CODE_STEP */
    size_t block;  /* of a matrix */
    double *signs; /* f64 [size], +-1 / sqrt(block); NULL: nothing is turned */
} dv_turn;

/* A rotation where the largest elements of many rows stand out; else none. Fails with DV_E_NOMEM; *out is cleared then.
 * peaks  f32 [n_rows] of dv_scored_rows_create */
DV_MUST_USE dv_status dv_turn_choose(const dv_scored_rows *scored, const float *peaks, dv_turn *out);
DV_MUST_USE dv_status dv_turn_create(size_t dim, dv_turn *out); /* in any case */
void dv_turn_free(dv_turn *turn);                               /* also on a zeroed struct */

/* Turns f64 [size] in place. Within 2^-48 of the length (docs/EXACTNESS.md, 15). */
void dv_turn_apply(const dv_turn *turn, double *values);

/* The rows of a bank as codes are made of them. */
typedef struct dv_row_source {
    const dv_scored_rows *scored;
    const dv_turn *turn; /* NULL: rows as they are */
} dv_row_source;

/* Some rows of a bank; rows NULL: all of them. */
typedef struct dv_row_set {
    const int32_t *rows; /* i32 [n], distinct */
    size_t n;
} dv_row_set;

/* Number `i` of a set. */
static inline size_t dv_row_of(dv_row_set set, size_t i) {
    return set.rows ? (size_t)set.rows[i] : i;
}

static inline size_t dv_source_dim(dv_row_source source) {
    return source.turn ? source.turn->size : source.scored->rows.dim;
}

/* A row as dv_scaled_row has it, turned where there is a rotation: f64 [dv_prepared_size(dv_source_dim)]. Its norm is
 * scored->norms[row]. */
void dv_source_row(dv_row_source source, size_t row, double *values);

/* A prepared row of dim elements turned into another array. values f64 [prepared size], turned f64 [size] */
void dv_turn_copy(const dv_turn *turn, size_t dim, const double *values, double *turned);

#endif
