/* cuda_wgmma.h: whether a device filters by wgmma (kernels/sm90a). No GPU has run that kernel yet, so it is taken only
 * where it is asked for by name. */
#ifndef DV_DEVICE_CUDA_CUDA_WGMMA_H
#define DV_DEVICE_CUDA_CUDA_WGMMA_H

#include "denseval/status.h"

/* *cluster: blocks that share rows, 1 for kernel "wgmma", 2 for "wgmma-pair", 0 for any other name and NULL: none.
 * number  of the device
 * Fails with DV_E_BACKEND where this build or that device has no wgmma. */
DV_MUST_USE dv_status dv_cuda_wgmma_choose(const char *kernel, int number, int *cluster);

#endif
