/* head.h: the first stage of a search: a few principal components of a row, and how long the rest of it is. Why that
 * bounds a cosine from above: docs/EXACTNESS.md, 14. */
#ifndef DV_SEARCH_HEAD_H
#define DV_SEARCH_HEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/status.h"
#include "search/score.h"

enum { DV_HEAD_BESIDE = 4 }; /* elements that hold the length of the rest */

/* For a row x of length 1, P its components and h = P x as computed: the head of x is h and, DV_HEAD_BESIDE times, half
 * of a number that is at least the length of what P leaves of x. */
typedef struct dv_head {
    float *components; /* f32 [n_components, dim]: P, of norm 1 at most; NULL: there is no first stage */
    size_t dim, n_components;
    double error; /* |h - P x| is at most that (14.2) */
} dv_head;

/* Elements of a head: a multiple of DV_CODE_STEP. */
static inline size_t dv_head_size(const dv_head *head) {
    return head->n_components + DV_HEAD_BESIDE;
}

/* At least what the cosine of two unit rows is above the product of their heads (14.4). */
static inline double dv_head_allowance(const dv_head *head) {
    return 2.25 * head->error;
}

/* The length of a head is at most that (14.5). */
static inline double dv_head_length(const dv_head *head) {
    return 1.0 + 3.0 * head->error;
}

/* Takes orthonormal components, turned at random among themselves, so that the elements of a head are alike. *out has
 * no components, and that is no failure, where rounding leaves no proof. Fails with DV_E_NOMEM, DV_E_INTERNAL.
 * components  f64 [n_components, dim], n_components + DV_HEAD_BESIDE a multiple of DV_CODE_STEP */
DV_MUST_USE dv_status dv_head_create(const double *components, size_t n_components, size_t dim, dv_head *out);
void dv_head_free(dv_head *head); /* also on a zeroed struct */

/* What P makes of n unit rows: unit f32 [n, dim], products f32 [n, n_components]. */
void dv_head_products(const dv_head *head, const float *unit, size_t n, float *products);

/* The head of one row, f64 [dv_head_size], from its products; zeros for a zero row. */
void dv_head_values(const dv_head *head, const float *products, bool is_zero, double *values);

#endif
