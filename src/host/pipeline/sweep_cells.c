#include "pipeline/sweep_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/confusion.h"
#include "denseval/iou.h"

/* A list of values of a cell is a copy that the cell owns. */
static dv_status copy(const void *values, size_t n, size_t size, void *out) {
    DV_TRY(dv_alloc(n, size, "a cell", out));
    void *made;
    memcpy(&made, out, sizeof made); /* `out` points to a pointer of any type */
    if (n) memcpy(made, values, n * size);
    return DV_OK;
}

static bool is_reference(const dv_sweep_difficulty *difficulty, int32_t bin) {
    for (size_t i = 0; i < difficulty->n_bins; i++)
        if (difficulty->bins[i] == bin) return true;
    return false;
}

static dv_status describe(const dv_sweep_scores *s, size_t config, size_t bin, dv_cell *cell) {
    const dv_sweep_config *sweep = s->plan->config;
    const dv_sweep_choice choice = s->plan->choices[config];
    const dv_sweep_difficulty *difficulty = &sweep->difficulties[choice.difficulty];
    DV_TRY(dv_strdup(s->plan->encoder->name, &cell->encoder));
    DV_TRY(dv_strdup(difficulty->name, &cell->difficulty));
    DV_TRY(copy(difficulty->bins, difficulty->n_bins, sizeof *difficulty->bins, &cell->reference_bins));
    cell->n_reference_bins = difficulty->n_bins;
    cell->memory = sweep->memory[choice.memory];
    cell->per_image = sweep->per_image;
    cell->bin = sweep->validation_bins[bin];
    cell->reference = is_reference(difficulty, cell->bin);
    cell->n_bank_rows = s->progress->bank_rows[config];
    return DV_OK;
}

static dv_status fill_relabel(const dv_iou *iou, dv_cell *cell) {
    DV_TRY(dv_alloc(iou->n_classes, sizeof *cell->relabel, "a relabelling", &cell->relabel));
    for (size_t c = 0; c < iou->n_classes; c++) cell->relabel[c] = (int32_t)iou->relabel[c];
    return DV_OK;
}

/* Scores with background, then the mean without it. */
static dv_status compute_scores(const dv_sweep_config *sweep, const dv_confusion *confusion, dv_cell *cell,
                                bool *is_empty) {
    bool *excluded;
    dv_iou iou = {0}, objects = {0};
    dv_iou_policy policy = {.absent = sweep->absent, .hungarian = sweep->relabel == DV_RELABEL_HUNGARIAN};
    DV_TRY(dv_alloc(dv_confusion_classes(confusion), sizeof *excluded, "the classes", &excluded));
    excluded[0] = true;
    dv_status status = dv_iou_compute(confusion, &policy, &iou);
    policy.excluded = excluded;
    if (status == DV_OK) status = dv_iou_compute(confusion, &policy, &objects);
    if (status == DV_OK) {
        cell->miou = iou.miou;
        cell->miou_objects = objects.miou;
        memcpy(cell->iou, iou.iou, iou.n_classes * sizeof *cell->iou);
        *is_empty = isnan(iou.pixel_accuracy);
    }
    if (status == DV_OK && policy.hungarian) status = fill_relabel(&iou, cell);
    dv_iou_clear(&iou);
    dv_iou_clear(&objects);
    free(excluded);
    return status;
}

static dv_status score_cell(const dv_sweep_scores *s, const dv_tally_cell *sums, dv_cell *cell) {
    const size_t n_classes = s->progress->tally.shape.n_classes;
    dv_confusion *confusion;
    bool is_empty = true;
    DV_TRY(copy(sums->confusion, n_classes * n_classes, sizeof *sums->confusion, &cell->confusion));
    cell->n_images = sums->n_images;
    DV_TRY(dv_confusion_create(n_classes, &confusion));
    dv_confusion_add_counts(confusion, sums->confusion, sums->false_positives);
    const dv_status status = sums->n_images ? compute_scores(s->plan->config, confusion, cell, &is_empty) : DV_OK;
    dv_confusion_free(confusion);
    if (status != DV_OK || !is_empty || s->options->allow_empty) return status;
    return dv_fail(DV_E_DATA, "encoder \"%s\", bin %d: nothing was scored of %zu images", cell->encoder, (int)cell->bin,
                   (size_t)sums->n_images);
}

static dv_status fill_provenance(const dv_sweep_scores *s, const dv_tally_origin *origin, dv_cell *cell) {
    dv_provenance *provenance = &cell->provenance;
    const size_t n = cell->n_reference_bins;
    DV_TRY(copy(cell->reference_bins, n, sizeof *provenance->bins, &provenance->bins));
    DV_TRY(dv_alloc(n, sizeof *provenance->from, "a provenance", &provenance->from));
    provenance->n_bins = n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < s->n_sources; j++)
            if (s->sources[j] == provenance->bins[i]) provenance->from[i] = origin->from[j];
    provenance->n_class = origin->n_class;
    provenance->n_object = origin->n_object;
    provenance->n_unfilled = origin->n_unfilled;
    return DV_OK;
}

static void fill_counts(const dv_tally *tally, size_t config, size_t bin, size_t row, dv_object_counts *counts) {
    const size_t n = counts->n_classes, bytes = n * sizeof *counts->truths;
    for (size_t object = 0; object < counts->n_objects; object++) {
        const uint64_t *sums = dv_tally_object(tally, config, bin, object);
        const size_t at = (row * counts->n_objects + object) * n;
        memcpy(counts->intersections + at, sums, bytes);
        memcpy(counts->unions + at, sums + n, bytes);
        memcpy(counts->truths + at, sums + 2 * n, bytes);
    }
}

static dv_status add_cell(const dv_sweep_scores *s, size_t config, size_t bin, dv_cells *cells,
                          dv_object_counts *counts) {
    const dv_tally_cell sums = dv_tally_get(&s->progress->tally, config, bin);
    const size_t row = cells->n;
    dv_cell *cell;
    DV_TRY(dv_cells_add(cells, &cell));
    DV_TRY(describe(s, config, bin, cell));
    DV_TRY(score_cell(s, &sums, cell));
    DV_TRY(fill_provenance(s, &sums.origin, cell));
    fill_counts(&s->progress->tally, config, bin, row, counts);
    return DV_OK;
}

dv_status dv_sweep_cells_add(const dv_sweep_scores *s, dv_cells *cells, dv_object_counts *counts) {
    size_t first, n;
    dv_sweep_part_cells(s->plan->config, s->options, &first, &n);
    for (size_t config = 0; config < s->plan->n_configs; config++)
        for (size_t bin = 0; bin < s->plan->config->n_validation_bins; bin++) {
            const size_t number = dv_sweep_cell_number(s->plan->config, s->encoder, s->plan->choices[config], bin);
            if (number >= first && number - first < n) DV_TRY(add_cell(s, config, bin, cells, counts));
        }
    return DV_OK;
}
