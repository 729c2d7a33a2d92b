/* mask_count_joint.c: open addressing over a dense list of cells, so that forgetting costs what was counted. */
#include "metrics/mask_count_joint.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { FIRST_PLACES = 256 };

/* The place that holds the pair, or the free one where it belongs. At least one place is free. */
static size_t place_of(const dv_joint *joint, uint16_t truth, uint16_t pred) {
    const uint64_t key = (uint64_t)truth << 16 | pred;
    size_t place = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (joint->n_places - 1);
    while (joint->places[place]) {
        const dv_joint_cell *cell = &joint->cells[joint->places[place] - 1];
        if (cell->truth == truth && cell->pred == pred) break;
        place = (place + 1) & (joint->n_places - 1);
    }
    return place;
}

/* Half of the places stay free. */
static dv_status grow(dv_joint *joint) {
    size_t n_places = FIRST_PLACES;
    if (joint->n_places) DV_TRY(dv_mul_size(joint->n_places, 2, "pairs of labels", &n_places));
    dv_joint grown = {.n = joint->n, .capacity = n_places / 2, .n_places = n_places};
    DV_TRY(dv_alloc_unset(grown.capacity, sizeof *grown.cells, "pairs of labels", &grown.cells));
    const dv_status status = dv_alloc(n_places, sizeof *grown.places, "pairs of labels", &grown.places);
    if (status != DV_OK) {
        free(grown.cells);
        return status;
    }
    if (joint->n) memcpy(grown.cells, joint->cells, joint->n * sizeof *joint->cells);
    for (size_t i = 0; i < grown.n; i++)
        grown.places[place_of(&grown, grown.cells[i].truth, grown.cells[i].pred)] = (uint32_t)(i + 1);
    dv_joint_free(joint);
    *joint = grown;
    return DV_OK;
}

dv_status dv_joint_add(dv_joint *joint, uint16_t truth, uint16_t pred, uint64_t n) {
    if (joint->n == joint->capacity) DV_TRY(grow(joint));
    const size_t place = place_of(joint, truth, pred);
    if (!joint->places[place]) {
        joint->cells[joint->n++] = (dv_joint_cell){.truth = truth, .pred = pred};
        joint->places[place] = (uint32_t)joint->n; /* at most 65535 x 65535 pairs */
    }
    joint->cells[joint->places[place] - 1].n += n;
    return DV_OK;
}

uint64_t dv_joint_find(const dv_joint *joint, uint16_t truth, uint16_t pred) {
    if (joint->n == 0) return 0;
    const uint32_t found = joint->places[place_of(joint, truth, pred)];
    return found ? joint->cells[found - 1].n : 0;
}

void dv_joint_reset(dv_joint *joint) {
    for (size_t i = joint->n; i > 0; i--) { /* the last in comes out first, so that each is still found */
        joint->places[place_of(joint, joint->cells[i - 1].truth, joint->cells[i - 1].pred)] = 0;
    }
    joint->n = 0;
}

void dv_joint_free(dv_joint *joint) {
    free(joint->cells);
    free(joint->places);
    memset(joint, 0, sizeof *joint);
}
