/* analysis_runs.c: which cells make a run, and its score: Experiment A. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "metrics/analysis_parts.h"

bool dv_runs_share_encoder(const dv_analysis_run *a, const dv_analysis_run *b) {
    return strcmp(a->encoder, b->encoder) == 0 && a->per_image == b->per_image;
}

bool dv_runs_share_reference(const dv_analysis_run *a, const dv_analysis_run *b) {
    return a->n_reference_bins == b->n_reference_bins &&
           memcmp(a->reference_bins, b->reference_bins, a->n_reference_bins * sizeof *a->reference_bins) == 0;
}

static bool is_of_run(const dv_analysis_run *run, const dv_cell *cell) {
    const dv_analysis_run other = {.encoder = cell->encoder,
                                   .per_image = cell->per_image,
                                   .reference_bins = cell->reference_bins,
                                   .n_reference_bins = cell->n_reference_bins};
    return run->memory == cell->memory && dv_runs_share_encoder(run, &other) && dv_runs_share_reference(run, &other);
}

/* The name of a cell's difficulty, or its reference bins. */
static dv_status name_difficulty(const dv_cell *cell, char **name) {
    size_t size;
    if (cell->difficulty && *cell->difficulty) return dv_strdup(cell->difficulty, name);
    FILE *const stream = open_memstream(name, &size);
    if (!stream) return dv_fail(DV_E_NOMEM, "no memory for the name of a difficulty");
    for (size_t i = 0; i < cell->n_reference_bins; i++)
        fprintf(stream, "%s%ld", i ? "_" : "", (long)cell->reference_bins[i]);
    if (fclose(stream) == 0) return DV_OK;
    free(*name);
    *name = NULL;
    return dv_fail(DV_E_NOMEM, "no memory for the name of a difficulty");
}

static dv_status add_run(dv_analysis *analysis, const dv_cell *cell) {
    dv_analysis_run *const run = &analysis->runs[analysis->n_runs++];
    *run = (dv_analysis_run){.encoder = cell->encoder,
                             .memory = cell->memory,
                             .per_image = cell->per_image,
                             .reference_bins = cell->reference_bins,
                             .n_reference_bins = cell->n_reference_bins,
                             .miou = NAN,
                             .std = NAN};
    DV_TRY(name_difficulty(cell, &run->difficulty));
    DV_TRY(dv_alloc(analysis->n_bins, sizeof(const dv_cell *), "cells of a run", &run->cells));
    return dv_alloc(analysis->n_bins, sizeof *run->missing, "missing bins", &run->missing);
}

/* A run with the place of its encoder in the file, to sort by. */
typedef struct ordered_run {
    dv_analysis_run run;
    size_t encoder, place;
} ordered_run;

static int compare_runs(const void *a, const void *b) {
    const ordered_run *const left = a, *const right = b;
    if (left->encoder != right->encoder) return left->encoder < right->encoder ? -1 : 1;
    if (left->run.per_image != right->run.per_image) return left->run.per_image ? 1 : -1;
    if (left->run.memory != right->run.memory) return left->run.memory < right->run.memory ? -1 : 1;
    return (left->place > right->place) - (left->place < right->place);
}

static dv_status sort_runs(dv_analysis *analysis) {
    ordered_run *runs;
    DV_TRY(dv_alloc(analysis->n_runs, sizeof *runs, "runs", &runs));
    for (size_t i = 0; i < analysis->n_runs; i++) {
        runs[i] = (ordered_run){.run = analysis->runs[i], .encoder = i, .place = i};
        for (size_t j = 0; j < i; j++)
            if (strcmp(runs[j].run.encoder, runs[i].run.encoder) == 0) {
                runs[i].encoder = runs[j].encoder;
                break;
            }
    }
    if (analysis->n_runs > 1) qsort(runs, analysis->n_runs, sizeof *runs, compare_runs);
    for (size_t i = 0; i < analysis->n_runs; i++) analysis->runs[i] = runs[i].run;
    free(runs);
    return DV_OK;
}

dv_status dv_analysis_find_runs(dv_analysis *analysis) {
    const dv_cells *const cells = analysis->cells;
    DV_TRY(dv_alloc(cells->n, sizeof *analysis->runs, "runs", &analysis->runs));
    for (size_t i = 0, run = 0; i < cells->n; i++) {
        const dv_cell *const cell = &cells->cells[i];
        const size_t place = dv_analysis_place(analysis, cell->bin);
        /* mostly the run of the cell before */
        if (run >= analysis->n_runs || !is_of_run(&analysis->runs[run], cell))
            for (run = 0; run < analysis->n_runs && !is_of_run(&analysis->runs[run], cell);) run++;
        if (run == analysis->n_runs) DV_TRY(add_run(analysis, cell));
        if (place != SIZE_MAX) analysis->runs[run].cells[place] = cell;
    }
    return sort_runs(analysis);
}

/* Sample deviation (n - 1) over the object classes that have a value; NaN where fewer than two have. */
static double deviation_of_objects(const double *iou, size_t n_classes) {
    double sum = 0, squares = 0;
    size_t n = 0;
    for (size_t c = 1; c < n_classes; c++) {
        if (isnan(iou[c])) continue;
        sum += iou[c];
        n++;
    }
    if (n < 2) return NAN;
    const double mean = sum / (double)n;
    for (size_t c = 1; c < n_classes; c++)
        if (!isnan(iou[c])) squares += (iou[c] - mean) * (iou[c] - mean);
    return sqrt(squares / (double)(n - 1));
}

static bool is_reference(const dv_analysis_run *run, int32_t bin) {
    for (size_t i = 0; i < run->n_reference_bins; i++)
        if (run->reference_bins[i] == bin) return true;
    return false;
}

static void score_run(const dv_analysis *analysis, dv_analysis_run *run) {
    double sum = 0, deviations = 0;
    for (size_t i = 0; i < analysis->n_bins; i++) {
        const dv_cell *const cell = run->cells[i];
        if (is_reference(run, analysis->bins[i])) continue;
        if (!cell || isnan(cell->miou_objects)) {
            run->missing[run->n_missing++] = analysis->bins[i];
            continue;
        }
        sum += cell->miou_objects;
        deviations += deviation_of_objects(cell->iou, analysis->cells->n_classes);
        run->n_scored++;
    }
    if (run->n_scored == 0) return;
    run->miou = sum / (double)run->n_scored;
    run->std = deviations / (double)run->n_scored;
}

dv_status dv_analysis_score_runs(dv_analysis *analysis) {
    bool scored = false;
    for (size_t i = 0; i < analysis->cells->n; i++) scored |= !isnan(analysis->cells->cells[i].miou);
    if (!scored) return dv_fail(DV_E_DATA, "no cell has a score");
    for (size_t i = 0; i < analysis->n_runs; i++) score_run(analysis, &analysis->runs[i]);
    return DV_OK;
}
