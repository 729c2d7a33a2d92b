/* fake_cublas.h: what a test asks of the library that stands for cuBLAS and cuBLASLt; found by dlsym. */
#ifndef SIMT_FAKE_CUBLAS_H
#define SIMT_FAKE_CUBLAS_H

typedef struct fake_cublas {
    int n_alive;   /* handles and descriptions that nobody destroyed */
    int n_asked;   /* times the heuristic was */
    int fail_call; /* the n-th of the following calls fails; 0: none */
} fake_cublas;

enum { FAKE_MOST_DIM = 1000 /* the heuristic knows no product of longer rows */ };

#endif
