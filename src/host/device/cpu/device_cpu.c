/* device_cpu.c: the host device: a float filter by BLAS, everything else by the pool. */
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cpu/cpu_search.h"
#include "device/devices.h"
#include "search/bound.h"
#include "search/unit.h"

static dv_status open_cpu(const dv_device_options *options, dv_device **out) {
    return dv_host_open(&dv_device_cpu, options, out);
}

static void bank_free(dv_device *device, void *opaque) {
    (void)device;
    dv_cpu_index *index = opaque;
    if (!index) return;
    dv_host_index_clear(&index->base);
    free(index->unit);
    free(index);
}

static dv_status make_unit_rows(dv_pool *pool, dv_cpu_index *index) {
    const dv_rows *rows = &index->base.scored.rows;
    size_t n;
    DV_TRY(dv_mul_size(rows->n_rows, rows->dim, "unit rows of the bank", &n));
    DV_TRY(dv_alloc(n, sizeof *index->unit, "unit rows of the bank", &index->unit));
    return dv_unit_rows(&index->base.scored, 0, rows->n_rows, pool, index->unit);
}

static dv_status bank_load(dv_device *device, const dv_bank_rows *bank, void **index) {
    *index = NULL;
    dv_pool *pool = ((dv_host_device *)device)->pool;
    dv_cpu_index *made;
    DV_TRY(dv_alloc(1, sizeof *made, "index", &made));
    dv_status status = dv_host_index_init(pool, bank, dv_simd_best(), &made->base);
    if (status == DV_OK) status = make_unit_rows(pool, made);
    if (status != DV_OK) {
        bank_free(device, made);
        return status;
    }
    made->bound = dv_bound_f32(bank->rows.dim);
    made->next = dv_next_kernel_for(dv_simd_best());
    *index = made;
    return DV_OK;
}

const dv_device_ops dv_device_cpu = {
    .name = "cpu",
    .summary = "this machine's cores: f32 filter by BLAS with a proven bound, then double",
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
    .search_stats = dv_host_search_stats,
    .aggregate = dv_host_aggregate,
    .upsample_argmax = dv_host_upsample_argmax,
    .confusion = dv_host_confusion,
};
