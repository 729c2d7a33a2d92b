#include "device/cuda/cuda_check.h"

#include <stdbool.h>

#include "core/check.h"

static bool is_fault_of_a_kernel(int code) {
    switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
        return true;
    default:
        return false;
    }
}

dv_status dv_cuda_check(int code, const char *what) {
    if (code == cudaSuccess) return DV_OK;
    (void)cudaGetLastError(); /* told here, and no failure of the launches that follow */
    const char *const text = cudaGetErrorString((cudaError_t)code);
    if (!is_fault_of_a_kernel(code)) return dv_fail(DV_E_BACKEND, "%s: %s (CUDA error %d)", what, text, code);
    return dv_fail(DV_E_INTERNAL,
                   "%s: %s (CUDA error %d), here or in a launch before; DENSEVAL_CUDA_SYNC=1 tells which", what, text,
                   code);
}

dv_status dv_cuda_finish(cudaStream_t stream, dv_status status, const char *what) {
    const cudaError_t error = cudaStreamSynchronize(stream);
    return status != DV_OK ? status : dv_cuda_check(error, what);
}
