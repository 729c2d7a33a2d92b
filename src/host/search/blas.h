/* blas.h: keeping the BLAS library, which FAISS multiplies with, to our threads. */
#ifndef DV_SEARCH_BLAS_H
#define DV_SEARCH_BLAS_H

/* Keeps the BLAS library to the calling thread: our pool already has one thread a core. To be called in every thread
 * before it multiplies; cheap beside a product. */
void dv_blas_single_thread(void);

#endif
