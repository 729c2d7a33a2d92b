#include "search/head.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/random.h"
#include "search/blas.h"

/* Components are made shorter by that much, so that P has a norm of at most 1 in spite of rounding. */
static const double SHORTER = 0x1p-14;
/* Covers the roundings of what is computed in double (docs/EXACTNESS.md, 14.1 and 14.3). */
static const double BESIDE_PRODUCTS = 0x1p-30, BESIDE_SQUARES = 0x1p-30;
static const double MOST_ERROR = 0x1p-6; /* 14.4 needs that, and above it there is nothing to gain */

/* |<fl(P x')> - P x|: x' is x rounded to floats, the products are sums of dim floats in any order. */
static double product_error(size_t dim, size_t n_components) {
    const double terms = (double)dim * 0x1p-24;
    return terms / (1.0 - terms) * sqrt((double)n_components) * (1.0 + 0x1p-20) + 0x1p-23;
}

/* |P P^T - scale^2 I| in the Frobenius norm, with the roundings of the sums. */
static dv_status deviation(const dv_head *head, double scale, double *out) {
    const size_t n = head->n_components, dim = head->dim;
    double *row, sum = 0.0;
    DV_TRY(dv_alloc(dv_prepared_size(dim), sizeof *row, "principal components", &row));
    const dv_dot_kernel dot = dv_dot_kernel_for(DV_F32, dv_simd_best());
    for (size_t i = 0; i < n; i++) {
        for (size_t e = 0; e < dim; e++) row[e] = (double)head->components[i * dim + e];
        for (size_t j = 0; j <= i; j++) {
            const double product = dot(row, head->components + j * dim, dim, (dv_scale){1.0, 1.0});
            const double off = product - (i == j ? scale * scale : 0.0);
            sum += (i == j ? 1.0 : 2.0) * off * off;
        }
    }
    free(row);
    *out = sqrt(sum) + BESIDE_PRODUCTS;
    return DV_OK;
}

/* A random rotation, f64 [n, n]: numbers that are as good as normal, made orthonormal. */
static dv_status make_rotation(size_t n, double *rotation) {
    enum { SUMMANDS = 4 };
    for (size_t i = 0; i < n * n; i++) {
        double sum = 0.0;
        for (uint32_t j = 0; j < SUMMANDS; j++) sum += dv_random_uniform(0, i, j, 0) - 0.5;
        rotation[i] = sum;
    }
    return dv_blas_orthonormal(rotation, n);
}

static dv_status take_components(const double *components, dv_head *head) {
    const size_t n = head->n_components, dim = head->dim;
    double *rotation = NULL, *turned = NULL;
    dv_status status = dv_alloc(n * n, sizeof *rotation, "principal components", &rotation);
    if (status == DV_OK) status = dv_alloc(n * dim, sizeof *turned, "principal components", &turned);
    if (status == DV_OK)
        status = dv_alloc(n * dim, sizeof *head->components, "principal components", &head->components);
    if (status == DV_OK) status = make_rotation(n, rotation);
    if (status == DV_OK) {
        dv_blas_rotate(rotation, n, n, components, dim, turned);
        for (size_t i = 0; i < n * dim; i++) head->components[i] = (float)(turned[i] * (1.0 - SHORTER));
    }
    free(rotation);
    free(turned);
    return status;
}

dv_status dv_head_create(const double *components, size_t n_components, size_t dim, dv_head *out) {
    *out = (dv_head){.dim = dim, .n_components = n_components, .error = product_error(dim, n_components)};
    const double scale = 1.0 - SHORTER;
    double off = 0.0;
    dv_blas_single_thread();
    dv_status status = take_components(components, out);
    if (status == DV_OK) status = deviation(out, scale, &off);
    const bool proven = scale * scale + off <= 1.0 && out->error <= MOST_ERROR;
    if (status != DV_OK || !proven) dv_head_free(out);
    return status;
}

void dv_head_free(dv_head *head) {
    free(head->components);
    *head = (dv_head){0};
}

void dv_head_products(const dv_head *head, const float *unit, size_t n, float *products) {
    dv_blas_products(unit, n, head->components, head->n_components, head->dim, products);
}

void dv_head_values(const dv_head *head, const float *products, bool is_zero, double *values) {
    if (is_zero) {
        memset(values, 0, dv_head_size(head) * sizeof *values);
        return;
    }
    double squares = 0.0;
    for (size_t i = 0; i < head->n_components; i++) {
        values[i] = (double)products[i];
        squares += values[i] * values[i];
    }
    const double rest = fmax(1.0 - squares, 0.0) + 2.0 * head->error * (1.0 + head->error) + BESIDE_SQUARES;
    for (size_t i = 0; i < DV_HEAD_BESIDE; i++) values[head->n_components + i] = sqrt(rest) / 2;
}
