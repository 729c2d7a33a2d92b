/* coded_bank.h: a bank in all its codes: in one stage, or in two, heads first. */
#ifndef DV_SEARCH_CODED_BANK_H
#define DV_SEARCH_CODED_BANK_H

#include <stdbool.h>

#include "core/parallel.h"
#include "denseval/status.h"
#include "search/codes.h"
#include "search/fine.h"
#include "search/head_choice.h"

/* Read-only once made, so several threads may share it. In one stage `codes` is all there is. */
typedef struct dv_coded_bank {
    const dv_turn *turn; /* rows and queries are turned before they are coded, heads apart; borrowed, NULL: not */
    dv_codes codes;      /* what is scanned: whole rows, or heads */
    dv_head head;        /* without components in one stage */
    dv_fine_codes fine;  /* all rows, by position */
    dv_codes seeds;      /* whole rows of a sample, for the first lower bounds */
} dv_coded_bank;

static inline bool dv_has_heads(const dv_coded_bank *bank) {
    return bank->head.components != NULL;
}

/* The codes that seeds come from. */
static inline const dv_codes *dv_seed_codes(const dv_coded_bank *bank) {
    return dv_has_heads(bank) ? &bank->seeds : &bank->codes;
}

/* Elements of a whole query's codes. */
static inline size_t dv_whole_dim(const dv_coded_bank *bank) {
    return dv_has_heads(bank) ? bank->fine.dim_padded : bank->codes.dim_padded;
}

/* Rows of the sample that seeds come from: a thirty-second of the bank, within bounds. */
size_t dv_seed_rows(size_t n_rows);

/* Codes all rows; arguments as of dv_codes_create, the source's rotation borrowed until dv_coded_bank_free. A bank
 * about one direction has one stage. Blocking. Fails with DV_E_NOMEM, DV_E_INTERNAL; *out is cleared then. */
DV_MUST_USE dv_status dv_coded_bank_create(dv_row_source source, const int32_t *group, const float *peaks,
                                           const dv_head_wish *wish, size_t tile_rows, dv_pool *pool,
                                           dv_coded_bank *out);
void dv_coded_bank_free(dv_coded_bank *bank); /* also on a zeroed struct */

#endif
