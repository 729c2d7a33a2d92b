/* pair_table.h: counts of pairs (truth, prediction) where a matrix of all pairs would be too large. */
#ifndef DV_METRICS_PAIR_TABLE_H
#define DV_METRICS_PAIR_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/confusion.h"

/* A slot of the table. key 0: empty; else 1 + (truth << 16 | pred) */
typedef struct dv_pair_slot {
    uint64_t key, n_pixels;
} dv_pair_slot;

/* Zeroed it is empty. One thread at a time. */
typedef struct dv_pair_table {
    size_t n_used, n_slots; /* n_slots: 0 or a power of two, more than n_used */
    dv_pair_slot *slots;    /* owned; release with dv_pair_table_clear */
} dv_pair_table;

/* Adds n_pixels (modulo 2^64) to a pair. False where there is no memory for it: nothing is added then. */
bool dv_pair_table_add(dv_pair_table *table, uint16_t truth, uint16_t pred, uint64_t n_pixels);
/* Forgets all pairs and keeps the memory. */
void dv_pair_table_reset(dv_pair_table *table);
void dv_pair_table_clear(dv_pair_table *table);

/* Adds the pairs of `other`. */
DV_MUST_USE dv_status dv_pair_table_merge(dv_pair_table *table, const dv_pair_table *other);

/* The pairs with pixels, by truth, then prediction. *cells: [*n_cells], the caller's until free(); NULL on failure */
DV_MUST_USE dv_status dv_pair_table_cells(const dv_pair_table *table, dv_confusion_cell **cells, size_t *n_cells);

static inline uint16_t dv_pair_truth(const dv_pair_slot *slot) {
    return (uint16_t)((slot->key - 1) >> 16);
}

static inline uint16_t dv_pair_pred(const dv_pair_slot *slot) {
    return (uint16_t)(slot->key - 1);
}

#endif
