#include "denseval/confusion.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "metrics/pair_table.h"

struct dv_confusion {
    size_t n_classes;
    uint64_t *counts;          /* [n_classes, n_classes], row = truth; NULL of a sparse matrix */
    dv_pair_table pairs;       /* of a sparse matrix */
    bool out_of_memory;        /* a pair got lost */
    uint64_t *false_positives; /* [n_classes], by prediction */
    uint64_t ignored, dropped;
};

static dv_status create(size_t n_classes, size_t most, bool sparse, dv_confusion **out) {
    *out = NULL;
    if (n_classes < 1 || n_classes > most)
        return dv_fail(DV_E_ARG, "%zu classes: a confusion matrix has 1..%zu", n_classes, most);
    dv_confusion *made;
    DV_TRY(dv_alloc(1, sizeof *made, "a confusion matrix", &made));
    made->n_classes = n_classes;
    dv_status status = DV_OK;
    if (!sparse) status = dv_alloc(n_classes * n_classes, sizeof *made->counts, "confusion counts", &made->counts);
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

/* Adds n_pixels of one pair of labels; false when the pair may not be counted. Predictions under pixels that are left
 * out are not looked at. */
static bool add_pair(dv_confusion *confusion, const dv_pixel_policy *policy, uint16_t truth, uint16_t pred,
                     uint64_t n_pixels) {
    const size_t n = confusion->n_classes;
    if (dv_label_set_has(&policy->ignored, truth)) {
        confusion->ignored += n_pixels;
        return true;
    }
    if (truth >= n && policy->invalid == DV_INVALID_DROP) {
        confusion->dropped += n_pixels;
        return true;
    }
    if (pred >= n || (truth >= n && policy->invalid == DV_INVALID_ERROR)) return false;
    if (truth >= n)
        confusion->false_positives[pred] += n_pixels;
    else if (confusion->counts)
        confusion->counts[truth * n + pred] += n_pixels;
    else
        confusion->out_of_memory |= !dv_pair_table_add(&confusion->pairs, truth, pred, n_pixels);
    return true;
}

enum {
    LANES = 4,
    BLOCK_WORDS = 8,
    BLOCK = LANES * BLOCK_WORDS
}; /* labels of a word of 64 bits; words, and labels,
      that are compared at once */

/* Where the run of `begin` ends at the latest, looking at whole blocks: each is all truths and all preds, 32 labels a
 * comparison. */
static size_t skip_blocks(const uint16_t *restrict truth, const uint16_t *restrict pred, size_t begin, size_t n_pixels,
                          uint64_t truths, uint64_t preds) {
    size_t i = begin;
    for (; i + BLOCK <= n_pixels; i += BLOCK) {
        uint64_t t[BLOCK_WORDS], p[BLOCK_WORDS], differs = 0;
        memcpy(t, truth + i, sizeof t);
        memcpy(p, pred + i, sizeof p);
        for (size_t w = 0; w < BLOCK_WORDS; w++) differs |= (t[w] ^ truths) | (p[w] ^ preds);
        if (differs) break;
    }
    return i;
}

/* How many pixels from `begin` on hold the same pair as the one there. */
static size_t run_length(const uint16_t *restrict truth, const uint16_t *restrict pred, size_t begin, size_t n_pixels) {
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the lowest bits of a word are its first label");
    const uint64_t every_lane = 0x0001000100010001;
    const uint64_t truths = truth[begin] * every_lane, preds = pred[begin] * every_lane;
    size_t i = skip_blocks(truth, pred, begin, n_pixels, truths, preds);
    for (; i + LANES <= n_pixels; i += LANES) {
        uint64_t t, p;
        memcpy(&t, truth + i, sizeof t);
        memcpy(&p, pred + i, sizeof p);
        const uint64_t differs = (t ^ truths) | (p ^ preds);
        if (differs) return i + (size_t)__builtin_ctzll(differs) / 16 - begin;
    }
    while (i < n_pixels && truth[i] == truth[begin] && pred[i] == pred[begin]) i++;
    return i - begin;
}

/* Adds the first n_pixels, `times` (modulo 2^64) each; stops before a pair that may not be counted and returns its
 * index, else n_pixels. Label maps are flat in large parts, so each run of equal pixels is one addition. */
static size_t add_runs(dv_confusion *confusion, const dv_pixel_policy *policy, const uint16_t *truth,
                       const uint16_t *pred, size_t n_pixels, uint64_t times) {
    size_t length;
    for (size_t i = 0; i < n_pixels; i += length) {
        length = run_length(truth, pred, i, n_pixels);
        if (!add_pair(confusion, policy, truth[i], pred[i], length * times)) return i;
    }
    return n_pixels;
}

dv_status dv_confusion_add(dv_confusion *confusion, const dv_pixel_policy *policy, const uint16_t *truth,
                           const uint16_t *pred, size_t height, size_t width) {
    const dv_invalid_labels invalid = policy->invalid;
    if (invalid != DV_INVALID_ERROR && invalid != DV_INVALID_DROP && invalid != DV_INVALID_FALSE_POSITIVE)
        return dv_fail(DV_E_ARG, "invalid-labels policy %d: there is no such policy", (int)invalid);
    size_t n_pixels;
    DV_TRY(dv_mul_size(height, width, "pixels of a label map", &n_pixels));
    const size_t fault = add_runs(confusion, policy, truth, pred, n_pixels, 1);
    if (confusion->out_of_memory) return dv_fail(DV_E_NOMEM, "no memory for the pairs of classes of a label map");
    if (fault == n_pixels) return DV_OK;
    add_runs(confusion, policy, truth, pred, fault, UINT64_MAX); /* -1 each: takes back what was added */
    const size_t row = fault / width, column = fault % width, n = confusion->n_classes;
    if (truth[fault] >= n && invalid == DV_INVALID_ERROR)
        return dv_fail(DV_E_DATA, "row %zu column %zu, label %d: labels must be below %zu", row, column, truth[fault],
                       n);
    return dv_fail(DV_E_ARG, "row %zu column %zu, prediction %d: predictions must be below %zu", row, column,
                   pred[fault], n);
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
