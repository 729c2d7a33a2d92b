/* score.h: the canonical cosine, the same bits on every device:
 *   c(q, x) = clamp(dot(q, x) / (sqrt(dot(q, q)) * sqrt(dot(x, x)))) + 0.0
 * in double, dot as in search/dot.h, every operation rounded once. A zero row scores +0. An f64 row is multiplied first
 * by the power of two that brings its largest |x| into [0.5, 1), so that no square overflows or vanishes. */
#ifndef DV_SEARCH_SCORE_H
#define DV_SEARCH_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/parallel.h"
#include "denseval/dtype.h"
#include "denseval/status.h"
#include "search/dot.h"
#include "search/topk.h"

/* Rows with what scoring them takes. Read-only once made, so several threads may share it. */
typedef struct dv_scored_rows {
    dv_rows rows;       /* borrowed until dv_scored_rows_free */
    double *norms;      /* f64 [n_rows], of the scaled row for f64; 0 for a zero row */
    int32_t *exponents; /* i32 [n_rows], a row is scaled by 2^-exponent; NULL unless f64 */
    dv_dot_kernel dot;
    dv_dots_kernel dots;
} dv_scored_rows;

/* Doubles that a prepared row takes: dim rounded up to 16. */
size_t dv_prepared_size(size_t dim);

/* Widens one row to doubles, scaled where it is f64, padded with zeros. Returns its norm, 0 for a zero row; infinite or
 * NaN where an element is. row     dtype [dim]; values f64 [dv_prepared_size(dim)] simd    family of the dot product
 * *exponent  the scale is 2^-exponent; 0 unless f64. NULL is allowed */
double dv_prepare_row(const void *row, dv_dtype dtype, size_t dim, dv_simd simd, double *values, int32_t *exponent);

/* Norms of all rows. Fails with DV_E_ARG where an element is not finite ("row R: features must be finite"), DV_E_NOMEM.
 * rows   borrowed until dv_scored_rows_free; *out is cleared on failure
 * peaks  f32 [n_rows] or NULL: largest |element| of each row divided by its norm, about; 0 for a zero row */
DV_MUST_USE dv_status dv_scored_rows_create(const dv_rows *rows, dv_simd simd, dv_pool *pool, float *peaks,
                                            dv_scored_rows *out);
void dv_scored_rows_free(dv_scored_rows *scored); /* also on a zeroed struct */

/* Row of a set as dv_prepare_row leaves it: f64 [dv_prepared_size(dim)]. Its norm is known already. */
void dv_scaled_row(const dv_scored_rows *scored, size_t row, double *values);

/* Cosine from a dot product and two norms. */
static inline double dv_cosine(double dot, double query_norm, double row_norm) {
    if (query_norm == 0.0 || row_norm == 0.0) return 0.0;
    const double cosine = dot / (query_norm * row_norm);
    if (cosine > 1.0) return 1.0;
    if (cosine < -1.0) return -1.0;
    return cosine + 0.0; /* -0 becomes +0: equal scores have equal bits */
}

/* Cosine of a prepared query and a row. */
double dv_score(const dv_scored_rows *scored, size_t row, const double *query, double query_norm);

/* Asks for n rows (-1: none) that will be read soon. */
void dv_fetch_rows(const dv_scored_rows *scored, const int32_t *rows, size_t n);

/* Offers n rows with their cosines, fetching each into the cache ahead of time.
 * rows  i32 [n], row numbers, in any order */
void dv_score_rows(const dv_scored_rows *scored, const int32_t *rows, size_t n, const double *query, double query_norm,
                   dv_topk *best);

/* Address of a row. */
const void *dv_row_at(const dv_rows *rows, size_t row);

#endif
