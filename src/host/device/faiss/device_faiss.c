/* device_faiss.c: the host device with its search slot taken by FAISS. */
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/devices.h"
#include "device/host_device.h"
#include "search/blas.h"
#include "search/faiss/search_faiss.h"

typedef struct faiss_index {
    dv_host_index base;
    dv_faiss_index *faiss;
} faiss_index;

static dv_status open_faiss(const dv_device_options *options, dv_device **out) {
    return dv_host_open(&dv_device_faiss, options, out);
}

static void bank_free(dv_device *device, void *opaque) {
    (void)device;
    faiss_index *index = opaque;
    if (!index) return;
    dv_faiss_index_free(index->faiss);
    dv_host_index_clear(&index->base);
    free(index);
}

static dv_status bank_load(dv_device *device, const dv_bank_rows *bank, void **index) {
    *index = NULL;
    const dv_host_device *host = (const dv_host_device *)device;
    faiss_index *made;
    DV_TRY(dv_blas_check_room(dv_pool_threads(host->pool)));
    DV_TRY(dv_alloc(1, sizeof *made, "index", &made));
    dv_status status = dv_host_index_init(host->pool, bank, dv_simd_best(), NULL, &made->base);
    if (status == DV_OK)
        status = dv_faiss_index_create(&made->base.scored, made->base.group, host->options.tile_rows, host->pool,
                                       &made->faiss);
    if (status != DV_OK) {
        bank_free(device, made);
        return status;
    }
    *index = made;
    return DV_OK;
}

static void search_memory(const dv_device *device, const dv_search_shape *shape, dv_search_memory *out) {
    const size_t n_threads = dv_pool_threads(((const dv_host_device *)device)->pool);
    dv_host_search_memory(device, shape, out);
    out->row_bytes += shape->dim * sizeof(float);
    out->fixed_bytes += dv_faiss_scratch_bytes(shape->dim, shape->k, n_threads);
}

static dv_status search(dv_device *device, void *opaque, const dv_queries *queries, size_t k, int64_t *ids,
                        double *cosines) {
    const dv_host_device *host = (const dv_host_device *)device;
    faiss_index *index = opaque;
    DV_TRY(dv_host_check_search(&index->base, queries, k));
    return dv_faiss_search(index->faiss, queries, k, host->options.tile_queries, host->pool, ids, cosines,
                           &index->base.stats);
}

#if DENSEVAL_FAISS_GPU
#define WHERE "on the GPUs that it sees, else on this machine's cores"
#else
#define WHERE "on this machine's cores (its CPU code, no cuVS)"
#endif

const dv_device_ops dv_device_faiss = {
    .name = "faiss",
    .summary = "FAISS " DENSEVAL_FAISS_VERSION " IndexFlatIP " WHERE ", then double",
    .usable = dv_host_usable,
    .open = open_faiss,
    .close = dv_host_close,
    .alloc = dv_host_alloc,
    .release = dv_host_release,
    .upload = dv_host_upload,
    .download = dv_host_download,
    .synchronise = dv_host_synchronise,
    .bank_load = bank_load,
    .bank_free = bank_free,
    .search = search,
    .search_memory = search_memory,
    .search_stats = dv_host_search_stats,
    .aggregate = dv_host_aggregate,
    .upsample_argmax = dv_host_upsample_argmax,
    .confusion = dv_host_confusion,
    .counter_open = dv_host_counter_open,
    .counter_close = dv_host_counter_close,
    .count_masks = dv_host_count_masks,
    .resample = dv_host_resample,
};
