/* json_cell_counts.c: the counts of objects that belong to cells of several result files. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/analysis.h"
#include "denseval/sweep_merge.h"
#include "denseval/viewpoint_bootstrap.h"
#include "io/text_file.h"
#include "report/beside.h"
#include "report/cells_read.h"
#include "report/json_settings.h"

/* What is being joined. */
typedef struct joiner {
    const dv_cells *cells;
    size_t *order; /* [cells->n]: cells by key */
    bool *filled;  /* [cells->n] */
    dv_object_counts *counts;
    const char *first_path; /* whose objects and policy all others must have; NULL: none was read yet */
    dv_absent absent;
} joiner;

static int compare_cells(const void *a, const void *b, void *cells) {
    const dv_cell *const all = cells;
    return dv_cell_compare_key(&all[*(const size_t *)a], &all[*(const size_t *)b]);
}

/* Place of a cell among all; SIZE_MAX: it is none of them. */
static size_t find_cell(const joiner *j, const dv_cell *cell) {
    size_t low = 0, high = j->cells->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = dv_cell_compare_key(&j->cells->cells[j->order[middle]], cell);
        if (order == 0) return j->order[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}

/* `settings.absent` of a results.json; skip where it tells none. */
static dv_status read_absent(const char *path, dv_absent *absent) {
    char *text;
    size_t length;
    json_error_t error;
    DV_TRY(dv_text_file_load(path, &text, &length));
    json_t *const root = json_loadb(text, length, 0, &error);
    free(text);
    const dv_status status = dv_json_setting_absent(root, absent); /* NULL is allowed: a CSV has no settings */
    json_decref(root);
    return dv_context(status, "%s", path);
}

static dv_status check_objects(const joiner *j, const char *path, const dv_object_counts *counts) {
    bool same = counts->n_objects == j->counts->n_objects;
    for (size_t i = 0; same && i < counts->n_objects; i++)
        same = strcmp(counts->object_ids[i], j->counts->object_ids[i]) == 0;
    if (same) return DV_OK;
    return dv_fail(DV_E_DATA, "%s: other objects (%zu) than those of %s (%zu)", path, counts->n_objects, j->first_path,
                   j->counts->n_objects);
}

/* The first file says which objects there are. */
static dv_status take_objects(joiner *j, const char *path, const dv_object_counts *counts) {
    if (j->first_path) return check_objects(j, path, counts);
    DV_TRY(dv_object_counts_create(j->cells->n, counts->n_objects, counts->n_classes, j->counts));
    for (size_t i = 0; i < counts->n_objects; i++) DV_TRY(dv_strdup(counts->object_ids[i], &j->counts->object_ids[i]));
    j->first_path = path;
    return DV_OK;
}

static void copy_cell(joiner *j, size_t to, const dv_object_counts *counts, size_t from) {
    const size_t n = counts->n_objects * counts->n_classes, bytes = n * sizeof(uint64_t);
    memcpy(j->counts->intersections + to * n, counts->intersections + from * n, bytes);
    memcpy(j->counts->unions + to * n, counts->unions + from * n, bytes);
    memcpy(j->counts->truths + to * n, counts->truths + from * n, bytes);
    j->filled[to] = true;
}

static dv_status join_counts(joiner *j, const char *path, const dv_cells *cells, const dv_object_counts *counts) {
    if (counts->n_cells != cells->n || counts->n_classes != cells->n_classes)
        return dv_fail(DV_E_DATA, "%s: %zu cells of %zu classes: the results beside it have %zu of %zu", path,
                       counts->n_cells, counts->n_classes, cells->n, cells->n_classes);
    DV_TRY(dv_context(dv_viewpoint_counts_check(cells, 0, counts, j->absent, NULL), "%s", path));
    DV_TRY(take_objects(j, path, counts));
    for (size_t i = 0; i < cells->n; i++) {
        const size_t place = find_cell(j, &cells->cells[i]);
        if (place != SIZE_MAX && !j->filled[place]) copy_cell(j, place, counts, i);
    }
    return DV_OK;
}

static dv_status join_file(joiner *j, const char *path, const char *counts_path) {
    dv_cells cells = {0};
    dv_object_counts counts = {0};
    dv_absent absent;
    const bool first = j->first_path == NULL;
    DV_TRY(read_absent(path, &absent));
    if (!first && absent != j->absent)
        return dv_fail(DV_E_DATA, "%s: settings.absent: another policy than beside %s", path, j->first_path);
    j->absent = absent;
    dv_status status = dv_cells_read(&path, 1, &cells);
    if (status == DV_OK) status = dv_object_counts_read(counts_path, &counts);
    if (status == DV_OK) status = join_counts(j, counts_path, &cells, &counts);
    dv_object_counts_clear(&counts);
    dv_cells_clear(&cells);
    return status;
}

static dv_status join_all(joiner *j, const char *const *paths, char *const *counts_paths, size_t n_paths) {
    DV_TRY(dv_alloc(j->cells->n, sizeof *j->order, "order of cells", &j->order));
    DV_TRY(dv_alloc(j->cells->n, sizeof *j->filled, "cells with counts", &j->filled));
    for (size_t i = 0; i < j->cells->n; i++) j->order[i] = i;
    if (j->cells->n > 1) qsort_r(j->order, j->cells->n, sizeof *j->order, compare_cells, j->cells->cells);
    for (size_t i = 0; i < n_paths; i++) DV_TRY(join_file(j, paths[i], counts_paths[i]));
    for (size_t i = 0; i < j->cells->n; i++)
        if (!j->filled[i])
            return dv_fail(DV_E_DATA, "encoder %s, memory %llu, bin %ld: there are no counts of its objects",
                           j->cells->cells[i].encoder, (unsigned long long)j->cells->cells[i].memory,
                           (long)j->cells->cells[i].bin);
    return DV_OK;
}

dv_status dv_analysis_counts_read(const char *const *paths, size_t n_paths, const dv_cells *cells,
                                  dv_object_counts *out, dv_absent *absent) {
    char **counts_paths;
    *out = (dv_object_counts){0};
    joiner j = {.cells = cells, .counts = out};
    DV_TRY(dv_alloc(n_paths, sizeof *counts_paths, "paths", &counts_paths));
    dv_status status = DV_OK;
    for (size_t i = 0; status == DV_OK && i < n_paths; i++) {
        status = dv_path_beside(paths[i], DV_SWEEP_COUNTS, &counts_paths[i]);
        if (status == DV_OK && access(counts_paths[i], F_OK) != 0)
            status = dv_fail(DV_E_MISSING, "%s: is not there; intervals need the counts beside %s", counts_paths[i],
                             paths[i]);
    }
    if (status == DV_OK) status = join_all(&j, paths, counts_paths, n_paths);
    *absent = j.absent;
    for (size_t i = 0; i < n_paths; i++) free(counts_paths[i]);
    free(counts_paths);
    free(j.order);
    free(j.filled);
    if (status != DV_OK) dv_object_counts_clear(out);
    return status;
}
