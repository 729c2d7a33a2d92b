/* cuda_gpus.h: the GPUs that the device works on, and a thread for each. */
#ifndef DV_DEVICE_CUDA_CUDA_GPUS_H
#define DV_DEVICE_CUDA_CUDA_GPUS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/parallel.h"
#include "denseval/device.h"
#include "device/cuda/cuda_meter.h"

typedef struct dv_cuda_gpu {
    int number;          /* of the CUDA runtime */
    cudaStream_t stream; /* on which its work is done, in order */
    dv_cuda_meter *meter;
} dv_cuda_gpu;

typedef struct dv_cuda_gpus {
    dv_cuda_gpu *each; /* [n], in the order of the runtime; the first is the one whose memory callers see */
    size_t n;
    dv_pool *pool; /* of n threads, for tasks that a GPU waits for */
    dv_cuda_ledger ledger;
    dv_cuda_meter *meters; /* [n] */
} dv_cuda_gpus;

/* Is there one of compute capability 8.0 or later? If not, writes the reason to why. Which devices are visible is the
 * runtime's to say. */
bool dv_cuda_gpus_usable(char *why, size_t why_size);

/* Slot gpus: those of compute capability 8.0 or later. */
void dv_cuda_gpus_visible(dv_gpu_set *out);

/* Opens those of compute capability 8.0 or later, or the ones of them that the options name, and makes the first one
 * current. out stays where it is until dv_cuda_gpus_close, to be called also after a failure.
 * options  NULL is allowed
 * Fails with DV_E_BACKEND, DV_E_NOMEM, DV_E_ARG (GPUs that are not there). */
DV_MUST_USE dv_status dv_cuda_gpus_open(const dv_device_options *options, dv_cuda_gpus *out);
void dv_cuda_gpus_close(dv_cuda_gpus *gpus); /* waits for queued work */

/* Makes one current in this thread. */
DV_MUST_USE dv_status dv_cuda_gpu_enter(const dv_cuda_gpu *gpu);

/* Runs tasks 0 .. n - 1, task i with GPU i modulo gpus->n as the current one: side by side on different GPUs, one after
 * the other on the same. Waits for all, then makes the first GPU current. Fails as the lowest task that failed, whose
 * GPU stands before its message; tasks more than gpus->n - 1 behind that one are not run then. */
DV_MUST_USE dv_status dv_cuda_gpus_run(const dv_cuda_gpus *gpus, size_t n, dv_task task, void *context);

#endif
