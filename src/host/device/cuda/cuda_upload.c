#include "device/cuda/cuda_upload.h"

#include <string.h>

#include "core/check.h"
#include "device/cuda/cuda_check.h"

dv_status dv_cuda_upload_open(size_t piece_bytes, dv_cuda_upload *upload) {
    *upload = (dv_cuda_upload){.piece_bytes = piece_bytes ? piece_bytes : DV_CUDA_PIECE_BYTES};
    DV_CUDA_TRY(cudaStreamCreateWithFlags(&upload->stream, cudaStreamNonBlocking), "opening a stream");
    for (size_t i = 0; i < DV_CUDA_N_PIECES; i++) {
        DV_CUDA_TRY(cudaEventCreateWithFlags(&upload->sent[i], cudaEventDisableTiming), "making an event");
        DV_TRY(dv_cuda_pinned_need(&upload->pieces[i], upload->piece_bytes, 1, "copying to the device"));
    }
    return DV_OK;
}

void dv_cuda_upload_close(dv_cuda_upload *upload) {
    /* Where a call fails here the device failed before, which was told. */
    if (upload->stream) (void)cudaStreamSynchronize(upload->stream);
    for (size_t i = 0; i < DV_CUDA_N_PIECES; i++) {
        dv_cuda_pinned_clear(&upload->pieces[i]);
        if (upload->sent[i]) (void)cudaEventDestroy(upload->sent[i]);
    }
    if (upload->stream) (void)cudaStreamDestroy(upload->stream);
    *upload = (dv_cuda_upload){0};
}

dv_status dv_cuda_upload_after(dv_cuda_upload *upload, cudaEvent_t event) {
    return dv_cuda_check(cudaStreamWaitEvent(upload->stream, event, 0), "copying to the device");
}

dv_status dv_cuda_upload_before(const dv_cuda_upload *upload, cudaStream_t stream) {
    if (upload->n_sent == 0) return DV_OK;
    const size_t last = (upload->n_sent - 1) % DV_CUDA_N_PIECES;
    return dv_cuda_check(cudaStreamWaitEvent(stream, upload->sent[last], 0), "copying to the device");
}

static dv_status send_piece(dv_cuda_upload *upload, void *there, const void *host, size_t n_bytes, const char *what) {
    const size_t i = upload->n_sent % DV_CUDA_N_PIECES;
    void *const piece = upload->pieces[i].memory;
    DV_CUDA_TRY(cudaEventSynchronize(upload->sent[i]), what);
    memcpy(piece, host, n_bytes);
    DV_CUDA_TRY(cudaMemcpyAsync(there, piece, n_bytes, cudaMemcpyHostToDevice, upload->stream), what);
    DV_CUDA_TRY(cudaEventRecord(upload->sent[i], upload->stream), what);
    upload->n_sent++;
    return DV_OK;
}

dv_status dv_cuda_upload_send(dv_cuda_upload *upload, void *there, const void *host, size_t n_bytes, const char *what) {
    unsigned char *const to = there;
    const unsigned char *const from = host;
    for (size_t done = 0; done < n_bytes; done += upload->piece_bytes) {
        const size_t left = n_bytes - done, n = left < upload->piece_bytes ? left : upload->piece_bytes;
        DV_TRY(send_piece(upload, to + done, from + done, n, what));
    }
    return DV_OK;
}
