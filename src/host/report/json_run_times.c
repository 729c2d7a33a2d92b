/* json_run_times.c: what a run cost, from the resources.json beside its results. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/analysis.h"
#include "io/text_file.h"
#include "report/beside.h"

void dv_run_times_clear(dv_run_times *times) {
    for (size_t i = 0; i < times->n; i++) {
        free(times->runs[i].path);
        free(times->runs[i].resources);
        free(times->runs[i].encoders);
        free(times->runs[i].memory);
        free(times->runs[i].job);
    }
    free(times->runs);
    *times = (dv_run_times){0};
}

static const double MOST_REAL = 1e12;                     /* seconds, shares */
static const json_int_t MOST_BYTES = (json_int_t)1 << 53; /* their sums over ranks fit */
enum { MOST_COUNT = 1 << 20 };                            /* CPUs, threads, GPUs, parts */

/* NaN: not told. bad: the first key whose value no run could have; NULL: none */
static double get_real(const json_t *object, const char *name, const char **bad) {
    const json_t *const value = json_object_get(object, name);
    const double found = json_number_value(value);
    if (!value || json_is_null(value)) return NAN;
    if (json_is_number(value) && found >= 0 && found <= MOST_REAL) return found;
    if (!*bad) *bad = name;
    return NAN;
}

/* 0: not told. bad: as above */
static uint64_t get_count(const json_t *object, const char *name, json_int_t most, const char **bad) {
    const json_t *const value = json_object_get(object, name);
    const json_int_t found = json_integer_value(value);
    if (!value || json_is_null(value)) return 0;
    if (json_is_integer(value) && found >= 0 && found <= most) return (uint64_t)found;
    if (!*bad) *bad = name;
    return 0;
}

static dv_gpu_account get_gpu(const json_t *object, const char **bad) {
    dv_gpu_account spent = {.n_gpus = get_count(object, "gpus", MOST_COUNT, bad),
                            .memory_bytes = get_count(object, "gpu_memory_bytes", MOST_BYTES, bad)};
    if (spent.n_gpus) spent.gpu_s = get_real(object, "gpu_s", bad);
    return spent;
}

/* What a batch job was given counts instead of threads: that is what others could not use. */
static dv_status read_job(const json_t *job, dv_run_time *run, const char **bad) {
    const char *const id = json_string_value(json_object_get(job, "id"));
    const char *const array = json_string_value(json_object_get(job, "array_id"));
    const char *const task = json_string_value(json_object_get(job, "array_task"));
    run->n_cpus = get_count(job, "cpus", MOST_COUNT, bad);
    run->memory_bytes = get_count(job, "memory_bytes", MOST_BYTES, bad);
    run->allocated_cpu_s = get_real(job, "allocated_cpu_s", bad);
    if (run->n_cpus) run->cpu_efficiency = get_real(job, "cpu_efficiency", bad);
    if (run->memory_bytes) run->memory_efficiency = get_real(job, "memory_efficiency", bad);
    if (!id) return DV_OK;
    if (!array || !task) return dv_strdup(id, &run->job);
    if (asprintf(&run->job, "%s_%s", array, task) >= 0) return DV_OK;
    run->job = NULL;
    return dv_fail(DV_E_NOMEM, "no memory for the id of a job");
}

/* What `ranks` of the resources add up to; the figures beside it are those of rank 0 alone. */
static void read_ranks(const json_t *ranks, dv_run_time *run, const char **bad) {
    run->n_ranks = json_array_size(ranks);
    run->ranks_cpu_s = run->n_ranks ? 0 : NAN;
    for (size_t i = 0; i < json_array_size(ranks); i++) {
        const json_t *const rank = json_array_get(ranks, i);
        const uint64_t peak = get_count(rank, "max_rss_bytes", MOST_BYTES, bad);
        run->ranks_cpu_s += get_real(rank, "cpu_s", bad);
        run->ranks_bytes_read += get_count(rank, "bytes_read", MOST_BYTES, bad);
        if (run->ranks_max_rss_bytes < peak) run->ranks_max_rss_bytes = peak;
        const dv_gpu_account gpu = get_gpu(rank, bad);
        dv_gpu_account_join(&run->ranks_gpu, &gpu);
    }
}

static dv_status read_resources(const char *path, dv_run_time *run) {
    char *text;
    size_t length;
    json_error_t error;
    DV_TRY(dv_text_file_load(path, &text, &length));
    json_t *const root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (!root) return dv_fail(DV_E_DATA, "%s: line %d, column %d: %s", path, error.line, error.column, error.text);
    const json_t *const resources = json_object_get(root, "resources");
    const bool found = json_is_object(resources);
    const char *bad = NULL;
    run->wall_s = get_real(resources, "wall_s", &bad);
    run->cpu_s = get_real(resources, "cpu_s", &bad);
    run->cpu_efficiency = get_real(resources, "cpu_efficiency", &bad);
    run->memory_efficiency = NAN; /* that of the machine is another thing than that of a job */
    run->max_rss_bytes = get_count(resources, "max_rss_bytes", MOST_BYTES, &bad);
    run->n_threads = get_count(resources, "threads", MOST_COUNT, &bad);
    run->gpu = get_gpu(resources, &bad);
    run->n_parts = get_count(root, "parts", MOST_COUNT, &bad);
    read_ranks(json_object_get(resources, "ranks"), run, &bad);
    const dv_status status = read_job(json_object_get(root, "job"), run, &bad);
    json_decref(root);
    DV_TRY(status);
    if (bad) return dv_fail(DV_E_DATA, "%s: %s: is no number that a run could have", path, bad);
    return found ? DV_OK : dv_fail(DV_E_DATA, "%s: resources: missing", path);
}

/* What the cells of a file have in common: each different value once, in order. */
static dv_status list_different(const dv_cells *cells, bool encoders, char **text) {
    size_t size;
    FILE *const stream = open_memstream(text, &size);
    if (!stream) return dv_fail(DV_E_NOMEM, "no memory for a list");
    for (size_t i = 0, n = 0; i < cells->n; i++) {
        const dv_cell *const cell = &cells->cells[i];
        bool first = true;
        for (size_t j = 0; first && j < i; j++)
            first =
                encoders ? strcmp(cells->cells[j].encoder, cell->encoder) != 0 : cells->cells[j].memory != cell->memory;
        if (!first) continue;
        if (n++) fputs(", ", stream);
        if (encoders)
            fputs(cell->encoder, stream);
        else
            fprintf(stream, "%llu", (unsigned long long)cell->memory);
    }
    if (fclose(stream) == 0) return DV_OK;
    free(*text);
    *text = NULL;
    return dv_fail(DV_E_NOMEM, "no memory for a list");
}

static dv_status read_run(const char *path, const char *resources, dv_run_time *run) {
    dv_cells cells;
    DV_TRY(dv_strdup(path, &run->path));
    DV_TRY(dv_strdup(resources, &run->resources));
    DV_TRY(read_resources(resources, run));
    DV_TRY(dv_cells_read(&path, 1, &cells));
    dv_status status = list_different(&cells, true, &run->encoders);
    if (status == DV_OK) status = list_different(&cells, false, &run->memory);
    dv_cells_clear(&cells);
    return status;
}

/* Is there another file of the same folder before this one? results.json and results.csv are of one run. */
static bool is_repeated(const char *const *paths, size_t i) {
    const size_t length = dv_folder_bytes(paths[i]);
    for (size_t j = 0; j < i; j++)
        if (dv_folder_bytes(paths[j]) == length && memcmp(paths[j], paths[i], length) == 0) return true;
    return false;
}

dv_status dv_run_times_read(const char *const *paths, size_t n_paths, dv_run_times *out) {
    dv_run_times times = {0};
    struct stat facts;
    *out = (dv_run_times){0};
    dv_status status = dv_alloc(n_paths, sizeof *times.runs, "times of runs", &times.runs);
    for (size_t i = 0; status == DV_OK && i < n_paths; i++) {
        char *resources;
        status = dv_path_beside(paths[i], "resources.json", &resources);
        if (resources && !is_repeated(paths, i) && stat(resources, &facts) == 0)
            status = read_run(paths[i], resources, &times.runs[times.n++]);
        free(resources);
    }
    if (status == DV_OK)
        *out = times;
    else
        dv_run_times_clear(&times);
    return status;
}
