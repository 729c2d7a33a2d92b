#include <stdint.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/host_device.h"

static dv_status check_rows(const dv_rows *rows, const char *what) {
    if (dv_dtype_size(rows->dtype) == 0)
        return dv_fail(DV_E_ARG, "%s, dtype %d: no such format", what, (int)rows->dtype);
    if (rows->dim < 1 || rows->dim > INT32_MAX)
        return dv_fail(DV_E_ARG, "%s, dim %zu: must be 1..%d", what, rows->dim, INT32_MAX);
    if (rows->n_rows > 0 && !rows->data) return dv_fail(DV_E_ARG, "%s: %zu rows, but no data", what, rows->n_rows);
    return DV_OK;
}

dv_status dv_host_check_bank(const dv_bank_rows *bank) {
    if (bank->rows.n_rows < 1 || bank->rows.n_rows > INT32_MAX)
        return dv_fail(DV_E_ARG, "bank of %zu rows: an index holds 1..%d", bank->rows.n_rows, INT32_MAX);
    return check_rows(&bank->rows, "bank");
}

dv_status dv_host_index_init(dv_pool *pool, const dv_bank_rows *bank, dv_simd simd, float **peaks, dv_host_index *out) {
    *out = (dv_host_index){0};
    if (peaks) *peaks = NULL;
    DV_TRY(dv_host_check_bank(bank));
    if (peaks) DV_TRY(dv_alloc(bank->rows.n_rows, sizeof **peaks, "peaks of the bank", peaks));
    const dv_status status = dv_scored_rows_create(&bank->rows, simd, pool, peaks ? *peaks : NULL, &out->scored);
    if (status != DV_OK && peaks) {
        free(*peaks);
        *peaks = NULL;
    }
    out->group = bank->group;
    return dv_context(status, "bank");
}

void dv_host_index_clear(dv_host_index *index) {
    dv_scored_rows_free(&index->scored);
    *index = (dv_host_index){0};
}

dv_status dv_host_check_search(const dv_host_index *index, const dv_queries *queries, size_t k) {
    const dv_rows *rows = &index->scored.rows;
    if (k < 1 || k > rows->n_rows)
        return dv_fail(DV_E_ARG, "k %zu: must be 1..%zu, the rows of the bank", k, rows->n_rows);
    DV_TRY(check_rows(&queries->rows, "queries"));
    if (queries->rows.dim != rows->dim)
        return dv_fail(DV_E_ARG, "queries of %zu dimensions: the bank has %zu", queries->rows.dim, rows->dim);
    if (queries->group && !index->group)
        return dv_fail(DV_E_ARG, "queries carry groups to hide: the bank was loaded without groups");
    return DV_OK;
}

void dv_host_search_memory(const dv_device *device, const dv_search_shape *shape, dv_search_memory *out) {
    const size_t n_threads = dv_pool_threads(((const dv_host_device *)device)->pool);
    out->row_bytes = sizeof(double) + (shape->dtype == DV_F64 ? sizeof(int32_t) : 0); /* norm, exponent */
    out->most_rows = 0;
    out->fixed_bytes = n_threads * (dv_prepared_size(shape->dim) * sizeof(double) + shape->k * sizeof(dv_neighbour));
}

void dv_host_search_stats(const dv_device *device, const void *index, dv_search_stats *out) {
    (void)device;
    *out = ((const dv_host_index *)index)->stats;
}
