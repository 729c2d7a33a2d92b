#include "device/cuda/cuda_device.h"

#include <string.h>

#include "core/check.h"
#include "core/memory.h"

dv_status dv_cuda_finish(cudaStream_t stream, dv_status status, const char *what) {
    const cudaError_t error = cudaStreamSynchronize(stream);
    return status != DV_OK ? status : dv_cuda_check(error, what);
}

dv_status dv_cuda_enter(const dv_cuda_device *device) {
    return dv_cuda_check(cudaSetDevice(device->number), "choosing the device");
}

dv_status dv_cuda_alloc(size_t n, size_t size, const char *what, void *out) {
    void *made = NULL;
    memcpy(out, &made, sizeof made); /* `out` points to a pointer of any type, so it is written as bytes */
    size_t n_bytes, n_free = 0, n_total = 0;
    DV_TRY(dv_mul_size(n, size, what, &n_bytes));
    const cudaError_t error = cudaMalloc(&made, n_bytes ? n_bytes : 1);
    if (error == cudaErrorMemoryAllocation && cudaMemGetInfo(&n_free, &n_total) == cudaSuccess) {
        (void)cudaGetLastError(); /* told here, and no failure of the calls that follow */
        return dv_fail(DV_E_BACKEND, "%s: no device memory for %zu bytes, %zu of %zu are free", what, n_bytes, n_free,
                       n_total);
    }
    DV_TRY(dv_cuda_check(error, what));
    memcpy(out, &made, sizeof made);
    return DV_OK;
}

dv_status dv_cuda_scratch(dv_cuda_device *device, size_t n_bytes, void **scratch) {
    *scratch = NULL;
    if (n_bytes > device->scratch_bytes) {
        DV_CUDA_TRY(cudaStreamSynchronize(device->stream), "waiting for queued work");
        DV_CUDA_TRY(cudaFree(device->scratch), "giving a workspace back");
        device->scratch = NULL;
        device->scratch_bytes = 0;
        DV_TRY(dv_cuda_alloc(n_bytes, 1, "a workspace", &device->scratch));
        device->scratch_bytes = n_bytes;
    }
    *scratch = device->scratch;
    return DV_OK;
}
