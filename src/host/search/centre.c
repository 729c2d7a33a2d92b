#include "search/centre.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/sample.h"
#include "search/scan.h"

enum { SAMPLE_ROWS = 4096, LEAST_BESIDE = 16, LEAST_EXPONENT = -30 };
static const double MOST_LEFT = 0.6; /* of the squared length: what is left has to be worth the longer codes */
static const double MOST_FACTOR = 2.0, LARGEST_IN_MEANS = 4.0;

static double dot(const double *a, const double *b, size_t dim) {
    return dv_dot_kernel_for(DV_F64, dv_simd_best())(a, b, dim, (dv_scale){1.0, 1.0});
}

size_t dv_centre_padded_dim(size_t dim) {
    return dv_padded_dim(dim + LEAST_BESIDE);
}

static size_t sample_size(dv_row_source source) {
    return source.scored->rows.n_rows < SAMPLE_ROWS ? source.scored->rows.n_rows : SAMPLE_ROWS;
}

/* The mean of the rows that have a direction, of those that are `least` or more along `near`; 0 without one. */
static void take_mean(dv_row_source source, const double *near, double least, double *values, double *mu) {
    const size_t n = dv_prepared_size(dv_source_dim(source));
    size_t n_rows = 0;
    memset(mu, 0, n * sizeof *mu);
    for (size_t i = 0; i < sample_size(source); i++) {
        const size_t row = dv_sample_row(source.scored->rows.n_rows, sample_size(source), i);
        if (source.scored->norms[row] == 0.0) continue;
        dv_source_row(source, row, values);
        const double inverse = 1.0 / source.scored->norms[row];
        if (near && !(dot(values, near, dv_source_dim(source)) * inverse >= least)) continue;
        for (size_t e = 0; e < n; e++) mu[e] += values[e] * inverse;
        n_rows++;
    }
    for (size_t e = 0; e < n && n_rows > 0; e++) mu[e] /= (double)n_rows;
}

/* The additional elements of rows and of queries near the centre become equally large, so that neither decides what
 * one step of a code is.
 * with_far  rows that lie elsewhere count as well */
static void choose_unit(dv_row_source source, dv_row_set set, bool with_far, double *values, dv_centre *c) {
    double sum = 0.0;
    size_t n = 0;
    const size_t n_rows = set.rows ? set.n : source.scored->rows.n_rows;
    const size_t n_sample = n_rows < SAMPLE_ROWS ? n_rows : SAMPLE_ROWS;
    const double far = dot(c->mu, c->mu, c->dim) / 2 / (double)c->n_beside;
    c->unit = 1.0;
    for (size_t i = 0; i < n_sample; i++) {
        const size_t row = dv_row_of(set, dv_sample_row(n_rows, n_sample, i));
        if (source.scored->norms[row] == 0.0) continue;
        dv_source_row(source, row, values);
        (void)dv_centre_row(c, 1.0 / source.scored->norms[row], values);
        const double beside = fabs(values[c->dim]); /* <mu, y> / n_beside */
        if (beside > far && !with_far) continue;
        sum += beside;
        n++;
    }
    int exponent = LEAST_EXPONENT;
    if (sum > 0.0) exponent = (int)floor(log2(LARGEST_IN_MEANS * sum / (double)n) / 2 + 0.5);
    c->unit = ldexp(1.0, exponent < LEAST_EXPONENT ? LEAST_EXPONENT : exponent > 0 ? 0 : exponent);
}

static dv_status begin(dv_row_source source, double **values, dv_centre *out) {
    const size_t dim = dv_source_dim(source), beside = dv_centre_padded_dim(dim) - dim;
    *values = NULL;
    *out = (dv_centre){.dim = dim, .n_beside = LEAST_BESIDE};
    while (out->n_beside * 2 <= beside) out->n_beside *= 2;
    DV_TRY(dv_alloc(dv_centre_padded_dim(dim), sizeof **values, "row scratch", values));
    return dv_alloc(dv_prepared_size(dim), sizeof *out->mu, "centre of the bank", &out->mu);
}

dv_status dv_centre_create(dv_row_source source, dv_centre *out) {
    const size_t dim = dv_source_dim(source), plain = dv_padded_dim(dim);
    double *values, *first = NULL;
    dv_status status = begin(source, &values, out);
    if (status == DV_OK) status = dv_alloc(dv_prepared_size(dim), sizeof *first, "centre of the bank", &first);
    if (status == DV_OK) take_mean(source, NULL, 0.0, values, first);
    const double most = MOST_LEFT * (double)plain / (double)dv_centre_padded_dim(dim);
    const double square = status == DV_OK ? dot(first, first, dim) : 0.0;
    if (status == DV_OK && 1.0 - square < most) { /* a few rows that lie elsewhere are not to move it */
        take_mean(source, first, square / 2, values, out->mu);
        choose_unit(source, (dv_row_set){0}, false, values, out);
    } else {
        dv_centre_free(out);
    }
    free(first);
    free(values);
    return status;
}

dv_status dv_centre_about(dv_row_source source, dv_row_set set, const double *mu, dv_centre *out) {
    double *values;
    const dv_status status = begin(source, &values, out);
    if (status == DV_OK) {
        memcpy(out->mu, mu, out->dim * sizeof *mu);
        choose_unit(source, set, set.rows != NULL, values, out);
    } else {
        dv_centre_free(out);
    }
    free(values);
    return status;
}

void dv_centre_free(dv_centre *centre) {
    free(centre->mu);
    *centre = (dv_centre){0};
}

/* The additional elements, and zeros up to the padded size. */
static void set_beside(const dv_centre *c, double value, double *values) {
    for (size_t i = c->dim; i < c->dim + c->n_beside; i++) values[i] = value;
    for (size_t i = c->dim + c->n_beside; i < dv_centre_padded_dim(c->dim); i++) values[i] = 0.0;
}

double dv_centre_row(const dv_centre *c, double inverse, double *values) {
    for (size_t i = 0; i < c->dim; i++) values[i] = values[i] * inverse - c->mu[i];
    for (size_t i = c->dim; i < dv_prepared_size(c->dim); i++) values[i] = 0.0;
    const double square = dot(values, values, c->dim);
    set_beside(c, dot(values, c->mu, c->dim) / ((double)c->n_beside * c->unit), values);
    return square;
}

double dv_centre_query(const dv_centre *c, const double *values, double inverse, double *out) {
    for (size_t i = 0; i < c->dim; i++) out[i] = values[i] * inverse;
    for (size_t i = c->dim; i < dv_prepared_size(c->dim); i++) out[i] = 0.0;
    const double along = dot(out, c->mu, c->dim), square = dot(c->mu, c->mu, c->dim);
    double factor = square > 0.0 ? along / square : 0.0;
    factor = factor < MOST_FACTOR ? factor : MOST_FACTOR;
    factor = factor > -MOST_FACTOR ? factor : -MOST_FACTOR;
    for (size_t i = 0; i < c->dim; i++) out[i] -= factor * c->mu[i];
    set_beside(c, factor * c->unit, out);
    return along;
}
