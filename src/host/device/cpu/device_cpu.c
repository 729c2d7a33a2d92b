/* device_cpu.c: the host device: a filter in 8-bit codes, everything else by the pool. */
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cpu/cpu_memory.h"
#include "device/cpu/cpu_search.h"
#include "device/cpu/kernels/kernels.h"
#include "device/devices.h"
#include "search/blas.h"

static dv_status open_cpu(const dv_device_options *options, dv_device **out) {
    *out = NULL;
    const dv_scan_kernel *kernel;
    DV_TRY(dv_scan_kernel_find(options ? options->kernel : NULL, &kernel));
    DV_TRY(dv_host_open(&dv_device_cpu, options, out));
    ((dv_host_device *)*out)->kernel = kernel;
    return DV_OK;
}

static void bank_free(dv_device *device, void *opaque) {
    (void)device;
    dv_cpu_index *index = opaque;
    if (!index) return;
    dv_host_index_clear(&index->base);
    dv_clusters_free(&index->clusters);
    dv_coded_bank_free(&index->coded);
    dv_turn_free(&index->turn);
    free(index);
}

/* Heads and clusters are found with the BLAS library. Where it has no room for its buffers the bank is scanned as it
 * is, unless two stages were asked for. */
static dv_status stages_with_room(const dv_host_device *host, size_t *n_stages) {
    *n_stages = host->options.n_stages;
    if (*n_stages == 1) return DV_OK;
    const dv_status status = dv_blas_check_room(dv_pool_threads(host->pool));
    if (status == DV_OK || *n_stages == 2) return status;
    *n_stages = 1;
    return DV_OK;
}

static dv_status code_bank(const dv_host_device *host, const int32_t *group, const float *peaks, dv_cpu_index *index) {
    const dv_device_options *options = &host->options;
    size_t n_stages;
    DV_TRY(stages_with_room(host, &n_stages));
    const dv_head_wish wish = {.rate = host->kernel->rate, .n_stages = n_stages, .head_dim = options->head_dim};
    DV_TRY(dv_turn_choose(&index->base.scored, peaks, &index->turn));
    const dv_row_source source = {&index->base.scored, index->turn.signs ? &index->turn : NULL};
    if (n_stages == 0)
        DV_TRY(dv_clusters_create(source, group, peaks, options->tile_rows, host->pool, &index->clusters));
    if (index->clusters.n > 0) return DV_OK;
    return dv_coded_bank_create(source, group, peaks, &wish, options->tile_rows, host->pool, &index->coded);
}

static dv_status bank_load(dv_device *device, const dv_bank_rows *bank, void **index) {
    *index = NULL;
    const dv_host_device *host = (const dv_host_device *)device;
    dv_cpu_index *made;
    float *peaks = NULL;
    DV_TRY(dv_alloc(1, sizeof *made, "index", &made));
    dv_status status = dv_host_index_init(host->pool, bank, dv_simd_best(), &peaks, &made->base);
    if (status == DV_OK && bank->rows.dim <= DV_MOST_CODED_DIM) status = code_bank(host, bank->group, peaks, made);
    free(peaks);
    if (status != DV_OK) {
        bank_free(device, made);
        return status;
    }
    *index = made;
    return DV_OK;
}

const dv_device_ops dv_device_cpu = {
    .name = "cpu",
    .summary = "this machine's cores: filter in 8-bit codes with a proven bound, then double",
    .usable = dv_host_usable,
    .open = open_cpu,
    .close = dv_host_close,
    .alloc = dv_host_alloc,
    .release = dv_host_release,
    .upload = dv_host_upload,
    .download = dv_host_download,
    .synchronise = dv_host_synchronise,
    .bank_load = bank_load,
    .bank_free = bank_free,
    .search = dv_cpu_search,
    .search_memory = dv_cpu_search_memory,
    .search_stats = dv_host_search_stats,
    .aggregate = dv_host_aggregate,
    .upsample_argmax = dv_host_upsample_argmax,
    .confusion = dv_host_confusion,
    .counter_open = dv_host_counter_open,
    .counter_close = dv_host_counter_close,
    .count_masks = dv_host_count_masks,
    .resample = dv_host_resample,
};
