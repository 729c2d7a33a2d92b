/* sample.h: a few rows of a bank, evenly spread and always the same, to learn what the bank is like. */
#ifndef DV_SEARCH_SAMPLE_H
#define DV_SEARCH_SAMPLE_H

#include <stddef.h>

/* Number `i` of a sample of n_sample of n rows, n_sample <= n. */
static inline size_t dv_sample_row(size_t n, size_t n_sample, size_t i) {
    return n == n_sample ? i : (size_t)((double)i * ((double)n / (double)n_sample));
}

#endif
