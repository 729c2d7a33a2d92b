/* blas.h: keeping the BLAS library, which FAISS multiplies with, to our threads. */
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

#endif
