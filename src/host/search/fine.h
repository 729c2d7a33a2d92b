/* fine.h: the second stage: 8-bit codes of whole rows, one row behind the other, each with a scale of its own. */
#ifndef DV_SEARCH_FINE_H
#define DV_SEARCH_FINE_H

#include <stddef.h>
#include <stdint.h>

#include "core/parallel.h"
#include "denseval/status.h"
#include "search/dot.h"
#include "search/turn.h"

/* Read-only once made, so several threads may share it. */
typedef struct dv_fine_codes {
    size_t dim_padded; /* a multiple of DV_CODE_STEP */
    int8_t *codes;     /* i8 [n_rows, dim_padded] */
    float *scales;     /* f32 [n_rows] */
    float *slacks;     /* f32 [n_rows]: at least |x - scale * codes| of the unit row x, turned where rows are */
} dv_fine_codes;

/* Blocking. Fails with DV_E_NOMEM; *out is cleared then. */
DV_MUST_USE dv_status dv_fine_codes_create(dv_row_source source, dv_pool *pool, dv_fine_codes *out);
void dv_fine_codes_free(dv_fine_codes *fine); /* also on a zeroed struct */

/* sums[i] = <query, codes of row rows[i]>, exactly, fetching ahead.
 * query  i8 [dim_padded], codes without bias */
void dv_fine_sums(const dv_fine_codes *fine, const uint32_t *rows, size_t n, const int8_t *query, int32_t *sums);

#endif
