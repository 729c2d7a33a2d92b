#include "device/cuda/cuda_parts.h"

#include <cuda_runtime_api.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

dv_status dv_cuda_check(int code, const char *what) {
    if (code == cudaSuccess) return DV_OK;
    (void)cudaGetLastError(); /* told here, and no failure of the launches that follow */
    return dv_fail(DV_E_BACKEND, "%s: %s (CUDA error %d)", what, cudaGetErrorString((cudaError_t)code), code);
}

dv_status dv_cuda_part(dv_cuda_parts *parts, size_t part, size_t n, size_t size, const char *what, void *out) {
    void *made = NULL;
    memcpy(out, &made, sizeof made); /* a pointer to a pointer of any type: written as bytes */
    size_t n_bytes;
    DV_TRY(dv_mul_size(n > 0 ? n : 1, size, what, &n_bytes));
    if (n_bytes > parts->sizes[part]) {
        const int freed = cudaFree(parts->memory[part]);
        parts->n_bytes -= parts->sizes[part];
        parts->memory[part] = NULL;
        parts->sizes[part] = 0;
        DV_TRY(dv_cuda_check(freed, what));
        const cudaError_t code = cudaMalloc(&made, n_bytes);
        if (code == cudaErrorMemoryAllocation) {
            (void)cudaGetLastError(); /* told here, and no failure of later calls */
            return dv_fail(DV_E_BACKEND, "%s: the device has no memory for %zu bytes", what, n_bytes);
        }
        DV_TRY(dv_cuda_check(code, what));
        parts->memory[part] = made;
        parts->sizes[part] = n_bytes;
        parts->n_bytes += n_bytes;
    }
    memcpy(out, &parts->memory[part], sizeof made);
    return DV_OK;
}

void dv_cuda_parts_free(dv_cuda_parts *parts) {
    /* Fails only where the device did before, which was told then. */
    for (size_t i = 0; i < DV_CUDA_MOST_PARTS; i++) (void)cudaFree(parts->memory[i]);
    memset(parts, 0, sizeof *parts);
}
