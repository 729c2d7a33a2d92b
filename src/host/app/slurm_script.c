#include "app/slurm_script.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/context.h"
#include "app/message.h"
#include "app/slurm_script_body.h" /* made of configs/slurm/sweep.sbatch */
#include "denseval/version.h"

/* What is asked for beyond the estimate, and in which steps. */
enum { TIME_FACTOR = 2, TIME_MORE_MIN = 5, TIME_STEP_MIN = 10, MEMORY_MORE_MB = 256, MEMORY_STEP_MB = 256 };
enum { MERGE_CPUS = 4, MINUTES_A_DAY = 24 * 60 };
static const double MEMORY_FACTOR = 1.3, MB = 1 << 20, GB = 1 << 30;

/* In single quotes, which take everything but themselves. */
static void print_quoted(const char *name, const char *text) {
    dv_print("%s='", name);
    for (; *text; text++)
        if (*text == '\'')
            dv_print("'\\''");
        else
            dv_print("%c", *text);
    dv_print("'\n");
}

/* A comment is one line. */
static void print_comment(const char *before, const char *text) {
    dv_print("# %s", before);
    for (; *text; text++) dv_print("%c", (unsigned char)*text < ' ' ? ' ' : *text);
    dv_print("\n");
}

/* *whole: the caller's until free(). */
static dv_status make_absolute(const char *path, char **whole) {
    char folder[PATH_MAX];
    const size_t size = strlen(path) + PATH_MAX + 2;
    if (*path != '/' && !getcwd(folder, sizeof folder))
        return dv_app_fail(DV_E_IO, "the current folder cannot be told: %s", strerror(errno));
    *whole = malloc(size);
    if (!*whole) return dv_app_fail(DV_E_NOMEM, "no memory for a path");
    if (*path == '/')
        snprintf(*whole, size, "%s", path);
    else
        snprintf(*whole, size, "%s/%s", folder, path);
    return DV_OK;
}

static size_t steps_up(double value, size_t step) {
    return (size_t)ceil(value / (double)step) * step;
}

static size_t asked_megabytes(size_t bytes) {
    return steps_up(MEMORY_FACTOR * (double)bytes / MB + MEMORY_MORE_MB, MEMORY_STEP_MB);
}

static void print_minutes(size_t minutes) {
    dv_print("%zu-%02zu:%02zu:00", minutes / MINUTES_A_DAY, minutes % MINUTES_A_DAY / 60, minutes % 60);
}

/* The part that takes the longest, and the one that takes the most memory. */
static void find_most(const dv_sweep_forecast *forecast, size_t *slowest, size_t *largest) {
    *slowest = *largest = 0;
    for (size_t i = 1; i < forecast->n_parts; i++) {
        if (forecast->parts[i].wall_s > forecast->parts[*slowest].wall_s) *slowest = i;
        if (forecast->parts[i].memory_bytes > forecast->parts[*largest].memory_bytes) *largest = i;
    }
}

/* For example "<0.1 s", "6 s", "15 min", "3.2 h". size 16 */
static const char *tell_time(double seconds, char *text) {
    if (seconds < 0.1)
        snprintf(text, 16, "<0.1 s");
    else if (seconds < 100)
        snprintf(text, 16, "%.*f s", seconds < 1, seconds);
    else if (seconds < 6000)
        snprintf(text, 16, "%.0f min", seconds / 60);
    else
        snprintf(text, 16, "%.1f h", seconds / 3600);
    return text;
}

static void print_rates(const dv_slurm_script *script) {
    const dv_sweep_rates *const rates = &script->forecast->rates[0];
    const bool on_gpu = strcmp(rates->backend, "cuda") == 0;
    dv_print(
        "#   measured on %s with %zu %s, %s:\n#     %.3g ns a query and bank row of %zu numbers, %.3g us a query and "
        "segment, %.3g ms an image scored\n",
        rates->backend, script->n_threads, script->n_threads == 1 ? "thread" : "threads",
        on_gpu ? "least of three tries" : "processor time, as if each had a core of its own; least of three tries",
        rates->row_pair_s * 1e9, script->forecast->dim, rates->visit_s * 1e6, rates->score_image_s * 1e3);
}

static void print_terms(const dv_sweep_estimate *part) {
    const struct {
        const char *what;
        double seconds;
    } terms[] = {{"start", part->start_s},
                 {"reading", part->read_s},
                 {"bank", part->bank_s},
                 {"queries x rows", part->pairs_s},
                 {"queries x segments", part->visits_s},
                 {"scoring", part->score_s}};
    char text[16];
    dv_print("#   %s for that part:", tell_time(part->wall_s, text));
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
        dv_print("%s %s %s", i ? "," : "", terms[i].what, tell_time(terms[i].seconds, text));
    dv_print("\n");
}

static void print_estimates(const dv_slurm_script *script, size_t slowest, size_t largest) {
    const dv_sweep_forecast *const forecast = script->forecast;
    const dv_sweep_estimate *const part = &forecast->parts[slowest];
    char text[16];
    double all_s = 0;
    for (size_t i = 0; i < forecast->n_parts; i++) all_s += forecast->parts[i].wall_s;
    dv_print("# %zu cells in %zu %s. Estimates, from a small sweep where this was written (docs/CLUSTER.md has the "
             "model):\n",
             script->n_cells, forecast->n_parts, forecast->n_parts == 1 ? "part" : "parts");
    dv_print("#   the longest part, %zu: %zu images for %zu %s, at most %zu bank rows in %zu %s; %.3g GB read\n",
             slowest + 1, part->n_images, part->n_configs, part->n_configs == 1 ? "configuration" : "configurations",
             part->n_bank_rows, part->n_segments, part->n_segments == 1 ? "segment" : "segments",
             (double)part->read_bytes / GB);
    print_rates(script);
    print_terms(part);
    dv_print("#   %.2g GB of memory for part %zu; %s for all parts, one after the other\n",
             (double)forecast->parts[largest].memory_bytes / GB, largest + 1, tell_time(all_s, text));
    dv_print(
        "# Asked for: %d times the time and %d minutes, in steps of %d; %.1f times the memory and %d MB, in steps of "
        "%d.\n",
        TIME_FACTOR, TIME_MORE_MIN, TIME_STEP_MIN, MEMORY_FACTOR, MEMORY_MORE_MB, MEMORY_STEP_MB);
    dv_print(
        "# Other processors, and files on slower disks, take another time; a part that runs out of it goes on in its "
        "next start.\n");
    if (script->n_gpus && strcmp(forecast->rates[0].backend, "cuda") != 0)
        dv_print("# No GPU was measured: with them the parts should end sooner than this says.\n");
}

static void print_directives(const dv_slurm_script *script, size_t slowest, size_t largest) {
    const dv_sweep_forecast *const forecast = script->forecast;
    const double minutes = TIME_FACTOR * forecast->parts[slowest].wall_s / 60 + TIME_MORE_MIN;
    dv_print("#SBATCH --job-name=denseval-sweep\n#SBATCH --time=");
    print_minutes(steps_up(minutes, TIME_STEP_MIN));
    dv_print("\n#SBATCH --nodes=1\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=%zu\n#SBATCH --mem=%zuM\n",
             script->n_threads, asked_megabytes(forecast->parts[largest].memory_bytes));
    if (script->n_gpus) dv_print("#SBATCH --gpus-per-node=%zu\n", script->n_gpus);
    dv_print("#\n# Two minutes before the time is over this script is told, and after a preemption the job is queued "
             "again.\n"
             "#SBATCH --signal=B:USR1@120\n#SBATCH --requeue\n#SBATCH --open-mode=append\n"
             "#SBATCH --output=%%x-%%A_%%a.log\n\n");
}

static void print_names(const dv_slurm_script *script, const char *config, const char *out, const char *program) {
    print_quoted("CONFIG", config);
    print_quoted("OUT", out);
    dv_print("PARTS=%zu\n", script->forecast->n_parts);
    print_quoted("DENSEVAL", program);
    print_quoted("SWEEP_OPTIONS", script->sweep_options);
    print_quoted("MERGE_OPTIONS", script->merge_options);
    dv_print("MERGE_RESOURCES='--time=01:00:00 --cpus-per-task=%zu --mem=%zuM'\nMAX_RESTARTS=100\n\n",
             script->n_threads < MERGE_CPUS ? script->n_threads : MERGE_CPUS,
             asked_megabytes(script->forecast->merge_bytes));
}

/* This program; by its name alone where the system does not tell. */
static void find_program(char *path, size_t size) {
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length > 0)
        path[length] = '\0';
    else
        snprintf(path, size, "denseval");
}

dv_status dv_slurm_script_print(const dv_slurm_script *script) {
    char program[PATH_MAX], *config = NULL, *out = NULL;
    size_t slowest, largest;
    find_program(program, sizeof program);
    find_most(script->forecast, &slowest, &largest);
    dv_status status = make_absolute(script->config_path, &config);
    if (status == DV_OK) status = make_absolute(script->out, &out);
    if (config && out) {
        dv_print("#!/bin/bash\n# Written by denseval %s, sweep --print-slurm.\n", dv_version());
        print_comment("A sweep in parts, and the job that merges them: ", config);
        dv_print("#   bash THIS_FILE                      submits all of it\n"
                 "#   bash THIS_FILE --partition=long     options for sbatch, of both jobs, win over those below\n#\n");
        print_estimates(script, slowest, largest);
        print_directives(script, slowest, largest);
        print_names(script, config, out, program);
        for (size_t i = 0; i < sizeof script_body / sizeof *script_body; i++) dv_print("%s", script_body[i]);
    }
    free(config);
    free(out);
    return status;
}
