/* bound.h: how far the canonical cosine may lie from the exact one, and a float score from the canonical cosine. */
#ifndef DV_SEARCH_BOUND_H
#define DV_SEARCH_BOUND_H

#include <stddef.h>

/* |c - s| is at most that, where s is the exact cosine: docs/EXACTNESS.md, (1.1). */
double dv_bound_canonical(size_t dim);

/* E with |f - c| <= E, where c is the canonical cosine (search/score.h) of two rows and f their inner product in f32
 * after each was divided by its norm and rounded to f32 (search/unit.h), summed in any order, with or without fused
 * multiply-adds, subnormals kept or flushed. Above 2^22 dimensions nothing is claimed: 4. */
double dv_bound_f32(size_t dim);

/* The largest float that is at most `value` - 2 * bound: what a float score must reach to stay in play where `value` is
 * the k-th best float score so far. */
float dv_bound_threshold(float value, double bound);

#endif
