/* dot_parts.h: what the families of dot kernels share. */
#ifndef DV_SEARCH_DOT_PARTS_H
#define DV_SEARCH_DOT_PARTS_H

#include <string.h>

#include "search/dot.h"

/* The last step of every kernel: 16 partials to one sum. */
static inline double dv_dot_finish(double *partial) {
    for (size_t o = DV_DOT_PARTIALS / 2; o > 0; o /= 2)
        for (size_t l = 0; l < o; l++) partial[l] += partial[l + o];
    return partial[0];
}

#if defined(__x86_64__)
dv_dot_kernel dv_dot_avx2(dv_dtype dtype);
dv_dot_kernel dv_dot_avx512(dv_dtype dtype);
#endif

#endif
