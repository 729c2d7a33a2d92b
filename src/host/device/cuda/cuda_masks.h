/* cuda_masks.h: a counter of masks on a GPU, and a frame that it counts. */
#ifndef DV_DEVICE_CUDA_CUDA_MASKS_H
#define DV_DEVICE_CUDA_CUDA_MASKS_H

#include "device/cuda/cuda_buffer.h"
#include "device/cuda/cuda_device.h"

enum { DV_N_LABELS = 65536 };

/* One of the two label maps and what is known of it. */
typedef struct dv_mask_side {
    dv_cuda_buffer labels, slot_of, counts, bits; /* as kernels/kernels.h says */
    uint32_t slots[DV_N_LABELS];                  /* slot_of on the host */
    unsigned long long totals[DV_N_LABELS];       /* counts on the host */
} dv_mask_side;

typedef struct dv_cuda_counter {
    dv_mask_rules rules;
    cudaStream_t stream; /* of its own: counters work side by side */
    dv_cuda_meter *meter;
    dv_mask_side truth, pred;
    dv_cuda_buffer joint, pairs, half_widths, matched;
} dv_cuda_counter;

typedef struct dv_cuda_frame {
    dv_cuda_counter *by;
    int64_t height, width, n_pixels, n_row_words;
    dv_mask_counts *counts; /* being filled */
} dv_cuda_frame;

/* The host's memory stays borrowed until the stream of the counter is synchronised. */
DV_MUST_USE dv_status dv_cuda_send(const dv_cuda_counter *by, dv_cuda_buffer *to, const void *host, size_t n,
                                   size_t size);
DV_MUST_USE dv_status dv_cuda_receive(const dv_cuda_counter *by, void *host, const dv_cuda_buffer *from,
                                      size_t n_bytes);
/* n zeros. */
DV_MUST_USE dv_status dv_cuda_zeros(const dv_cuda_counter *by, dv_cuda_buffer *buffer, size_t n, size_t size);

/* Waits, as dv_cuda_finish. */
DV_MUST_USE dv_status dv_cuda_counted(const dv_cuda_counter *by, dv_status status);

/* Gives n objects slots in the order of the list, and all others none. */
DV_MUST_USE dv_status dv_cuda_give_slots(const dv_cuda_counter *by, dv_mask_side *side, const dv_mask_size *objects,
                                         size_t n);

/* Fills the matched pixels of all pairs that are listed. Blocking. Fails with DV_E_NOMEM, DV_E_BACKEND. */
DV_MUST_USE dv_status dv_cuda_match_contours(const dv_cuda_frame *of);

#endif
