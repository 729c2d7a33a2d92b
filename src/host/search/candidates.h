/* candidates.h: the rows of one query that a float score could not rule out. */
#ifndef DV_SEARCH_CANDIDATES_H
#define DV_SEARCH_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* With |float score - canonical cosine| <= E for every row and t the k-th best float score of any set of visible rows,
 * k rows have a cosine of t - E or more, so a row among the k best, ties included, has a float score of t - 2 E or
 * more. That is the threshold; it only rises, and equality passes. */
typedef struct dv_candidates {
    float *scores; /* f32 [capacity], borrowed */
    int32_t *rows; /* i32 [capacity], borrowed */
    size_t capacity, n;
    size_t k;
    double bound;    /* E */
    float threshold; /* what a score must reach */
    bool overflowed; /* too many rows are too close: the query has to be scanned exactly. Nothing passes any more */
} dv_candidates;

/* Room for k and what comes with them; never more than n_rows, where nothing can overflow. */
size_t dv_candidates_capacity(size_t k, size_t n_rows);

/* An empty list; k and bound as above. Every finite score passes, minus infinity (a hidden row) never does. */
dv_candidates dv_candidates_begin(float *scores, int32_t *rows, size_t capacity, size_t k, double bound);

/* Raises the threshold by the k-th best score `value` of some set of visible rows. */
void dv_candidates_raise(dv_candidates *list, float value);

/* Adds a row whose score reached the threshold. Makes room, or overflows, where the list is full. */
void dv_candidates_push(dv_candidates *list, float score, int32_t row);

/* Raises the threshold by the list's own k-th best and drops what is below. */
void dv_candidates_tighten(dv_candidates *list);

#endif
