/* filter_memory.c: the memory of a filter. */
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/bound.h"
#include "search/filter.h"
#include "search/filter_parts.h"

enum { ROOM_A_NEIGHBOUR = 8, ROOM_IN_TILES = 12 };

size_t dv_filter_capacity(size_t k, const dv_codes *scanned) {
    const size_t n_positions = scanned->n_tiles * scanned->tile_rows, beside = ROOM_IN_TILES * scanned->tile_rows;
    if (beside >= n_positions || k >= (n_positions - beside) / ROOM_A_NEIGHBOUR) return n_positions;
    return ROOM_A_NEIGHBOUR * k + beside;
}

static dv_status allocate_codes(const dv_filter *f, size_t dim_padded, dv_coded_queries *out) {
    const size_t n = dv_filter_pad(f->most, DV_BLOCK_QUERIES);
    size_t n_codes;
    out->dim_padded = dim_padded;
    DV_TRY(dv_mul_size(n, dim_padded, "query codes", &n_codes));
    DV_TRY(dv_alloc(n_codes, sizeof *out->codes, "query codes", &out->codes));
    return dv_alloc(n, sizeof *out->scales, "query block", &out->scales);
}

static dv_status allocate_heads(dv_filter *f, const dv_head *head) {
    size_t n_plain, n_unit, n_products;
    DV_TRY(allocate_codes(f, dv_head_size(head), &f->heads));
    DV_TRY(dv_mul_size(f->most, f->whole.dim_padded, "query codes", &n_plain));
    DV_TRY(dv_mul_size(f->most, f->dim, "query block", &n_unit));
    DV_TRY(dv_mul_size(f->most, head->n_components, "query block", &n_products));
    DV_TRY(dv_alloc(n_plain, sizeof *f->plain, "query codes", &f->plain));
    DV_TRY(dv_alloc(n_unit, sizeof *f->unit, "query block", &f->unit));
    return dv_alloc(n_products, sizeof *f->products, "query block", &f->products);
}

static dv_status allocate_queries(dv_filter *f) {
    const size_t n = dv_filter_pad(f->most, DV_BLOCK_QUERIES);
    DV_TRY(dv_alloc(n, sizeof *f->allowances, "query block", &f->allowances));
    DV_TRY(dv_alloc(n, sizeof *f->reaches, "query block", &f->reaches));
    DV_TRY(dv_alloc(n, sizeof *f->rests, "query block", &f->rests));
    DV_TRY(dv_alloc(n, sizeof *f->bounds, "query block", &f->bounds));
    DV_TRY(dv_alloc(n, sizeof *f->least, "query block", &f->least));
    DV_TRY(dv_alloc(n, sizeof *f->lower, "query block", &f->lower));
    DV_TRY(dv_alloc(n, sizeof *f->middles, "query block", &f->middles));
    DV_TRY(dv_alloc(n, sizeof *f->base, "query block", &f->base));
    DV_TRY(dv_alloc(n, sizeof *f->slope, "query block", &f->slope));
    DV_TRY(dv_alloc(n, sizeof *f->norms, "query block", &f->norms));
    DV_TRY(dv_alloc(n, sizeof *f->hidden, "query block", &f->hidden));
    DV_TRY(dv_alloc(n, sizeof *f->thresholds, "query block", &f->thresholds));
    DV_TRY(dv_alloc(n, sizeof *f->kept, "query block", &f->kept));
    DV_TRY(dv_alloc(n, sizeof *f->overflowed, "query block", &f->overflowed));
    return dv_alloc(n, sizeof *f->hits.counts, "query block", &f->hits.counts);
}

/* As dv_alloc, but not zeroed: most of it is never touched. */
static dv_status allocate_unset(size_t n, size_t size, const char *what, void *out) {
    size_t n_bytes;
    DV_TRY(dv_mul_size(n, size, what, &n_bytes));
    void *memory = malloc(n_bytes ? n_bytes : 1);
    if (!memory) return dv_fail(DV_E_NOMEM, "no memory for %s: %zu bytes", what, n_bytes);
    memcpy(out, &memory, sizeof memory);
    return DV_OK;
}

static dv_status allocate_lists(dv_filter *f) {
    size_t n_hits, n_heaps, n_seeds;
    DV_TRY(dv_mul_size(f->most, f->hits.stride, "candidates", &n_hits));
    DV_TRY(dv_mul_size(f->most, f->k, "neighbours", &n_heaps));
    DV_TRY(dv_mul_size(f->most, f->n_seeds, "seeds", &n_seeds));
    DV_TRY(allocate_unset(n_seeds, sizeof *f->seeds, "seeds", &f->seeds));
    DV_TRY(dv_alloc(dv_filter_pad(f->most, DV_BLOCK_QUERIES), DV_GROUP_ROWS * sizeof *f->peaks, "seeds", &f->peaks));
    DV_TRY(allocate_unset(n_hits, sizeof *f->hits.positions, "candidates", &f->hits.positions));
    DV_TRY(allocate_unset(n_hits, sizeof *f->hits.sums, "candidates", &f->hits.sums));
    DV_TRY(allocate_unset(n_heaps, sizeof *f->heaps, "neighbours", &f->heaps));
    DV_TRY(dv_alloc(f->most, sizeof *f->best, "neighbours", &f->best));
    DV_TRY(dv_alloc(f->hits.stride, sizeof *f->low, "candidates", &f->low));
    DV_TRY(dv_alloc(f->hits.stride, sizeof *f->rows, "candidates", &f->rows));
    const size_t n_coded = f->whole.dim_padded > f->heads.dim_padded ? f->whole.dim_padded : f->heads.dim_padded;
    DV_TRY(dv_alloc(n_coded, sizeof *f->coded, "query", &f->coded));
    DV_TRY(dv_alloc(n_coded, sizeof *f->turned, "query", &f->turned));
    return dv_alloc(dv_prepared_size(f->dim), sizeof *f->values, "query", &f->values);
}

dv_status dv_filter_create(size_t most, size_t k, const dv_coded_bank *bank, bool biased, size_t n_seed_tiles,
                           dv_filter *out) {
    const dv_codes *codes = &bank->codes;
    *out = (dv_filter){.most = most, .dim = codes->dim, .k = k, .biased = biased};
    out->n_seeds = n_seed_tiles * DV_GROUP_ROWS;
    out->eta = dv_bound_canonical(codes->dim) + (codes->centre.mu ? DV_CENTRE_ERROR : 0.0);
    out->hits.capacity = dv_filter_capacity(k, codes);
    out->hits.stride = out->hits.capacity + DV_GROUP_ROWS;
    DV_TRY(allocate_codes(out, dv_whole_dim(bank), &out->whole));
    if (dv_has_heads(bank)) DV_TRY(allocate_heads(out, &bank->head));
    DV_TRY(allocate_queries(out));
    return allocate_lists(out);
}

void dv_filter_free(dv_filter *f) {
    void *const owned[] = {
        f->whole.codes, f->whole.scales,   f->heads.codes, f->heads.scales, f->allowances, f->plain, f->unit,
        f->products,    f->reaches,        f->rests,       f->lower,        f->base,       f->slope, f->norms,
        f->hidden,      f->thresholds,     f->kept,        f->overflowed,   f->heaps,      f->best,  f->hits.sums,
        f->hits.counts, f->hits.positions, f->low,         f->rows,         f->values,     f->seeds, f->peaks,
        f->bounds,      f->middles,        f->coded,       f->turned,       f->least};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
    *f = (dv_filter){0};
}
