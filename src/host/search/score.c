#include "search/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/quantise.h"

enum { ROWS_PER_TASK = 256 };

size_t dv_prepared_size(size_t dim) {
    return (dim + DV_DOT_PARTIALS - 1) / DV_DOT_PARTIALS * DV_DOT_PARTIALS;
}

const void *dv_row_at(const dv_rows *rows, size_t row) {
    return (const unsigned char *)rows->data + row * rows->dim * dv_dtype_size(rows->dtype);
}

/* The exponent e of the largest |value| = m * 2^e, m in [0.5, 1); 0 for a zero row or one that is not finite. */
static int largest_exponent(const double *values, size_t n, dv_simd simd) {
    const double largest = dv_quantiser_for(simd)->largest(values, n);
    int exponent = 0;
    if (isfinite(largest)) (void)frexp(largest, &exponent);
    return exponent;
}

double dv_prepare_row(const void *row, dv_dtype dtype, size_t dim, dv_simd simd, double *values, int32_t *exponent) {
    const size_t padded = dv_prepared_size(dim);
    dv_widen_f64(row, dtype, values, dim);
    memset(values + dim, 0, (padded - dim) * sizeof *values);
    int e = 0;
    if (dtype == DV_F64) {
        e = largest_exponent(values, padded, simd);
        const dv_scale scale = dv_scale_down(e);
        for (size_t i = 0; i < dim; i++) values[i] = values[i] * scale.first * scale.second;
    }
    if (exponent) *exponent = e;
    return sqrt(dv_dot_kernel_for(DV_F64, simd)(values, values, dim, (dv_scale){1.0, 1.0}));
}

void dv_scaled_row(const dv_scored_rows *scored, size_t row, double *values) {
    const size_t dim = scored->rows.dim, padded = dv_prepared_size(dim);
    dv_widen_f64(dv_row_at(&scored->rows, row), scored->rows.dtype, values, dim);
    memset(values + dim, 0, (padded - dim) * sizeof *values);
    if (!scored->exponents) return;
    const dv_scale scale = dv_scale_down(scored->exponents[row]);
    for (size_t i = 0; i < dim; i++) values[i] = values[i] * scale.first * scale.second;
}

typedef struct measuring {
    dv_scored_rows *scored;
    dv_simd simd;
    double *scratch; /* f64 [threads, prepared size] */
    float *peaks;    /* or NULL */
} measuring;

static dv_status measure(void *context, size_t task, size_t worker) {
    const measuring *m = context;
    const dv_rows *rows = &m->scored->rows;
    double *values = m->scratch + worker * dv_prepared_size(rows->dim);
    const size_t begin = task * ROWS_PER_TASK;
    const size_t end = rows->n_rows - begin < ROWS_PER_TASK ? rows->n_rows : begin + ROWS_PER_TASK;
    for (size_t row = begin; row < end; row++) {
        int32_t exponent;
        const double norm = dv_prepare_row(dv_row_at(rows, row), rows->dtype, rows->dim, m->simd, values, &exponent);
        if (!isfinite(norm)) return dv_fail(DV_E_ARG, "row %zu: features must be finite", row);
        m->scored->norms[row] = norm;
        if (m->scored->exponents) m->scored->exponents[row] = exponent;
        if (!m->peaks) continue;
        const double largest = dv_quantiser_for(m->simd)->largest(values, dv_prepared_size(rows->dim));
        m->peaks[row] = norm > 0.0 ? (float)(largest / norm) : 0.0F;
    }
    return DV_OK;
}

dv_status dv_scored_rows_create(const dv_rows *rows, dv_simd simd, dv_pool *pool, float *peaks, dv_scored_rows *out) {
    *out = (dv_scored_rows){
        .rows = *rows, .dot = dv_dot_kernel_for(rows->dtype, simd), .dots = dv_dots_kernel_for(rows->dtype, simd)};
    if (!out->dot)
        return dv_fail(DV_E_ARG, "dtype %d: no such format, or no %s here", (int)rows->dtype, dv_simd_name(simd));
    measuring m = {.scored = out, .simd = simd, .peaks = peaks};
    dv_status status = DV_OK;
    size_t n_scratch;
    if ((status = dv_mul_size(dv_pool_threads(pool), dv_prepared_size(rows->dim), "row scratch", &n_scratch)))
        goto done;
    if ((status = dv_alloc(n_scratch, sizeof *m.scratch, "row scratch", &m.scratch))) goto done;
    if ((status = dv_alloc(rows->n_rows, sizeof *out->norms, "row norms", &out->norms))) goto done;
    if (rows->dtype == DV_F64 &&
        (status = dv_alloc(rows->n_rows, sizeof *out->exponents, "row exponents", &out->exponents)))
        goto done;
    status = dv_pool_run(pool, (rows->n_rows + ROWS_PER_TASK - 1) / ROWS_PER_TASK, measure, &m);
done:
    free(m.scratch);
    if (status != DV_OK) dv_scored_rows_free(out);
    return status;
}

void dv_scored_rows_free(dv_scored_rows *scored) {
    free(scored->norms);
    free(scored->exponents);
    *scored = (dv_scored_rows){0};
}

double dv_score(const dv_scored_rows *scored, size_t row, const double *query, double query_norm) {
    const dv_scale scale = scored->exponents ? dv_scale_down(scored->exponents[row]) : (dv_scale){1.0, 1.0};
    const double dot = scored->dot(query, dv_row_at(&scored->rows, row), scored->rows.dim, scale);
    return dv_cosine(dot, query_norm, scored->norms[row]);
}

enum { LINE_BYTES = 64 };

void dv_fetch_rows(const dv_scored_rows *scored, const int32_t *rows, size_t n) {
    const size_t n_bytes = scored->rows.dim * dv_dtype_size(scored->rows.dtype);
    for (size_t i = 0; i < n; i++) {
        if (rows[i] < 0) continue;
        const char *row = dv_row_at(&scored->rows, (size_t)rows[i]);
        for (size_t at = 0; at < n_bytes; at += LINE_BYTES) __builtin_prefetch(row + at, 0, 2);
        __builtin_prefetch(&scored->norms[rows[i]], 0, 2);
    }
}

static void score_four(const dv_scored_rows *scored, const int32_t *rows, const double *query, double query_norm,
                       dv_topk *best) {
    const void *data[DV_DOT_ROWS];
    dv_scale scales[DV_DOT_ROWS];
    double dots[DV_DOT_ROWS];
    for (size_t r = 0; r < DV_DOT_ROWS; r++) {
        data[r] = dv_row_at(&scored->rows, (size_t)rows[r]);
        scales[r] = scored->exponents ? dv_scale_down(scored->exponents[rows[r]]) : (dv_scale){1.0, 1.0};
    }
    scored->dots(query, data, scored->rows.dim, scales, dots);
    for (size_t r = 0; r < DV_DOT_ROWS; r++)
        dv_topk_offer(best, dv_cosine(dots[r], query_norm, scored->norms[rows[r]]), rows[r]);
}

void dv_score_rows(const dv_scored_rows *scored, const int32_t *rows, size_t n, const double *query, double query_norm,
                   dv_topk *best) {
    size_t i = 0;
    dv_fetch_rows(scored, rows, n < DV_DOT_ROWS ? n : DV_DOT_ROWS);
    for (; i + DV_DOT_ROWS <= n; i += DV_DOT_ROWS) {
        const size_t next = i + DV_DOT_ROWS, n_next = n - next < DV_DOT_ROWS ? n - next : DV_DOT_ROWS;
        dv_fetch_rows(scored, rows + next, n_next);
        score_four(scored, rows + i, query, query_norm, best);
    }
    for (; i < n; i++) dv_topk_offer(best, dv_score(scored, (size_t)rows[i], query, query_norm), rows[i]);
}
