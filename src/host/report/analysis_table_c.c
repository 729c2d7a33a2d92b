/* analysis_table_c.c: Experiment C: what a larger memory gains (Table 10), and what the runs cost. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/check.h"
#include "report/analysis_tables.h"

static void add_sizes(dv_text_table *table, const dv_analysis *analysis, size_t from, size_t to) {
    dv_text_table_add_count(table, analysis->runs[from].memory);
    dv_text_table_add_count(table, analysis->runs[to].memory);
    dv_text_table_add(table, "%s", analysis->runs[from].per_image ? "per_image" : "rows");
}

static void add_gain_row(dv_text_table *table, const dv_analysis *analysis, const char *encoder, const char *difficulty,
                         const dv_analysis_mean_gain *gain) {
    dv_text_table_add(table, "%s", encoder);
    add_sizes(table, analysis, gain->from, gain->to);
    dv_text_table_add(table, "%s", difficulty);
    dv_text_table_add_real(table, gain->gain, -1);
    dv_text_table_add_real(table, gain->gain_of_rounded, -1);
}

static dv_status print_rows(const dv_analysis *analysis, FILE *stream) {
    static const char *const names[] = {"encoder", "from",           "to", "memory_kind", "difficulty",
                                        "gain",    "gain_of_rounded"};
    dv_text_table table = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) dv_text_table_add(&table, "%s", names[i]);
    dv_text_table_end_names(&table);
    for (size_t i = 0; i < analysis->n_gains; i++) {
        const dv_analysis_gain *const gain = &analysis->gains[i];
        const dv_analysis_mean_gain one = {gain->from, gain->to, 1, gain->gain, gain->gain_of_rounded};
        add_gain_row(&table, analysis, analysis->runs[gain->from].encoder, analysis->runs[gain->from].difficulty, &one);
    }
    for (size_t i = 0; i < analysis->n_encoder_gains; i++)
        add_gain_row(&table, analysis, analysis->runs[analysis->encoder_gains[i].from].encoder, "average",
                     &analysis->encoder_gains[i]);
    for (size_t i = 0; i < analysis->n_difficulty_gains; i++)
        add_gain_row(&table, analysis, "average", analysis->runs[analysis->difficulty_gains[i].from].difficulty,
                     &analysis->difficulty_gains[i]);
    return dv_finish_table(&table, DV_TABLE_CSV, NULL, stream);
}

static bool same_sizes(const dv_analysis_run *runs, const dv_analysis_mean_gain *a, const dv_analysis_mean_gain *b) {
    return runs[a->from].memory == runs[b->from].memory && runs[a->to].memory == runs[b->to].memory &&
           runs[a->from].per_image == runs[b->from].per_image;
}

/* The gain of an encoder in a difficulty, of the same sizes as its mean; NaN where there is none. */
static double gain_in(const dv_analysis *analysis, const dv_analysis_mean_gain *mean, const char *difficulty) {
    const dv_analysis_run *const runs = analysis->runs;
    for (size_t i = 0; i < analysis->n_gains; i++) {
        const dv_analysis_gain *const gain = &analysis->gains[i];
        const dv_analysis_mean_gain sizes = {.from = gain->from, .to = gain->to};
        if (same_sizes(runs, &sizes, mean) && strcmp(runs[gain->from].encoder, runs[mean->from].encoder) == 0 &&
            strcmp(runs[gain->from].difficulty, difficulty) == 0)
            return gain->gain;
    }
    return NAN;
}

/* The table of one pair of sizes, that of encoder_gains[first]. */
static dv_status print_sizes(const dv_analysis *analysis, size_t first, dv_table_form form, FILE *stream) {
    const dv_analysis_run *const runs = analysis->runs;
    const dv_analysis_mean_gain *const sizes = &analysis->encoder_gains[first];
    dv_text_table table = {0};
    dv_text_table_add(&table, "encoder");
    for (size_t i = 0; i < analysis->n_difficulty_gains; i++)
        if (same_sizes(runs, &analysis->difficulty_gains[i], sizes))
            dv_text_table_add(&table, "%s", runs[analysis->difficulty_gains[i].from].difficulty);
    dv_text_table_add(&table, "average");
    dv_text_table_end_names(&table);
    for (size_t e = first; e < analysis->n_encoder_gains; e++) {
        const dv_analysis_mean_gain *const mean = &analysis->encoder_gains[e];
        if (!same_sizes(runs, mean, sizes)) continue;
        dv_text_table_add(&table, "%s", runs[mean->from].encoder);
        for (size_t i = 0; i < analysis->n_difficulty_gains; i++)
            if (same_sizes(runs, &analysis->difficulty_gains[i], sizes))
                dv_text_table_add_real(&table,
                                       gain_in(analysis, mean, runs[analysis->difficulty_gains[i].from].difficulty), 4);
        dv_text_table_add_real(&table, mean->gain, 4);
    }
    dv_text_table_add(&table, "average");
    for (size_t i = 0; i < analysis->n_difficulty_gains; i++)
        if (same_sizes(runs, &analysis->difficulty_gains[i], sizes))
            dv_text_table_add_real(&table, analysis->difficulty_gains[i].gain, 4);
    dv_text_table_add(&table, "%s", "");
    char title[128], from[DV_MEMORY_TEXT_SIZE], to[DV_MEMORY_TEXT_SIZE];
    snprintf(title, sizeof title, "Experiment C, memory %s to %s: gain in mIoU of the objects",
             dv_memory_text(runs[sizes->from].memory, runs[sizes->from].per_image, from),
             dv_memory_text(runs[sizes->to].memory, runs[sizes->to].per_image, to));
    return dv_finish_table(&table, form, title, stream);
}

dv_status dv_print_experiment_c(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                                FILE *stream) {
    (void)extras;
    if (form == DV_TABLE_CSV) return print_rows(analysis, stream);
    for (size_t i = 0; i < analysis->n_encoder_gains; i++) {
        bool first = true;
        for (size_t j = 0; j < i; j++)
            first &= !same_sizes(analysis->runs, &analysis->encoder_gains[i], &analysis->encoder_gains[j]);
        if (first) DV_TRY(print_sizes(analysis, i, form, stream));
    }
    return DV_OK;
}

/* Columns of a table of runs: the first ones always, those of parts, jobs, ranks and GPUs in a CSV and where a run has
 * them.
 */
typedef struct runtime_columns {
    bool parts, jobs, ranks, gpus;
} runtime_columns;

static runtime_columns find_columns(const dv_run_times *times, dv_table_form form) {
    const bool all = form == DV_TABLE_CSV;
    runtime_columns c = {all, all, all, all};
    for (size_t i = 0; i < times->n; i++) {
        c.parts |= times->runs[i].n_parts > 0;
        c.jobs |= times->runs[i].job || times->runs[i].n_cpus;
        c.ranks |= times->runs[i].n_ranks > 0;
        c.gpus |= times->runs[i].gpu.n_gpus || times->runs[i].ranks_gpu.n_gpus;
    }
    return c;
}

static void add_names(dv_text_table *table, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++) dv_text_table_add(table, "%s", names[i]);
}

#define ADD_NAMES(table, names) add_names(table, names, sizeof(names) / sizeof *(names))

static void add_runtime_names(dv_text_table *table, runtime_columns columns) {
    static const char *const names[] = {"results", "encoders",       "memory",        "wall_s",
                                        "cpu_s",   "cpu_efficiency", "max_rss_bytes", "memory_efficiency",
                                        "threads"};
    static const char *const job_names[] = {"job", "job_cpus", "job_memory_bytes", "allocated_cpu_s"};
    static const char *const rank_names[] = {"ranks", "ranks_cpu_s", "ranks_max_rss_bytes", "ranks_bytes_read"};
    static const char *const gpu_names[] = {"gpu_s", "gpu_memory_bytes"};
    static const char *const rank_gpu_names[] = {"ranks_gpu_s", "ranks_gpu_memory_bytes"};
    ADD_NAMES(table, names);
    if (columns.parts) dv_text_table_add(table, "sum_of_parts");
    if (columns.jobs) ADD_NAMES(table, job_names);
    if (columns.ranks) ADD_NAMES(table, rank_names);
    if (columns.gpus) ADD_NAMES(table, gpu_names);
    if (columns.gpus && columns.ranks) ADD_NAMES(table, rank_gpu_names);
    dv_text_table_end_names(table);
}

/* Empty where no GPU was used. */
static void add_gpu(dv_text_table *table, const dv_gpu_account *spent, int seconds) {
    dv_text_table_add_real(table, spent->n_gpus ? spent->gpu_s : NAN, seconds);
    if (spent->n_gpus)
        dv_text_table_add_count(table, spent->memory_bytes);
    else
        dv_text_table_add(table, "%s", "");
}

static void add_parts_job_ranks_and_gpus(dv_text_table *table, runtime_columns columns, const dv_run_time *run,
                                         int seconds) {
    if (columns.parts && run->n_parts) dv_text_table_add_count(table, run->n_parts);
    if (columns.parts && !run->n_parts) dv_text_table_add(table, "%s", "");
    if (columns.jobs) {
        dv_text_table_add(table, "%s", run->job ? run->job : "");
        dv_text_table_add_count(table, run->n_cpus);
        dv_text_table_add_count(table, run->memory_bytes);
        dv_text_table_add_real(table, run->n_cpus ? run->allocated_cpu_s : NAN, seconds);
    }
    if (columns.ranks) {
        dv_text_table_add_count(table, run->n_ranks);
        dv_text_table_add_real(table, run->ranks_cpu_s, seconds);
        dv_text_table_add_count(table, run->ranks_max_rss_bytes);
        dv_text_table_add_count(table, run->ranks_bytes_read);
    }
    if (columns.gpus) add_gpu(table, &run->gpu, seconds);
    if (columns.gpus && columns.ranks) add_gpu(table, &run->ranks_gpu, seconds);
}

dv_status dv_print_runtime(const dv_analysis *analysis, const dv_analysis_extras *extras, dv_table_form form,
                           FILE *stream) {
    (void)analysis;
    const dv_run_times *const times = extras->times;
    if (!times || times->n == 0) return DV_OK;
    const runtime_columns columns = find_columns(times, form);
    dv_text_table table = {0};
    add_runtime_names(&table, columns);
    const int seconds = form == DV_TABLE_CSV ? -1 : 1, share = form == DV_TABLE_CSV ? -1 : 3;
    for (size_t i = 0; i < times->n; i++) {
        const dv_run_time *const run = &times->runs[i];
        dv_text_table_add(&table, "%s", run->path);
        dv_text_table_add(&table, "%s", run->encoders);
        dv_text_table_add(&table, "%s", run->memory);
        dv_text_table_add_real(&table, run->wall_s, seconds);
        dv_text_table_add_real(&table, run->cpu_s, seconds);
        dv_text_table_add_real(&table, run->cpu_efficiency, share);
        dv_text_table_add_count(&table, run->max_rss_bytes);
        dv_text_table_add_real(&table, run->memory_efficiency, share);
        dv_text_table_add_count(&table, run->n_threads);
        add_parts_job_ranks_and_gpus(&table, columns, run, seconds);
    }
    return dv_finish_table(&table, form, "Time and memory of the runs", stream);
}
