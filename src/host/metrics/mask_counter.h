/* mask_counter.h: counts of frames on the host: one pass over both label maps, then the disks of contour pixels. */
#ifndef DV_METRICS_MASK_COUNTER_H
#define DV_METRICS_MASK_COUNTER_H

#include <stddef.h>
#include <stdint.h>

#include "core/check.h"
#include "denseval/mask_counts.h"

/* Scratch of one thread; it grows with the frames and never shrinks. */
typedef struct dv_mask_counter dv_mask_counter;

/* Copies the rules. *out: the caller's until dv_mask_counter_free. Fails with DV_E_ARG (rules), DV_E_NOMEM. */
DV_MUST_USE dv_status dv_mask_counter_create(const dv_mask_rules *rules, dv_mask_counter **out);
void dv_mask_counter_free(dv_mask_counter *counter); /* NULL is allowed */

/* As the slot count_masks (denseval/device.h). A failure leaves the counter fit for the next frame. */
DV_MUST_USE dv_status dv_mask_counter_count(dv_mask_counter *counter, const uint16_t *truth, const uint16_t *pred,
                                            size_t height, size_t width, dv_mask_counts *counts);

#endif
