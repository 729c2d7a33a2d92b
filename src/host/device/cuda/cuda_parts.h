/* cuda_parts.h: what an index and its searches hold on the device, a buffer a part, kept from one search to the next
 * and grown as needed. */
#ifndef DV_DEVICE_CUDA_CUDA_PARTS_H
#define DV_DEVICE_CUDA_CUDA_PARTS_H

#include <stddef.h>

#include "device/cuda/cuda_buffer.h"

enum { DV_CUDA_MOST_PARTS = 44 };

/* Zeroed it is empty. Which number is which part is the owner's to say. */
typedef struct dv_cuda_parts {
    dv_cuda_buffer buffers[DV_CUDA_MOST_PARTS];
    size_t n_bytes;       /* of all */
    dv_cuda_meter *meter; /* that counts them; NULL: none */
} dv_cuda_parts;

/* *out: at least n elements of `size` bytes, borrowed until the part is asked for again or freed. What it held is lost
 * where it grows. Fails as dv_cuda_alloc; *out is NULL then. */
DV_MUST_USE dv_status dv_cuda_part(dv_cuda_parts *parts, size_t part, size_t n, size_t size, const char *what,
                                   void *out);
void dv_cuda_parts_drop(dv_cuda_parts *parts, size_t first); /* parts from `first` on */
void dv_cuda_parts_free(dv_cuda_parts *parts);

#endif
