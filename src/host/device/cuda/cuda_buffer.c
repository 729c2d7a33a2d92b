#include "device/cuda/cuda_buffer.h"

#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_check.h"

dv_status dv_cuda_alloc(size_t n, size_t size, const char *what, void *out) {
    void *made = NULL;
    memcpy(out, &made, sizeof made); /* `out` points to a pointer of any type, so it is written as bytes */
    size_t n_bytes, n_free = 0, n_total = 0;
    DV_TRY(dv_mul_size(n, size, what, &n_bytes));
    const cudaError_t error = cudaMalloc(&made, n_bytes ? n_bytes : 1);
    if (error == cudaErrorMemoryAllocation && cudaMemGetInfo(&n_free, &n_total) == cudaSuccess) {
        (void)cudaGetLastError(); /* told here, and no failure of the calls that follow */
        return dv_fail(DV_E_BACKEND, "%s: no device memory for %zu bytes, %zu of %zu are free", what, n_bytes, n_free,
                       n_total);
    }
    DV_TRY(dv_cuda_check(error, what));
    memcpy(out, &made, sizeof made);
    return DV_OK;
}

dv_status dv_cuda_buffer_need(dv_cuda_buffer *buffer, size_t n, size_t size, const char *what) {
    size_t n_bytes;
    DV_TRY(dv_mul_size(n, size, what, &n_bytes));
    if (buffer->memory && n_bytes <= buffer->n_bytes) return DV_OK;
    dv_cuda_buffer_clear(buffer);
    DV_TRY(dv_cuda_alloc(n_bytes, 1, what, &buffer->memory));
    buffer->n_bytes = n_bytes;
    dv_cuda_meter_take(buffer->meter, n_bytes);
    return DV_OK;
}

void dv_cuda_buffer_clear(dv_cuda_buffer *buffer) {
    (void)cudaFree(buffer->memory); /* fails only where the device failed already, which was told */
    dv_cuda_meter_give_back(buffer->meter, buffer->n_bytes);
    *buffer = (dv_cuda_buffer){.meter = buffer->meter};
}

dv_status dv_cuda_pinned_need(dv_cuda_buffer *buffer, size_t n, size_t size, const char *what) {
    size_t n_bytes;
    DV_TRY(dv_mul_size(n, size, what, &n_bytes));
    if (buffer->memory && n_bytes <= buffer->n_bytes) return DV_OK;
    dv_cuda_pinned_clear(buffer);
    const cudaError_t error = cudaMallocHost(&buffer->memory, n_bytes ? n_bytes : 1);
    if (error == cudaErrorMemoryAllocation) {
        *buffer = (dv_cuda_buffer){0};
        (void)cudaGetLastError();
        return dv_fail(DV_E_BACKEND, "%s: the host has no %zu bytes of memory to pin", what, n_bytes);
    }
    DV_TRY(dv_cuda_check(error, what));
    buffer->n_bytes = n_bytes;
    return DV_OK;
}

void dv_cuda_pinned_clear(dv_cuda_buffer *buffer) {
    (void)cudaFreeHost(buffer->memory); /* likewise */
    *buffer = (dv_cuda_buffer){0};
}
