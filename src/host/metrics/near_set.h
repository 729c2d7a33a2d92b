/* near_set.h: pixels that are taken away one by one; which of those that are left are near a given pixel? */
#ifndef DV_METRICS_NEAR_SET_H
#define DV_METRICS_NEAR_SET_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

/* A pixel as one number, in the order of rows, then columns. */
static inline uint64_t dv_pixel_key(uint32_t y, uint32_t x) {
    return (uint64_t)y << 32 | x;
}

/* The pixels within a distance of the origin, ends included. */
typedef struct dv_disk {
    uint32_t radius;
    uint32_t *half; /* [radius + 1]: the largest |dx| at |dy| */
} dv_disk;

/* radius  at most 2^31. Fails with DV_E_NOMEM; release with dv_disk_clear. */
DV_MUST_USE dv_status dv_disk_create(uint32_t radius, dv_disk *out);
void dv_disk_resize(dv_disk *disk, uint32_t radius); /* at most the radius it was created with */
void dv_disk_clear(dv_disk *disk);

/* Pixels in places 0..n-1. A place that is taken points to the one after it, chains of these are shortened on the way
 * (a disjoint-set forest without ranks). */
typedef struct dv_near_set {
    const uint64_t *keys; /* [n]; rising within every part that is asked for; borrowed */
    uint32_t *next;       /* [n + 1]; borrowed */
} dv_near_set;

/* Every pixel is there. n  below 2^32 - 1 */
void dv_near_set_fill(dv_near_set *set, const uint64_t *keys, size_t n, uint32_t *next);

static inline void dv_near_set_take(dv_near_set *set, size_t place) {
    set->next[place] = (uint32_t)place + 1;
}

/* The first place in from..end-1 that is not taken and lies within `disk` around the pixel `key`; `end` if none does.
 */
size_t dv_near_set_find(dv_near_set *set, size_t from, size_t end, uint64_t key, const dv_disk *disk);

#endif
