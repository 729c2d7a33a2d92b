#include "search/turn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/random.h"
#include "search/sample.h"
#include "search/scan.h"

enum { SAMPLE_ROWS = 4096, FEW_ROWS = 20 /* one of so many may stand out */ };
/* Times the mean size of an element: of 1000 normal numbers the largest is 3.3 to 4.5. */
static const double STANDS_OUT = 8.0;

dv_status dv_turn_choose(const dv_scored_rows *scored, const float *peaks, dv_turn *out) {
    const size_t n = scored->rows.n_rows, n_sample = n < SAMPLE_ROWS ? n : SAMPLE_ROWS;
    const double limit = STANDS_OUT / sqrt((double)scored->rows.dim);
    size_t n_out = 0;
    *out = (dv_turn){0};
    for (size_t i = 0; i < n_sample; i++) n_out += (double)peaks[dv_sample_row(n, n_sample, i)] > limit;
    return n_out * FEW_ROWS > n_sample ? dv_turn_create(scored->rows.dim, out) : DV_OK;
}

dv_status dv_turn_create(size_t dim, dv_turn *out) {
    *out = (dv_turn){.size = dv_padded_dim(dim), .block = 1};
    while (out->size % (2 * out->block) == 0) out->block *= 2;
    DV_TRY(dv_alloc(out->size, sizeof *out->signs, "signs of a rotation", &out->signs));
    const double size = 1.0 / sqrt((double)out->block);
    for (size_t i = 0; i < out->size; i++) out->signs[i] = dv_random_below(0, 0, i, 2) ? size : -size;
    return DV_OK;
}

void dv_turn_free(dv_turn *turn) {
    free(turn->signs);
    *turn = (dv_turn){0};
}

static inline __attribute__((always_inline)) void transform(const dv_turn *turn, double *restrict values) {
    for (size_t i = 0; i < turn->size; i++) values[i] *= turn->signs[i];
    for (size_t half = 1; half < turn->block; half *= 2)
        for (size_t at = 0; at < turn->size; at += 2 * half)
            for (size_t i = at; i < at + half; i++) {
                const double a = values[i], b = values[i + half];
                values[i] = a + b;
                values[i + half] = a - b;
            }
}

/* NOLINTBEGIN(bugprone-macro-parentheses): an attribute cannot stand in parentheses. */
#define DEFINE_TRANSFORM(suffix, attribute)                                                                            \
    attribute static void transform_##suffix(const dv_turn *turn, double *values) {                                    \
        transform(turn, values);                                                                                       \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

DEFINE_TRANSFORM(portable, )
#if defined(__x86_64__)
DEFINE_TRANSFORM(avx2, __attribute__((target("avx2"))))
DEFINE_TRANSFORM(avx512, __attribute__((target("avx512f"))))
#endif

void dv_turn_apply(const dv_turn *turn, double *values) {
#if defined(__x86_64__)
    if (dv_simd_best() == DV_SIMD_AVX512) {
        transform_avx512(turn, values);
        return;
    }
    if (dv_simd_best() == DV_SIMD_AVX2) {
        transform_avx2(turn, values);
        return;
    }
#endif
    transform_portable(turn, values);
}

static void pad_and_turn(const dv_turn *turn, size_t dim, double *values) {
    for (size_t i = dv_prepared_size(dim); i < turn->size; i++) values[i] = 0.0;
    dv_turn_apply(turn, values);
}

void dv_source_row(dv_row_source source, size_t row, double *values) {
    dv_scaled_row(source.scored, row, values);
    if (source.turn) pad_and_turn(source.turn, source.scored->rows.dim, values);
}

void dv_turn_copy(const dv_turn *turn, size_t dim, const double *values, double *turned) {
    memcpy(turned, values, dv_prepared_size(dim) * sizeof *values);
    pad_and_turn(turn, dim, turned);
}
