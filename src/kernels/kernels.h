/* kernels.h: the launchers of src/kernels, for host code in C. One launcher an operation:
 *
 * - pointers are memory of the current device, sizes are int64_t counts, the order is that of the operation's header;
 * - work is queued on `stream` and nothing waits; buffers stay borrowed until the stream has passed the work;
 * - a launcher allocates nothing: what it needs beside its arguments is `workspace`, of at least the bytes that the
 *   ..._workspace function tells, 16-byte aligned, and free for reuse when the stream has passed the work;
 * - the result is 0 or a cudaError_t of the launch. Failures of the work itself come with the next synchronisation. */
#ifndef DV_KERNELS_KERNELS_H
#define DV_KERNELS_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/labels.h"
#include "denseval/status.h"
#include "denseval/viewpoint_resample.h"

DV_EXTERN_C_BEGIN

/* What cuda_runtime_api.h calls cudaStream_t; NULL is the default stream. */
typedef struct CUstream_st *dv_stream;

/* As dv_aggregate (denseval/aggregate.h), to the bit. n, k, n_classes at least 0, n below 2^31. */
size_t dv_launch_aggregate_workspace(int64_t n, int64_t k);
DV_MUST_USE int dv_launch_aggregate(const int64_t *ids, const double *cosines, int64_t n, int64_t k, double beta,
                                    const uint16_t *counts, int64_t n_classes, double *soft, uint16_t *pure,
                                    void *workspace, dv_stream stream);

/* As dv_upsample_argmax (denseval/upsample.h) for n_images images. Sizes 1..65535, n_images at least 0. */
DV_MUST_USE int dv_launch_upsample_argmax(const double *soft, const uint16_t *pure, int64_t n_images, int64_t grid_h,
                                          int64_t grid_w, int64_t height, int64_t width, int64_t n_classes,
                                          uint16_t *pred, dv_stream stream);

/* What an image has beside its matrix. */
typedef struct dv_image_counts {
    unsigned long long ignored, dropped; /* pixels */
    unsigned long long first_fault;      /* lowest pixel that may not be counted, by row; UINT64_MAX: none */
} dv_image_counts;

/* As dv_confusion_add (denseval/confusion.h), image i into matrix i; nothing is taken back where an image has a fault.
 * ignored          u32 [2048], bit l % 32 of word l / 32: label l is left out
 * images           [n_images], {0, 0, UINT64_MAX} or earlier sums before the launch
 * counts           u64 [n_images, n_classes, n_classes], false_positives u64 [n_images, n_classes]: added to
 * n_classes 1..DV_MAX_CLASSES, n_pixels below 2^40. */
DV_MUST_USE int dv_launch_confusion(const uint16_t *truth, const uint16_t *pred, int64_t n_images, int64_t n_pixels,
                                    int64_t n_classes, const uint32_t *ignored, dv_invalid_labels invalid,
                                    dv_image_counts *images, uint64_t *counts, uint64_t *false_positives,
                                    dv_stream stream);

/* As the slot resample (denseval/device.h), to the bit: the structs are read during the call, what they point to is
 * device memory. n_objects and n_resamples below 2^31; steps, curves and breaks may be NULL where there is no curve. */
size_t dv_launch_viewpoint_workspace(int64_t n_objects, int64_t n_resamples);
DV_MUST_USE int dv_launch_viewpoint(const dv_viewpoint_draws *in, const dv_viewpoint_scores *out, void *workspace,
                                    dv_stream stream);

/* Masks (denseval/mask_counts.h). Labels are u16, 0: no object. slot_of u32 [65536]: the slot of a label + 1, 0: it is
 * not looked at. Counts are added to. Sides 1..65535; bit rows are u32 [slots, height, (width + 31) / 32], the lowest
 * bit the first pixel, all 0 before dv_launch_mask_contours.
 * counts u64 [65535]: counts[l - 1] of label l */
DV_MUST_USE int dv_launch_mask_labels(const uint16_t *labels, int64_t n_pixels, unsigned long long *counts,
                                      dv_stream stream);
/* counts u64 [n_truth, n_pred] by slots, or with equal labels alone [n_truth]. */
DV_MUST_USE int dv_launch_mask_joint(const uint16_t *truth, const uint16_t *pred, int64_t n_pixels,
                                     const uint32_t *truth_slot_of, const uint32_t *pred_slot_of, int64_t n_pred,
                                     bool all_pairs, unsigned long long *counts, dv_stream stream);
/* counts u64 [slots]: contour pixels, or NULL; bits: bit rows to set, or NULL. */
DV_MUST_USE int dv_launch_mask_contours(const uint16_t *labels, int64_t height, int64_t width, const uint32_t *slot_of,
                                        unsigned long long *counts, uint32_t *bits, dv_stream stream);

typedef struct dv_slot_pair {
    int32_t own, other;
} dv_slot_pair;

/* matched u64 [n_pairs]: set bits of `own` that have one of `other` within the radius. n_pairs below 65536.
 * half_widths  u32 [radius + 1]: how far row dy of the disk goes to each side, floor(sqrt(r^2 - dy^2)); rows past the
 * height need not be there, `radius` is the last one that is */
DV_MUST_USE int dv_launch_mask_near(const uint32_t *bits, const uint32_t *other_bits, int64_t height, int64_t width,
                                    const dv_slot_pair *pairs, int64_t n_pairs, int32_t radius,
                                    const uint32_t *half_widths, unsigned long long *matched, dv_stream stream);

DV_EXTERN_C_END
#endif
