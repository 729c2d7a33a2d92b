#include "search/codes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/codes_parts.h"
#include "search/quantise.h"

enum {
    LEAST_TILES = 16, /* a bank of fewer tiles takes smaller ones, down to DV_BLOCK_QUERIES rows */
    MOST_TILE_ROWS = 4096,
    KEY_SHIFT = 15, /* of the bits of a float: sign, exponent and 8 bits of fraction are left */
    N_KEYS = 1 << (32 - KEY_SHIFT - 1),
    MOST_CODE = 127,
    CODE_ALIGNMENT = 64,
    ROWS_AHEAD = 2 /* that are fetched: sorted rows lie anywhere */
};

static size_t choose_tile_rows(size_t n_rows, size_t wanted) {
    size_t tile_rows = DV_BLOCK_QUERIES;
    const size_t most = wanted == 0 ? DV_TILE_ROWS : wanted < MOST_TILE_ROWS ? wanted : MOST_TILE_ROWS;
    while (tile_rows < most && tile_rows <= n_rows && (wanted || tile_rows * LEAST_TILES < n_rows)) tile_rows *= 2;
    return tile_rows;
}

void dv_codes_cut(dv_codes *c, size_t tile_rows) {
    c->tile_rows = choose_tile_rows(c->n_rows, tile_rows);
    c->tile_shift = (unsigned)__builtin_ctzll(c->tile_rows);
    c->n_tiles = (c->n_rows + c->tile_rows - 1) / c->tile_rows;
}

/* Positive floats order like their bits; how rows of one key lie among themselves hardly matters. */
static size_t sort_key(float peak) {
    uint32_t bits;
    memcpy(&bits, &peak, sizeof bits);
    return N_KEYS - 1 - (bits >> KEY_SHIFT);
}

/* rows[position]: the largest peaks first, equal keys by row. */
static dv_status sort_rows(const float *peaks, dv_row_set set, dv_codes *c) {
    size_t *starts;
    DV_TRY(dv_alloc(N_KEYS + 1, sizeof *starts, "sort keys", &starts));
    for (size_t i = 0; i < set.n; i++) starts[sort_key(peaks[dv_row_of(set, i)]) + 1]++;
    for (size_t key = 0; key < N_KEYS; key++) starts[key + 1] += starts[key];
    for (size_t i = 0; i < set.n; i++)
        c->rows[starts[sort_key(peaks[dv_row_of(set, i)])]++] = (int32_t)dv_row_of(set, i);
    for (size_t at = c->n_rows; at < c->n_tiles * c->tile_rows; at++) c->rows[at] = -1;
    free(starts);
    return DV_OK;
}

/* The largest squared lengths of centred rows: of y alone, and with the additional elements of a centre. */
typedef struct extent {
    double alone, coded;
} extent;

typedef struct coding {
    dv_row_source source;
    dv_row_set set;
    const int32_t *group;
    const float *peaks; /* of what is coded */
    float *measured;    /* these, where that is not the rows themselves; else NULL */
    extent *extents;    /* [n_tiles], likewise */
    dv_codes *c;
    double *values;  /* f64 [threads, dim_padded] */
    int8_t *scratch; /* i8 [threads, 16, dim_padded]; what lies behind what is coded stays 0 */
} coding;

void dv_codes_interleave(const int8_t *rows, size_t dim_padded, int8_t *out) {
    for (size_t i = 0; i < dim_padded; i += 4)
        for (size_t r = 0; r < DV_GROUP_ROWS; r++)
            memcpy(out + i * DV_GROUP_ROWS + r * 4, rows + r * dim_padded + i, 4);
}

int32_t dv_codes_offset(const int8_t *codes, size_t n) {
    int32_t sum = 0;
    for (size_t i = 0; i < n; i++) sum += codes[i];
    return -128 * sum;
}

/* The elements of a row that are coded, up to a factor, which it returns. *square: of a centred row alone, else 0. */
static double load_row(const coding *j, size_t row, double *values, double *square) {
    const double norm = j->source.scored->norms[row], inverse = norm > 0.0 ? 1.0 / norm : 0.0;
    dv_source_row(j->source, row, values);
    *square = 0.0;
    if (!j->c->centre.mu) return inverse;
    *square = dv_centre_row(&j->c->centre, inverse, values);
    return 1.0;
}

/* Elements of what is coded. */
static size_t coded_size(const coding *j) {
    return j->c->centre.mu ? j->c->dim_padded : dv_prepared_size(dv_source_dim(j->source));
}

static double squared_length(const double *values, size_t n) {
    return dv_dot_kernel_for(DV_F64, dv_simd_best())(values, values, n, (dv_scale){1.0, 1.0});
}

/* Codes one group of rows; returns the largest sum of squares left over. *most_of rises where there is a centre. */
static double code_group(const coding *j, size_t first, double scale, double *values, int8_t *scratch,
                         extent *most_of) {
    const dv_simd simd = dv_simd_best();
    const bool centred = j->c->centre.mu != NULL;
    const size_t padded = j->c->dim_padded;
    double most = 0.0;
    for (size_t r = 0; r < DV_GROUP_ROWS; r++) {
        const int32_t row = j->c->rows[first + r];
        if (r + ROWS_AHEAD < DV_GROUP_ROWS) dv_fetch_rows(j->source.scored, &j->c->rows[first + r + ROWS_AHEAD], 1);
        int8_t *codes = scratch + r * padded;
        if (row < 0 || (j->source.scored->norms[row] == 0.0 && !centred)) {
            memset(codes, 0, padded);
            j->c->offsets[first + r] = 0;
            continue;
        }
        double square;
        const double factor = load_row(j, (size_t)row, values, &square);
        const double rest = dv_quantiser_for(simd)->codes(values, coded_size(j), factor, scale, codes);
        most_of->alone = fmax(most_of->alone, square);
        if (centred) most_of->coded = fmax(most_of->coded, squared_length(values, j->c->dim_padded));
        most = rest > most ? rest : most;
        j->c->offsets[first + r] = dv_codes_offset(codes, padded);
    }
    dv_codes_interleave(scratch, padded, j->c->codes + first * padded);
    return most;
}

static dv_status code_tile(void *context, size_t tile, size_t worker) {
    const coding *j = context;
    dv_codes *c = j->c;
    double *values = j->values + worker * c->dim_padded;
    int8_t *scratch = j->scratch + worker * DV_GROUP_ROWS * c->dim_padded;
    const size_t first = tile * c->tile_rows;
    float peak = 0.0F;
    for (size_t at = first; at < first + c->tile_rows; at++) {
        const int32_t row = c->rows[at];
        if (row >= 0 && j->peaks[row] > peak) peak = j->peaks[row];
        if (c->group) c->group[at] = row < 0 ? -1 : j->group[row];
    }
    float scale = (peak > 0.0F ? peak : 1.0F) / (float)MOST_CODE;
    if (c->centre.mu) scale = fmaxf(peak / (float)MOST_CODE, DV_LEAST_CENTRED_SCALE);
    double most = 0.0;
    extent most_of = {0};
    for (size_t at = first; at < first + c->tile_rows; at += DV_GROUP_ROWS) {
        const double rest = code_group(j, at, (double)scale, values, scratch, &most_of);
        most = rest > most ? rest : most;
    }
    c->scales[tile] = scale;
    c->slacks[tile] = nextafterf((float)dv_norm_bound(most), INFINITY);
    if (j->extents) j->extents[tile] = most_of;
    return DV_OK;
}

enum { ROWS_A_TASK = 256 };

static dv_status measure_coded(void *context, size_t task, size_t worker) {
    const coding *j = context;
    double *values = j->values + worker * j->c->dim_padded;
    const size_t begin = task * ROWS_A_TASK, n = j->c->n_rows;
    for (size_t i = begin; i < n && i < begin + ROWS_A_TASK; i++) {
        const size_t row = dv_row_of(j->set, i);
        double square;
        const double factor = load_row(j, row, values, &square);
        j->measured[row] = (float)(dv_quantiser_for(dv_simd_best())->largest(values, coded_size(j)) * factor);
    }
    return DV_OK;
}

/* Adds to each slack what the residual of a query needs (docs/EXACTNESS.md, 13.4). Any share will do; this one makes
 * both parts alike, as they are where queries look like rows. */
static void widen_slacks(dv_codes *c, const extent *extents) {
    double sum = 0.0;
    for (size_t t = 0; t < c->n_tiles; t++) sum += (double)c->slacks[t] / dv_norm_bound(extents[t].coded);
    c->share = fmin(fmax(sum / (double)c->n_tiles, DV_LEAST_SHARE), 1.0);
    for (size_t t = 0; t < c->n_tiles; t++) {
        const double slack = (double)c->slacks[t] + c->share * dv_norm_bound(extents[t].coded);
        c->slacks[t] = nextafterf((float)slack, INFINITY);
        if (t == 0 || slack < c->least_slack) c->least_slack = slack;
        c->extent = fmax(c->extent, dv_norm_bound(extents[t].alone));
    }
}

/* Memory that is written in full, so not zeroed. */
static dv_status allocate_codes(size_t n_bytes, int8_t **out) {
    *out = aligned_alloc(CODE_ALIGNMENT, n_bytes); /* whole groups: a multiple of it */
    return *out ? DV_OK : dv_fail(DV_E_NOMEM, "codes of the bank: no memory for %zu bytes", n_bytes);
}

dv_status dv_codes_allocate(dv_codes *c, bool with_group) {
    size_t n_positions, n_codes;
    DV_TRY(dv_mul_size(c->n_tiles, c->tile_rows, "codes of the bank", &n_positions));
    DV_TRY(dv_mul_size(n_positions, c->dim_padded, "codes of the bank", &n_codes));
    DV_TRY(allocate_codes(n_codes, &c->codes));
    DV_TRY(dv_alloc(n_positions, sizeof *c->offsets, "code sums of the bank", &c->offsets));
    DV_TRY(dv_alloc(n_positions, sizeof *c->rows, "row order of the bank", &c->rows));
    if (with_group) DV_TRY(dv_alloc(n_positions, sizeof *c->group, "groups of the bank", &c->group));
    DV_TRY(dv_alloc(c->n_tiles, sizeof *c->scales, "scales of the bank", &c->scales));
    return dv_alloc(c->n_tiles, sizeof *c->slacks, "bounds of the bank", &c->slacks);
}

static dv_status code_rows(coding *j, dv_pool *pool) {
    const size_t n_threads = dv_pool_threads(pool);
    size_t n_values, n_scratch;
    DV_TRY(dv_mul_size(n_threads, j->c->dim_padded, "row scratch", &n_values));
    DV_TRY(dv_mul_size(n_threads, DV_GROUP_ROWS * j->c->dim_padded, "code scratch", &n_scratch));
    DV_TRY(dv_alloc(n_values, sizeof *j->values, "row scratch", &j->values));
    DV_TRY(dv_alloc(n_scratch, sizeof *j->scratch, "code scratch", &j->scratch));
    if (j->c->centre.mu) DV_TRY(dv_alloc(j->c->n_tiles, sizeof *j->extents, "lengths of rows", &j->extents));
    if (j->c->centre.mu || j->source.turn) {
        DV_TRY(dv_alloc(j->source.scored->rows.n_rows, sizeof *j->measured, "largest elements", &j->measured));
        DV_TRY(dv_pool_run(pool, (j->c->n_rows + ROWS_A_TASK - 1) / ROWS_A_TASK, measure_coded, j));
        j->peaks = j->measured;
    }
    DV_TRY(sort_rows(j->peaks, j->set, j->c));
    DV_TRY(dv_pool_run(pool, j->c->n_tiles, code_tile, j));
    if (j->extents) widen_slacks(j->c, j->extents);
    return DV_OK;
}

dv_status dv_codes_create(dv_row_source source, dv_row_set set, const int32_t *group, const float *peaks,
                          dv_centre centre, size_t tile_rows, dv_pool *pool, dv_codes *out) {
    const dv_rows *rows = &source.scored->rows;
    if (!set.rows) set.n = rows->n_rows;
    *out = (dv_codes){.n_rows = set.n, .dim = rows->dim, .centre = centre};
    if (rows->dim > DV_MOST_CODED_DIM) {
        dv_codes_free(out);
        return dv_fail(DV_E_ARG, "codes of %zu dimensions: at most %d", rows->dim, DV_MOST_CODED_DIM);
    }
    out->dim_padded = centre.mu ? dv_centre_padded_dim(dv_source_dim(source)) : dv_padded_dim(rows->dim);
    dv_codes_cut(out, tile_rows);
    coding j = {.source = source, .set = set, .group = group, .peaks = peaks, .c = out};
    dv_status status = dv_codes_allocate(out, group != NULL);
    if (status == DV_OK) status = code_rows(&j, pool);
    free(j.values);
    free(j.scratch);
    free(j.measured);
    free(j.extents);
    if (status != DV_OK) dv_codes_free(out);
    return status;
}

void dv_codes_free(dv_codes *codes) {
    free(codes->codes);
    free(codes->offsets);
    free(codes->rows);
    free(codes->group);
    free(codes->scales);
    free(codes->slacks);
    dv_centre_free(&codes->centre);
    *codes = (dv_codes){0};
}

dv_code_tile dv_codes_tile(const dv_codes *codes, size_t tile) {
    const size_t first = tile * codes->tile_rows;
    return (dv_code_tile){.codes = codes->codes + first * codes->dim_padded,
                          .offsets = codes->offsets + first,
                          .group = codes->group ? codes->group + first : NULL,
                          .n_groups = codes->tile_rows / DV_GROUP_ROWS,
                          .first = (uint32_t)first,
                          .end = (uint32_t)codes->n_rows,
                          .inverse_scale = 1.0 / (double)codes->scales[tile],
                          .slack = (double)codes->slacks[tile]};
}

static size_t common_divisor(size_t a, size_t b) {
    while (b) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

dv_tile_order dv_tile_order_make(size_t n_tiles) {
    size_t step = (size_t)((double)n_tiles * 0.6180339887498949); /* successive multiples of it lie evenly */
    if (step == 0) step = 1;
    while (common_divisor(step, n_tiles) != 1) step++;
    return (dv_tile_order){n_tiles, step};
}
