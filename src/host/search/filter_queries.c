/* filter_queries.c: queries to codes, and the bounds that follow from them. */
#include <math.h>
#include <string.h>

#include "core/check.h"
#include "search/blas.h"
#include "search/filter.h"
#include "search/filter_parts.h"
#include "search/quantise.h"
#include "search/query_limits.h"
#include "search/unit.h"

/* Covers the roundings of the lines it stands in (docs/EXACTNESS.md, 4). */
#define OUTWARD (1.0 + 0x1p-40)
/* Likewise for the floats of a query with a centre (13.5). */
#define FLOAT_OUTWARD (1.0 + 0x1p-9)

static const double PRECISION_IN_BOUNDS = 0x1p-8;

enum { MOST_CODE = 127 };

/* Where the codes of query q begin; its next DV_CODE_STEP follow DV_GROUP_ROWS * DV_CODE_STEP bytes later. */
static int8_t *codes_of(const dv_coded_queries *queries, size_t q) {
    return queries->codes + q / DV_GROUP_ROWS * DV_GROUP_ROWS * queries->dim_padded + q % DV_GROUP_ROWS * DV_CODE_STEP;
}

static void copy_codes(const dv_coded_queries *from, size_t q, const dv_coded_queries *to, size_t slot) {
    const size_t step = (size_t)DV_GROUP_ROWS * DV_CODE_STEP;
    for (size_t i = 0; i < from->dim_padded / DV_CODE_STEP; i++)
        memcpy(codes_of(to, slot) + i * step, codes_of(from, q) + i * step, DV_CODE_STEP);
    if (from->scales) to->scales[slot] = from->scales[q];
}

/* What the bank is scanned with. */
static const dv_coded_queries *scanned(const dv_filter *f) {
    return f->heads.codes ? &f->heads : &f->whole;
}

void dv_filter_set_lower(dv_filter *f, size_t q, double lower) {
    f->lower[q] = lower;
    f->base[q] = (lower - f->middles[q] - (f->allowances[q] + f->eta) * OUTWARD) / scanned(f)->scales[q];
}

double dv_filter_prepare(const dv_filter *f, const dv_queries *queries, size_t query) {
    const dv_rows *rows = &queries->rows;
    return dv_prepare_row(dv_row_at(rows, query), rows->dtype, rows->dim, dv_simd_best(), f->values, NULL);
}

/* At least `value`, as a float. */
static float round_up(double value) {
    const float nearest = (float)value;
    return (double)nearest >= value ? nearest : nextafterf(nearest, INFINITY);
}

/* What follows from scale, reach and rest of query q; heads, which come later, are thresholds of their own. */
static void set_bounds(dv_filter *f, size_t q, const dv_coded_bank *bank) {
    const dv_codes *codes = &bank->codes;
    const bool centred = codes->centre.mu != NULL, heads = dv_has_heads(bank);
    const double outward = centred ? FLOAT_OUTWARD : 1.0;
    f->slope[q] = f->reaches[q] * OUTWARD / f->whole.scales[q];
    f->allowances[q] = f->rests[q];
    f->bounds[q] = (dv_list_bounds){
        .scale = (float)f->whole.scales[q], /* a float's value */
        .reach = round_up(f->reaches[q] * outward),
        .rest = round_up((f->rests[q] + f->eta) * outward),
        .step = centred ? 0.0F : DV_FLOAT_STEP,
        .precision = centred ? (float)(f->reaches[q] * codes->least_slack * PRECISION_IN_BOUNDS) : DV_KTH_PRECISION,
        .scales = heads ? bank->fine.scales : codes->scales,
        .slacks = heads ? bank->fine.slacks : codes->slacks,
        .tile_shift = heads ? 0 : codes->tile_shift};
}

/* What is left of a query in codes. */
typedef struct coded {
    double rest, reach; /* e and A */
} coded;

/* Codes n values times `factor` as query q of `to`; *plain: where its codes go without bias too, or NULL. */
static coded code_query(const dv_filter *f, const dv_coded_queries *to, size_t q, const double *values, size_t n,
                        double factor, double scale, int8_t *plain) {
    int8_t codes[DV_MOST_PADDED_DIM];
    memset(codes, 0, to->dim_padded);
    const double rest = dv_quantiser_for(dv_simd_best())->codes(values, n, factor, scale, codes);
    double squares = 0.0; /* of whole numbers: exact */
    for (size_t i = 0; i < n; i++) squares += (double)(codes[i] * codes[i]);
    if (plain) memcpy(plain, codes, to->dim_padded);
    const int8_t bias = f->biased ? INT8_MIN : 0; /* exclusive or with the sign bit adds 128 modulo 256 */
    for (size_t i = 0; i < to->dim_padded; i++) codes[i] = (int8_t)(codes[i] ^ bias);
    int8_t *at = codes_of(to, q);
    for (size_t i = 0; i < to->dim_padded; i += DV_CODE_STEP) memcpy(at + i * DV_GROUP_ROWS, codes + i, DV_CODE_STEP);
    to->scales[q] = scale;
    return (coded){.rest = dv_norm_bound(rest), .reach = dv_norm_bound(squares * scale * scale)};
}

static void code_plain(dv_filter *f, size_t q, const dv_coded_bank *bank) {
    const size_t n = bank->turn ? bank->turn->size : dv_prepared_size(f->dim);
    const double norm = f->norms[q], *values = bank->turn ? f->coded : f->values;
    if (bank->turn) dv_turn_copy(bank->turn, f->dim, f->values, f->coded);
    const double peak = norm > 0.0 ? dv_quantiser_for(dv_simd_best())->largest(values, n) / norm : 1.0;
    const coded c =
        code_query(f, &f->whole, q, values, n, norm > 0.0 ? 1.0 / norm : 0.0, (double)((float)peak / (float)MOST_CODE),
                   f->plain ? f->plain + q * f->whole.dim_padded : NULL);
    f->middles[q] = 0.0;
    f->rests[q] = c.rest;
    f->reaches[q] = c.reach;
    set_bounds(f, q, bank);
}

/* Its residual is accounted for by the reach: slacks hold a share of the lengths of rows (docs/EXACTNESS.md, 13.4). */
static void code_centred(dv_filter *f, size_t q, const dv_coded_bank *bank) {
    const dv_codes *codes = &bank->codes;
    const size_t n = f->whole.dim_padded;
    if (bank->turn) dv_turn_copy(bank->turn, f->dim, f->values, f->turned);
    f->middles[q] = dv_centre_query(&codes->centre, bank->turn ? f->turned : f->values,
                                    f->norms[q] > 0.0 ? 1.0 / f->norms[q] : 0.0, f->coded);
    const float peak = (float)dv_quantiser_for(dv_simd_best())->largest(f->coded, n);
    const coded c = code_query(f, &f->whole, q, f->coded, n, 1.0,
                               (double)fmaxf(peak / (float)MOST_CODE, DV_LEAST_CENTRED_SCALE), NULL);
    f->reaches[q] = fmax(c.reach, c.rest / codes->share * OUTWARD);
    f->rests[q] = 0.0;
    set_bounds(f, q, bank);
}

/* Codes and bounds of one query; nothing is found yet. */
static void begin_query(dv_filter *f, size_t q, const dv_coded_bank *bank) {
    if (bank->codes.centre.mu)
        code_centred(f, q, bank);
    else
        code_plain(f, q, bank);
    if (f->unit) dv_unit_row(f->values, f->norms[q], f->dim, f->unit + q * f->dim);
    f->hits.counts[q] = f->kept[q] = 0;
    f->overflowed[q] = false;
    f->best[q] = dv_topk_begin(f->heaps + q * f->k, f->k, f->least[q]);
}

/* Heads of all queries of the block, which thresholds follow from then (docs/EXACTNESS.md, 14). */
static void begin_heads(dv_filter *f, const dv_head *head) {
    dv_blas_single_thread();
    dv_head_products(head, f->unit, f->n, f->products);
    for (size_t q = 0; q < f->n; q++) {
        dv_head_values(head, f->products + q * head->n_components, f->norms[q] == 0.0, f->coded);
        const float peak = (float)dv_quantiser_for(dv_simd_best())->largest(f->coded, f->heads.dim_padded);
        const coded c = code_query(f, &f->heads, q, f->coded, f->heads.dim_padded, 1.0,
                                   (double)((peak > 0.0F ? peak : 1.0F) / (float)MOST_CODE), NULL);
        f->slope[q] = c.reach * OUTWARD / f->heads.scales[q];
        f->allowances[q] = c.rest * dv_head_length(head) + dv_head_allowance(head);
    }
}

void dv_filter_clear(dv_filter *f, size_t n) {
    f->n = n;
    for (size_t q = n; q < dv_filter_pad(n, DV_BLOCK_QUERIES);
         q++) { /* padding finds nothing, whatever its codes are */
        f->base[q] = INFINITY;
        f->slope[q] = 0.0;
        f->hidden[q] = -1;
        f->hits.counts[q] = 0;
    }
}

dv_status dv_filter_begin(dv_filter *f, const dv_coded_bank *bank, const dv_queries *queries, size_t first, size_t n) {
    dv_filter_clear(f, n);
    for (size_t q = 0; q < n; q++) {
        f->norms[q] = dv_filter_prepare(f, queries, first + q);
        if (!isfinite(f->norms[q])) return dv_fail(DV_E_ARG, "query %zu: features must be finite", first + q);
        f->hidden[q] = dv_query_hidden(queries, first + q);
        f->least[q] = dv_query_least(queries, first + q);
        begin_query(f, q, bank);
    }
    if (dv_has_heads(bank)) begin_heads(f, &bank->head);
    for (size_t q = 0; q < n; q++) {
        dv_filter_set_lower(f, q, f->least[q]);
        if (f->norms[q] == 0.0) f->base[q] = INFINITY; /* all rows tie; settled without candidates */
    }
    return DV_OK;
}

void dv_filter_copy_query(const dv_filter *from, size_t q, dv_filter *to, size_t slot) {
    const size_t dim = from->whole.dim_padded;
    copy_codes(&from->whole, q, &to->whole, slot);
    copy_codes(&from->heads, q, &to->heads, slot);
    if (from->plain) memcpy(to->plain + slot * dim, from->plain + q * dim, dim);
    to->allowances[slot] = from->allowances[q];
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
    dv_filter_set_lower(to, slot, from->lower[q]);
    const size_t n = from->hits.counts[q];
    memcpy(to->hits.positions + slot * to->hits.stride, from->hits.positions + q * from->hits.stride,
           n * sizeof(uint32_t));
    memcpy(to->hits.sums + slot * to->hits.stride, from->hits.sums + q * from->hits.stride, n * sizeof(int32_t));
    to->best[slot] = dv_topk_begin(to->heaps + slot * to->k, to->k, from->least[q]);
    to->best[slot].n = from->best[q].n;
    memcpy(to->best[slot].heap, from->best[q].heap, from->best[q].n * sizeof(dv_neighbour));
}

dv_scan_block dv_filter_block_of(const dv_filter *f, const dv_coded_queries *queries) {
    return (dv_scan_block){.codes = queries->codes,
                           .n = dv_filter_pad(f->n, DV_BLOCK_QUERIES),
                           .dim_padded = queries->dim_padded,
                           .base = f->base,
                           .slope = f->slope,
                           .hidden = f->hidden,
                           .thresholds = f->thresholds,
                           .hits = f->hits};
}

dv_scan_block dv_filter_block(const dv_filter *f) {
    return dv_filter_block_of(f, scanned(f));
}
