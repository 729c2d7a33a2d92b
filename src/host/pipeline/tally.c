#include "pipeline/tally.h"

#include <stdlib.h>

#include "cluster/exchange.h"
#include "core/check.h"
#include "core/memory.h"
#include "pipeline/scoring.h"

/* A cell: images, confusion, false positives, sources, then these. Behind all cells: the objects of each. */
enum { N_ORIGIN_SUMS = 3 };

static size_t cell_size(const dv_tally_shape *shape) {
    return 1 + shape->n_classes * shape->n_classes + shape->n_classes + shape->n_sources + N_ORIGIN_SUMS;
}

static size_t cell_base(const dv_tally_shape *shape, size_t config, size_t bin) {
    return (config * shape->n_bins + bin) * cell_size(shape);
}

static size_t object_base(const dv_tally_shape *shape, size_t config, size_t bin, size_t object) {
    const size_t n_cells = shape->n_configs * shape->n_bins, cell = config * shape->n_bins + bin;
    return n_cells * cell_size(shape) + (cell * shape->n_objects + object) * 3 * shape->n_classes;
}

static dv_status count_values(const dv_tally_shape *shape, size_t *n) {
    static const char what[] = "the counts of a sweep";
    size_t n_cells, n_objects, per_cell;
    DV_TRY(dv_mul_size(shape->n_configs, shape->n_bins, what, &n_cells));
    DV_TRY(dv_mul_size(3 * shape->n_classes, shape->n_objects, what, &n_objects));
    DV_TRY(dv_add_size(cell_size(shape), n_objects, what, &per_cell));
    return dv_mul_size(n_cells, per_cell, what, n);
}

dv_status dv_tally_make(const dv_tally_shape *shape, dv_tally *tally) {
    *tally = (dv_tally){.shape = *shape};
    DV_TRY(count_values(shape, &tally->n_values));
    DV_TRY(dv_alloc(tally->n_values, sizeof *tally->sums, "the counts of a sweep", &tally->sums));
    DV_TRY(dv_alloc(tally->n_values, sizeof *tally->block, "the counts of a block", &tally->block));
    DV_TRY(dv_alloc(tally->n_values, sizeof *tally->touched, "the counts of a block", &tally->touched));
    return dv_alloc(3 * shape->n_classes, sizeof *tally->scratch, "the counts of an image", &tally->scratch);
}

void dv_tally_clear(dv_tally *tally) {
    free(tally->sums);
    free(tally->block);
    free(tally->touched);
    free(tally->scratch);
    *tally = (dv_tally){0};
}

static void add(dv_tally *tally, size_t index, uint64_t value) {
    if (value == 0) return;
    if (tally->block[index] == 0) tally->touched[tally->n_touched++] = index;
    tally->block[index] += value;
}

static void add_all(dv_tally *tally, size_t base, size_t n, const uint64_t *values) {
    for (size_t i = 0; i < n; i++) add(tally, base + i, values[i]);
}

void dv_tally_add_image(dv_tally *tally, size_t config, size_t bin, size_t object, const dv_confusion *confusion,
                        const dv_tally_origin *origin) {
    const dv_tally_shape *shape = &tally->shape;
    const size_t n = shape->n_classes;
    const uint64_t rest[N_ORIGIN_SUMS] = {origin->n_class, origin->n_object, origin->n_unfilled};
    size_t at = cell_base(shape, config, bin);
    add(tally, at++, 1);
    add_all(tally, at, n * n, dv_confusion_counts(confusion));
    at += n * n;
    add_all(tally, at, n, dv_confusion_false_positives(confusion));
    at += n;
    add_all(tally, at, shape->n_sources, origin->from);
    add_all(tally, at + shape->n_sources, N_ORIGIN_SUMS, rest);
    dv_class_counts(confusion, tally->scratch, tally->scratch + n, tally->scratch + 2 * n);
    add_all(tally, object_base(shape, config, bin, object), 3 * n, tally->scratch);
}

void dv_tally_end_block(dv_tally *tally, dv_tally_change *changes) {
    for (size_t i = 0; i < tally->n_touched; i++) {
        const size_t index = tally->touched[i];
        changes[i] = (dv_tally_change){index, tally->block[index]};
        tally->sums[index] += tally->block[index];
        tally->block[index] = 0;
    }
    tally->n_touched = 0;
}

static dv_status send_block(dv_ranks *ranks, dv_tally *tally) {
    const uint64_t n = tally->n_touched;
    dv_tally_change *changes;
    DV_TRY(dv_alloc(tally->n_touched, sizeof *changes, "the counts of a block", &changes));
    dv_tally_end_block(tally, changes);
    dv_status status = dv_ranks_send(ranks, 0, &n, sizeof n);
    if (status == DV_OK) status = dv_ranks_send(ranks, 0, changes, (size_t)n * sizeof *changes);
    free(changes);
    return status;
}

static dv_status receive_block(dv_ranks *ranks, size_t from, dv_tally *tally) {
    uint64_t n = 0;
    dv_tally_change *changes;
    DV_TRY(dv_ranks_receive(ranks, from, &n, sizeof n));
    DV_TRY(dv_alloc((size_t)n, sizeof *changes, "the counts of a block", &changes));
    const dv_status status = dv_ranks_receive(ranks, from, changes, (size_t)n * sizeof *changes);
    for (size_t i = 0; status == DV_OK && i < n; i++) add(tally, (size_t)changes[i].index, changes[i].value);
    free(changes);
    return status;
}

dv_status dv_tally_join(dv_ranks *ranks, dv_tally *tally) {
    if (dv_ranks_index(ranks) > 0) return send_block(ranks, tally);
    for (size_t rank = 1; rank < dv_ranks_count(ranks); rank++) DV_TRY(receive_block(ranks, rank, tally));
    return DV_OK;
}

dv_status dv_tally_replay(dv_tally *tally, const dv_tally_change *changes, size_t n_changes) {
    for (size_t i = 0; i < n_changes; i++) {
        if (changes[i].index >= tally->n_values)
            return dv_fail(DV_E_DATA, "a block adds to count %llu of %zu", (unsigned long long)changes[i].index,
                           tally->n_values);
        tally->sums[changes[i].index] += changes[i].value;
    }
    return DV_OK;
}

dv_tally_cell dv_tally_get(const dv_tally *tally, size_t config, size_t bin) {
    const size_t n = tally->shape.n_classes;
    uint64_t *at = tally->sums + cell_base(&tally->shape, config, bin);
    dv_tally_cell cell = {.n_images = at[0], .confusion = at + 1, .false_positives = at + 1 + n * n};
    at += 1 + n * n + n;
    cell.origin = (dv_tally_origin){.from = at};
    at += tally->shape.n_sources;
    cell.origin.n_class = at[0];
    cell.origin.n_object = at[1];
    cell.origin.n_unfilled = at[2];
    return cell;
}

const uint64_t *dv_tally_object(const dv_tally *tally, size_t config, size_t bin, size_t object) {
    return tally->sums + object_base(&tally->shape, config, bin, object);
}
