#include "metrics/contour_side.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { N_IDS = 65536, WORD_BITS = 64, FIRST_OBJECTS = 16, FIRST_PIXELS = 256 };

static dv_status grow_objects(dv_contour_side *side) {
    const size_t capacity = side->capacity ? 2 * side->capacity : FIRST_OBJECTS; /* at most 65536 */
    dv_contour_object *objects;
    DV_TRY(dv_alloc(capacity, sizeof *objects, "objects of a frame", &objects));
    if (side->capacity) memcpy(objects, side->objects, side->capacity * sizeof *objects);
    free(side->objects);
    side->objects = objects;
    side->capacity = capacity;
    return DV_OK;
}

static dv_status grow_contour(dv_contour_object *object) {
    size_t capacity = FIRST_PIXELS;
    uint32_t *contour;
    if (object->capacity) DV_TRY(dv_mul_size(object->capacity, 2, "contour", &capacity));
    DV_TRY(dv_alloc_unset(capacity, sizeof *contour, "contour", &contour));
    if (object->n) memcpy(contour, object->contour, object->n * sizeof *contour);
    free(object->contour);
    object->contour = contour;
    object->capacity = capacity;
    return DV_OK;
}

static dv_status add_object(dv_contour_side *side, uint16_t id) {
    if (!side->numbers) DV_TRY(dv_alloc(N_IDS, sizeof *side->numbers, "ids of objects", &side->numbers));
    if (side->n == side->capacity) DV_TRY(grow_objects(side));
    dv_contour_object *object = &side->objects[side->n++];
    object->id = id;
    object->pixels = 0;
    object->n = 0;
    side->numbers[id] = (uint32_t)side->n;
    return DV_OK;
}

dv_status dv_contour_side_object(dv_contour_side *side, uint16_t id, dv_contour_object **object) {
    if (!side->numbers || !side->numbers[id]) DV_TRY(add_object(side, id));
    *object = &side->objects[side->numbers[id] - 1];
    return DV_OK;
}

const dv_contour_object *dv_contour_side_find(const dv_contour_side *side, uint16_t id) {
    return side->numbers && side->numbers[id] ? &side->objects[side->numbers[id] - 1] : NULL;
}

static inline dv_status append(dv_contour_side *side, uint16_t id, uint32_t pixel) {
    dv_contour_object *object;
    DV_TRY(dv_contour_side_object(side, id, &object));
    if (object->n == object->capacity) DV_TRY(grow_contour(object));
    object->contour[object->n++] = pixel;
    return DV_OK;
}

dv_status dv_contour_side_add(dv_contour_side *side, const uint16_t *row, const uint16_t *below, size_t width, size_t y,
                              const uint64_t *edge) {
    for (size_t begin = 0; begin < width; begin += WORD_BITS)
        for (uint64_t bits = edge[begin / WORD_BITS]; bits; bits &= bits - 1) {
            const size_t x = begin + (size_t)__builtin_ctzll(bits), next = x + 1 < width ? x + 1 : x;
            const uint32_t pixel = (uint32_t)(y << 16 | x);
            const uint16_t own = row[x], right = row[next], under = below[x], across = below[next];
            /* One of the four differs: whatever mask is at any of them is not at all of them, so its edge is here. */
            if (own) DV_TRY(append(side, own, pixel));
            if (right && right != own) DV_TRY(append(side, right, pixel));
            if (under && under != own && under != right) DV_TRY(append(side, under, pixel));
            if (across && across != own && across != right && across != under) DV_TRY(append(side, across, pixel));
        }
    return DV_OK;
}

static int by_id(const void *a, const void *b) {
    const uint16_t left = ((const dv_contour_object *)a)->id, right = ((const dv_contour_object *)b)->id;
    return (left > right) - (left < right);
}

void dv_contour_side_sort(dv_contour_side *side) {
    if (side->n) qsort(side->objects, side->n, sizeof *side->objects, by_id);
    for (size_t i = 0; i < side->n; i++) side->numbers[side->objects[i].id] = (uint32_t)(i + 1);
}

void dv_contour_side_reset(dv_contour_side *side) {
    for (size_t i = 0; i < side->n; i++) side->numbers[side->objects[i].id] = 0;
    side->n = 0;
}

void dv_contour_side_free(dv_contour_side *side) {
    for (size_t i = 0; i < side->capacity; i++) free(side->objects[i].contour);
    free(side->objects);
    free(side->numbers);
    memset(side, 0, sizeof *side);
}
