#include "device/cuda/cuda_wgmma.h"

#include <string.h>

#include "core/check.h"
#include "device/cuda/cuda_device.h"
#include "kernels/search.h"

dv_status dv_cuda_wgmma_choose(const char *kernel, int number, int *cluster) {
    *cluster = 0;
    const bool alone = kernel && strcmp(kernel, "wgmma") == 0, paired = kernel && strcmp(kernel, "wgmma-pair") == 0;
    if (!alone && !paired) return DV_OK;
    if (!dv_wgmma_is_built())
        return dv_fail(DV_E_BACKEND, "kernel %s: not in this build (DENSEVAL_WGMMA is OFF)", kernel);
    struct cudaDeviceProp found;
    DV_CUDA_TRY(cudaGetDeviceProperties(&found, number), "device");
    if (found.major != 9 || found.minor != 0)
        return dv_fail(DV_E_BACKEND, "kernel %s: for compute capability 9.0 alone, %s has %d.%d", kernel, found.name,
                       found.major, found.minor);
    *cluster = alone ? 1 : 2;
    return DV_OK;
}
