/* cuda_check.h: what the CUDA runtime and launches return, as a status. */
#ifndef DV_DEVICE_CUDA_CUDA_CHECK_H
#define DV_DEVICE_CUDA_CUDA_CHECK_H

#include <cuda_runtime_api.h>

#include "denseval/status.h"

/* DV_OK for 0; else "WHAT: " and what the cudaError_t `code` means. DV_E_INTERNAL where only a kernel that errs can be
 * the reason: the device is of no use to this process any more. Else DV_E_BACKEND. */
DV_MUST_USE dv_status dv_cuda_check(int code, const char *what);

/* Waits for what is queued, so that memory which it uses may be freed. Returns `status` if that is a failure, with its
 * message, else how the work went. */
DV_MUST_USE dv_status dv_cuda_finish(cudaStream_t stream, dv_status status, const char *what);

#define DV_CUDA_TRY(call, what)                                                                                        \
    do {                                                                                                               \
        const dv_status dv_cuda_try_status = dv_cuda_check((int)(call), what);                                         \
        if (dv_cuda_try_status != DV_OK) return dv_cuda_try_status;                                                    \
    } while (0)

#endif
