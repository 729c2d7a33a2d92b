/* centre.h: rows and queries less a common direction, so that 8-bit codes spend their steps on what tells the rows of a
 * tight bank apart. Why any centre gives the same answer: docs/EXACTNESS.md, 13. */
#ifndef DV_SEARCH_CENTRE_H
#define DV_SEARCH_CENTRE_H

#include <stddef.h>

#include "denseval/status.h"
#include "search/turn.h"

/* With mu the centre, c a number of the query, x and q unit vectors, y = x - mu and z = q - c mu:
 *   <q, x> = <q, mu> + <z, y> + c <mu, y>.
 * The last term rides along in `n_beside` more elements: of a row <mu, y> / (n_beside * unit), of a query c * unit. */
typedef struct dv_centre {
    double *mu; /* f64 [dv_prepared_size(dim)], padded with zeros, |mu| <= 1 + 2^-12; NULL: there is no centre */
    size_t dim;
    size_t n_beside; /* a power of two */
    double unit;     /* a power of two, 2^-30 .. 1 */
} dv_centre;

/* An absolute error that covers all that is computed with a centre (docs/EXACTNESS.md, 13.3). */
#define DV_CENTRE_ERROR 0x1p-37
/* Scales of centred rows and queries, and codes.h's share, are at least that (13.6, 13.4). */
#define DV_LEAST_CENTRED_SCALE 0x1p-38F
#define DV_LEAST_SHARE 0x1p-8

/* The mean of a sample of the unit rows, the same whatever the threads; none where it would not help. dim is at most
 * DV_MOST_CODED_DIM. Fails with DV_E_NOMEM; *out is cleared then. */
DV_MUST_USE dv_status dv_centre_create(dv_row_source source, dv_centre *out);

/* Takes a copy of mu, f64 [dv_source_dim], turned as the rows are, and what else follows from it and the rows of a set.
 * Fails as above. */
DV_MUST_USE dv_status dv_centre_about(dv_row_source source, dv_row_set set, const double *mu, dv_centre *out);
void dv_centre_free(dv_centre *centre); /* also on a zeroed struct */

/* Elements of a centred row or query: a multiple of DV_CODE_STEP. */
size_t dv_centre_padded_dim(size_t dim);

/* A prepared row times `inverse` to its centred elements, both f64 [padded dim], in place. Returns |y|^2. */
double dv_centre_row(const dv_centre *centre, double inverse, double *values);

/* The same for a prepared query, to another array. Returns <q, mu>. */
double dv_centre_query(const dv_centre *centre, const double *values, double inverse, double *out);

#endif
