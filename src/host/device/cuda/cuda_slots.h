/* cuda_slots.h: the slots that do work (denseval/device.h). */
#ifndef DV_DEVICE_CUDA_CUDA_SLOTS_H
#define DV_DEVICE_CUDA_CUDA_SLOTS_H

#include "denseval/device.h"

DV_MUST_USE dv_status dv_cuda_bank_load(dv_device *device, const dv_bank_rows *bank, void **index);
void dv_cuda_bank_free(dv_device *device, void *index);
DV_MUST_USE dv_status dv_cuda_bank_search(dv_device *device, void *index, const dv_queries *queries, size_t k,
                                          int64_t *ids, double *cosines);
void dv_cuda_bank_memory(const dv_device *device, const dv_search_shape *shape, dv_search_memory *out);
void dv_cuda_bank_stats(const dv_device *device, const void *index, dv_search_stats *out);

DV_MUST_USE dv_status dv_cuda_aggregate(dv_device *device, const int64_t *ids, const double *cosines, size_t n,
                                        size_t k, double beta, const uint16_t *counts, size_t n_classes, double *soft,
                                        uint16_t *pure);
DV_MUST_USE dv_status dv_cuda_upsample_argmax(dv_device *device, const dv_upsampler *upsampler, const double *soft,
                                              const uint16_t *pure, size_t n_images, size_t n_classes, uint16_t *pred);
DV_MUST_USE dv_status dv_cuda_confusion(dv_device *device, const dv_pixel_policy *policy, const uint16_t *truth,
                                        const uint16_t *pred, size_t n_images, size_t height, size_t width,
                                        dv_confusion *const *confusions, size_t *bad_image);

DV_MUST_USE dv_status dv_cuda_counter_open(dv_device *device, const dv_mask_rules *rules, void **counter);
void dv_cuda_counter_close(dv_device *device, void *counter);
DV_MUST_USE dv_status dv_cuda_count_masks(dv_device *device, void *counter, const uint16_t *truth, const uint16_t *pred,
                                          size_t height, size_t width, dv_mask_counts *counts);

DV_MUST_USE dv_status dv_cuda_resample(dv_device *device, const dv_viewpoint_draws *in, const dv_viewpoint_scores *out);
/* The same with as many resamples at once as need most_bytes of device memory, at least one. */
DV_MUST_USE dv_status dv_cuda_resample_within(dv_device *device, const dv_viewpoint_draws *in,
                                              const dv_viewpoint_scores *out, size_t most_bytes);

#endif
