#include "search/fine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/quantise.h"
#include "search/scan.h"

enum { ROWS_A_TASK = 256, MOST_CODE = 127, CODE_ALIGNMENT = 64, LINE_BYTES = 64, ROWS_AHEAD = 3 };

typedef struct coding {
    dv_row_source source;
    const dv_fine_codes *fine;
    double *values; /* f64 [threads, prepared size] */
} coding;

static void code_row(const coding *j, size_t row, double *values) {
    const dv_quantiser *quantiser = dv_quantiser_for(dv_simd_best());
    const double norm = j->source.scored->norms[row], factor = norm > 0.0 ? 1.0 / norm : 0.0;
    int8_t *codes = j->fine->codes + row * j->fine->dim_padded;
    const size_t n = dv_prepared_size(dv_source_dim(j->source));
    memset(codes + n, 0, j->fine->dim_padded - n);
    dv_source_row(j->source, row, values);
    const float peak = (float)(quantiser->largest(values, n) * factor);
    const float scale = (peak > 0.0F ? peak : 1.0F) / (float)MOST_CODE;
    const double rest = quantiser->codes(values, n, factor, (double)scale, codes);
    j->fine->scales[row] = scale;
    j->fine->slacks[row] = nextafterf((float)dv_norm_bound(rest), INFINITY);
}

static dv_status code_rows(void *context, size_t task, size_t worker) {
    const coding *j = context;
    const size_t begin = task * ROWS_A_TASK, n = j->source.scored->rows.n_rows;
    double *values = j->values + worker * dv_prepared_size(dv_source_dim(j->source));
    for (size_t row = begin; row < n && row < begin + ROWS_A_TASK; row++) code_row(j, row, values);
    return DV_OK;
}

static dv_status allocate(size_t n_rows, dv_fine_codes *fine) {
    size_t n_codes;
    DV_TRY(dv_mul_size(n_rows, fine->dim_padded, "fine codes of the bank", &n_codes));
    fine->codes = aligned_alloc(CODE_ALIGNMENT, n_codes); /* written in full */
    if (!fine->codes) return dv_fail(DV_E_NOMEM, "fine codes of the bank: no memory for %zu bytes", n_codes);
    DV_TRY(dv_alloc(n_rows, sizeof *fine->scales, "fine codes of the bank", &fine->scales));
    return dv_alloc(n_rows, sizeof *fine->slacks, "fine codes of the bank", &fine->slacks);
}

dv_status dv_fine_codes_create(dv_row_source source, dv_pool *pool, dv_fine_codes *out) {
    const size_t n = source.scored->rows.n_rows, dim = dv_source_dim(source);
    *out = (dv_fine_codes){.dim_padded = dv_padded_dim(dim)};
    coding j = {.source = source, .fine = out};
    size_t n_values;
    dv_status status = allocate(n, out);
    if (status == DV_OK) status = dv_mul_size(dv_pool_threads(pool), dv_prepared_size(dim), "row scratch", &n_values);
    if (status == DV_OK) status = dv_alloc(n_values, sizeof *j.values, "row scratch", &j.values);
    if (status == DV_OK) status = dv_pool_run(pool, (n + ROWS_A_TASK - 1) / ROWS_A_TASK, code_rows, &j);
    free(j.values);
    if (status != DV_OK) dv_fine_codes_free(out);
    return status;
}

void dv_fine_codes_free(dv_fine_codes *fine) {
    free(fine->codes);
    free(fine->scales);
    free(fine->slacks);
    *fine = (dv_fine_codes){0};
}

static inline __attribute__((always_inline)) void sums_of(const dv_fine_codes *fine, const uint32_t *rows, size_t n,
                                                          const int8_t *restrict query, int32_t *sums) {
    for (size_t i = 0; i < n; i++) {
        if (i + ROWS_AHEAD < n) {
            const int8_t *ahead = fine->codes + rows[i + ROWS_AHEAD] * fine->dim_padded;
            for (size_t at = 0; at < fine->dim_padded; at += LINE_BYTES) __builtin_prefetch(ahead + at, 0, 2);
        }
        const int8_t *restrict codes = fine->codes + rows[i] * fine->dim_padded;
        int32_t sum = 0; /* of at most 2^15 products below 2^14: it fits in any order */
        for (size_t e = 0; e < fine->dim_padded; e++) sum += (int32_t)((int16_t)query[e] * (int16_t)codes[e]);
        sums[i] = sum;
    }
}

/* NOLINTBEGIN(bugprone-macro-parentheses): an attribute cannot stand in parentheses. */
#define DEFINE_SUMS(suffix, attribute)                                                                                 \
    attribute static void sums_##suffix(const dv_fine_codes *fine, const uint32_t *rows, size_t n,                     \
                                        const int8_t *query, int32_t *sums) {                                          \
        sums_of(fine, rows, n, query, sums);                                                                           \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

DEFINE_SUMS(portable, )
#if defined(__x86_64__)
DEFINE_SUMS(avx2, __attribute__((target("avx2"))))
DEFINE_SUMS(avx512, __attribute__((target("avx512f,avx512bw"))))
#endif

void dv_fine_sums(const dv_fine_codes *fine, const uint32_t *rows, size_t n, const int8_t *query, int32_t *sums) {
#if defined(__x86_64__)
    if (dv_simd_best() == DV_SIMD_AVX512 && __builtin_cpu_supports("avx512bw")) {
        sums_avx512(fine, rows, n, query, sums);
        return;
    }
    if (dv_simd_best() >= DV_SIMD_AVX2) {
        sums_avx2(fine, rows, n, query, sums);
        return;
    }
#endif
    sums_portable(fine, rows, n, query, sums);
}
