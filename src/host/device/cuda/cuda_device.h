/* cuda_device.h: what the parts of the cuda device share. Compiled with the CUDA runtime, or in tests with the emulator
 * of tests/simt. */
#ifndef DV_DEVICE_CUDA_CUDA_DEVICE_H
#define DV_DEVICE_CUDA_CUDA_DEVICE_H

#include <cuda_runtime_api.h>

#include "denseval/device.h"
#include "device/cuda/cuda_buffer.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_shards.h"

typedef struct dv_cuda_device {
    dv_device base;
    dv_device_options options; /* its kernel is NULL: the name belongs to whoever opened the device */
    dv_cuda_gpus gpus;
    dv_cuda_spread spread;  /* of the banks that are loaded; zeroed unless a test or a bench says otherwise */
    int wgmma;              /* cuda_wgmma.h, of all GPUs; 0: the search does without */
    int number;             /* of the first GPU, which does all but searches: of the CUDA runtime */
    cudaStream_t stream;    /* its own: all queued work is done on it, in order */
    bool is_queued;         /* there may be work on it that nobody has waited for: the meter of the GPU runs */
    dv_cuda_buffer scratch; /* workspace of launches, reused from one to the next on the stream */
    dv_cuda_buffer *given;  /* [n_given], memory that callers hold; empty ones among it are free to be given */
    size_t n_given, most_given;
} dv_cuda_device;

/* At least n_bytes of scratch; what is queued may go on using what it was given. */
DV_MUST_USE dv_status dv_cuda_scratch(dv_cuda_device *device, size_t n_bytes, void **scratch);

/* Makes the device current in this thread. */
DV_MUST_USE dv_status dv_cuda_enter(const dv_cuda_device *device);

/* The same before work is queued on its stream, which takes time from here on until dv_cuda_settle. */
DV_MUST_USE dv_status dv_cuda_queue(dv_cuda_device *device);
/* As dv_cuda_finish on its stream. */
DV_MUST_USE dv_status dv_cuda_settle(dv_cuda_device *device, dv_status status, const char *what);

#endif
