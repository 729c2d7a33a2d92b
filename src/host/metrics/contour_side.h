/* contour_side.h: the objects of one label map, their pixels and the contour of each as a list. */
#ifndef DV_METRICS_CONTOUR_SIDE_H
#define DV_METRICS_CONTOUR_SIDE_H

#include <stddef.h>
#include <stdint.h>

#include "core/check.h"

typedef struct dv_contour_object {
    uint16_t id;
    uint64_t pixels;
    uint32_t *contour;  /* [n], row << 16 | column, rising; owned */
    size_t n, capacity; /* set by dv_contour_side_sort */
} dv_contour_object;

/* Where a list goes on. */
typedef struct dv_contour_list {
    uint32_t *next, *end; /* equal: there is no room */
} dv_contour_list;

/* Zeroed it is empty. */
typedef struct dv_contour_side {
    uint32_t *numbers;          /* [65536], by id: number of its list; owned */
    dv_contour_list *lists;     /* [capacity + 2]: of unknown ids, which has no room; of id 0, which never grows; then
                                   those of the objects; owned */
    dv_contour_object *objects; /* [n]; owned, with the contours of those up to `capacity` */
    size_t n, capacity;
    uint32_t nowhere; /* what the list of id 0 writes to */
} dv_contour_side;

/* Before anything else, once. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_contour_side_init(dv_contour_side *side);

/* *object: of an id that is not 0, new or known; valid until the next one is asked for. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_contour_side_object(dv_contour_side *side, uint16_t id, dv_contour_object **object);

/* Appends the contour pixels of row y to the lists of the objects they belong to.
 * row, below  u16 [width]; in the last row of a map `below` is the row itself
 * columns     u16 [n], rising: where a pixel differs from its right, lower or lower-right neighbour
 * Beyond the last column its own label stands again, so that there the lower neighbour alone decides, and in the last
 * row the right one: the rule of docs/METRICS.md, "J and F". Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_contour_side_add(dv_contour_side *side, const uint16_t *row, const uint16_t *below,
                                          size_t width, size_t y, const uint16_t *columns, size_t n);

/* The object of an id, or NULL. */
const dv_contour_object *dv_contour_side_find(const dv_contour_side *side, uint16_t id);

/* Ends the lists and puts the objects in the order of their ids. Nothing is added until dv_contour_side_reset. */
void dv_contour_side_sort(dv_contour_side *side);
/* Forgets the objects and keeps the memory. */
void dv_contour_side_reset(dv_contour_side *side);
void dv_contour_side_free(dv_contour_side *side);

#endif
