/* host_device.h: what the devices in host memory share: memory, and the slots after the search, run by a pool. */
#ifndef DV_DEVICE_HOST_DEVICE_H
#define DV_DEVICE_HOST_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "core/parallel.h"
#include "denseval/device.h"
#include "search/scan.h"
#include "search/score.h"

typedef struct dv_host_device {
    dv_device base;
    dv_device_options options; /* its kernel is NULL: the name belongs to whoever opened the device */
    dv_pool *pool;
    const dv_scan_kernel *kernel; /* of the cpu device; NULL elsewhere */
} dv_host_device;

/* What every host index begins with. */
typedef struct dv_host_index {
    dv_scored_rows scored; /* rows borrowed from the caller of bank_load */
    const int32_t *group;  /* borrowed; NULL: no masks */
    dv_search_stats stats;
} dv_host_index;

/* Slots open and close. */
DV_MUST_USE dv_status dv_host_open(const dv_device_ops *ops, const dv_device_options *options, dv_device **out);
void dv_host_close(dv_device *device);
bool dv_host_usable(char *why, size_t why_size);

/* Slots alloc, release, upload, download, synchronise: host memory, nothing is queued. */
DV_MUST_USE dv_status dv_host_alloc(dv_device *device, size_t n_bytes, void **out);
void dv_host_release(dv_device *device, void *memory);
DV_MUST_USE dv_status dv_host_upload(dv_device *device, void *device_memory, const void *host, size_t n_bytes);
DV_MUST_USE dv_status dv_host_download(dv_device *device, void *host, const void *device_memory, size_t n_bytes);
DV_MUST_USE dv_status dv_host_synchronise(dv_device *device);

/* Slots aggregate, upsample_argmax, confusion: the host routines, spread over the pool. */
DV_MUST_USE dv_status dv_host_aggregate(dv_device *device, const int64_t *ids, const double *cosines, size_t n,
                                        size_t k, double beta, const uint16_t *counts, size_t n_classes, double *soft,
                                        uint16_t *pure);
DV_MUST_USE dv_status dv_host_upsample_argmax(dv_device *device, const dv_upsampler *upsampler, const double *soft,
                                              const uint16_t *pure, size_t n_images, size_t n_classes, uint16_t *pred);
DV_MUST_USE dv_status dv_host_confusion(dv_device *device, const dv_pixel_policy *policy, const uint16_t *truth,
                                        const uint16_t *pred, size_t n_images, size_t height, size_t width,
                                        dv_confusion *const *confusions, size_t *bad_image);

/* Slots counter_open, counter_close, count_masks: the counter of the host. */
DV_MUST_USE dv_status dv_host_counter_open(dv_device *device, const dv_mask_rules *rules, void **counter);
void dv_host_counter_close(dv_device *device, void *counter);
DV_MUST_USE dv_status dv_host_count_masks(dv_device *device, void *counter, const uint16_t *truth, const uint16_t *pred,
                                          size_t height, size_t width, dv_mask_counts *counts);

/* Slot resample: the host routine, spread over the pool. */
DV_MUST_USE dv_status dv_host_resample(dv_device *device, const dv_viewpoint_draws *in, const dv_viewpoint_scores *out);

/* Slot search_memory for an index that is a dv_host_index and no more; others add what else they hold. */
void dv_host_search_memory(const dv_device *device, const dv_search_shape *shape, dv_search_memory *out);

/* Slot search_stats for an index that begins with dv_host_index. */
void dv_host_search_stats(const dv_device *device, const void *index, dv_search_stats *out);

/* Checks a bank and measures its rows. *out is cleared on failure; release with dv_host_index_clear.
 * *peaks  as of dv_scored_rows_create, the caller's until free(), NULL on failure; NULL: not wanted */
DV_MUST_USE dv_status dv_host_index_init(dv_pool *pool, const dv_bank_rows *bank, dv_simd simd, float **peaks,
                                         dv_host_index *out);
void dv_host_index_clear(dv_host_index *index); /* also on a zeroed struct */

/* Checks the sizes and format of a bank, not its elements. Fails with DV_E_ARG. */
DV_MUST_USE dv_status dv_host_check_bank(const dv_bank_rows *bank);

/* Checks queries and k against an index (of which rows and group count); DV_E_ARG names both sides of a mismatch. */
DV_MUST_USE dv_status dv_host_check_search(const dv_host_index *index, const dv_queries *queries, size_t k);

#endif
