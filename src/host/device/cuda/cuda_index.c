#include "device/cuda/cuda_index.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_layout.h"
#include "device/host_device.h"
#include "search/bound.h"

/* Of codes: the sums of longer rows could reach 2^30 (docs/EXACTNESS.md, 5.3). */
enum { MOST_CODED_DIM = 32768 };

/* Of the memory that is free: what bank and search may take, the rest is for answers, labels and pictures; and the
 * search's part, one in so many. */
enum { SPARE_PERCENT = 85, SEARCH_SHARE = 4 };

static dv_status upload(dv_cuda_index *index, size_t part, size_t n, size_t size, const void *host, void *out) {
    void *there;
    DV_TRY(dv_cuda_part(&index->parts, part, n, size, "bank", out));
    memcpy(&there, out, sizeof there); /* a pointer to a pointer of any type */
    DV_TRY(dv_cuda_upload_send(&index->upload, there, host, n * size, "bank"));
    return dv_cuda_upload_before(&index->upload, index->stream);
}

/* Norms that are not finite tell which row is not. */
static dv_status check_norms(const dv_cuda_index *index) {
    const size_t n = index->bank.rows.n_rows;
    double *norms;
    DV_TRY(dv_alloc_unset(n, sizeof *norms, "row norms", &norms));
    dv_status status = dv_cuda_check(
        cudaMemcpyAsync(norms, index->rows.norms, n * sizeof *norms, cudaMemcpyDeviceToHost, index->stream),
        "row norms");
    if (status == DV_OK) status = dv_cuda_check(cudaStreamSynchronize(index->stream), "measuring the bank");
    for (size_t row = 0; status == DV_OK && row < n; row++)
        if (!isfinite(norms[row])) status = dv_fail(DV_E_ARG, "bank: row %zu: features must be finite", row);
    free(norms);
    return status;
}

static dv_status measure(dv_cuda_index *index, float **peaks) {
    const dv_rows *rows = &index->bank.rows;
    index->rows.rows = *rows;
    size_t n_elements;
    void *data;
    DV_TRY(dv_mul_size(rows->n_rows, rows->dim, "bank", &n_elements));
    DV_TRY(upload(index, DV_CUDA_ROWS, n_elements, dv_dtype_size(rows->dtype), rows->data, &data));
    index->rows.rows.data = data;
    DV_TRY(dv_cuda_part(&index->parts, DV_CUDA_NORMS, rows->n_rows, sizeof(double), "row norms", &index->rows.norms));
    if (rows->dtype == DV_F64)
        DV_TRY(dv_cuda_part(&index->parts, DV_CUDA_EXPONENTS, rows->n_rows, sizeof(int32_t), "row exponents",
                            &index->rows.exponents));
    DV_TRY(dv_cuda_part(&index->parts, DV_CUDA_PEAKS, rows->n_rows, sizeof(float), "row peaks", peaks));
    if (index->bank.group) {
        void *group;
        DV_TRY(upload(index, DV_CUDA_GROUP, rows->n_rows, sizeof(int32_t), index->bank.group, &group));
        index->group = group;
    }
    DV_CUDA_TRY(dv_launch_measure(&index->rows, *peaks, index->stream), "measuring the bank");
    return check_norms(index);
}

typedef struct peak_of_row {
    float peak;
    int32_t row;
} peak_of_row;

static int smaller_peak_first(const void *a, const void *b) {
    const peak_of_row *x = a, *y = b;
    if (x->peak != y->peak) return x->peak < y->peak ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* A step through n tiles that has no common divisor with n: a run of tiles in that order is a fair sample of all. */
static size_t step_through(size_t n) {
    for (size_t step = (size_t)(0.618 * (double)n) + 1;; step++) {
        size_t a = n, b = step;
        while (b > 0) {
            const size_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1) return step;
    }
}

/* What stands where: rows sorted by peak and cut in tiles, which have one scale each and are dealt out over the bank.
 */
typedef struct layout {
    int32_t *rows, *group; /* [n_tiles * 256] */
    float *scales;         /* [n_tiles] */
} layout;

static void lay_out(const dv_cuda_index *index, const peak_of_row *sorted, layout *out) {
    const size_t n = index->bank.rows.n_rows, n_tiles = (size_t)index->codes.n_tiles, step = step_through(n_tiles);
    for (size_t tile = 0; tile < n_tiles; tile++) {
        const size_t at = tile * step % n_tiles;
        float peak = 0.0F;
        for (size_t i = 0; i < DV_CODED_TILE; i++) {
            const size_t from = tile * DV_CODED_TILE + i, to = at * DV_CODED_TILE + i;
            const int32_t row = from < n ? sorted[from].row : -1;
            out->rows[to] = row;
            if (out->group && index->bank.group) out->group[to] = row >= 0 ? index->bank.group[row] : -1;
            if (row >= 0) peak = fmaxf(peak, sorted[from].peak);
        }
        out->scales[at] = (peak > 0.0F ? peak : 1.0F) / 127.0F;
    }
}

static dv_status encode(dv_cuda_index *index, const layout *of) {
    dv_bank_codes *codes = &index->codes;
    const size_t n_tiles = (size_t)codes->n_tiles, n_places = n_tiles * DV_CODED_TILE;
    DV_TRY(upload(index, DV_CUDA_ORDER, n_places, sizeof *codes->rows, of->rows, &codes->rows));
    if (of->group) DV_TRY(upload(index, DV_CUDA_CODED_GROUP, n_places, sizeof *codes->group, of->group, &codes->group));
    DV_TRY(upload(index, DV_CUDA_SCALES, n_tiles, sizeof *codes->scales, of->scales, &codes->scales));
    DV_TRY(dv_cuda_part(&index->parts, DV_CUDA_SLACKS, n_tiles, sizeof *codes->slacks, "slacks", &codes->slacks));
    DV_TRY(dv_cuda_part(&index->parts, DV_CUDA_CODES, n_places, (size_t)codes->dim_padded, "codes of the bank",
                        &codes->codes));
    return dv_cuda_check(dv_launch_encode_bank(&index->rows, codes, index->stream), "coding the bank");
}

static dv_status sort_and_encode(dv_cuda_index *index, const float *peaks_there) {
    const size_t n = index->bank.rows.n_rows;
    const size_t n_tiles = (size_t)index->codes.n_tiles, n_places = n_tiles * DV_CODED_TILE;
    float *peaks = NULL;
    peak_of_row *sorted = NULL;
    layout made = {NULL, NULL, NULL};
    dv_status status = dv_alloc_unset(n, sizeof *peaks, "row peaks", &peaks);
    if (status == DV_OK) status = dv_alloc_unset(n, sizeof *sorted, "row peaks", &sorted);
    if (status == DV_OK) status = dv_alloc(n_places, sizeof *made.rows, "order of rows", &made.rows);
    if (status == DV_OK && index->bank.group)
        status = dv_alloc(n_places, sizeof *made.group, "order of rows", &made.group);
    if (status == DV_OK) status = dv_alloc(n_tiles, sizeof *made.scales, "scales", &made.scales);
    if (status == DV_OK)
        status = dv_cuda_check(
            cudaMemcpyAsync(peaks, peaks_there, n * sizeof *peaks, cudaMemcpyDeviceToHost, index->stream), "row peaks");
    if (status == DV_OK) status = dv_cuda_check(cudaStreamSynchronize(index->stream), "measuring the bank");
    if (status == DV_OK) {
        for (size_t row = 0; row < n; row++) sorted[row] = (peak_of_row){peaks[row], (int32_t)row};
        qsort(sorted, n, sizeof *sorted, smaller_peak_first);
        lay_out(index, sorted, &made);
        dv_cuda_meter_start(index->options.meter);
        status = dv_cuda_finish(index->stream, encode(index, &made), "coding the bank");
        dv_cuda_meter_stop(index->options.meter);
    }
    free(peaks);
    free(sorted);
    free(made.rows);
    free(made.group);
    free(made.scales);
    return status;
}

/* The large shape where it fits, and as many blocks as run at once. */
static dv_status look_at_device(dv_cuda_index *index) {
    int device, n_processors, shared_bytes;
    DV_CUDA_TRY(cudaGetDevice(&device), "device");
    DV_CUDA_TRY(cudaDeviceGetAttribute(&n_processors, cudaDevAttrMultiProcessorCount, device), "device");
    DV_CUDA_TRY(cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "device");
    index->shared_bytes = (size_t)shared_bytes;
    const bool fits =
        index->shared_bytes >= dv_product_shared_bytes(DV_PRODUCT_LARGE) && index->codes.dim_padded >= DV_CUDA_WIDE;
    index->shape = fits && !index->options.small_products ? DV_PRODUCT_LARGE : DV_PRODUCT_SMALL;
    index->n_blocks =
        index->options.n_blocks ? (int64_t)index->options.n_blocks : n_processors * dv_product_blocks(index->shape);
    return DV_OK;
}

/* How the bank is coded, and in how many tiles. */
static void take_shape(dv_cuda_index *index) {
    const dv_rows *rows = &index->bank.rows;
    index->codes.dim_padded = (int64_t)dv_cuda_coded_dim(rows->dim);
    index->codes.n_tiles = (int64_t)dv_cuda_coded_tiles(rows->n_rows);
    if (rows->dim > MOST_CODED_DIM || index->options.without_codes) index->codes.n_tiles = 0;
}

void dv_cuda_index_memory(const dv_search_shape *shape, const dv_cuda_options *options, size_t n_free,
                          dv_search_memory *out) {
    static const int32_t groups[1];
    const dv_rows queries = {.dtype = shape->dtype, .n_rows = shape->n_queries, .dim = shape->dim};
    dv_cuda_index index = {
        .bank = {.rows = {.dtype = shape->dtype, .n_rows = shape->n_rows, .dim = shape->dim}, .group = groups},
        .options = *options};
    take_shape(&index);
    /* Of what is free a search has a quarter, if it needs so much. */
    const dv_cuda_plan plan = dv_cuda_plan_make(&index, &queries, shape->k, n_free / SEARCH_SHARE);
    const size_t spare = n_free / 100 * SPARE_PERCENT, search = dv_cuda_plan_bytes(&index, &plan);
    const size_t answers = shape->n_queries * shape->k * (sizeof(int64_t) + sizeof(double)) * 2;
    index.bank.rows.n_rows = DV_CODED_TILE;
    const size_t tile_bytes = dv_cuda_index_bytes(&index.bank), held = search + answers;
    const size_t n_tiles = spare > held ? (spare - held) / tile_bytes : 0;
    out->most_rows = (n_tiles > 0 ? n_tiles : 1) * DV_CODED_TILE;
    /* While a bank is loaded: norms, or peaks, what is sorted by them, the order and its groups. */
    out->row_bytes = sizeof(float) + sizeof(peak_of_row) + 2 * sizeof(int32_t) + 1;
    out->fixed_bytes = (size_t)DV_CUDA_N_PIECES * DV_CUDA_PIECE_BYTES + plan.block_queries * sizeof(uint32_t) +
                       (size_t)2 * DV_CODED_TILE * sizeof(int32_t);
}

static dv_status load(dv_cuda_index *index) {
    float *peaks;
    DV_TRY(look_at_device(index));
    DV_TRY(dv_cuda_upload_open(index->options.piece_bytes, &index->upload));
    DV_CUDA_TRY(cudaEventCreateWithFlags(&index->consumed, cudaEventDisableTiming), "making an event");
    dv_cuda_meter_start(index->options.meter);
    const dv_status status = measure(index, &peaks);
    dv_cuda_meter_stop(index->options.meter);
    DV_TRY(status);
    if (index->codes.n_tiles == 0) return DV_OK;
    if (index->options.products == DV_CUDA_BY_LIBRARY)
        DV_TRY(dv_cuda_library_open(&index->library, index->options.library_tiles));
    return sort_and_encode(index, peaks);
}

/* A failure with the sizes that it is about. */
static dv_status with_sizes(const dv_cuda_index *index, dv_status status) {
    if (status != DV_E_BACKEND) return status;
    return dv_context(status, "a bank of %zu rows of %zu dimensions, which takes %zu bytes", index->bank.rows.n_rows,
                      index->bank.rows.dim, dv_cuda_index_bytes(&index->bank));
}

dv_status dv_cuda_index_create(const dv_bank_rows *bank, const dv_cuda_options *options, dv_stream stream,
                               dv_cuda_index **out) {
    *out = NULL;
    DV_TRY(dv_host_check_bank(bank));
    dv_cuda_index *made;
    DV_TRY(dv_alloc(1, sizeof *made, "index", &made));
    *made = (dv_cuda_index){.bank = *bank,
                            .options = *options,
                            .stream = stream,
                            .eta = dv_bound_canonical(bank->rows.dim),
                            .parts = {.meter = options->meter}};
    take_shape(made);
    const dv_status status = dv_cuda_finish(stream, with_sizes(made, load(made)), "coding the bank");
    made->bank_bytes = made->parts.n_bytes;
    if (status != DV_OK) {
        dv_cuda_index_free(made);
        return status;
    }
    *out = made;
    return DV_OK;
}

void dv_cuda_index_free(dv_cuda_index *index) {
    if (!index) return;
    (void)cudaStreamSynchronize(index->stream); /* what fails here was told, or belongs to no result */
    dv_cuda_library_close(&index->library);
    dv_cuda_upload_close(&index->upload);
    dv_cuda_parts_free(&index->parts);
    dv_cuda_pinned_clear(&index->counted);
    if (index->consumed) (void)cudaEventDestroy(index->consumed);
    free(index);
}
