#include "device/cuda/cuda_gpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_check.h"

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

/* How many devices the runtime shows; 0: the reason is in why. */
static size_t count_visible(char *why, size_t why_size) {
    int n = 0;
    const cudaError_t error = cudaGetDeviceCount(&n);
    if (error == cudaSuccess && n > 0) return (size_t)n;
    tell_no_device(error, why, why_size);
    return 0;
}

/* How many of them can be used; 0: the reason is in why.
 * chosen  [n_visible], their numbers are filled in; or NULL */
static size_t choose(size_t n_visible, dv_cuda_gpu *chosen, char *why, size_t why_size) {
    struct cudaDeviceProp first = {0};
    size_t n = 0;
    for (size_t i = 0; i < n_visible; i++) {
        struct cudaDeviceProp found;
        const cudaError_t asked = cudaGetDeviceProperties(&found, (int)i);
        if (asked != cudaSuccess) {
            tell_no_device(asked, why, why_size);
            return 0;
        }
        if (i == 0) first = found;
        if (found.major < LEAST_MAJOR) continue;
        if (chosen) chosen[n].number = (int)i;
        n++;
    }
    if (n == 0)
        snprintf(why, why_size, "%s has compute capability %d.%d, %d.0 or later is needed", first.name, first.major,
                 first.minor, (int)LEAST_MAJOR);
    return n;
}

bool dv_cuda_gpus_usable(char *why, size_t why_size) {
    const size_t n_visible = count_visible(why, why_size);
    return n_visible > 0 && choose(n_visible, NULL, why, why_size) > 0;
}

/* FNV-1a. Source: Fowler, Noll, Vo, Eastlake, The FNV Non-Cryptographic Hash Algorithm, IETF draft, 2019. */
static uint64_t add_to_hash(uint64_t hash, const void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3U;
    return hash;
}

void dv_cuda_gpus_visible(dv_gpu_set *out) {
    char why[256];
    *out = (dv_gpu_set){.identity = 0xcbf29ce484222325U};
    const size_t n_visible = count_visible(why, sizeof why);
    for (size_t i = 0; i < n_visible; i++) {
        struct cudaDeviceProp found;
        if (cudaGetDeviceProperties(&found, (int)i) != cudaSuccess) { /* told by whoever opens it */
            (void)cudaGetLastError();
            continue;
        }
        if (found.major < LEAST_MAJOR) continue;
        out->identity = add_to_hash(out->identity, &found.uuid, sizeof found.uuid);
        out->n++;
    }
}

dv_status dv_cuda_gpu_enter(const dv_cuda_gpu *gpu) {
    return dv_cuda_check(cudaSetDevice(gpu->number), "choosing the device");
}

static dv_status open_stream(void *context, size_t i, size_t worker) {
    const dv_cuda_gpus *const gpus = context;
    (void)worker;
    return dv_cuda_check(cudaStreamCreateWithFlags(&gpus->each[i].stream, cudaStreamNonBlocking), "opening a stream");
}

/* Those that the options name. */
static dv_status keep_named(const dv_device_options *options, dv_cuda_gpus *out) {
    const size_t first = options->first_gpu, n = options->n_gpus;
    if (n == 0) return DV_OK;
    if (first > out->n || n > out->n - first)
        return dv_fail(DV_E_ARG, "GPUs %zu to %zu: there are %zu", first, first + n - 1, out->n);
    memmove(out->each, out->each + first, n * sizeof *out->each);
    out->n = n;
    return DV_OK;
}

static dv_status make_meters(dv_gpu_account *account, dv_cuda_gpus *out) {
    out->ledger.account = account;
    DV_TRY(dv_alloc(out->n, sizeof *out->meters, "meters", &out->meters));
    for (size_t i = 0; i < out->n; i++) {
        out->meters[i].ledger = &out->ledger;
        out->each[i].meter = &out->meters[i];
    }
    if (account && account->n_gpus < out->n) account->n_gpus = out->n;
    return DV_OK;
}

dv_status dv_cuda_gpus_open(const dv_device_options *options, dv_cuda_gpus *out) {
    static const dv_device_options usual;
    char why[256];
    *out = (dv_cuda_gpus){.ledger = {.lock = PTHREAD_MUTEX_INITIALIZER}};
    if (!options) options = &usual;
    const size_t n_visible = count_visible(why, sizeof why);
    if (n_visible == 0) return dv_fail(DV_E_BACKEND, "%s", why);
    DV_TRY(dv_alloc(n_visible, sizeof *out->each, "devices", &out->each));
    out->n = choose(n_visible, out->each, why, sizeof why);
    if (out->n == 0) return dv_fail(DV_E_BACKEND, "%s", why);
    DV_TRY(keep_named(options, out));
    DV_TRY(make_meters(options->account, out));
    DV_TRY(dv_pool_create(out->n, &out->pool));
    return dv_cuda_gpus_run(out, out->n, open_stream, out); /* the first call to a GPU takes long: to all at once */
}

void dv_cuda_gpus_close(dv_cuda_gpus *gpus) {
    dv_pool_free(gpus->pool);
    for (size_t i = 0; i < gpus->n; i++) {
        if (!gpus->each[i].stream) continue;
        /* Where a call fails here the device failed before, which was told. */
        (void)cudaSetDevice(gpus->each[i].number);
        (void)cudaStreamSynchronize(gpus->each[i].stream);
        (void)cudaStreamDestroy(gpus->each[i].stream);
    }
    free(gpus->each);
    free(gpus->meters);
    pthread_mutex_destroy(&gpus->ledger.lock);
    *gpus = (dv_cuda_gpus){0};
}

/* A task for each GPU, or for the first of them at the end. */
typedef struct task_round {
    const dv_cuda_gpus *gpus;
    size_t first; /* a multiple of gpus->n */
    dv_task task;
    void *context;
} task_round;

static dv_status run_on_gpu(void *context, size_t i, size_t worker) {
    const task_round *const of = context;
    const dv_cuda_gpu *const gpu = &of->gpus->each[i];
    dv_status status = dv_cuda_gpu_enter(gpu);
    if (status == DV_OK) status = of->task(of->context, of->first + i, worker);
    return dv_context(status, "device %d", gpu->number);
}

dv_status dv_cuda_gpus_run(const dv_cuda_gpus *gpus, size_t n, dv_task task, void *context) {
    dv_status status = DV_OK;
    for (size_t first = 0; status == DV_OK && first < n; first += gpus->n) {
        task_round next = {gpus, first, task, context};
        status = dv_pool_run(gpus->pool, n - first < gpus->n ? n - first : gpus->n, run_on_gpu, &next);
    }
    if (status == DV_OK) return dv_cuda_gpu_enter(&gpus->each[0]);
    (void)cudaSetDevice(gpus->each[0].number); /* the failure above is the one to tell */
    return status;
}
