/* device_cuda.c: NVIDIA GPUs: all of compute capability 8.0 or later that the runtime shows. A search is spread over
 * them; all other work, and the memory that callers see, is on the first. */
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/cuda_slots.h"
#include "device/cuda/cuda_wgmma.h"
#include "device/devices.h"

static void close_device(dv_device *device) {
    if (!device) return;
    dv_cuda_device *const cuda = (dv_cuda_device *)device;
    if (cuda->is_queued) {
        (void)cudaStreamSynchronize(cuda->stream); /* what fails here was told, or belongs to no result */
        dv_cuda_meter_stop(cuda->gpus.each[0].meter);
    }
    dv_cuda_buffer_clear(&cuda->scratch);
    dv_cuda_gpus_close(&cuda->gpus);
    free(cuda->given);
    free(cuda);
}

static dv_status open_device(const dv_device_options *options, dv_device **out) {
    dv_cuda_device *made;
    *out = NULL;
    DV_TRY(dv_alloc(1, sizeof *made, "a device", &made));
    made->base.ops = &dv_device_cuda;
    if (options) made->options = *options;
    made->options.kernel = NULL;
    made->options.account = NULL;
    dv_status status = dv_cuda_gpus_open(options, &made->gpus);
    for (size_t i = 0; status == DV_OK && i < made->gpus.n; i++) /* wanted of each */
        status = dv_cuda_wgmma_choose(options ? options->kernel : NULL, made->gpus.each[i].number, &made->wgmma);
    if (status != DV_OK) {
        close_device(&made->base);
        return status;
    }
    made->number = made->gpus.each[0].number;
    made->stream = made->gpus.each[0].stream;
    made->scratch.meter = made->gpus.each[0].meter;
    *out = &made->base;
    return DV_OK;
}

/* What holds `memory` for a caller; NULL memory: one that is empty, n_given where there is none. */
static size_t find_given(const dv_cuda_device *cuda, const void *memory) {
    size_t i = 0;
    while (i < cuda->n_given && cuda->given[i].memory != memory) i++;
    return i;
}

static dv_status alloc(dv_device *device, size_t n_bytes, void **out) {
    dv_cuda_device *const cuda = (dv_cuda_device *)device;
    const size_t at = find_given(cuda, NULL);
    *out = NULL;
    DV_TRY(dv_cuda_enter(cuda));
    if (at == cuda->n_given) {
        DV_TRY(dv_grow(&cuda->given, sizeof *cuda->given, at, 1, "buffers of the device", &cuda->most_given));
        cuda->given[cuda->n_given++] = (dv_cuda_buffer){.meter = cuda->gpus.each[0].meter};
    }
    DV_TRY(dv_cuda_buffer_need(&cuda->given[at], n_bytes, 1, "a buffer"));
    *out = cuda->given[at].memory;
    return DV_OK;
}

/* Waits for the work that uses the memory. */
static void release(dv_device *device, void *memory) {
    dv_cuda_device *const cuda = (dv_cuda_device *)device;
    if (!memory) return;
    (void)cudaSetDevice(cuda->number); /* fails only where the device failed before, which was told */
    dv_cuda_buffer_clear(&cuda->given[find_given(cuda, memory)]);
}

static dv_status copy(dv_device *device, void *to, const void *from, size_t n_bytes, enum cudaMemcpyKind kind,
                      const char *what) {
    dv_cuda_device *const cuda = (dv_cuda_device *)device;
    if (n_bytes == 0) return DV_OK;
    DV_TRY(dv_cuda_queue(cuda));
    return dv_cuda_check(cudaMemcpyAsync(to, from, n_bytes, kind, cuda->stream), what);
}

static dv_status upload(dv_device *device, void *device_memory, const void *host, size_t n_bytes) {
    return copy(device, device_memory, host, n_bytes, cudaMemcpyHostToDevice, "copying to the device");
}

static dv_status download(dv_device *device, void *host, const void *device_memory, size_t n_bytes) {
    return copy(device, host, device_memory, n_bytes, cudaMemcpyDeviceToHost, "copying from the device");
}

static dv_status synchronise(dv_device *device) {
    dv_cuda_device *const cuda = (dv_cuda_device *)device;
    DV_TRY(dv_cuda_enter(cuda));
    return dv_cuda_settle(cuda, DV_OK, "work of the device");
}

const dv_device_ops dv_device_cuda = {
    .name = "cuda",
    .summary = "NVIDIA GPUs of compute capability 8.0 or later",
    .usable = dv_cuda_gpus_usable,
    .gpus = dv_cuda_gpus_visible,
    .open = open_device,
    .close = close_device,
    .alloc = alloc,
    .release = release,
    .upload = upload,
    .download = download,
    .synchronise = synchronise,
    .bank_load = dv_cuda_bank_load,
    .bank_free = dv_cuda_bank_free,
    .search = dv_cuda_bank_search,
    .search_memory = dv_cuda_bank_memory,
    .search_stats = dv_cuda_bank_stats,
    .aggregate = dv_cuda_aggregate,
    .upsample_argmax = dv_cuda_upsample_argmax,
    .confusion = dv_cuda_confusion,
    .counter_open = dv_cuda_counter_open,
    .counter_close = dv_cuda_counter_close,
    .count_masks = dv_cuda_count_masks,
    .resample = dv_cuda_resample,
};
