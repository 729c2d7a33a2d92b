/* device_cuda.c: NVIDIA GPUs: the first one of compute capability 8.0 or later that the runtime shows. */
#include <stdio.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/cuda_slots.h"
#include "device/cuda/cuda_wgmma.h"
#include "device/devices.h"

enum { LEAST_MAJOR = 8 };

/* 13000 is version 13.0. */
static int major_of(int version) {
    return version / 1000;
}
static int minor_of(int version) {
    return version % 1000 / 10;
}

static void tell_no_device(cudaError_t error, char *why, size_t why_size) {
    int driver = 0, runtime = 0;
    (void)cudaGetLastError(); /* told here, and no failure of the calls that follow */
    const bool known = cudaDriverGetVersion(&driver) == cudaSuccess && cudaRuntimeGetVersion(&runtime) == cudaSuccess;
    if (error == cudaSuccess || error == cudaErrorNoDevice)
        snprintf(why, why_size, "no CUDA device is visible");
    else if (error == cudaErrorInsufficientDriver && known && driver == 0)
        snprintf(why, why_size, "no NVIDIA driver is installed");
    else if (error == cudaErrorInsufficientDriver && known)
        snprintf(why, why_size, "the NVIDIA driver is for CUDA up to %d.%d, this build needs %d.%d", major_of(driver),
                 minor_of(driver), major_of(runtime), minor_of(runtime));
    else
        snprintf(why, why_size, "%s (%s)", cudaGetErrorString(error), cudaGetErrorName(error));
}

/* The number of the device to use, or -1 with the reason in why. Visible devices are the runtime's to say. */
static int find_device(char *why, size_t why_size) {
    int n = 0;
    const cudaError_t error = cudaGetDeviceCount(&n);
    if (error != cudaSuccess || n < 1) {
        tell_no_device(error, why, why_size);
        return -1;
    }
    struct cudaDeviceProp first = {0};
    for (int i = 0; i < n; i++) {
        struct cudaDeviceProp found;
        const cudaError_t asked = cudaGetDeviceProperties(&found, i);
        if (asked != cudaSuccess) {
            tell_no_device(asked, why, why_size);
            return -1;
        }
        if (found.major >= LEAST_MAJOR) return i;
        if (i == 0) first = found;
    }
    snprintf(why, why_size, "%s has compute capability %d.%d, %d.0 or later is needed", first.name, first.major,
             first.minor, (int)LEAST_MAJOR);
    return -1;
}

static bool usable(char *why, size_t why_size) {
    return find_device(why, why_size) >= 0;
}

static void close_device(dv_device *device) {
    if (!device) return;
    dv_cuda_device *const cuda = (dv_cuda_device *)device;
    /* Where a call fails here the device failed before, which was told. */
    (void)cudaSetDevice(cuda->number);
    if (cuda->stream) {
        (void)cudaStreamSynchronize(cuda->stream);
        (void)cudaStreamDestroy(cuda->stream);
    }
    (void)cudaFree(cuda->scratch);
    free(cuda);
}

static dv_status open_device(const dv_device_options *options, dv_device **out) {
    char why[256];
    *out = NULL;
    const int number = find_device(why, sizeof why);
    if (number < 0) return dv_fail(DV_E_BACKEND, "%s", why);
    dv_cuda_device *made;
    DV_TRY(dv_alloc(1, sizeof *made, "a device", &made));
    made->base.ops = &dv_device_cuda;
    if (options) made->options = *options;
    made->options.kernel = NULL;
    made->number = number;
    dv_status status = dv_cuda_wgmma_choose(options ? options->kernel : NULL, number, &made->wgmma);
    if (status == DV_OK) status = dv_cuda_enter(made);
    if (status == DV_OK)
        status = dv_cuda_check(cudaStreamCreateWithFlags(&made->stream, cudaStreamNonBlocking), "opening a stream");
    if (status == DV_OK)
        *out = &made->base;
    else
        close_device(&made->base);
    return status;
}

static dv_status alloc(dv_device *device, size_t n_bytes, void **out) {
    *out = NULL;
    DV_TRY(dv_cuda_enter((dv_cuda_device *)device));
    return dv_cuda_alloc(n_bytes, 1, "a buffer", out);
}

/* cudaFree waits for the work that uses the memory. */
static void release(dv_device *device, void *memory) {
    if (!memory) return;
    (void)cudaSetDevice(((dv_cuda_device *)device)->number);
    (void)cudaFree(memory); /* fails only where the device failed before, which was told */
}

static dv_status copy(dv_device *device, void *to, const void *from, size_t n_bytes, enum cudaMemcpyKind kind,
                      const char *what) {
    const dv_cuda_device *const cuda = (const dv_cuda_device *)device;
    if (n_bytes == 0) return DV_OK;
    DV_TRY(dv_cuda_enter(cuda));
    return dv_cuda_check(cudaMemcpyAsync(to, from, n_bytes, kind, cuda->stream), what);
}

static dv_status upload(dv_device *device, void *device_memory, const void *host, size_t n_bytes) {
    return copy(device, device_memory, host, n_bytes, cudaMemcpyHostToDevice, "copying to the device");
}

static dv_status download(dv_device *device, void *host, const void *device_memory, size_t n_bytes) {
    return copy(device, host, device_memory, n_bytes, cudaMemcpyDeviceToHost, "copying from the device");
}

static dv_status synchronise(dv_device *device) {
    const dv_cuda_device *const cuda = (const dv_cuda_device *)device;
    DV_TRY(dv_cuda_enter(cuda));
    return dv_cuda_finish(cuda->stream, DV_OK, "work of the device");
}

const dv_device_ops dv_device_cuda = {
    .name = "cuda",
    .summary = "NVIDIA GPUs of compute capability 8.0 or later",
    .usable = usable,
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
    .search_memory = NULL,
    .search_stats = dv_cuda_bank_stats,
    .aggregate = dv_cuda_aggregate,
    .upsample_argmax = dv_cuda_upsample_argmax,
    .confusion = dv_cuda_confusion,
    .counter_open = dv_cuda_counter_open,
    .counter_close = dv_cuda_counter_close,
    .count_masks = dv_cuda_count_masks,
    .resample = dv_cuda_resample,
};
