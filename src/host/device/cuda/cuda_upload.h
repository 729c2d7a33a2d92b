/* cuda_upload.h: the way up: memory of the host to the device in pieces, by way of two pinned ones, in a stream that
 * does nothing else. One piece is filled while the other one is copied, and kernels run beside both. */
#ifndef DV_DEVICE_CUDA_CUDA_UPLOAD_H
#define DV_DEVICE_CUDA_CUDA_UPLOAD_H

#include <cuda_runtime_api.h>

#include "device/cuda/cuda_buffer.h"

enum { DV_CUDA_N_PIECES = 2, DV_CUDA_PIECE_BYTES = 4 << 20 };

/* Zeroed it is closed. Of the device that was current when it was opened. */
typedef struct dv_cuda_upload {
    cudaStream_t stream;
    cudaEvent_t sent[DV_CUDA_N_PIECES]; /* the piece may be filled again */
    dv_cuda_buffer pieces[DV_CUDA_N_PIECES];
    size_t piece_bytes, n_sent;
} dv_cuda_upload;

/* piece_bytes  0: DV_CUDA_PIECE_BYTES
 * Close it also after a failure, which is DV_E_BACKEND. */
DV_MUST_USE dv_status dv_cuda_upload_open(size_t piece_bytes, dv_cuda_upload *upload);
void dv_cuda_upload_close(dv_cuda_upload *upload); /* waits */

/* What is sent from now on waits until `event`, as it was recorded last, has passed. */
DV_MUST_USE dv_status dv_cuda_upload_after(dv_cuda_upload *upload, cudaEvent_t event);
/* What is queued on `stream` from now on finds all that was sent. */
DV_MUST_USE dv_status dv_cuda_upload_before(const dv_cuda_upload *upload, cudaStream_t stream);

/* Queued, though it may wait for pieces that were sent earlier. `host` is borrowed for the call alone. */
DV_MUST_USE dv_status dv_cuda_upload_send(dv_cuda_upload *upload, void *there, const void *host, size_t n_bytes,
                                          const char *what);

#endif
