#include "search/unit.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

enum { ROWS_PER_TASK = 256 };

void dv_unit_row(const double *values, double norm, size_t dim, float *unit) {
    if (norm == 0.0) {
        memset(unit, 0, dim * sizeof *unit);
        return;
    }
    for (size_t i = 0; i < dim; i++) unit[i] = (float)(values[i] / norm);
}

typedef struct job {
    const dv_scored_rows *scored;
    size_t first, n;
    float *unit;
    double *scratch; /* f64 [threads, prepared size] */
} job;

static dv_status convert(void *context, size_t task, size_t worker) {
    const job *j = context;
    const dv_rows *rows = &j->scored->rows;
    double *values = j->scratch + worker * dv_prepared_size(rows->dim);
    const size_t begin = task * ROWS_PER_TASK;
    const size_t end = j->n - begin < ROWS_PER_TASK ? j->n : begin + ROWS_PER_TASK;
    for (size_t i = begin; i < end; i++) {
        const double norm =
            dv_prepare_row(dv_row_at(rows, j->first + i), rows->dtype, rows->dim, dv_simd_best(), values, NULL);
        dv_unit_row(values, norm, rows->dim, j->unit + i * rows->dim);
    }
    return DV_OK;
}

dv_status dv_unit_rows(const dv_scored_rows *scored, size_t first, size_t n, dv_pool *pool, float *unit) {
    job j = {.scored = scored, .first = first, .n = n, .unit = unit};
    size_t n_scratch;
    DV_TRY(dv_mul_size(dv_pool_threads(pool), dv_prepared_size(scored->rows.dim), "row scratch", &n_scratch));
    DV_TRY(dv_alloc(n_scratch, sizeof *j.scratch, "row scratch", &j.scratch));
    const dv_status status = dv_pool_run(pool, (n + ROWS_PER_TASK - 1) / ROWS_PER_TASK, convert, &j);
    free(j.scratch);
    return status;
}
