#include "search/filter.h"

#include <math.h>
#include <string.h>

#include "search/filter_parts.h"

void dv_filter_take(dv_filter *f, const dv_hits *part) {
    for (size_t q = 0; q < f->n; q++) {
        const size_t n = f->hits.counts[q], n_part = part->counts[q], at = q * f->hits.stride;
        f->hits.counts[q] = (uint32_t)(n + n_part);
        if (n + n_part > f->hits.capacity) continue; /* discarded by dv_filter_tighten */
        memcpy(f->hits.positions + at + n, part->positions + at, n_part * sizeof *part->positions);
        memcpy(f->hits.sums + at + n, part->sums + at, n_part * sizeof *part->sums);
    }
}

static void raise_lower(dv_filter *f, size_t q, double lower) {
    if (lower > f->lower[q]) dv_filter_set_lower(f, q, lower);
}

/* By n values that bound cosines of different rows, less the middle, from below. */
static void raise_by_kth(dv_filter *f, size_t q, const float *values, size_t n) {
    const dv_list_kernels *kernels = dv_list_kernels_for(dv_simd_best());
    raise_lower(f, q, f->middles[q] + (double)dv_reached_by(kernels, values, n, f->k, f->bounds[q].precision));
}

/* Below every cosine less the middle, for a class of rows without one that may be seen. */
static const float NO_ROW = -4.0F;

/* Lower bounds from the peaks of query q in a tile. */
static void set_seeds(const dv_filter *f, size_t q, const dv_codes *codes, size_t tile, float *seeds) {
    const dv_list_bounds *bounds = &f->bounds[q];
    const float scale = bounds->scale * codes->scales[tile];
    const float bound = bounds->reach * codes->slacks[tile] + bounds->rest;
    for (size_t r = 0; r < DV_GROUP_ROWS; r++) {
        const int32_t peak = f->peaks[q * DV_GROUP_ROWS + r];
        seeds[r] = peak == INT32_MIN ? NO_ROW : scale * (float)peak - bound - bounds->step / 2;
    }
}

void dv_filter_seed(dv_filter *f, const dv_filter_bank *bank) {
    const dv_scan_block block = dv_filter_block_of(f, &f->whole);
    const dv_codes *codes = dv_seed_codes(bank->coded);
    const dv_tile_order order = dv_tile_order_make(codes->n_tiles);
    size_t n = 0; /* seeds of each query so far */
    for (size_t i = 0; i < f->n_seeds / DV_GROUP_ROWS; i++) {
        const size_t at = dv_tile_order_at(&order, i);
        if ((at + 1) * codes->tile_rows > codes->n_rows) continue; /* padding is no row */
        const dv_code_tile tile = dv_codes_tile(codes, at);
        bank->kernel->peaks(&block, &tile, f->peaks);
        for (size_t q = 0; q < f->n; q++) set_seeds(f, q, codes, at, f->seeds + q * f->n_seeds + n);
        n += DV_GROUP_ROWS;
    }
    for (size_t q = 0; q < f->n && n >= f->k; q++)
        if (f->norms[q] > 0.0) raise_by_kth(f, q, f->seeds + q * f->n_seeds, n);
}

static void raise_by_candidates(dv_filter *f, size_t q) {
    const dv_list_kernels *kernels = dv_list_kernels_for(dv_simd_best());
    const size_t n = f->hits.counts[q], at = q * f->hits.stride;
    kernels->low(&f->bounds[q], f->hits.positions + at, f->hits.sums + at, n, f->low);
    if (n >= f->k) raise_by_kth(f, q, f->low, n);
}

/* The lower bound of query q less its middle, as a float that is at most that. */
static float least_of(const dv_filter *f, size_t q) {
    const double least = f->lower[q] - f->middles[q];
    const float nearest = (float)least;
    return (double)nearest <= least ? nearest : nextafterf(nearest, -INFINITY);
}

/* In place of the sums of heads, those of whole rows. */
static void refine(dv_filter *f, size_t q, const dv_fine_codes *fine) {
    const size_t at = q * f->hits.stride + f->kept[q], n = f->hits.counts[q] - f->kept[q];
    dv_fine_sums(fine, f->hits.positions + at, n, f->plain + q * fine->dim_padded, f->hits.sums + at);
    f->n_refined += n;
}

bool dv_filter_tighten(dv_filter *f, size_t q, const dv_coded_bank *bank) {
    if (f->hits.counts[q] > f->hits.capacity) {
        f->hits.counts[q] = f->kept[q];
        return false;
    }
    if (f->hits.counts[q] == f->kept[q]) return true; /* nothing new */
    if (dv_has_heads(bank)) refine(f, q, &bank->fine);
    raise_by_candidates(f, q);
    const size_t n = dv_list_kernels_for(dv_simd_best())
                         ->keep(&f->bounds[q], least_of(f, q), f->low, f->hits.counts[q],
                                f->hits.positions + q * f->hits.stride, f->hits.sums + q * f->hits.stride);
    f->hits.counts[q] = f->kept[q] = (uint32_t)n;
    return true;
}

/* Takes the cosines of n rows, f->rows, of query q, whose values are prepared. */
static void score_rows(dv_filter *f, size_t q, const dv_scored_rows *scored, size_t n) {
    dv_score_rows(scored, f->rows, n, f->values, f->norms[q], &f->best[q]);
    f->n_scored += n;
}

static double known_kth(const dv_filter *f, size_t q) {
    return f->best[q].n == f->k ? f->best[q].heap[0].cosine : -INFINITY;
}

void dv_filter_absorb(dv_filter *f, size_t q, const dv_filter_bank *bank, const dv_queries *queries, size_t query) {
    (void)dv_filter_prepare(f, queries, query);
    const size_t n = f->hits.counts[q];
    for (size_t i = 0; i < n; i++) f->rows[i] = bank->coded->codes.rows[f->hits.positions[q * f->hits.stride + i]];
    score_rows(f, q, bank->scored, n);
    f->hits.counts[q] = f->kept[q] = 0;
    raise_lower(f, q, known_kth(f, q));
}

void dv_filter_settle(dv_filter *f, size_t q, const dv_filter_bank *bank, const dv_queries *queries, size_t query,
                      int64_t *ids, double *cosines) {
    const uint32_t *positions = f->hits.positions + q * f->hits.stride;
    const size_t n_candidates = f->hits.counts[q];
    (void)dv_filter_prepare(f, queries, query);
    raise_by_candidates(f, q);
    const float sure = least_of(f, q);
    size_t n = 0;
    for (size_t i = 0; i < n_candidates; i++) /* k of them at least, if there are k: the best by their lower bounds */
        if (f->low[i] >= sure) f->rows[n++] = bank->coded->codes.rows[positions[i]];
    score_rows(f, q, bank->scored, n);
    raise_lower(f, q, known_kth(f, q));
    const float least = least_of(f, q);
    n = 0;
    for (size_t i = 0; i < n_candidates; i++) /* the rest has to reach a true k-th cosine */
        if (f->low[i] < sure && dv_may_reach(&f->bounds[q], f->low[i], positions[i], least))
            f->rows[n++] = bank->coded->codes.rows[positions[i]];
    score_rows(f, q, bank->scored, n);
    dv_topk_write(&f->best[q], ids, cosines);
}
