/* blas.h: the BLAS library, which FAISS multiplies with too: kept to our threads, and the products and decompositions
 * that we ask of it. Its Fortran matrices of columns are our matrices of rows. */
#ifndef DV_SEARCH_BLAS_H
#define DV_SEARCH_BLAS_H

#include <stddef.h>

#include "denseval/status.h"

/* Keeps the BLAS library to the calling thread: our pool already has one thread a core. To be called in every thread
 * before it multiplies; cheap beside a product. */
void dv_blas_single_thread(void);

/* DV_E_NOMEM where n_threads threads would find no memory for the buffers of their first product: OpenBLAS tries for
 * ever then, and never comes back. */
DV_MUST_USE dv_status dv_blas_check_room(size_t n_threads);

/* products[i, j] = <a[i], b[j]>, in any order of the sums.
 * a f32 [n, dim], b f32 [m, dim], products f32 [n, m]; n * m and dim below 2^31 */
void dv_blas_products(const float *a, size_t n, const float *b, size_t m, size_t dim, float *products);

/* The upper half of the sum of the outer products of n rows: moments f64 [dim, dim], rows f64 [n, dim]. */
void dv_blas_moments(const double *rows, size_t n, size_t dim, double *moments);

/* The n_components eigenvectors with the largest eigenvalues, the largest first, f64 [n_components, dim], of a
 * symmetric matrix f64 [dim, dim] whose upper half is given; it is overwritten. Fails with DV_E_NOMEM, DV_E_INTERNAL.
 */
DV_MUST_USE dv_status dv_blas_components(double *matrix, size_t dim, size_t n_components, double *components);

/* Makes the rows of a square matrix f64 [n, n] orthonormal, in place (QR). Fails as above. */
DV_MUST_USE dv_status dv_blas_orthonormal(double *matrix, size_t n);

/* product = a b: a f64 [n, m], b f64 [m, dim], product f64 [n, dim]. */
void dv_blas_rotate(const double *a, size_t n, size_t m, const double *b, size_t dim, double *product);

#endif
