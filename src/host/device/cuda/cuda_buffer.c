#include "device/cuda/cuda_buffer.h"

#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_device.h"

dv_status dv_cuda_buffer_need(dv_cuda_buffer *buffer, size_t n, size_t size, const char *what) {
    size_t n_bytes;
    DV_TRY(dv_mul_size(n, size, what, &n_bytes));
    if (buffer->memory && n_bytes <= buffer->n_bytes) return DV_OK;
    dv_cuda_buffer_clear(buffer);
    DV_TRY(dv_cuda_alloc(n_bytes, 1, what, &buffer->memory));
    buffer->n_bytes = n_bytes;
    return DV_OK;
}

void dv_cuda_buffer_clear(dv_cuda_buffer *buffer) {
    (void)cudaFree(buffer->memory); /* fails only where the device failed already, which was told */
    memset(buffer, 0, sizeof *buffer);
}
