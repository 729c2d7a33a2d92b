#include "device/cuda/cuda_parts.h"

#include <string.h>

#include "core/check.h"

dv_status dv_cuda_part(dv_cuda_parts *parts, size_t part, size_t n, size_t size, const char *what, void *out) {
    dv_cuda_buffer *const buffer = &parts->buffers[part];
    parts->n_bytes -= buffer->n_bytes;
    buffer->meter = parts->meter;
    const dv_status status = dv_cuda_buffer_need(buffer, n, size, what);
    parts->n_bytes += buffer->n_bytes;
    memcpy(out, &buffer->memory, sizeof buffer->memory); /* a pointer to a pointer of any type: written as bytes */
    return status;
}

void dv_cuda_parts_drop(dv_cuda_parts *parts, size_t first) {
    for (size_t i = first; i < DV_CUDA_MOST_PARTS; i++) {
        parts->n_bytes -= parts->buffers[i].n_bytes;
        dv_cuda_buffer_clear(&parts->buffers[i]);
    }
}

void dv_cuda_parts_free(dv_cuda_parts *parts) {
    dv_cuda_parts_drop(parts, 0);
}
