#include "device/cuda/cuda_device.h"

#include "core/check.h"

dv_status dv_cuda_enter(const dv_cuda_device *device) {
    return dv_cuda_check(cudaSetDevice(device->number), "choosing the device");
}

dv_status dv_cuda_scratch(dv_cuda_device *device, size_t n_bytes, void **scratch) {
    *scratch = NULL;
    if (n_bytes > device->scratch.n_bytes)
        DV_CUDA_TRY(cudaStreamSynchronize(device->stream), "waiting for queued work");
    DV_TRY(dv_cuda_buffer_need(&device->scratch, n_bytes, 1, "a workspace"));
    *scratch = device->scratch.memory;
    return DV_OK;
}
