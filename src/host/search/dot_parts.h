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

/* Four rows one after the other, by the kernel of one. */
#define DV_DEFINE_DOTS(name)                                                                                           \
    static void name##_rows(const double *query, const void *const *rows, size_t dim, const dv_scale *scales,          \
                            double *dots) {                                                                            \
        for (size_t r = 0; r < DV_DOT_ROWS; r++) dots[r] = name(query, rows[r], dim, scales[r]);                       \
    }

#if defined(__x86_64__)
dv_dot_kernel dv_dot_avx2(dv_dtype dtype);
dv_dot_kernel dv_dot_avx512(dv_dtype dtype);
dv_dots_kernel dv_dots_avx2(dv_dtype dtype);
dv_dots_kernel dv_dots_avx512(dv_dtype dtype);
#endif

#endif
