/* host_masks.c: the slots that count masks, by the counter of the host: it needs nothing of the device, so counters of
 * one device work side by side. */
#include "device/host_device.h"
#include "metrics/mask_counter.h"

dv_status dv_host_counter_open(dv_device *device, const dv_mask_rules *rules, void **counter) {
    (void)device;
    dv_mask_counter *made;
    const dv_status status = dv_mask_counter_create(rules, &made);
    *counter = made;
    return status;
}

void dv_host_counter_close(dv_device *device, void *counter) {
    (void)device;
    dv_mask_counter_free(counter);
}

dv_status dv_host_count_masks(dv_device *device, void *counter, const uint16_t *truth, const uint16_t *pred,
                              size_t height, size_t width, dv_mask_counts *counts) {
    (void)device;
    return dv_mask_counter_count(counter, truth, pred, height, width, counts);
}
