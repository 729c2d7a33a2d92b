#include "search/head_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/blas.h"
#include "search/sample.h"
#include "search/scan.h"
#include "search/topk.h"

enum {
    SAMPLE_ROWS = 4096,
    SAMPLE_QUERIES = 32,
    LEAST_ROWS = 65536, /* below, a scan is no longer than what it takes to look for components */
    MOST_DIM = 4096,
    NEIGHBOURS = 30,   /* a query's usual number */
    NEIGHBOURS_OFF = 4 /* bank rows are nearer to one another than queries are to them */
};
static const double MOST_OF_DIM = 0.75;                       /* a longer head saves nothing */
static const double WORTH_IT = 0.85;                          /* of the time of one stage */
static const float CODE_SLACK = 0.02F;                        /* what codes add to the bound, about */
static const double SECOND_NS = 60.0, SECOND_NS_A_DIM = 0.08; /* a row in the second stage */
static const double HEAD_RATE = 30.0; /* multiply-adds of floats a nanosecond: the head of a query */

typedef struct probe {
    const dv_scored_rows *scored;
    size_t n_rows, n_queries, most; /* of the sample; components that are looked at */
    double *rows;                   /* f64 [n_rows, dim], unit */
    double *components;             /* f64 [most, dim] */
    float *row_parts, *query_parts; /* f32 [n_rows, most], f32 [n_queries, most]: their components */
    float *scores;                  /* f32 [n_queries, n_rows] */
    double *passing;                /* f64 [most / DV_CODE_STEP + 2]: share of rows that a query lets pass */
} probe;

/* Elements of the longest head that was asked for, or that may be worth it; there are at most dim components. */
static size_t longest_head(size_t dim, size_t asked) {
    const size_t most = (dim + DV_HEAD_BESIDE) / DV_CODE_STEP * DV_CODE_STEP;
    if (asked > 0) return asked < most ? dv_padded_dim(asked) : most;
    const size_t longest = (size_t)(MOST_OF_DIM * (double)dv_padded_dim(dim)) / DV_CODE_STEP * DV_CODE_STEP;
    return longest > DV_CODE_STEP ? longest : DV_CODE_STEP;
}

static void unit_row(const dv_scored_rows *scored, size_t row, double *values, double *unit) {
    const double norm = scored->norms[row];
    dv_scaled_row(scored, row, values);
    for (size_t e = 0; e < scored->rows.dim; e++) unit[e] = norm > 0.0 ? values[e] / norm : 0.0;
}

/* Rows of the sample, and after them the queries: rows that lie between those. */
static dv_status take_sample(probe *p) {
    const size_t dim = p->scored->rows.dim, n = p->scored->rows.n_rows;
    double *values;
    DV_TRY(dv_alloc(dv_prepared_size(dim), sizeof *values, "row scratch", &values));
    for (size_t i = 0; i < p->n_rows; i++)
        unit_row(p->scored, dv_sample_row(n, p->n_rows, i), values, p->rows + i * dim);
    for (size_t i = 0; i < p->n_queries; i++) {
        const size_t at = dv_sample_row(p->n_rows, p->n_queries, i), row = dv_sample_row(n, p->n_rows, at);
        const size_t next = at + 1 < p->n_rows ? dv_sample_row(n, p->n_rows, at + 1) : n;
        unit_row(p->scored, row + (next - row) / 2, values, p->rows + (p->n_rows + i) * dim);
    }
    free(values);
    return DV_OK;
}

static void to_floats(const double *values, size_t n, float *out) {
    for (size_t i = 0; i < n; i++) out[i] = (float)values[i];
}

/* Components of rows and queries, and all their cosines. */
static dv_status take_parts(probe *p) {
    const size_t dim = p->scored->rows.dim, n = p->n_rows + p->n_queries;
    float *unit = NULL, *basis = NULL;
    dv_status status = dv_alloc(n * dim, sizeof *unit, "sample", &unit);
    if (status == DV_OK) status = dv_alloc(p->most * dim, sizeof *basis, "principal components", &basis);
    if (status == DV_OK) {
        to_floats(p->rows, n * dim, unit);
        to_floats(p->components, p->most * dim, basis);
        const float *queries = unit + p->n_rows * dim;
        dv_blas_products(unit, p->n_rows, basis, p->most, dim, p->row_parts);
        dv_blas_products(queries, p->n_queries, basis, p->most, dim, p->query_parts);
        dv_blas_products(queries, p->n_queries, unit, p->n_rows, dim, p->scores);
    }
    free(unit);
    free(basis);
    return status;
}

static float rest_of(float squares) {
    return squares < 1.0F ? sqrtf(1.0F - squares) : 0.0F;
}

/* Adds to passing[j] the share of rows that one query cannot tell from its neighbours by DV_CODE_STEP * j elements. */
static void count_passing(probe *p, size_t query) {
    const size_t wanted = (size_t)NEIGHBOURS * p->n_rows / p->scored->rows.n_rows + NEIGHBOURS_OFF;
    const float *scores = p->scores + query * p->n_rows, *q = p->query_parts + query * p->most;
    const float least = dv_kth_largest(scores, p->n_rows, wanted < p->n_rows ? wanted : p->n_rows) - CODE_SLACK;
    for (size_t row = 0; row < p->n_rows; row++) {
        const float *x = p->row_parts + row * p->most;
        float product = 0.0F, q_squares = 0.0F, x_squares = 0.0F;
        for (size_t i = 0, j = 1; i < p->most; i++) {
            product += q[i] * x[i];
            q_squares += q[i] * q[i];
            x_squares += x[i] * x[i];
            if (i + 1 + DV_HEAD_BESIDE < j * DV_CODE_STEP) continue;
            if (product + rest_of(q_squares) * rest_of(x_squares) >= least)
                p->passing[j] += 1.0 / (double)(p->n_rows * p->n_queries);
            j++;
        }
    }
}

static dv_status look(probe *p) {
    const size_t dim = p->scored->rows.dim;
    double *moments;
    DV_TRY(take_sample(p));
    DV_TRY(dv_alloc(dim * dim, sizeof *moments, "principal components", &moments));
    dv_blas_single_thread();
    dv_blas_moments(p->rows, p->n_rows, dim, moments);
    const dv_status status = dv_blas_components(moments, dim, p->most, p->components);
    free(moments);
    DV_TRY(status);
    DV_TRY(take_parts(p));
    for (size_t q = 0; q < p->n_queries; q++) count_passing(p, q);
    return DV_OK;
}

static dv_status allocate(probe *p) {
    const size_t dim = p->scored->rows.dim, n = p->n_rows + p->n_queries;
    DV_TRY(dv_alloc(n * dim, sizeof *p->rows, "sample", &p->rows));
    DV_TRY(dv_alloc(p->most * dim, sizeof *p->components, "principal components", &p->components));
    DV_TRY(dv_alloc(p->n_rows * p->most, sizeof *p->row_parts, "sample", &p->row_parts));
    DV_TRY(dv_alloc(p->n_queries * p->most, sizeof *p->query_parts, "sample", &p->query_parts));
    DV_TRY(dv_alloc(p->n_queries * p->n_rows, sizeof *p->scores, "sample", &p->scores));
    return dv_alloc(p->most / DV_CODE_STEP + 2, sizeof *p->passing, "sample", &p->passing);
}

/* Elements of the cheapest head; 0: one stage is cheaper, and nobody asked for two. */
static size_t cheapest(const probe *p, const dv_head_wish *wish, size_t longest) {
    const double n = (double)p->scored->rows.n_rows, dim = (double)p->scored->rows.dim;
    const double one_stage = n * (double)dv_padded_dim(p->scored->rows.dim) / wish->rate;
    double best = wish->n_stages == 2 ? INFINITY : WORTH_IT * one_stage;
    size_t chosen = 0;
    for (size_t size = DV_CODE_STEP; size <= longest; size += DV_CODE_STEP) {
        const double passing = n * p->passing[size / DV_CODE_STEP];
        const double cost = n * (double)size / wish->rate + passing * (SECOND_NS + SECOND_NS_A_DIM * dim) +
                            dim * (double)size / HEAD_RATE;
        if (cost < best) best = cost, chosen = size;
    }
    return chosen;
}

static dv_status choose(probe *p, const dv_head_wish *wish, dv_head *out) {
    const size_t dim = p->scored->rows.dim, longest = longest_head(dim, wish->head_dim);
    p->most = longest - DV_HEAD_BESIDE;
    DV_TRY(allocate(p));
    DV_TRY(look(p));
    const size_t size = wish->head_dim ? longest : cheapest(p, wish, longest);
    return size ? dv_head_create(p->components, size - DV_HEAD_BESIDE, dim, out) : DV_OK;
}

static size_t sample_rows(size_t n_rows) {
    return n_rows < SAMPLE_ROWS ? n_rows : SAMPLE_ROWS;
}

static bool has_heads(size_t dim) {
    return dim + DV_HEAD_BESIDE >= DV_CODE_STEP && dim <= MOST_DIM;
}

size_t dv_head_choose_bytes(size_t n_rows, size_t dim) {
    const size_t n = sample_rows(n_rows) + SAMPLE_QUERIES;
    if (!has_heads(dim)) return 0;
    const size_t sample = dim * (sizeof(double) + 2 * sizeof(float)); /* rows, as floats too, and their components */
    const size_t matrices = dim * (4 * sizeof(double) + 2 * sizeof(float)); /* moments, components, rotation */
    return n * sample + dim * matrices + n * SAMPLE_QUERIES * sizeof(float);
}

dv_status dv_head_choose(const dv_scored_rows *scored, const dv_head_wish *wish, dv_head *out) {
    const size_t n = scored->rows.n_rows, dim = scored->rows.dim;
    *out = (dv_head){0};
    if (wish->n_stages == 1 || !has_heads(dim)) return DV_OK;
    if (wish->n_stages == 0 && (n < LEAST_ROWS || dim <= 2 * (size_t)DV_CODE_STEP)) return DV_OK;
    probe p = {.scored = scored, .n_rows = sample_rows(n), .n_queries = n < SAMPLE_QUERIES ? n : SAMPLE_QUERIES};
    const dv_status status = choose(&p, wish, out);
    free(p.rows);
    free(p.components);
    free(p.row_parts);
    free(p.query_parts);
    free(p.scores);
    free(p.passing);
    return status;
}
