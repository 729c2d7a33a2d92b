#include "metrics/pair_table.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

enum { FIRST_SLOTS = 1024 };

/* The slot of a key, or the empty one where it belongs. Slots are never all in use. */
static dv_pair_slot *find(dv_pair_slot *slots, size_t n_slots, uint64_t key) {
    size_t i = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (n_slots - 1);
    while (slots[i].key && slots[i].key != key) i = (i + 1) & (n_slots - 1);
    return &slots[i];
}

static bool grow(dv_pair_table *table) {
    const size_t n_slots = table->n_slots ? table->n_slots * 2 : FIRST_SLOTS;
    dv_pair_slot *const slots = calloc(n_slots, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < table->n_slots; i++)
        if (table->slots[i].key) *find(slots, n_slots, table->slots[i].key) = table->slots[i];
    free(table->slots);
    table->slots = slots;
    table->n_slots = n_slots;
    return true;
}

bool dv_pair_table_add(dv_pair_table *table, uint16_t truth, uint16_t pred, uint64_t n_pixels) {
    const uint64_t key = 1 + ((uint64_t)truth << 16 | pred);
    if (2 * (table->n_used + 1) > table->n_slots && !grow(table)) return false;
    dv_pair_slot *const slot = find(table->slots, table->n_slots, key);
    table->n_used += !slot->key;
    slot->key = key;
    slot->n_pixels += n_pixels;
    return true;
}

void dv_pair_table_reset(dv_pair_table *table) {
    if (table->n_used) memset(table->slots, 0, table->n_slots * sizeof *table->slots);
    table->n_used = 0;
}

void dv_pair_table_clear(dv_pair_table *table) {
    free(table->slots);
    *table = (dv_pair_table){0};
}

dv_status dv_pair_table_merge(dv_pair_table *table, const dv_pair_table *other) {
    for (size_t i = 0; i < other->n_slots; i++) {
        const dv_pair_slot *const slot = &other->slots[i];
        if (slot->key && !dv_pair_table_add(table, dv_pair_truth(slot), dv_pair_pred(slot), slot->n_pixels))
            return dv_fail(DV_E_NOMEM, "no memory for %zu pairs of classes", table->n_used + 1);
    }
    return DV_OK;
}

static int compare_cells(const void *a, const void *b) {
    const dv_confusion_cell *const x = a, *const y = b;
    const uint32_t one = (uint32_t)x->truth << 16 | x->pred, other = (uint32_t)y->truth << 16 | y->pred;
    return (one > other) - (one < other);
}

dv_status dv_pair_table_cells(const dv_pair_table *table, dv_confusion_cell **cells, size_t *n_cells) {
    size_t n = 0;
    DV_TRY(dv_alloc(table->n_used, sizeof **cells, "pairs of classes", cells));
    for (size_t i = 0; i < table->n_slots; i++) {
        const dv_pair_slot *const slot = &table->slots[i];
        if (slot->key && slot->n_pixels)
            (*cells)[n++] = (dv_confusion_cell){dv_pair_truth(slot), dv_pair_pred(slot), slot->n_pixels};
    }
    qsort(*cells, n, sizeof **cells, compare_cells);
    *n_cells = n;
    return DV_OK;
}
