#include "device/cuda/cuda_device.h"

#include "core/check.h"

dv_status dv_cuda_enter(const dv_cuda_device *device) {
    return dv_cuda_check(cudaSetDevice(device->number), "choosing the device");
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
