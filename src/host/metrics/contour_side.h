/* contour_side.h: the objects of one label map, their pixels and the contour of each as a list. */
#ifndef DV_METRICS_CONTOUR_SIDE_H
#define DV_METRICS_CONTOUR_SIDE_H

#include <stddef.h>
#include <stdint.h>

#include "core/check.h"

typedef struct dv_contour_object {
    uint16_t id;
    uint64_t pixels;
    uint32_t *contour; /* [n], row << 16 | column, rising; owned */
    size_t n, capacity;
} dv_contour_object;

/* Zeroed it is empty. */
typedef struct dv_contour_side {
    uint32_t *numbers;          /* [65536], by id: number of the object + 1, or 0; owned */
    dv_contour_object *objects; /* [n]; owned, with the lists of those up to `capacity` */
    size_t n, capacity;
} dv_contour_side;

/* *object: of an id that is not 0, new or known; valid until the next one is asked for. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_contour_side_object(dv_contour_side *side, uint16_t id, dv_contour_object **object);

/* Appends the contour pixels of row y to the lists of the objects they belong to.
 * row, below  u16 [width] and edge u64 [(width + 63) / 64], as of dv_contour_kernel
 * Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_contour_side_add(dv_contour_side *side, const uint16_t *row, const uint16_t *below,
                                          size_t width, size_t y, const uint64_t *edge);

/* The object of an id, or NULL. */
const dv_contour_object *dv_contour_side_find(const dv_contour_side *side, uint16_t id);

/* Puts the objects in the order of their ids. */
void dv_contour_side_sort(dv_contour_side *side);
/* Forgets the objects and keeps the memory. */
void dv_contour_side_reset(dv_contour_side *side);
void dv_contour_side_free(dv_contour_side *side);

#endif
