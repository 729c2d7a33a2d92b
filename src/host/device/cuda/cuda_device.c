#include "device/cuda/cuda_device.h"

#include "core/check.h"

dv_status dv_cuda_enter(const dv_cuda_device *device) {
    return dv_cuda_check(cudaSetDevice(device->number), "choosing the device");
}

dv_status dv_cuda_queue(dv_cuda_device *device) {
    DV_TRY(dv_cuda_enter(device));
    if (!device->is_queued) dv_cuda_meter_start(device->gpus.each[0].meter);
    device->is_queued = true;
    return DV_OK;
}

dv_status dv_cuda_settle(dv_cuda_device *device, dv_status status, const char *what) {
    status = dv_cuda_finish(device->stream, status, what);
    if (device->is_queued) dv_cuda_meter_stop(device->gpus.each[0].meter);
    device->is_queued = false;
    return status;
}

dv_status dv_cuda_scratch(dv_cuda_device *device, size_t n_bytes, void **scratch) {
    *scratch = NULL;
    if (n_bytes > device->scratch.n_bytes)
        DV_CUDA_TRY(cudaStreamSynchronize(device->stream), "waiting for queued work");
    DV_TRY(dv_cuda_buffer_need(&device->scratch, n_bytes, 1, "a workspace"));
    *scratch = device->scratch.memory;
    return DV_OK;
}
