#include "search/filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/quantise.h"
#include "search/query_limits.h"

/* Covers the roundings of the lines it stands in (docs/EXACTNESS.md, 4). */
#define OUTWARD (1.0 + 0x1p-40)
/* Likewise for the floats of a query with a centre (13.5). */
#define FLOAT_OUTWARD (1.0 + 0x1p-9)

static const double PRECISION_IN_BOUNDS = 0x1p-8;

enum { ROOM_A_NEIGHBOUR = 8, ROOM_IN_TILES = 12, MOST_CODE = 127 };

static size_t pad(size_t n, size_t to) {
    return (n + to - 1) / to * to;
}

size_t dv_filter_capacity(size_t k, const dv_codes *codes) {
    const size_t n_positions = codes->n_tiles * codes->tile_rows, beside = ROOM_IN_TILES * codes->tile_rows;
    if (beside >= n_positions || k >= (n_positions - beside) / ROOM_A_NEIGHBOUR) return n_positions;
    return ROOM_A_NEIGHBOUR * k + beside;
}

static dv_status allocate_queries(dv_filter *f, size_t dim_padded) {
    const size_t n = pad(f->most, DV_BLOCK_QUERIES);
    size_t n_codes;
    DV_TRY(dv_mul_size(n, dim_padded, "query codes", &n_codes));
    DV_TRY(dv_alloc(n_codes, sizeof *f->codes, "query codes", &f->codes));
    DV_TRY(dv_alloc(n, sizeof *f->scales, "query block", &f->scales));
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
    DV_TRY(dv_alloc(pad(f->most, DV_BLOCK_QUERIES), DV_GROUP_ROWS * sizeof *f->peaks, "seeds", &f->peaks));
    DV_TRY(allocate_unset(n_hits, sizeof *f->hits.positions, "candidates", &f->hits.positions));
    DV_TRY(allocate_unset(n_hits, sizeof *f->hits.sums, "candidates", &f->hits.sums));
    DV_TRY(allocate_unset(n_heaps, sizeof *f->heaps, "neighbours", &f->heaps));
    DV_TRY(dv_alloc(f->most, sizeof *f->best, "neighbours", &f->best));
    DV_TRY(dv_alloc(f->hits.stride, sizeof *f->low, "candidates", &f->low));
    DV_TRY(dv_alloc(f->hits.stride, sizeof *f->rows, "candidates", &f->rows));
    DV_TRY(dv_alloc(f->dim_padded, sizeof *f->centred, "query", &f->centred));
    return dv_alloc(dv_prepared_size(f->dim), sizeof *f->values, "query", &f->values);
}

dv_status dv_filter_create(size_t most, size_t k, const dv_codes *codes, bool biased, size_t n_seed_tiles,
                           dv_filter *out) {
    *out = (dv_filter){.most = most, .dim = codes->dim, .dim_padded = codes->dim_padded, .k = k, .biased = biased};
    out->n_seeds = n_seed_tiles * DV_GROUP_ROWS;
    out->eta = ((double)codes->dim + 64.0) * 0x1p-53 + (codes->centre.mu ? DV_CENTRE_ERROR : 0.0);
    out->hits.capacity = dv_filter_capacity(k, codes);
    out->hits.stride = out->hits.capacity + DV_GROUP_ROWS;
    DV_TRY(allocate_queries(out, codes->dim_padded));
    return allocate_lists(out);
}

void dv_filter_free(dv_filter *f) {
    void *const owned[] = {f->codes,   f->scales, f->reaches,        f->rests,      f->lower,       f->base,
                           f->slope,   f->norms,  f->hidden,         f->thresholds, f->kept,        f->overflowed,
                           f->heaps,   f->best,   f->hits.positions, f->hits.sums,  f->hits.counts, f->low,
                           f->rows,    f->values, f->seeds,          f->peaks,      f->bounds,      f->middles,
                           f->centred, f->least};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
    *f = (dv_filter){0};
}

/* Where the codes of query q begin; its next DV_CODE_STEP follow DV_GROUP_ROWS * DV_CODE_STEP bytes later. */
static int8_t *codes_of(const dv_filter *f, size_t q) {
    return f->codes + q / DV_GROUP_ROWS * DV_GROUP_ROWS * f->dim_padded + q % DV_GROUP_ROWS * DV_CODE_STEP;
}

static void spread_codes(const dv_filter *f, size_t q, const int8_t *codes) {
    int8_t *to = codes_of(f, q);
    for (size_t i = 0; i < f->dim_padded; i += DV_CODE_STEP) memcpy(to + i * DV_GROUP_ROWS, codes + i, DV_CODE_STEP);
}

static void set_lower(dv_filter *f, size_t q, double lower) {
    f->lower[q] = lower;
    f->base[q] = (lower - f->middles[q] - (f->rests[q] + f->eta) * OUTWARD) / f->scales[q];
}

static double prepare(const dv_filter *f, const dv_queries *queries, size_t query) {
    const dv_rows *rows = &queries->rows;
    return dv_prepare_row(dv_row_at(rows, query), rows->dtype, rows->dim, dv_simd_best(), f->values, NULL);
}

/* At least `value`, as a float. */
static float round_up(double value) {
    const float nearest = (float)value;
    return (double)nearest >= value ? nearest : nextafterf(nearest, INFINITY);
}

/* What follows from scale, reach and rest of query q. */
static void set_bounds(dv_filter *f, size_t q, const dv_codes *codes) {
    const bool centred = codes->centre.mu != NULL;
    const double outward = centred ? FLOAT_OUTWARD : 1.0;
    f->slope[q] = f->reaches[q] * OUTWARD / f->scales[q];
    f->bounds[q] = (dv_list_bounds){
        .scale = (float)f->scales[q], /* a float's value */
        .reach = round_up(f->reaches[q] * outward),
        .rest = round_up((f->rests[q] + f->eta) * outward),
        .step = centred ? 0.0F : DV_FLOAT_STEP,
        .precision = centred ? (float)(f->reaches[q] * codes->least_slack * PRECISION_IN_BOUNDS) : DV_KTH_PRECISION,
        .scales = codes->scales,
        .slacks = codes->slacks,
        .tile_shift = codes->tile_shift};
}

/* Codes n values times `factor`; sets scale, reach and rest of query q. */
static void code_query(dv_filter *f, size_t q, const double *values, size_t n, double factor, double scale) {
    int8_t codes[DV_MOST_PADDED_DIM];
    memset(codes, 0, f->dim_padded);
    const double rest = dv_quantiser_for(dv_simd_best())->codes(values, n, factor, scale, codes);
    double squares = 0.0; /* of whole numbers: exact */
    for (size_t i = 0; i < n; i++) squares += (double)(codes[i] * codes[i]);
    const int8_t bias = f->biased ? INT8_MIN : 0; /* exclusive or with the sign bit adds 128 modulo 256 */
    for (size_t i = 0; i < f->dim_padded; i++) codes[i] = (int8_t)(codes[i] ^ bias);
    spread_codes(f, q, codes);
    f->scales[q] = scale;
    f->rests[q] = dv_norm_bound(rest);
    f->reaches[q] = dv_norm_bound(squares * scale * scale);
}

static void code_plain(dv_filter *f, size_t q, const dv_codes *codes) {
    const size_t n = dv_prepared_size(f->dim);
    const double norm = f->norms[q];
    const double peak = norm > 0.0 ? dv_quantiser_for(dv_simd_best())->largest(f->values, n) / norm : 1.0;
    f->middles[q] = 0.0;
    code_query(f, q, f->values, n, norm > 0.0 ? 1.0 / norm : 0.0, (double)((float)peak / (float)MOST_CODE));
    set_bounds(f, q, codes);
}

/* Its residual is accounted for by the reach: slacks hold a share of the lengths of rows (docs/EXACTNESS.md, 13.4). */
static void code_centred(dv_filter *f, size_t q, const dv_codes *codes) {
    const size_t n = f->dim_padded;
    f->middles[q] = dv_centre_query(&codes->centre, f->values, f->norms[q] > 0.0 ? 1.0 / f->norms[q] : 0.0, f->centred);
    const float peak = (float)dv_quantiser_for(dv_simd_best())->largest(f->centred, n);
    code_query(f, q, f->centred, n, 1.0, (double)fmaxf(peak / (float)MOST_CODE, DV_LEAST_CENTRED_SCALE));
    f->reaches[q] = fmax(f->reaches[q], f->rests[q] / codes->share * OUTWARD);
    f->rests[q] = 0.0;
    set_bounds(f, q, codes);
}

/* Codes and bounds of one query; nothing is found yet. */
static void begin_query(dv_filter *f, size_t q, const dv_codes *codes) {
    const double norm = f->norms[q];
    if (codes->centre.mu)
        code_centred(f, q, codes);
    else
        code_plain(f, q, codes);
    set_lower(f, q, f->least[q]);
    if (norm == 0.0) f->base[q] = INFINITY; /* all rows tie; settled without candidates */
    f->hits.counts[q] = f->kept[q] = 0;
    f->overflowed[q] = false;
    f->best[q] = dv_topk_begin(f->heaps + q * f->k, f->k, f->least[q]);
}

void dv_filter_clear(dv_filter *f, size_t n) {
    f->n = n;
    for (size_t q = n; q < pad(n, DV_BLOCK_QUERIES); q++) { /* padding finds nothing, whatever its codes are */
        f->base[q] = INFINITY;
        f->slope[q] = 0.0;
        f->hidden[q] = -1;
        f->hits.counts[q] = 0;
    }
}

dv_status dv_filter_begin(dv_filter *f, const dv_codes *codes, const dv_queries *queries, size_t first, size_t n) {
    dv_filter_clear(f, n);
    for (size_t q = 0; q < n; q++) {
        f->norms[q] = prepare(f, queries, first + q);
        if (!isfinite(f->norms[q])) return dv_fail(DV_E_ARG, "query %zu: features must be finite", first + q);
        f->hidden[q] = dv_query_hidden(queries, first + q);
        f->least[q] = dv_query_least(queries, first + q);
        begin_query(f, q, codes);
    }
    return DV_OK;
}

void dv_filter_copy_query(const dv_filter *from, size_t q, dv_filter *to, size_t slot) {
    const size_t step = (size_t)DV_GROUP_ROWS * DV_CODE_STEP;
    for (size_t i = 0; i < from->dim_padded / DV_CODE_STEP; i++)
        memcpy(codes_of(to, slot) + i * step, codes_of(from, q) + i * step, DV_CODE_STEP);
    to->scales[slot] = from->scales[q];
    to->reaches[slot] = from->reaches[q];
    to->rests[slot] = from->rests[q];
    to->slope[slot] = from->slope[q];
    to->middles[slot] = from->middles[q];
    to->bounds[slot] = from->bounds[q];
    to->least[slot] = from->least[q];
    to->norms[slot] = from->norms[q];
    to->hidden[slot] = from->hidden[q];
    to->overflowed[slot] = from->overflowed[q];
    to->hits.counts[slot] = from->hits.counts[q];
    to->kept[slot] = from->kept[q];
    set_lower(to, slot, from->lower[q]);
    const size_t n = from->hits.counts[q];
    memcpy(to->hits.positions + slot * to->hits.stride, from->hits.positions + q * from->hits.stride,
           n * sizeof(uint32_t));
    memcpy(to->hits.sums + slot * to->hits.stride, from->hits.sums + q * from->hits.stride, n * sizeof(int32_t));
    to->best[slot] = dv_topk_begin(to->heaps + slot * to->k, to->k, from->least[q]);
    to->best[slot].n = from->best[q].n;
    memcpy(to->best[slot].heap, from->best[q].heap, from->best[q].n * sizeof(dv_neighbour));
}

dv_scan_block dv_filter_block(const dv_filter *f) {
    return (dv_scan_block){.codes = f->codes,
                           .n = pad(f->n, DV_BLOCK_QUERIES),
                           .dim_padded = f->dim_padded,
                           .base = f->base,
                           .slope = f->slope,
                           .hidden = f->hidden,
                           .thresholds = f->thresholds,
                           .hits = f->hits};
}

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
    if (lower > f->lower[q]) set_lower(f, q, lower);
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

void dv_filter_seed(dv_filter *f, const dv_filter_bank *bank, const dv_tile_order *order) {
    const dv_scan_block block = dv_filter_block(f);
    const dv_codes *codes = bank->codes;
    size_t n = 0; /* seeds of each query so far */
    for (size_t i = 0; i < f->n_seeds / DV_GROUP_ROWS; i++) {
        const size_t at = dv_tile_order_at(order, i);
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

bool dv_filter_tighten(dv_filter *f, size_t q) {
    if (f->hits.counts[q] > f->hits.capacity) {
        f->hits.counts[q] = f->kept[q];
        return false;
    }
    if (f->hits.counts[q] == f->kept[q]) return true; /* nothing new */
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
    (void)prepare(f, queries, query);
    const size_t n = f->hits.counts[q];
    for (size_t i = 0; i < n; i++) f->rows[i] = bank->codes->rows[f->hits.positions[q * f->hits.stride + i]];
    score_rows(f, q, bank->scored, n);
    f->hits.counts[q] = f->kept[q] = 0;
    raise_lower(f, q, known_kth(f, q));
}

void dv_filter_settle(dv_filter *f, size_t q, const dv_filter_bank *bank, const dv_queries *queries, size_t query,
                      int64_t *ids, double *cosines) {
    const uint32_t *positions = f->hits.positions + q * f->hits.stride;
    const size_t n_candidates = f->hits.counts[q];
    (void)prepare(f, queries, query);
    raise_by_candidates(f, q);
    const float sure = least_of(f, q);
    size_t n = 0;
    for (size_t i = 0; i < n_candidates; i++) /* k of them at least, if there are k: the best by their lower bounds */
        if (f->low[i] >= sure) f->rows[n++] = bank->codes->rows[positions[i]];
    score_rows(f, q, bank->scored, n);
    raise_lower(f, q, known_kth(f, q));
    const float least = least_of(f, q);
    n = 0;
    for (size_t i = 0; i < n_candidates; i++) /* the rest has to reach a true k-th cosine */
        if (f->low[i] < sure && dv_may_reach(&f->bounds[q], f->low[i], positions[i], least))
            f->rows[n++] = bank->codes->rows[positions[i]];
    score_rows(f, q, bank->scored, n);
    dv_topk_write(&f->best[q], ids, cosines);
}
