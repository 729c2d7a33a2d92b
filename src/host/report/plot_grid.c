/* plot_grid.c: which encoders, memory sizes and difficulties there are, and how they are called. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "report/analysis_tables.h"
#include "report/plot_analysis.h"

static bool same_memory(const dv_analysis_run *a, const dv_analysis_run *b) {
    return a->memory == b->memory && a->per_image == b->per_image;
}

static bool same_difficulty(const dv_analysis_run *a, const dv_analysis_run *b) {
    return a->n_reference_bins == b->n_reference_bins &&
           memcmp(a->reference_bins, b->reference_bins, a->n_reference_bins * sizeof *a->reference_bins) == 0;
}

/* Place of a run among the first runs of their kind; it is added where it is new. */
static size_t place_of(const dv_analysis *analysis, size_t run, size_t *firsts, size_t *n,
                       bool (*same)(const dv_analysis_run *, const dv_analysis_run *)) {
    for (size_t i = 0; i < *n; i++)
        if (same(&analysis->runs[firsts[i]], &analysis->runs[run])) return i;
    firsts[*n] = run;
    return (*n)++;
}

static size_t encoder_place(dv_plot_grid *grid, const char *encoder) {
    for (size_t i = 0; i < grid->n_encoders; i++)
        if (strcmp(grid->encoders[i], encoder) == 0) return i;
    grid->encoders[grid->n_encoders] = encoder;
    return grid->n_encoders++;
}

/* Runs of one encoder rise by memory, but another encoder may have a size in between. */
static void sort_memories(dv_plot_grid *grid) {
    const dv_analysis_run *runs = grid->analysis->runs;
    for (size_t i = 1; i < grid->n_memories; i++)
        for (size_t j = i; j > 0; j--) {
            const size_t low = grid->memories[j - 1], high = grid->memories[j];
            const bool in_order = runs[low].per_image != runs[high].per_image ? runs[high].per_image
                                                                              : runs[low].memory < runs[high].memory;
            if (in_order) break;
            grid->memories[j - 1] = high;
            grid->memories[j] = low;
        }
}

static dv_status fill(dv_plot_grid *grid) {
    const dv_analysis *analysis = grid->analysis;
    const size_t n_runs = analysis->n_runs;
    DV_TRY(dv_alloc(n_runs, sizeof *grid->encoders, "a grid of runs", &grid->encoders));
    DV_TRY(dv_alloc(n_runs, sizeof *grid->memories, "a grid of runs", &grid->memories));
    DV_TRY(dv_alloc(n_runs, sizeof *grid->difficulties, "a grid of runs", &grid->difficulties));
    DV_TRY(dv_alloc(analysis->n_bins, sizeof *grid->ticks, "bins", &grid->ticks));
    for (size_t i = 0; i < analysis->n_bins; i++) grid->ticks[i] = analysis->bins[i];
    for (size_t run = 0; run < n_runs; run++) {
        encoder_place(grid, analysis->runs[run].encoder);
        place_of(analysis, run, grid->memories, &grid->n_memories, same_memory);
        place_of(analysis, run, grid->difficulties, &grid->n_difficulties, same_difficulty);
    }
    sort_memories(grid);
    size_t n;
    DV_TRY(dv_mul_size(grid->n_memories, grid->n_difficulties, "a grid of runs", &n));
    DV_TRY(dv_mul_size(n, grid->n_encoders, "a grid of runs", &n));
    DV_TRY(dv_alloc(n, sizeof *grid->runs, "a grid of runs", &grid->runs));
    for (size_t i = 0; i < n; i++) grid->runs[i] = SIZE_MAX;
    for (size_t run = 0; run < n_runs; run++) {
        const size_t memory = place_of(analysis, run, grid->memories, &grid->n_memories, same_memory);
        const size_t difficulty = place_of(analysis, run, grid->difficulties, &grid->n_difficulties, same_difficulty);
        const size_t encoder = encoder_place(grid, analysis->runs[run].encoder);
        grid->runs[(memory * grid->n_difficulties + difficulty) * grid->n_encoders + encoder] = run;
    }
    return DV_OK;
}

dv_status dv_plot_grid_create(const dv_analysis *analysis, const dv_viewpoint_bootstrap *bootstrap, const char *folder,
                              dv_plot_grid *out) {
    *out = (dv_plot_grid){.analysis = analysis, .bootstrap = bootstrap, .folder = folder};
    const dv_status status = fill(out);
    if (status != DV_OK) dv_plot_grid_clear(out);
    return status;
}

void dv_plot_grid_clear(dv_plot_grid *grid) {
    free(grid->encoders);
    free(grid->memories);
    free(grid->difficulties);
    free(grid->runs);
    free(grid->ticks);
    *grid = (dv_plot_grid){0};
}

const dv_analysis_run *dv_plot_grid_run(const dv_plot_grid *grid, size_t memory, size_t difficulty, size_t encoder) {
    const size_t run = grid->runs[(memory * grid->n_difficulties + difficulty) * grid->n_encoders + encoder];
    return run == SIZE_MAX ? NULL : &grid->analysis->runs[run];
}

/* ---- Names --------------------------------------------------------------------------------------------------------
 */

void dv_plot_memory_name(const dv_analysis_run *run, char name[DV_GRID_NAME_SIZE]) {
    char text[DV_MEMORY_TEXT_SIZE];
    snprintf(name, DV_GRID_NAME_SIZE, "%s", run->memory ? dv_memory_text(run->memory, run->per_image, text) : "");
}

void dv_plot_difficulty_name(const dv_analysis_run *run, char name[DV_GRID_NAME_SIZE]) {
    char bins[DV_GRID_NAME_SIZE / 2] = "";
    size_t length = 0;
    for (size_t i = 0; i < run->n_reference_bins && length + 16 < sizeof bins; i++)
        length +=
            (size_t)snprintf(bins + length, sizeof bins - length, "%s%ld", i ? ", " : "", (long)run->reference_bins[i]);
    const char *own = run->difficulty;
    if (own[strspn(own, "0123456789_-")] == '\0')
        snprintf(name, DV_GRID_NAME_SIZE, "bank: %s", bins);
    else
        snprintf(name, DV_GRID_NAME_SIZE, "%.60s (bank: %s)", own, bins);
}

const char *dv_plot_breaking_name(dv_steps steps) {
    return steps == DV_STEPS_VALIDATION ? "breaking point (validation steps)" : "breaking point (all steps)";
}

/* Letters, digits, "-", "." and "_"; never a name that is hidden or leads elsewhere. */
static void append_safe(FILE *stream, const char *part) {
    enum { MOST_BYTES = 60 };
    for (size_t i = 0; i < MOST_BYTES && part[i]; i++) {
        const char c = part[i];
        const bool safe = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
                          c == '_' || (c == '.' && i > 0);
        fputc(safe ? c : '_', stream);
    }
}

dv_status dv_plot_path(const dv_plot_grid *grid, const char *const parts[DV_PLOT_PATH_PARTS], char **path) {
    size_t size;
    *path = NULL;
    FILE *const stream = open_memstream(path, &size);
    if (!stream) return dv_fail(DV_E_NOMEM, "no memory for a path");
    fprintf(stream, "%s/", grid->folder);
    for (size_t i = 0; i < DV_PLOT_PATH_PARTS; i++) {
        if (!parts[i] || !*parts[i]) continue;
        if (i > 0) fputc('_', stream);
        append_safe(stream, parts[i]);
    }
    if (fclose(stream) == 0 && *path) return DV_OK;
    free(*path);
    *path = NULL;
    return dv_fail(DV_E_NOMEM, "no memory for a path");
}
