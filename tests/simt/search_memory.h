/* search_memory.h: rows and queries on the device, for the tests of the search kernels. Include it after cmocka. */
#ifndef SIMT_SEARCH_MEMORY_H
#define SIMT_SEARCH_MEMORY_H

#include "differential/corpus.h"
#include "kernels/search.h"
#include "simt.h"
#include "simt/device_memory.h"

static const dv_dtype dtypes[4] = {DV_F16, DV_BF16, DV_F32, DV_F64};

/* A copy of device memory; the caller's until free(). */
static inline void *on_host(const void *device, size_t size) {
    void *const copy = checked(malloc(size));
    assert_int_equal(cudaMemcpy(copy, device, size, cudaMemcpyDeviceToHost), cudaSuccess);
    return copy;
}

/* Rows on the device, measured there. */
typedef struct rows_there {
    dv_measured_rows measured;
    void *data;
    float *peaks;
} rows_there;

static inline rows_there rows_to_device(const dv_rows *rows) {
    rows_there made = {.data = on_device(rows->data, rows->n_rows * rows->dim * dv_dtype_size(rows->dtype)),
                       .peaks = on_device(NULL, rows->n_rows * sizeof(float))};
    made.measured.rows = *rows;
    made.measured.rows.data = made.data;
    made.measured.norms = on_device(NULL, rows->n_rows * sizeof(double));
    if (rows->dtype == DV_F64) made.measured.exponents = on_device(NULL, rows->n_rows * sizeof(int32_t));
    assert_int_equal(dv_launch_measure(&made.measured, made.peaks, NULL), cudaSuccess);
    return made;
}

static inline void free_rows(rows_there *old) {
    free_on_device(old->data, old->measured.norms, old->measured.exponents, old->peaks);
}

/* Queries prepared and coded. */
typedef struct queries_there {
    rows_there rows;
    dv_prepared_queries prepared;
    dv_query_codes codes;
} queries_there;

static inline size_t rounded_up(size_t n, size_t to) {
    return (n + to - 1) / to * to;
}

/* hidden  i32 [n_rows] or NULL */
static inline queries_there queries_to_device(const dv_rows *rows, const int32_t *hidden, size_t dim_padded) {
    queries_there made = {.rows = rows_to_device(rows)};
    const size_t n = rows->n_rows, n_padded = rounded_up(n, DV_CODED_QUERIES);
    made.prepared = (dv_prepared_queries){on_device(NULL, n * rows->dim * sizeof(double)), made.rows.measured.norms};
    made.codes = (dv_query_codes){.codes = on_device(NULL, n_padded * dim_padded),
                                  .scales = on_device(NULL, n_padded * sizeof(float)),
                                  .reaches = on_device(NULL, n_padded * sizeof(float)),
                                  .rests = on_device(NULL, n_padded * sizeof(float)),
                                  .hidden = hidden ? on_device(NULL, n_padded * sizeof(int32_t)) : NULL,
                                  .n = (int64_t)n,
                                  .n_padded = (int64_t)n_padded};
    if (hidden) {
        assert_int_equal(cudaMemset(made.codes.hidden, 0xff, n_padded * sizeof(int32_t)), cudaSuccess);
        assert_int_equal(cudaMemcpy(made.codes.hidden, hidden, n * sizeof(int32_t), cudaMemcpyHostToDevice),
                         cudaSuccess);
    }
    assert_int_equal(dv_launch_encode_queries(&made.rows.measured, made.rows.peaks, (int64_t)dim_padded, &made.prepared,
                                              &made.codes, NULL),
                     cudaSuccess);
    return made;
}

static inline void free_queries(queries_there *old) {
    free_on_device(old->prepared.values, old->codes.codes, old->codes.scales, old->codes.reaches, old->codes.rests,
                   old->codes.hidden);
    free_rows(&old->rows);
}

#endif
