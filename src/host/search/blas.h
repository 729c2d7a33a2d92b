/* blas.h: the one matrix product that the float filter needs. */
#ifndef DV_SEARCH_BLAS_H
#define DV_SEARCH_BLAS_H

#include <stddef.h>

/* Keeps the BLAS library to the calling thread: our pool already has one thread a core. To be called in every thread
 * before it multiplies; cheap beside a product. */
void dv_blas_single_thread(void);

/* scores[i, j] = queries[i] . rows[j], f32. No size above INT32_MAX.
 * queries f32 [n_queries, dim], rows f32 [n_rows, dim], scores f32 [n_queries, n_rows] */
void dv_blas_scores(const float *queries, size_t n_queries, const float *rows, size_t n_rows, size_t dim,
                    float *scores);

#endif
