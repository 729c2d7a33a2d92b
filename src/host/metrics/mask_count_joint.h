/* mask_count_joint.h: how many pixels carry each pair of labels; sparse, for any labels. */
#ifndef DV_METRICS_MASK_COUNT_JOINT_H
#define DV_METRICS_MASK_COUNT_JOINT_H

#include <stddef.h>
#include <stdint.h>

#include "core/check.h"

typedef struct dv_joint_cell {
    uint16_t truth, pred;
    uint64_t n;
} dv_joint_cell;

/* Zeroed it is empty. */
typedef struct dv_joint {
    dv_joint_cell *cells; /* [n] in the order in which the pairs came; owned */
    size_t n, capacity;
    uint32_t *places; /* [n_places], a power of two: number of a cell + 1, or 0; owned */
    size_t n_places;
} dv_joint;

/* Adds n pixels. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_joint_add(dv_joint *joint, uint16_t truth, uint16_t pred, uint64_t n);
/* Pixels of a pair. */
uint64_t dv_joint_find(const dv_joint *joint, uint16_t truth, uint16_t pred);
/* Forgets the pairs and keeps the memory. */
void dv_joint_reset(dv_joint *joint);
void dv_joint_free(dv_joint *joint);

#endif
