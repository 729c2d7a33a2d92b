/* cuda_slots.c: votes and pictures, launched on the device's stream. */
#include "device/cuda/cuda_slots.h"

#include "core/check.h"
#include "device/cuda/cuda_device.h"
#include "kernels/kernels.h"

dv_status dv_cuda_aggregate(dv_device *device, const int64_t *ids, const double *cosines, size_t n, size_t k,
                            double beta, const uint16_t *counts, size_t n_classes, double *soft, uint16_t *pure) {
    dv_cuda_device *const cuda = (dv_cuda_device *)device;
    void *workspace;
    if (n > INT32_MAX) return dv_fail(DV_E_ARG, "%zu patches: a launch takes at most %d", n, INT32_MAX);
    DV_TRY(dv_cuda_queue(cuda));
    DV_TRY(dv_cuda_scratch(cuda, dv_launch_aggregate_workspace((int64_t)n, (int64_t)k), &workspace));
    return dv_cuda_check(dv_launch_aggregate(ids, cosines, (int64_t)n, (int64_t)k, beta, counts, (int64_t)n_classes,
                                             soft, pure, workspace, cuda->stream),
                         "aggregating labels");
}

dv_status dv_cuda_upsample_argmax(dv_device *device, const dv_upsampler *upsampler, const double *soft,
                                  const uint16_t *pure, size_t n_images, size_t n_classes, uint16_t *pred) {
    dv_cuda_device *const cuda = (dv_cuda_device *)device;
    size_t grid_h, grid_w, height, width;
    dv_upsampler_sizes(upsampler, &grid_h, &grid_w, &height, &width);
    DV_TRY(dv_cuda_queue(cuda));
    return dv_cuda_check(dv_launch_upsample_argmax(soft, pure, (int64_t)n_images, (int64_t)grid_h, (int64_t)grid_w,
                                                   (int64_t)height, (int64_t)width, (int64_t)n_classes, pred,
                                                   cuda->stream),
                         "upsampling");
}
