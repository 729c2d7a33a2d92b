/* plot_analysis.h: an analysis as a grid of encoders x memory sizes x difficulties, and the pieces of its figures. */
#ifndef DV_REPORT_PLOT_ANALYSIS_H
#define DV_REPORT_PLOT_ANALYSIS_H

#include <stdint.h>

#include "denseval/analysis_plots.h"
#include "denseval/plot.h"

enum { DV_GRID_NAME_SIZE = 160 };

#define DV_PLOT_BAND_NAME "95 % interval"

/* Each list has its members once, in the order of the runs; memory sizes rise. A member is known by the first run that
 * has it. */
typedef struct dv_plot_grid {
    const dv_analysis *analysis;
    const dv_viewpoint_bootstrap *bootstrap; /* NULL: none */
    const char *folder;
    size_t n_encoders, n_memories, n_difficulties;
    const char **encoders; /* [n_encoders] */
    size_t *memories;      /* runs, [n_memories] */
    size_t *difficulties;  /* runs, [n_difficulties] */
    size_t *runs;          /* [n_memories, n_difficulties, n_encoders]; SIZE_MAX: there is none */
    double *ticks;         /* f64 [n_bins]: all bins */
} dv_plot_grid;

DV_MUST_USE dv_status dv_plot_grid_create(const dv_analysis *analysis, const dv_viewpoint_bootstrap *bootstrap,
                                          const char *folder, dv_plot_grid *out);
void dv_plot_grid_clear(dv_plot_grid *grid);

/* The run at a place of the grid; NULL: there is none. */
const dv_analysis_run *dv_plot_grid_run(const dv_plot_grid *grid, size_t memory, size_t difficulty, size_t encoder);

/* "320k", "20 an image"; "" where it is not known. */
void dv_plot_memory_name(const dv_analysis_run *run, char name[DV_GRID_NAME_SIZE]);
/* "easy (bank: 0, 30, 60, 90)", or the bins alone where the difficulty has no other name. */
void dv_plot_difficulty_name(const dv_analysis_run *run, char name[DV_GRID_NAME_SIZE]);

/* What breaking points are called under a rule. */
const char *dv_plot_breaking_name(dv_steps steps);

/* Curves that are filled in, each of n_points. */
typedef struct dv_plot_sheet {
    size_t n_lines, n_points;
    dv_plot_line *lines; /* [n_lines]: n and pointers are set, y, low and high are NaN, no marks */
    double *values;      /* what they point to */
    unsigned char *marks;
} dv_plot_sheet;

/* x  f64 [n_points], borrowed until the sheet is cleared */
DV_MUST_USE dv_status dv_plot_sheet_create(size_t n_lines, size_t n_points, const double *x, dv_plot_sheet *out);
void dv_plot_sheet_clear(dv_plot_sheet *sheet);
void dv_plot_sheet_set(dv_plot_sheet *sheet, size_t line, size_t point, double y, const dv_interval *band);
void dv_plot_sheet_mark(dv_plot_sheet *sheet, size_t line, size_t point, dv_plot_mark mark);

enum { DV_PLOT_PATH_PARTS = 5 };

/* FOLDER/NAME: of the parts, joined by "_", with only letters, digits, "-", "." and "_" in them; empty ones and NULL
 * are left out. *path: the caller's until free() */
DV_MUST_USE dv_status dv_plot_path(const dv_plot_grid *grid, const char *const parts[DV_PLOT_PATH_PARTS], char **path);

/* One a kind of figure: draws all of that kind. */
DV_MUST_USE dv_status dv_plot_absolute(const dv_plot_grid *grid);
DV_MUST_USE dv_status dv_plot_normalised(const dv_plot_grid *grid);
DV_MUST_USE dv_status dv_plot_difficulty(const dv_plot_grid *grid);
DV_MUST_USE dv_status dv_plot_memory(const dv_plot_grid *grid);
DV_MUST_USE dv_status dv_plot_classes(const dv_plot_grid *grid);
DV_MUST_USE dv_status dv_plot_provenance(const dv_plot_grid *grid);
DV_MUST_USE dv_status dv_plot_breaking(const dv_plot_grid *grid);
DV_MUST_USE dv_status dv_plot_wins(const dv_plot_grid *grid);

#endif
