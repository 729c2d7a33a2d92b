/* cuda_buffer.h: memory of the device, and pinned memory of the host, which copies reach without a detour. */
#ifndef DV_DEVICE_CUDA_CUDA_BUFFER_H
#define DV_DEVICE_CUDA_CUDA_BUFFER_H

#include <stddef.h>

#include "denseval/status.h"
#include "device/cuda/cuda_meter.h"

/* Device memory of n elements; 0 elements give a valid pointer. *out: NULL on failure; release with cudaFree. Fails
 * with DV_E_BACKEND, naming the bytes that were asked for and those that are free. */
DV_MUST_USE dv_status dv_cuda_alloc(size_t n, size_t size, const char *what, void *out);

/* Memory that grows. Zeroed it is empty. */
typedef struct dv_cuda_buffer {
    void *memory; /* owned */
    size_t n_bytes;
    dv_cuda_meter *meter; /* that counts it, set by the owner before it takes any; NULL, as in pinned memory: none */
} dv_cuda_buffer;

/* Room for n elements on the device; what it held is lost where it has to grow. Fails as dv_cuda_alloc; the buffer is
 * empty then, but keeps its meter, as it does when it is cleared. */
DV_MUST_USE dv_status dv_cuda_buffer_need(dv_cuda_buffer *buffer, size_t n, size_t size, const char *what);
void dv_cuda_buffer_clear(dv_cuda_buffer *buffer); /* waits for the work that uses it */

/* The same in pinned memory of the host; no queued work may use it then. */
DV_MUST_USE dv_status dv_cuda_pinned_need(dv_cuda_buffer *buffer, size_t n, size_t size, const char *what);
void dv_cuda_pinned_clear(dv_cuda_buffer *buffer);

#endif
