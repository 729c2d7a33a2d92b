/* device_reference.c: plain loops in double that are obviously right. Every other device must give the same bits. */
#include <math.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/aggregate.h"
#include "device/devices.h"
#include "device/host_device.h"
#include "device/reference/reference_masks.h"
#include "metrics/confusion_parts.h"
#include "search/exact_scan.h"
#include "search/query_limits.h"

static dv_status open_reference(const dv_device_options *options, dv_device **out) {
    (void)options; /* one thread, no tiles */
    return dv_host_open(&dv_device_reference, NULL, out);
}

static dv_status bank_load(dv_device *device, const dv_bank_rows *bank, void **index) {
    *index = NULL;
    dv_host_index *made;
    DV_TRY(dv_alloc(1, sizeof *made, "index", &made));
    const dv_status status = dv_host_index_init(((dv_host_device *)device)->pool, bank, DV_SIMD_PORTABLE, NULL, made);
    if (status != DV_OK) {
        free(made);
        return status;
    }
    *index = made;
    return DV_OK;
}

static void bank_free(dv_device *device, void *index) {
    (void)device;
    if (index) dv_host_index_clear(index);
    free(index);
}

static dv_status search_query(const dv_host_index *index, const dv_queries *queries, size_t query, double *values,
                              dv_topk *best) {
    const dv_rows *rows = &queries->rows;
    const double norm = dv_prepare_row(dv_row_at(rows, query), rows->dtype, rows->dim, DV_SIMD_PORTABLE, values, NULL);
    if (!isfinite(norm)) return dv_fail(DV_E_ARG, "query %zu: features must be finite", query);
    const int32_t hidden = dv_query_hidden(queries, query);
    (void)dv_exact_scan(&index->scored, index->group, hidden, values, norm, best);
    return DV_OK;
}

static dv_status search(dv_device *device, void *opaque, const dv_queries *queries, size_t k, int64_t *ids,
                        double *cosines) {
    (void)device;
    const dv_host_index *index = opaque;
    DV_TRY(dv_host_check_search(index, queries, k));
    double *values = NULL;
    dv_neighbour *heap = NULL;
    dv_status status = dv_alloc(dv_prepared_size(queries->rows.dim), sizeof *values, "query", &values);
    if (status == DV_OK) status = dv_alloc(k, sizeof *heap, "neighbours", &heap);
    for (size_t query = 0; status == DV_OK && query < queries->rows.n_rows; query++) {
        dv_topk best = dv_topk_begin(heap, k, dv_query_least(queries, query));
        status = search_query(index, queries, query, values, &best);
        if (status == DV_OK) dv_topk_write(&best, ids + query * k, cosines + query * k);
    }
    free(values);
    free(heap);
    return status;
}

static dv_status aggregate(dv_device *device, const int64_t *ids, const double *cosines, size_t n, size_t k,
                           double beta, const uint16_t *counts, size_t n_classes, double *soft, uint16_t *pure) {
    (void)device;
    dv_aggregate(ids, cosines, n, k, beta, counts, n_classes, soft, pure);
    return DV_OK;
}

static dv_status upsample_argmax(dv_device *device, const dv_upsampler *upsampler, const double *soft,
                                 const uint16_t *pure, size_t n_images, size_t n_classes, uint16_t *pred) {
    (void)device;
    size_t grid_h, grid_w, height, width;
    dv_upsampler_sizes(upsampler, &grid_h, &grid_w, &height, &width);
    void *scratch;
    DV_TRY(dv_alloc(dv_upsampler_scratch(upsampler, n_classes), 1, "upsampling scratch", &scratch));
    for (size_t i = 0; i < n_images; i++)
        dv_upsample_argmax(upsampler, soft + i * grid_h * grid_w * n_classes, pure + i * grid_h * grid_w, n_classes,
                           scratch, pred + i * height * width);
    free(scratch);
    return DV_OK;
}

static dv_status confusion(dv_device *device, const dv_pixel_policy *policy, const uint16_t *truth,
                           const uint16_t *pred, size_t n_images, size_t height, size_t width,
                           dv_confusion *const *confusions, size_t *bad_image) {
    (void)device;
    for (size_t i = 0; i < n_images; i++) {
        const size_t at = i * height * width;
        const dv_status status =
            dv_confusion_add_by(&dv_pair_runs_portable, confusions[i], policy, truth + at, pred + at, height, width);
        if (status == DV_E_DATA && bad_image) *bad_image = i;
        if (status != DV_OK) return dv_context(status, "image %zu", i);
    }
    return DV_OK;
}

const dv_device_ops dv_device_reference = {
    .name = "reference",
    .summary = "plain loops in double on one thread; what the others are compared with",
    .usable = dv_host_usable,
    .open = open_reference,
    .close = dv_host_close,
    .alloc = dv_host_alloc,
    .release = dv_host_release,
    .upload = dv_host_upload,
    .download = dv_host_download,
    .synchronise = dv_host_synchronise,
    .bank_load = bank_load,
    .bank_free = bank_free,
    .search = search,
    .search_memory = dv_host_search_memory,
    .search_stats = NULL,
    .aggregate = aggregate,
    .upsample_argmax = upsample_argmax,
    .confusion = confusion,
    .counter_open = dv_reference_counter_open,
    .counter_close = dv_reference_counter_close,
    .count_masks = dv_reference_count_masks,
    .resample = dv_host_resample,
};
