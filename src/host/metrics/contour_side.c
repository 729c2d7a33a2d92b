#include "metrics/contour_side.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { N_IDS = 65536, FIRST_OBJECTS = 16, FIRST_PIXELS = 256 };
enum { UNKNOWN = 0, BACKGROUND = 1, FIRST_LIST = 2 }; /* numbers of lists */

dv_status dv_contour_side_init(dv_contour_side *side) {
    DV_TRY(dv_alloc(N_IDS, sizeof *side->numbers, "ids of objects", &side->numbers));
    DV_TRY(dv_alloc(FIRST_LIST, sizeof *side->lists, "contours of a frame", &side->lists));
    side->numbers[0] = BACKGROUND;
    side->lists[BACKGROUND] = (dv_contour_list){&side->nowhere, &side->nowhere + 1};
    return DV_OK;
}

static dv_status grow_objects(dv_contour_side *side) {
    const size_t capacity = side->capacity ? 2 * side->capacity : FIRST_OBJECTS; /* at most 65536 */
    dv_contour_object *objects;
    dv_contour_list *lists;
    DV_TRY(dv_alloc(capacity, sizeof *objects, "objects of a frame", &objects));
    const dv_status status = dv_alloc(capacity + FIRST_LIST, sizeof *lists, "contours of a frame", &lists);
    if (status != DV_OK) {
        free(objects);
        return status;
    }
    if (side->capacity) memcpy(objects, side->objects, side->capacity * sizeof *objects);
    memcpy(lists, side->lists, (side->capacity + FIRST_LIST) * sizeof *lists);
    free(side->objects);
    free(side->lists);
    side->objects = objects;
    side->lists = lists;
    side->capacity = capacity;
    return DV_OK;
}

static dv_status grow_contour(dv_contour_object *object, dv_contour_list *list) {
    const size_t n = object->contour ? (size_t)(list->next - object->contour) : 0;
    size_t capacity = FIRST_PIXELS;
    uint32_t *contour;
    if (n) DV_TRY(dv_mul_size(n, 2, "contour", &capacity));
    DV_TRY(dv_alloc_unset(capacity, sizeof *contour, "contour", &contour));
    if (n) memcpy(contour, object->contour, n * sizeof *contour);
    free(object->contour);
    object->contour = contour;
    *list = (dv_contour_list){contour + n, contour + capacity};
    return DV_OK;
}

/* The list of an object that is new begins where an earlier frame's began, in memory that is kept. */
static dv_status add_object(dv_contour_side *side, uint16_t id) {
    if (side->n == side->capacity) DV_TRY(grow_objects(side));
    dv_contour_object *object = &side->objects[side->n];
    object->id = id;
    object->pixels = 0;
    side->lists[FIRST_LIST + side->n].next = object->contour;
    side->numbers[id] = (uint32_t)(FIRST_LIST + side->n++);
    return DV_OK;
}

dv_status dv_contour_side_object(dv_contour_side *side, uint16_t id, dv_contour_object **object) {
    if (side->numbers[id] == UNKNOWN) DV_TRY(add_object(side, id));
    *object = &side->objects[side->numbers[id] - FIRST_LIST];
    return DV_OK;
}

const dv_contour_object *dv_contour_side_find(const dv_contour_side *side, uint16_t id) {
    return side->numbers[id] >= FIRST_LIST ? &side->objects[side->numbers[id] - FIRST_LIST] : NULL;
}

/* Room for one more pixel. */
static dv_status make_room(dv_contour_side *side, uint16_t id) {
    dv_contour_object *object;
    DV_TRY(dv_contour_side_object(side, id, &object));
    dv_contour_list *list = &side->lists[side->numbers[id]];
    return list->next == list->end ? grow_contour(object, list) : DV_OK;
}

/* Id 0 writes too, and stays where it is: along a contour whether a side is background is anybody's guess, and a wrong
 * guess of the processor costs more than a write. */
static inline dv_status append(dv_contour_side *side, uint16_t id, uint32_t pixel) {
    if (side->lists[side->numbers[id]].next == side->lists[side->numbers[id]].end) DV_TRY(make_room(side, id));
    dv_contour_list *list = &side->lists[side->numbers[id]];
    *list->next = pixel;
    list->next += id != 0;
    return DV_OK;
}

/* The third and the fourth label that meet at a pixel. */
static dv_status append_more(dv_contour_side *side, const uint16_t *labels, size_t n, uint32_t pixel) {
    for (size_t i = 1; i < n; i++) {
        bool is_new = labels[i] != labels[0];
        for (size_t j = 1; j < i; j++) is_new = is_new && labels[j] != labels[i];
        if (is_new) DV_TRY(append(side, labels[i], pixel));
    }
    return DV_OK;
}

/* At least one of the four labels differs, so whatever mask is at any of them is not at all of them: its edge is here.
 */
static inline dv_status append_each(dv_contour_side *side, uint16_t own, uint16_t right, uint16_t under,
                                    uint16_t across, uint32_t pixel) {
    const uint16_t below = under != own ? under : across, other = right != own ? right : below;
    DV_TRY(append(side, own, pixel));
    if ((right == own || right == other) && (under == own || under == other) && (across == own || across == other))
        return append(side, other, pixel);
    return append_more(side, (const uint16_t[]){own, right, under, across}, 4, pixel);
}

dv_status dv_contour_side_add(dv_contour_side *side, const uint16_t *row, const uint16_t *below, size_t width, size_t y,
                              const uint16_t *columns, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const size_t x = columns[i], next = x + 1 < width ? x + 1 : x;
        DV_TRY(append_each(side, row[x], row[next], below[x], below[next], (uint32_t)(y << 16 | x)));
    }
    return DV_OK;
}

static int by_id(const void *a, const void *b) {
    const uint16_t left = ((const dv_contour_object *)a)->id, right = ((const dv_contour_object *)b)->id;
    return (left > right) - (left < right);
}

/* Lists stand in the order of the objects, so that each finds its memory again. */
void dv_contour_side_sort(dv_contour_side *side) {
    dv_contour_list *lists = side->lists + FIRST_LIST;
    for (size_t i = 0; i < side->n; i++) {
        dv_contour_object *object = &side->objects[i];
        object->n = object->contour ? (size_t)(lists[i].next - object->contour) : 0;
        object->capacity = object->contour ? (size_t)(lists[i].end - object->contour) : 0;
    }
    if (side->n) qsort(side->objects, side->n, sizeof *side->objects, by_id);
    for (size_t i = 0; i < side->n; i++) {
        const dv_contour_object *object = &side->objects[i];
        uint32_t *end = object->contour ? object->contour + object->capacity : NULL;
        lists[i] = (dv_contour_list){.next = object->contour, .end = end};
        side->numbers[object->id] = (uint32_t)(FIRST_LIST + i);
    }
}

void dv_contour_side_reset(dv_contour_side *side) {
    for (size_t i = 0; i < side->n; i++) side->numbers[side->objects[i].id] = UNKNOWN;
    side->n = 0;
}

void dv_contour_side_free(dv_contour_side *side) {
    for (size_t i = 0; i < side->capacity; i++) free(side->objects[i].contour);
    free(side->objects);
    free(side->lists);
    free(side->numbers);
    memset(side, 0, sizeof *side);
}
