/* cuda_buffer.h: device memory that grows. */
#ifndef DV_DEVICE_CUDA_CUDA_BUFFER_H
#define DV_DEVICE_CUDA_CUDA_BUFFER_H

#include <stddef.h>

#include "denseval/status.h"

/* Zeroed it is empty. */
typedef struct dv_cuda_buffer {
    void *memory; /* of the device; owned */
    size_t n_bytes;
} dv_cuda_buffer;

/* Room for n elements; what it held is lost where it has to grow. No queued work may use it then. Fails with
 * DV_E_BACKEND, naming `what`; the buffer is empty then. */
DV_MUST_USE dv_status dv_cuda_buffer_need(dv_cuda_buffer *buffer, size_t n, size_t size, const char *what);
void dv_cuda_buffer_clear(dv_cuda_buffer *buffer);

#endif
