/* cuda_bank.c: the slots of the search. */
#include "core/check.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/cuda_slots.h"

static dv_cuda_options options_of(const dv_cuda_device *cuda) {
    const size_t n_tiles = dv_cuda_coded_tiles(cuda->options.tile_rows);
    return (dv_cuda_options){.block_queries = cuda->options.tile_queries,
                             .first_tiles = n_tiles,
                             .most_tiles = n_tiles,
                             .wgmma = cuda->wgmma};
}

dv_status dv_cuda_bank_load(dv_device *device, const dv_bank_rows *bank, void **index) {
    const dv_cuda_device *const cuda = (const dv_cuda_device *)device;
    const dv_cuda_options options = options_of(cuda);
    dv_cuda_shards *made;
    *index = NULL;
    DV_TRY(dv_cuda_shards_create(&cuda->gpus, bank, &options, &cuda->spread, &made));
    *index = made;
    return DV_OK;
}

void dv_cuda_bank_free(dv_device *device, void *index) {
    (void)device;
    dv_cuda_shards_free(index);
}

dv_status dv_cuda_bank_search(dv_device *device, void *index, const dv_queries *queries, size_t k, int64_t *ids,
                              double *cosines) {
    (void)device;
    return dv_cuda_shards_search(index, queries, k, ids, cosines);
}

/* A bank that is split has as much room on each GPU as on the one with the least. */
void dv_cuda_bank_memory(const dv_device *device, const dv_search_shape *shape, dv_search_memory *out) {
    const dv_cuda_device *const cuda = (const dv_cuda_device *)device;
    const dv_cuda_options options = options_of(cuda);
    size_t n_free = 0;
    const dv_status told = dv_cuda_least_free(&cuda->gpus, &n_free);
    dv_cuda_index_memory(shape, &options, n_free, out);
    out->most_rows *= cuda->gpus.n;
    out->fixed_bytes *= cuda->gpus.n;
    if (told != DV_OK) out->most_rows = 0; /* whoever loads a bank will be told */
}

void dv_cuda_bank_stats(const dv_device *device, const void *index, dv_search_stats *out) {
    (void)device;
    dv_cuda_shards_stats(index, out);
}
