/* json_sweep_merge.c: the results of all parts of a sweep as those of one run. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/analysis.h"
#include "denseval/viewpoint_bootstrap.h"
#include "report/json_report.h"
#include "report/json_settings.h"
#include "report/json_sweep_part.h"

enum { MAX_NAMED = 20 };

/* The folders, and which of them is which part. */
typedef struct merging {
    size_t n_files, n_parts;
    dv_sweep_part_file *files; /* [n_files] */
    size_t *places;            /* [n_parts]: the file of a part is places[part] - 1; 0: nobody gave it */
} merging;

/* Parts count from 0 here. */
static const dv_sweep_part_file *file_of(const merging *m, size_t part) {
    return m->places[part] ? &m->files[m->places[part] - 1] : NULL;
}

static dv_status differ(const dv_sweep_part_file *a, const dv_sweep_part_file *b) {
    return dv_fail(DV_E_DATA, "%s: part %zu has other values than in %s", b->results, b->part.part, a->results);
}

static bool same_texts(char *const *a, char *const *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(a[i], b[i]) != 0) return false;
    return true;
}

static bool same_objects(const dv_object_counts *a, const dv_object_counts *b) {
    return a->n_objects == b->n_objects && a->n_classes == b->n_classes &&
           same_texts(a->object_ids, b->object_ids, a->n_objects);
}

static bool same_counts(const dv_object_counts *a, const dv_object_counts *b) {
    if (a->n_cells != b->n_cells) return false;
    if (a->n_cells == 0) return true; /* neither has any */
    if (!same_objects(a, b)) return false;
    const size_t n_bytes = a->n_cells * a->n_objects * a->n_classes * sizeof *a->unions; /* fits: it is there */
    return memcmp(a->intersections, b->intersections, n_bytes) == 0 && memcmp(a->unions, b->unions, n_bytes) == 0 &&
           memcmp(a->truths, b->truths, n_bytes) == 0;
}

static bool has_counts(const dv_sweep_part_file *file) {
    struct stat found;
    return stat(file->counts, &found) == 0;
}

static dv_status read_counts(const dv_sweep_part_file *file, dv_object_counts *counts) {
    *counts = (dv_object_counts){0};
    if (!has_counts(file)) return DV_OK;
    DV_TRY(dv_object_counts_read(file->counts, counts));
    if (counts->n_cells == file->part.n) return DV_OK;
    return dv_fail(DV_E_DATA, "%s: counts of %zu cells, the part has %zu", file->counts, counts->n_cells, file->part.n);
}

/* The same part twice, as a job that was given twice leaves it. */
static dv_status compare_twice(const dv_sweep_part_file *a, const dv_sweep_part_file *b) {
    dv_object_counts first, second = {0};
    if (!json_equal(json_object_get(a->root, "cells"), json_object_get(b->root, "cells"))) return differ(a, b);
    dv_status status = read_counts(a, &first);
    if (status == DV_OK) status = read_counts(b, &second);
    if (status == DV_OK && !same_counts(&first, &second)) status = differ(a, b);
    dv_object_counts_clear(&first);
    dv_object_counts_clear(&second);
    return status;
}

static dv_status read_parts(merging *m, const char *const *folders) {
    for (size_t i = 0; i < m->n_files; i++) {
        dv_sweep_part_file *const file = &m->files[i];
        DV_TRY(dv_check_interrupted());
        DV_TRY(dv_sweep_part_file_read(folders[i], file));
        if (i == 0) {
            m->n_parts = file->part.n_parts;
            DV_TRY(dv_alloc(m->n_parts, sizeof *m->places, "parts of a sweep", &m->places));
        } else {
            DV_TRY(dv_sweep_part_file_compare(&m->files[0], file));
        }
        const dv_sweep_part_file *const before = file_of(m, file->part.part - 1);
        if (before)
            DV_TRY(compare_twice(before, file));
        else
            m->places[file->part.part - 1] = i + 1;
    }
    return DV_OK;
}

/* Names all parts that nobody gave, or the first of them and their number. */
static dv_status check_complete(const merging *m) {
    char names[MAX_NAMED * 24] = "";
    size_t n = 0;
    for (size_t i = 0; i < m->n_parts; i++) {
        const size_t length = strlen(names);
        if (!file_of(m, i) && n++ < MAX_NAMED)
            snprintf(names + length, sizeof names - length, "%s%zu", length ? ", " : "", i + 1);
    }
    if (n == 0) return DV_OK;
    if (n > MAX_NAMED)
        return dv_fail(DV_E_MISSING, "parts %s and %zu more of %zu are missing", names, n - MAX_NAMED, m->n_parts);
    return dv_fail(DV_E_MISSING, "part%s %s of %zu %s missing", n > 1 ? "s" : "", names, m->n_parts,
                   n > 1 ? "are" : "is");
}

/* ---- Joining ------------------------------------------------------------------------------------------------------
 */

static dv_status join_json(const merging *m, char **text) {
    json_t *const root = json_copy(file_of(m, 0)->root), *const cells = json_array();
    bool good = root && cells && json_object_del(root, "part") == 0;
    for (size_t i = 0; good && i < m->n_parts; i++)
        good = json_array_extend(cells, json_object_get(file_of(m, i)->root, "cells")) == 0;
    good = good && json_object_set(root, "cells", cells) == 0;
    const dv_status status = good ? dv_json_dump(root, text) : dv_fail(DV_E_NOMEM, "no memory for the joined results");
    json_decref(cells);
    json_decref(root);
    return status;
}

/* What the parts have spent together. */
static dv_status join_resources(const char *const *paths, size_t n_parts, dv_sweep_merged *out) {
    dv_resources *const sum = &out->resources;
    DV_TRY(dv_run_times_read(paths, n_parts, &out->times));
    out->has_resources = out->times.n == n_parts;
    for (size_t i = 0; out->has_resources && i < n_parts; i++) {
        const dv_run_time *const run = &out->times.runs[i];
        sum->wall_s += run->wall_s;
        sum->cpu_s += run->cpu_s;
        if (sum->max_rss_bytes < run->max_rss_bytes) sum->max_rss_bytes = (size_t)run->max_rss_bytes;
        if (sum->n_threads < run->n_threads) sum->n_threads = (size_t)run->n_threads;
        dv_gpu_account_follow(&sum->gpu, &run->gpu);
    }
    return DV_OK;
}

static dv_status join_cells(const merging *m, dv_sweep_merged *out) {
    const dv_cells *const cells = &out->cells;
    const char **paths;
    DV_TRY(dv_alloc(m->n_parts, sizeof *paths, "parts of a sweep", &paths));
    for (size_t i = 0; i < m->n_parts; i++) paths[i] = file_of(m, i)->results;
    dv_status status = dv_cells_read(paths, m->n_parts, &out->cells);
    if (status == DV_OK) status = join_resources(paths, m->n_parts, out);
    free(paths);
    DV_TRY(status);
    if (cells->n == file_of(m, 0)->part.n_cells) return DV_OK;
    return dv_fail(DV_E_DATA, "%s: and the other parts hold %zu different cells, %zu are wanted",
                   file_of(m, 0)->results, cells->n, file_of(m, 0)->part.n_cells);
}

/* What intervals are made of must be of these cells. */
static dv_status check_counts(const dv_sweep_part_file *file, const dv_object_counts *counts,
                              const dv_sweep_merged *out) {
    if (out->n_resamples == 0) return DV_OK;
    return dv_context(dv_viewpoint_counts_check(&out->cells, file->part.first, counts, out->absent, NULL), "%s",
                      file->counts);
}

/* Puts the counts of a part behind those of the parts before it. */
static dv_status add_counts(const dv_sweep_part_file *file, dv_sweep_merged *out) {
    dv_object_counts *const all = &out->counts;
    dv_object_counts one;
    DV_TRY(read_counts(file, &one));
    dv_status status = DV_OK;
    if (one.n_cells == 0)
        status = dv_fail(DV_E_MISSING, "%s: is missing, other parts have it", file->counts);
    else if (!same_objects(&one, all))
        status = dv_fail(DV_E_DATA, "%s: has other objects or classes than the first part", file->counts);
    if (status == DV_OK) status = check_counts(file, &one, out);
    const size_t n_values = one.n_objects * one.n_classes; /* of a cell */
    for (size_t i = 0; status == DV_OK && i < one.n_cells * n_values; i++) {
        const size_t to = file->part.first * n_values + i;
        all->intersections[to] = one.intersections[i];
        all->unions[to] = one.unions[i];
        all->truths[to] = one.truths[i];
    }
    dv_object_counts_clear(&one);
    return status;
}

static dv_status make_counts(const merging *m, const dv_object_counts *like, dv_object_counts *all) {
    DV_TRY(dv_object_counts_create(file_of(m, 0)->part.n_cells, like->n_objects, like->n_classes, all));
    for (size_t i = 0; i < like->n_objects; i++) DV_TRY(dv_strdup(like->object_ids[i], &all->object_ids[i]));
    return DV_OK;
}

static dv_status join_counts(const merging *m, dv_sweep_merged *out) {
    bool any = false;
    dv_object_counts first;
    for (size_t i = 0; i < m->n_parts; i++) any = any || has_counts(file_of(m, i));
    if (!any) return DV_OK;
    DV_TRY(read_counts(file_of(m, 0), &first));
    dv_status status = make_counts(m, &first, &out->counts);
    dv_object_counts_clear(&first);
    for (size_t i = 0; status == DV_OK && i < m->n_parts; i++) status = add_counts(file_of(m, i), out);
    return status;
}

/* What the analysis has from the settings of the sweep. */
static dv_status join_settings(const merging *m, dv_sweep_merged *out) {
    const dv_sweep_part_file *first = file_of(m, 0);
    uint64_t n_resamples;
    dv_status status = dv_json_setting_absent(first->root, &out->absent);
    if (status == DV_OK) status = dv_json_setting_count(first->root, "seed", UINT64_MAX, &out->seed);
    if (status == DV_OK) status = dv_json_setting_count(first->root, "bootstrap", DV_MOST_RESAMPLES, &n_resamples);
    if (status != DV_OK) return dv_context(status, "%s", first->results);
    out->n_resamples = (size_t)n_resamples;
    return dv_report_create_like("denseval analysis v1", first->root, &out->analysis);
}

static dv_status merge(merging *m, const char *const *folders, dv_sweep_merged *out) {
    DV_TRY(dv_alloc(m->n_files, sizeof *m->files, "parts of a sweep", &m->files));
    DV_TRY(read_parts(m, folders));
    DV_TRY(check_complete(m));
    out->n_parts = m->n_parts;
    DV_TRY(join_cells(m, out));
    DV_TRY(join_settings(m, out));
    DV_TRY(join_counts(m, out));
    return join_json(m, &out->json);
}

dv_status dv_sweep_merge(const char *const *folders, size_t n_folders, dv_sweep_merged *out) {
    *out = (dv_sweep_merged){0};
    if (n_folders == 0) return dv_fail(DV_E_ARG, "no parts of a sweep to be merged");
    merging m = {.n_files = n_folders};
    const dv_status status = merge(&m, folders, out);
    for (size_t i = 0; m.files && i < m.n_files; i++) dv_sweep_part_file_clear(&m.files[i]);
    free(m.files);
    free(m.places);
    if (status != DV_OK) dv_sweep_merged_clear(out);
    return status;
}

void dv_sweep_merged_clear(dv_sweep_merged *merged) {
    free(merged->json);
    dv_cells_clear(&merged->cells);
    dv_object_counts_clear(&merged->counts);
    dv_report_free(merged->analysis);
    free(merged->tables);
    dv_run_times_clear(&merged->times);
    *merged = (dv_sweep_merged){0};
}
