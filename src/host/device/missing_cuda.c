/* missing_cuda.c: the cuda device of builds that have none. Asking for it says so. */
#include <stdio.h>

#include "core/check.h"
#include "device/devices.h"
#include "device/peers.h"

static const char no_cuda[] = "this build has no CUDA device";

static bool cuda_usable(char *why, size_t why_size) {
    snprintf(why, why_size, "%s", no_cuda);
    return false;
}

static dv_status cuda_open(const dv_device_options *options, dv_device **out) {
    (void)options;
    *out = NULL;
    return dv_fail(DV_E_BACKEND, "%s", no_cuda);
}

const dv_device_ops dv_device_cuda = {
    .name = "cuda", .summary = "NVIDIA GPUs (not in this build)", .usable = cuda_usable, .open = cuda_open};

const dv_device_peer *const dv_cuda_peers[] = {NULL};
