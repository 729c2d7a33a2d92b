#include "app/bench_searcher.h"

#include <stdlib.h>

#include "app/message.h"

void dv_bench_searcher_clear(dv_bench_searcher *s) {
    if (s->device) {
        s->device->ops->bank_free(s->device, s->index);
        s->device->ops->release(s->device, s->ids);
        s->device->ops->release(s->device, s->cosines);
    }
    free(s->host_ids);
    free(s->host_cosines);
}

dv_status dv_bench_searcher_open(dv_device *device, const dv_rows *bank, const dv_rows *queries, size_t k,
                                 dv_bench_searcher *s) {
    const dv_bank_rows rows = {.rows = *bank};
    const size_t n = queries->n_rows * k;
    *s = (dv_bench_searcher){.device = device, .queries = {.rows = *queries}, .k = k};
    DV_TRY(dv_bench_alloc(n, sizeof *s->host_ids, "ids", &s->host_ids));
    DV_TRY(dv_bench_alloc(n, sizeof *s->host_cosines, "cosines", &s->host_cosines));
    DV_TRY(dv_bench_device_memory(device, s->host_ids, n * sizeof *s->host_ids, &s->ids)); /* so that all is there */
    DV_TRY(dv_bench_device_memory(device, s->host_cosines, n * sizeof *s->host_cosines, &s->cosines));
    return device->ops->bank_load(device, &rows, &s->index);
}

dv_status dv_bench_searcher_run(void *user) {
    const dv_bench_searcher *const s = user;
    DV_TRY(s->device->ops->search(s->device, s->index, &s->queries, s->k, s->ids, s->cosines));
    return s->device->ops->synchronise(s->device);
}

dv_status dv_bench_searcher_download(const dv_bench_searcher *s) {
    const size_t n = s->queries.rows.n_rows * s->k;
    DV_TRY(s->device->ops->download(s->device, s->host_ids, s->ids, n * sizeof *s->host_ids));
    DV_TRY(s->device->ops->download(s->device, s->host_cosines, s->cosines, n * sizeof *s->host_cosines));
    return s->device->ops->synchronise(s->device);
}
