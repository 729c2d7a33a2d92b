/* tile_scan.h: what is done with a row of float scores: nearly always only to see that nothing passes. */
#ifndef DV_SEARCH_TILE_SCAN_H
#define DV_SEARCH_TILE_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "search/candidates.h"
#include "search/dot.h"

/* The first index from `begin` on with scores[index] >= threshold; n where there is none. scores f32 [n], no NaN. */
typedef size_t (*dv_next_kernel)(const float *scores, size_t begin, size_t n, float threshold);

/* The kernel of a family; NULL where this CPU does not run it. All give the same answer. */
dv_next_kernel dv_next_kernel_for(dv_simd simd);

/* Sets the scores of hidden rows to minus infinity. group i32 [n]; hidden is not -1. */
void dv_hide_scores(float *scores, const int32_t *group, int32_t hidden, size_t n);

/* Takes the scores of n rows, first_row and on, into the list. The first rows of a list also set its threshold: the
 * k-th best of the maxima of more than k groups of rows is the score of one of k rows at least. maxima  f32 [n],
 * scratch */
void dv_scan_scores(dv_candidates *list, const float *scores, size_t n, int32_t first_row, dv_next_kernel next,
                    float *maxima);

#endif
