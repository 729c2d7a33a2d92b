/* cuda_gpus.h: the GPUs that the device works on, and a thread for each. */
#ifndef DV_DEVICE_CUDA_CUDA_GPUS_H
#define DV_DEVICE_CUDA_CUDA_GPUS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/parallel.h"
#include "denseval/status.h"

typedef struct dv_cuda_gpu {
    int number;          /* of the CUDA runtime */
    cudaStream_t stream; /* on which its work is done, in order */
} dv_cuda_gpu;

typedef struct dv_cuda_gpus {
    dv_cuda_gpu *each; /* [n], in the order of the runtime; the first is the one whose memory callers see */
    size_t n;
    dv_pool *pool; /* of n threads, for tasks that a GPU waits for */
} dv_cuda_gpus;

/* Is there one of compute capability 8.0 or later? If not, writes the reason to why. Which devices are visible is the
 * runtime's to say. */
bool dv_cuda_gpus_usable(char *why, size_t why_size);

/* Opens all of compute capability 8.0 or later and makes the first one current. Close with dv_cuda_gpus_close, also
 * after a failure. Fails with DV_E_BACKEND, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_cuda_gpus_open(dv_cuda_gpus *out);
void dv_cuda_gpus_close(dv_cuda_gpus *gpus); /* waits for queued work */

/* Makes one current in this thread. */
DV_MUST_USE dv_status dv_cuda_gpu_enter(const dv_cuda_gpu *gpu);

/* Runs tasks 0 .. n - 1, task i with GPU i modulo gpus->n as the current one: side by side on different GPUs, one after
 * the other on the same. Waits for all, then makes the first GPU current. Fails as the lowest task that failed, whose
 * GPU stands before its message; tasks more than gpus->n - 1 behind that one are not run then. */
DV_MUST_USE dv_status dv_cuda_gpus_run(const dv_cuda_gpus *gpus, size_t n, dv_task task, void *context);

#endif
