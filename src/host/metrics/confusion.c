#include "denseval/confusion.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "metrics/confusion_parts.h"

static dv_status create(size_t n_classes, size_t most, bool sparse, dv_confusion **out) {
    *out = NULL;
    if (n_classes < 1 || n_classes > most)
        return dv_fail(DV_E_ARG, "%zu classes: a confusion matrix has 1..%zu", n_classes, most);
    dv_confusion *made;
    DV_TRY(dv_alloc(1, sizeof *made, "a confusion matrix", &made));
    made->n_classes = n_classes;
    dv_status status = DV_OK;
    if (!sparse) status = dv_alloc(n_classes * n_classes + 1, sizeof *made->counts, "confusion counts", &made->counts);
    if (status == DV_OK)
        status = dv_alloc(n_classes, sizeof *made->false_positives, "false positives", &made->false_positives);
    if (status == DV_OK) {
        *out = made;
        made = NULL; /* the caller's from here */
    }
    dv_confusion_free(made);
    return status;
}

dv_status dv_confusion_create(size_t n_classes, dv_confusion **out) {
    return create(n_classes, DV_MAX_CLASSES, false, out);
}

dv_status dv_confusion_create_sparse(size_t n_classes, dv_confusion **out) {
    return create(n_classes, DV_MAX_SPARSE_CLASSES, true, out);
}

void dv_confusion_free(dv_confusion *confusion) {
    if (!confusion) return;
    free(confusion->counts);
    dv_pair_table_clear(&confusion->pairs);
    free(confusion->false_positives);
    free(confusion);
}

void dv_confusion_clear(dv_confusion *confusion) {
    const size_t n = confusion->n_classes;
    if (confusion->counts) memset(confusion->counts, 0, n * n * sizeof *confusion->counts);
    dv_pair_table_reset(&confusion->pairs);
    confusion->out_of_memory = false;
    memset(confusion->false_positives, 0, n * sizeof *confusion->false_positives);
    confusion->ignored = confusion->dropped = 0;
}

dv_status dv_confusion_merge(dv_confusion *confusion, const dv_confusion *other) {
    const size_t n = confusion->n_classes;
    if (other->n_classes != n)
        return dv_fail(DV_E_ARG, "merging confusion matrices of %zu and %zu classes: they must agree", n,
                       other->n_classes);
    if (!other->counts != !confusion->counts)
        return dv_fail(DV_E_ARG, "merging a sparse confusion matrix and one that is not: they must agree");
    if (!other->counts) DV_TRY(dv_pair_table_merge(&confusion->pairs, &other->pairs));
    for (size_t i = 0; other->counts && i < n * n; i++) confusion->counts[i] += other->counts[i];
    for (size_t i = 0; i < n; i++) confusion->false_positives[i] += other->false_positives[i];
    confusion->ignored += other->ignored;
    confusion->dropped += other->dropped;
    return DV_OK;
}

void dv_confusion_add_counts(dv_confusion *confusion, const uint64_t *counts, const uint64_t *false_positives) {
    const size_t n = confusion->n_classes;
    for (size_t i = 0; i < n * n; i++) confusion->counts[i] += counts[i];
    for (size_t i = 0; i < n; i++) confusion->false_positives[i] += false_positives[i];
}

void dv_confusion_add_left_out(dv_confusion *confusion, uint64_t ignored, uint64_t dropped) {
    confusion->ignored += ignored;
    confusion->dropped += dropped;
}

size_t dv_confusion_classes(const dv_confusion *confusion) {
    return confusion->n_classes;
}

const uint64_t *dv_confusion_counts(const dv_confusion *confusion) {
    return confusion->counts;
}

static dv_status dense_cells(const dv_confusion *confusion, dv_confusion_cell **cells, size_t *n_cells) {
    const size_t n = confusion->n_classes;
    size_t n_above = 0, at = 0;
    for (size_t i = 0; i < n * n; i++) n_above += confusion->counts[i] > 0;
    DV_TRY(dv_alloc(n_above, sizeof **cells, "cells of a confusion matrix", cells));
    for (size_t i = 0; i < n * n; i++)
        if (confusion->counts[i])
            (*cells)[at++] = (dv_confusion_cell){(uint16_t)(i / n), (uint16_t)(i % n), confusion->counts[i]};
    *n_cells = n_above;
    return DV_OK;
}

dv_status dv_confusion_cells(const dv_confusion *confusion, dv_confusion_cell **cells, size_t *n_cells) {
    return confusion->counts ? dense_cells(confusion, cells, n_cells)
                             : dv_pair_table_cells(&confusion->pairs, cells, n_cells);
}

void dv_confusion_sums(const dv_confusion *confusion, uint64_t *truth, uint64_t *predicted, uint64_t *correct) {
    const size_t n = confusion->n_classes;
    memset(truth, 0, n * sizeof *truth);
    memset(correct, 0, n * sizeof *correct);
    memcpy(predicted, confusion->false_positives, n * sizeof *predicted);
    for (size_t t = 0; confusion->counts && t < n; t++) {
        correct[t] = confusion->counts[t * n + t];
        for (size_t p = 0; p < n; p++) {
            truth[t] += confusion->counts[t * n + p];
            predicted[p] += confusion->counts[t * n + p];
        }
    }
    for (size_t i = 0; i < confusion->pairs.n_slots; i++) {
        const dv_pair_slot *const slot = &confusion->pairs.slots[i];
        if (!slot->key) continue;
        const uint16_t t = dv_pair_truth(slot), p = dv_pair_pred(slot);
        truth[t] += slot->n_pixels;
        predicted[p] += slot->n_pixels;
        if (t == p) correct[t] += slot->n_pixels;
    }
}

const uint64_t *dv_confusion_false_positives(const dv_confusion *confusion) {
    return confusion->false_positives;
}

uint64_t dv_confusion_ignored(const dv_confusion *confusion) {
    return confusion->ignored;
}

uint64_t dv_confusion_dropped(const dv_confusion *confusion) {
    return confusion->dropped;
}
