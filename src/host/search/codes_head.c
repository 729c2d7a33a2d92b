/* codes_head.c: heads in 8-bit codes. They are alike in size, since their components were turned at random, so that
 * rows keep their order: neighbours in the bank are neighbours in a tile. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/blas.h"
#include "search/codes_parts.h"
#include "search/quantise.h"
#include "search/unit.h"

enum { MOST_CODE = 127 };

/* What one worker works in. */
typedef struct scratch {
    double *values;  /* f64 [prepared size], one row */
    float *unit;     /* f32 [tile_rows, dim] */
    float *products; /* f32 [tile_rows, n_components] */
    double *heads;   /* f64 [tile_rows, dim_padded] */
    int8_t *codes;   /* i8 [16, dim_padded] */
} scratch;

typedef struct coding {
    const dv_scored_rows *scored;
    const int32_t *group;
    const dv_head *head;
    dv_codes *c;
    scratch *workers;
} coding;

/* Heads of the rows of a tile, zeros for padding. Returns the largest element. */
static double load_heads(const coding *j, size_t first, size_t n, scratch *s) {
    const dv_codes *c = j->c;
    for (size_t r = 0; r < n; r++) {
        dv_scaled_row(j->scored, first + r, s->values);
        dv_unit_row(s->values, j->scored->norms[first + r], c->dim, s->unit + r * c->dim);
    }
    dv_blas_single_thread();
    dv_head_products(j->head, s->unit, n, s->products);
    memset(s->heads + n * c->dim_padded, 0, (c->tile_rows - n) * c->dim_padded * sizeof *s->heads);
    for (size_t r = 0; r < n; r++)
        dv_head_values(j->head, s->products + r * j->head->n_components, j->scored->norms[first + r] == 0.0,
                       s->heads + r * c->dim_padded);
    return dv_quantiser_for(dv_simd_best())->largest(s->heads, n * c->dim_padded);
}

static dv_status code_tile(void *context, size_t tile, size_t worker) {
    const coding *j = context;
    dv_codes *c = j->c;
    scratch *s = &j->workers[worker];
    const size_t first = tile * c->tile_rows, left = c->n_rows - first, n = left < c->tile_rows ? left : c->tile_rows;
    const float peak = (float)load_heads(j, first, n, s), scale = (peak > 0.0F ? peak : 1.0F) / (float)MOST_CODE;
    double most = 0.0;
    for (size_t r = 0; r < c->tile_rows; r++) {
        int8_t *codes = s->codes + r % DV_GROUP_ROWS * c->dim_padded;
        const double rest = dv_quantiser_for(dv_simd_best())
                                ->codes(s->heads + r * c->dim_padded, c->dim_padded, 1.0, (double)scale, codes);
        most = rest > most ? rest : most;
        c->offsets[first + r] = dv_codes_offset(codes, c->dim_padded);
        c->rows[first + r] = r < n ? (int32_t)(first + r) : -1;
        if (c->group) c->group[first + r] = r < n ? j->group[first + r] : -1;
        if (r % DV_GROUP_ROWS == DV_GROUP_ROWS - 1)
            dv_codes_interleave(s->codes, c->dim_padded, c->codes + (first + r + 1 - DV_GROUP_ROWS) * c->dim_padded);
    }
    c->scales[tile] = scale;
    c->slacks[tile] = nextafterf((float)dv_norm_bound(most), INFINITY);
    return DV_OK;
}

static dv_status create_scratch(const coding *j, scratch *s) {
    const dv_codes *c = j->c;
    DV_TRY(dv_alloc(dv_prepared_size(c->dim), sizeof *s->values, "row scratch", &s->values));
    DV_TRY(dv_alloc(c->tile_rows * c->dim, sizeof *s->unit, "row scratch", &s->unit));
    DV_TRY(dv_alloc(c->tile_rows * j->head->n_components, sizeof *s->products, "row scratch", &s->products));
    DV_TRY(dv_alloc(c->tile_rows * c->dim_padded, sizeof *s->heads, "row scratch", &s->heads));
    return dv_alloc(DV_GROUP_ROWS * c->dim_padded, sizeof *s->codes, "code scratch", &s->codes);
}

static void free_scratch(scratch *s) {
    free(s->values);
    free(s->unit);
    free(s->products);
    free(s->heads);
    free(s->codes);
}

dv_status dv_codes_create_heads(const dv_scored_rows *scored, const int32_t *group, const dv_head *head,
                                size_t tile_rows, dv_pool *pool, dv_codes *out) {
    *out = (dv_codes){.n_rows = scored->rows.n_rows, .dim = scored->rows.dim, .dim_padded = dv_head_size(head)};
    dv_codes_cut(out, tile_rows);
    const size_t n_workers = dv_pool_threads(pool);
    coding j = {.scored = scored, .group = group, .head = head, .c = out};
    dv_status status = dv_codes_allocate(out, group != NULL);
    if (status == DV_OK) status = dv_alloc(n_workers, sizeof *j.workers, "workers", &j.workers);
    for (size_t i = 0; status == DV_OK && i < n_workers; i++) status = create_scratch(&j, &j.workers[i]);
    if (status == DV_OK) status = dv_pool_run(pool, out->n_tiles, code_tile, &j);
    for (size_t i = 0; j.workers && i < n_workers; i++) free_scratch(&j.workers[i]);
    free(j.workers);
    if (status != DV_OK) dv_codes_free(out);
    return status;
}
