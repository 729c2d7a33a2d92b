/* plot_maps.c: heat maps: where neighbours come from, where curves break, which encoder beats which. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "report/plot_analysis.h"

enum { MOST = 256, NUMBER_SIZE = 16 };

/* A heat map in the making; names may be borrowed or printed into the texts. */
typedef struct map {
    size_t n_rows, n_columns;
    const char **rows, **columns;
    char (*row_texts)[NUMBER_SIZE], (*column_texts)[NUMBER_SIZE];
    double *values; /* f64 [n_rows, n_columns], NaN at first */
} map;

static dv_status allocate(map *m, size_t n_rows, size_t n_columns) {
    size_t n;
    *m = (map){.n_rows = n_rows, .n_columns = n_columns};
    DV_TRY(dv_mul_size(n_rows, n_columns, "a heat map", &n));
    DV_TRY(dv_alloc(n_rows, sizeof *m->rows, "a heat map", &m->rows));
    DV_TRY(dv_alloc(n_columns, sizeof *m->columns, "a heat map", &m->columns));
    DV_TRY(dv_alloc(n_rows, sizeof *m->row_texts, "a heat map", &m->row_texts));
    DV_TRY(dv_alloc(n_columns, sizeof *m->column_texts, "a heat map", &m->column_texts));
    DV_TRY(dv_alloc(n, sizeof *m->values, "a heat map", &m->values));
    for (size_t i = 0; i < n_rows; i++) m->rows[i] = m->row_texts[i];
    for (size_t i = 0; i < n_columns; i++) m->columns[i] = m->column_texts[i];
    for (size_t i = 0; i < n; i++) m->values[i] = NAN;
    return DV_OK;
}

static void release(map *m) {
    free(m->rows);
    free(m->columns);
    free(m->row_texts);
    free(m->column_texts);
    free(m->values);
}

/* All maps show shares, 0 to 1. */
static dv_status draw(const map *m, const char *title, const char *x_label, const char *y_label,
                      const char *value_label, const char *path) {
    for (size_t i = 0; i < m->n_rows * m->n_columns; i++)
        if (!isnan(m->values[i])) {
            const dv_plot_matrix matrix = {title,   x_label,    y_label,   value_label, m->n_rows, m->n_columns,
                                           m->rows, m->columns, m->values, 0.0,         1.0};
            return dv_plot_matrix_draw(&matrix, path, true);
        }
    return DV_OK;
}

/* "WHAT: ENCODER, memory SIZE, DIFFICULTY"; encoder "" where all are meant. */
static void make_title(const dv_analysis_run *run, const char *what, const char *encoder, char *title, size_t size) {
    char memory[DV_GRID_NAME_SIZE], difficulty[DV_GRID_NAME_SIZE];
    dv_plot_memory_name(run, memory);
    dv_plot_difficulty_name(run, difficulty);
    snprintf(title, size, "%s: %.100s%s%s%s%s%s", what, encoder, *encoder ? ", " : "", *memory ? "memory " : "", memory,
             *memory ? ", " : "", difficulty);
}

/* ---- Provenance ---------------------------------------------------------------------------------------------------
 */

static void fill_row(const dv_provenance *from, const dv_provenance *columns, double *row) {
    double total = (double)from->n_unfilled;
    for (size_t i = 0; i < from->n_bins; i++) total += (double)from->from[i];
    for (size_t i = 0; i < from->n_bins; i++)
        for (size_t c = 0; c < columns->n_bins; c++)
            if (columns->bins[c] == from->bins[i]) row[c] = (double)from->from[i] / total;
}

/* The provenance of the run that knows the most bank bins; NULL: it has none. */
static const dv_provenance *widest(const dv_analysis *analysis, const dv_analysis_run *run) {
    const dv_provenance *found = NULL;
    for (size_t i = 0; i < analysis->n_bins; i++) {
        const dv_cell *cell = run->cells[i];
        if (cell && cell->provenance.n_bins > (found ? found->n_bins : 0)) found = &cell->provenance;
    }
    return found;
}

static dv_status draw_provenance(const dv_plot_grid *grid, const dv_analysis_run *run, size_t encoder) {
    const dv_analysis *analysis = grid->analysis;
    const dv_provenance *columns = widest(analysis, run);
    if (!columns || analysis->n_bins > MOST || columns->n_bins > MOST) return DV_OK;
    map m;
    char title[3 * DV_GRID_NAME_SIZE], memory[DV_GRID_NAME_SIZE], number[NUMBER_SIZE], *path = NULL;
    dv_status status = allocate(&m, analysis->n_bins, columns->n_bins);
    if (status == DV_OK) {
        for (size_t c = 0; c < m.n_columns; c++)
            snprintf(m.column_texts[c], NUMBER_SIZE, "%ld", (long)columns->bins[c]);
        for (size_t i = 0; i < m.n_rows; i++) {
            snprintf(m.row_texts[i], NUMBER_SIZE, "%ld", (long)analysis->bins[i]);
            if (run->cells[i]) fill_row(&run->cells[i]->provenance, columns, m.values + i * m.n_columns);
        }
        make_title(run, "Neighbours", run->encoder, title, sizeof title);
        dv_plot_memory_name(run, memory);
        snprintf(number, sizeof number, "%zu", encoder + 1);
        status = dv_plot_path(grid, (const char *const[]){"provenance", number, run->encoder, memory, run->difficulty},
                              &path);
    }
    if (status == DV_OK)
        status = draw(&m, title, "bank bin (degrees)", "query bin (degrees)", "share of neighbours", path);
    free(path);
    release(&m);
    return status;
}

dv_status dv_plot_provenance(const dv_plot_grid *grid) {
    for (size_t m = 0; m < grid->n_memories; m++)
        for (size_t d = 0; d < grid->n_difficulties; d++)
            for (size_t e = 0; e < grid->n_encoders; e++) {
                const dv_analysis_run *run = dv_plot_grid_run(grid, m, d, e);
                if (run) DV_TRY(draw_provenance(grid, run, e));
            }
    return DV_OK;
}

/* ---- Breaking points ----------------------------------------------------------------------------------------------
 */

static size_t curve_of(const dv_analysis *analysis, const dv_analysis_run *run) {
    for (size_t c = 0; run && c < analysis->n_curves; c++)
        if (&analysis->runs[analysis->curves[c].run] == run) return c;
    return SIZE_MAX;
}

/* Columns: the bins behind the reference bin, then "never". Curves of one difficulty have the same bins. */
static void fill_breaking(const dv_plot_grid *grid, size_t memory, size_t difficulty, map *m) {
    const dv_analysis *analysis = grid->analysis;
    for (size_t e = 0; e < grid->n_encoders; e++) {
        const size_t c = curve_of(analysis, dv_plot_grid_run(grid, memory, difficulty, e));
        m->rows[e] = grid->encoders[e];
        if (c == SIZE_MAX) continue;
        const dv_curve_resampling *curve = &grid->bootstrap->curves[c];
        double *row = m->values + e * m->n_columns;
        for (size_t i = 1; i < curve->n; i++) {
            row[i - 1] = curve->breaks[analysis->steps][i];
            snprintf(m->column_texts[i - 1], NUMBER_SIZE, "%ld", (long)analysis->curves[c].bins[i]);
        }
        row[curve->n - 1] = curve->never[analysis->steps];
    }
    m->columns[m->n_columns - 1] = "never";
}

static dv_status draw_breaking(const dv_plot_grid *grid, size_t memory, size_t difficulty) {
    const dv_analysis_run *run = NULL;
    size_t curve = SIZE_MAX;
    for (size_t e = 0; e < grid->n_encoders && curve == SIZE_MAX; e++) {
        run = dv_plot_grid_run(grid, memory, difficulty, e);
        curve = curve_of(grid->analysis, run);
    }
    if (curve == SIZE_MAX || grid->analysis->curves[curve].n > MOST) return DV_OK;
    map m;
    char title[3 * DV_GRID_NAME_SIZE], name[DV_GRID_NAME_SIZE], *path = NULL;
    dv_status status = allocate(&m, grid->n_encoders, grid->analysis->curves[curve].n);
    if (status == DV_OK) {
        fill_breaking(grid, memory, difficulty, &m);
        const bool all = grid->analysis->steps == DV_STEPS_ALL;
        make_title(run, all ? "Breaking points, all steps" : "Breaking points, validation steps", "", title,
                   sizeof title);
        dv_plot_memory_name(run, name);
        status = dv_plot_path(grid, (const char *const[DV_PLOT_PATH_PARTS]){"breaking", name, run->difficulty}, &path);
    }
    if (status == DV_OK) status = draw(&m, title, "breaking point (degrees)", "encoder", "share of resamples", path);
    free(path);
    release(&m);
    return status;
}

dv_status dv_plot_breaking(const dv_plot_grid *grid) {
    if (!grid->bootstrap || grid->n_encoders > MOST) return DV_OK;
    for (size_t m = 0; m < grid->n_memories; m++)
        for (size_t d = 0; d < grid->n_difficulties; d++) DV_TRY(draw_breaking(grid, m, d));
    return DV_OK;
}

/* ---- Wins ---------------------------------------------------------------------------------------------------------
 */

static size_t place_of(const dv_plot_grid *grid, size_t memory, size_t difficulty, size_t run) {
    for (size_t e = 0; e < grid->n_encoders; e++)
        if (dv_plot_grid_run(grid, memory, difficulty, e) == &grid->analysis->runs[run]) return e;
    return SIZE_MAX;
}

static void fill_wins(const dv_plot_grid *grid, size_t memory, size_t difficulty, map *m) {
    const dv_viewpoint_bootstrap *bootstrap = grid->bootstrap;
    for (size_t e = 0; e < grid->n_encoders; e++) m->rows[e] = m->columns[e] = grid->encoders[e];
    for (size_t p = 0; p < bootstrap->n_pairs; p++) {
        const dv_run_pair *pair = &bootstrap->pairs[p];
        const size_t a = place_of(grid, memory, difficulty, pair->a), b = place_of(grid, memory, difficulty, pair->b);
        if (a == SIZE_MAX || b == SIZE_MAX) continue;
        m->values[a * m->n_columns + b] = pair->above;
        m->values[b * m->n_columns + a] = 1.0 - pair->above - pair->equal;
    }
}

static dv_status draw_wins(const dv_plot_grid *grid, size_t memory, size_t difficulty) {
    dv_analysis_run run = grid->analysis->runs[grid->difficulties[difficulty]];
    run.memory = grid->analysis->runs[grid->memories[memory]].memory;
    run.per_image = grid->analysis->runs[grid->memories[memory]].per_image;
    map m;
    char title[3 * DV_GRID_NAME_SIZE], name[DV_GRID_NAME_SIZE], *path = NULL;
    dv_status status = allocate(&m, grid->n_encoders, grid->n_encoders);
    if (status == DV_OK) {
        fill_wins(grid, memory, difficulty, &m);
        make_title(&run, "Row beats column", "", title, sizeof title);
        dv_plot_memory_name(&run, name);
        status = dv_plot_path(grid, (const char *const[DV_PLOT_PATH_PARTS]){"wins", name, run.difficulty}, &path);
    }
    if (status == DV_OK) status = draw(&m, title, "encoder", "encoder", "share of resamples", path);
    free(path);
    release(&m);
    return status;
}

dv_status dv_plot_wins(const dv_plot_grid *grid) {
    if (!grid->bootstrap || grid->n_encoders < 2 || grid->n_encoders > MOST) return DV_OK;
    for (size_t m = 0; m < grid->n_memories; m++)
        for (size_t d = 0; d < grid->n_difficulties; d++) DV_TRY(draw_wins(grid, m, d));
    return DV_OK;
}
