/* reference_masks.h: masks counted straight from the definitions of docs/METRICS.md, "J and F". */
#ifndef DV_DEVICE_REFERENCE_MASKS_H
#define DV_DEVICE_REFERENCE_MASKS_H

#include "denseval/device.h"

/* Slots counter_open, counter_close, count_masks. */
DV_MUST_USE dv_status dv_reference_counter_open(dv_device *device, const dv_mask_rules *rules, void **counter);
void dv_reference_counter_close(dv_device *device, void *counter);
DV_MUST_USE dv_status dv_reference_count_masks(dv_device *device, void *counter, const uint16_t *truth,
                                               const uint16_t *pred, size_t height, size_t width,
                                               dv_mask_counts *counts);

#endif
