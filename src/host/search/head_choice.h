/* head_choice.h: is a first stage worth it for this bank, and of how many components? A probe of a sample of the bank
 * counts what would pass; the answer repeats, for it times nothing. */
#ifndef DV_SEARCH_HEAD_CHOICE_H
#define DV_SEARCH_HEAD_CHOICE_H

#include <stddef.h>

#include "denseval/status.h"
#include "search/head.h"
#include "search/score.h"

typedef struct dv_head_wish {
    double rate;     /* multiply-adds of codes a nanosecond that a thread scans, about */
    size_t n_stages; /* 1, 2, or 0: what is cheaper */
    size_t head_dim; /* elements of a head, rounded up to a multiple of DV_CODE_STEP; 0: what is cheapest */
} dv_head_wish;

/* *out: release with dv_head_free; without components where one stage is better, or two are not to be had: fewer
 * dimensions than the shortest head has, or more than 4096. Fails with DV_E_NOMEM, DV_E_INTERNAL. */
DV_MUST_USE dv_status dv_head_choose(const dv_scored_rows *scored, const dv_head_wish *wish, dv_head *out);

/* Bytes that it takes at most meanwhile; 0 where there is never a head. */
size_t dv_head_choose_bytes(size_t n_rows, size_t dim);

#endif
