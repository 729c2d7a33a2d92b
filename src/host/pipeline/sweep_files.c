#include "pipeline/sweep_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/folder_content.h"
#include "core/log.h"
#include "core/memory.h"
#include "pipeline/sweep_analysis.h"
#include "pipeline/sweep_done.h"
#include "pipeline/sweep_policy.h"

static void put_grid(dv_report *report, const dv_sweep_config *config) {
    for (size_t i = 0; i < config->n_encoders; i++) {
        const dv_sweep_encoder *encoder = &config->encoders[i];
        dv_report_setting_row(report, "encoders");
        dv_report_setting_row_text(report, "encoders", "name", encoder->name);
        dv_report_setting_row_text(report, "encoders", "features", encoder->features_text);
        dv_report_setting_row_text(report, "encoders", "uniform", encoder->uniform_text);
    }
    dv_report_setting_text(report, "memory_kind", config->per_image ? "per_image" : "sizes");
    dv_report_setting_counts(report, "memory", config->memory, config->n_memory);
    for (size_t i = 0; i < config->n_difficulties; i++) {
        const dv_sweep_difficulty *difficulty = &config->difficulties[i];
        dv_report_setting_row(report, "difficulties");
        dv_report_setting_row_text(report, "difficulties", "name", difficulty->name);
        dv_report_setting_row_list(report, "difficulties", "bins", difficulty->bins, difficulty->n_bins);
    }
    dv_report_setting_list(report, "validation_bins", config->validation_bins, config->n_validation_bins);
}

static void put_settings(dv_report *report, const dv_sweep_config *config, const dv_sweep_options *options) {
    char ignored[1024];
    put_grid(report, config);
    dv_report_setting_count(report, "k", config->k);
    dv_report_setting_real(report, "beta", config->beta);
    dv_report_setting_count(report, "seed", config->seed);
    for (size_t i = 0; i < DV_N_SWEEP_POLICIES; i++)
        dv_report_setting_text(report, dv_sweep_policies[i].name, dv_sweep_policy_word(&dv_sweep_policies[i], config));
    dv_label_set_format(&config->ignored, ignored, sizeof ignored);
    dv_report_setting_text(report, "ignore_pixels", ignored);
    dv_report_setting_count(report, "bootstrap", options->n_resamples);
    dv_report_setting_bool(report, "skip_bad", options->skip_bad);
    dv_report_setting_bool(report, "allow_empty", options->allow_empty);
}

static dv_status make_report(const char *schema, const dv_sweep_source *source, dv_report **out) {
    const dv_sweep_inputs *inputs = source->inputs;
    DV_TRY(dv_report_create(schema, "sweep", out));
    put_settings(*out, source->config, source->options);
    for (size_t i = 0; i < inputs->n; i++)
        dv_report_hashed_input(*out, inputs->files[i].path, inputs->files[i].size_bytes, inputs->files[i].hash);
    return DV_OK;
}

static dv_status put_part(dv_report *report, const dv_sweep_source *source) {
    char *settings = NULL, *files = NULL, settings_hash[DV_HASH_TEXT_SIZE], files_hash[DV_HASH_TEXT_SIZE];
    dv_status status = dv_sweep_config_canonical(source->config, &settings);
    if (status == DV_OK) status = dv_sweep_inputs_text(source->inputs, &files);
    if (status == DV_OK) {
        dv_hash_bytes(settings, strlen(settings), settings_hash);
        dv_hash_bytes(files, strlen(files), files_hash);
        dv_report_sweep_part(report, source->options->part, settings_hash, files_hash);
    }
    free(settings);
    free(files);
    return status;
}

dv_status dv_sweep_report_head(const dv_sweep_source *source, dv_report **out) {
    DV_TRY(make_report(DV_SWEEP_SCHEMA, source, out));
    const dv_status status = source->options->part ? put_part(*out, source) : DV_OK;
    if (status == DV_OK) return DV_OK;
    dv_report_free(*out);
    *out = NULL;
    return status;
}

dv_status dv_sweep_report(const dv_sweep_source *source, const dv_cells *cells, dv_report **out) {
    DV_TRY(dv_sweep_report_head(source, out));
    dv_report_cells(*out, cells);
    const dv_status status = dv_report_failure(*out);
    if (status == DV_OK) return DV_OK;
    dv_report_free(*out);
    *out = NULL;
    return status;
}

static dv_status write_text(const char *folder, const char *name, const char *text) {
    char *path;
    const size_t size = strlen(folder) + strlen(name) + 2;
    dv_atomic_file *file = NULL;
    FILE *stream;
    DV_TRY(dv_alloc(size, 1, "a path", &path));
    snprintf(path, size, "%s/%s", folder, name);
    dv_status status = dv_atomic_file_begin(path, false, &file);
    if (status == DV_OK) status = dv_atomic_file_stream(file, &stream);
    if (status == DV_OK && fputs(text, stream) == EOF) status = dv_fail(DV_E_IO, "%s: writing failed", path);
    if (status == DV_OK)
        status = dv_atomic_file_commit(file);
    else
        dv_atomic_file_abandon(file);
    free(path);
    return status;
}

static dv_status write_report(const char *folder, const char *name, dv_report *report) {
    char *text;
    DV_TRY(dv_report_json(report, &text));
    const dv_status status = write_text(folder, name, text);
    free(text);
    return status;
}

static dv_status write_csv(const char *folder, const dv_cells *cells) {
    char *text;
    DV_TRY(dv_cells_csv(cells, false, &text));
    const dv_status status = write_text(folder, "results.csv", text);
    free(text);
    return status;
}

dv_status dv_sweep_resources_write(const dv_sweep_options *options, const char *folder, const dv_sweep_result *result) {
    dv_report *report;
    DV_TRY(dv_report_create("denseval resources v1", "sweep", &report));
    dv_report_setting_text(report, "backend", options->backend ? options->backend : "auto");
    dv_report_setting_count(report, "memory_limit", options->memory_limit);
    dv_report_resources(report, &result->resources, dv_sweep_stages, result->stage_s, DV_SWEEP_STAGES);
    if (result->spent) dv_report_ranks(report, result->spent, result->n_ranks);
    if (options->job && result->spent)
        dv_report_job_ranks(report, options->job, result->spent, result->n_ranks);
    else if (options->job)
        dv_report_job_resources(report, options->job, &result->resources);
    dv_report_count(report, "restarts", result->n_restarts);
    dv_report_count(report, "skipped_images", result->n_skipped_images);
    const dv_status status = write_report(folder, "resources.json", report);
    dv_report_free(report);
    return status;
}

static dv_status write_counts(const char *folder, const dv_object_counts *counts) {
    char *path;
    const size_t size = strlen(folder) + sizeof "/" DV_SWEEP_COUNTS;
    DV_TRY(dv_alloc(size, 1, "a path", &path));
    snprintf(path, size, "%s/%s", folder, DV_SWEEP_COUNTS);
    const dv_status status = dv_object_counts_write(path, counts);
    free(path);
    return status;
}

static dv_status write_analysis(const dv_sweep_source *source, const char *folder, dv_sweep_result *result) {
    const dv_sweep_options *options = source->options;
    dv_report *report;
    DV_TRY(make_report("denseval analysis v1", source, &report));
    const dv_sweep_analysis analysis = {.cells = &result->cells,
                                        .counts = &result->counts,
                                        .absent = source->config->absent,
                                        .seed = source->config->seed,
                                        .n_resamples = options->n_resamples,
                                        .n_threads = options->n_threads,
                                        .backend = options->backend,
                                        .account = &result->resources.gpu,
                                        .plots = options->plots,
                                        .report = report};
    const dv_status status = dv_sweep_analysis_write(&analysis, folder, &result->tables);
    dv_report_free(report);
    return status;
}

dv_status dv_sweep_files_write(const dv_sweep_source *source, const char *folder, dv_sweep_result *result) {
    DV_TRY(write_report(folder, DV_SWEEP_RESULTS, result->report));
    DV_TRY(write_csv(folder, &result->cells));
    DV_TRY(write_counts(folder, &result->counts));
    return source->options->part ? DV_OK : write_analysis(source, folder, result);
}

static dv_status write_merged_analysis(dv_sweep_merged *merged, const dv_sweep_merge_options *options,
                                       const char *folder) {
    const dv_sweep_analysis analysis = {.cells = &merged->cells,
                                        .counts = &merged->counts,
                                        .absent = merged->absent,
                                        .seed = merged->seed,
                                        .n_resamples = merged->n_resamples,
                                        .n_threads = options->n_threads,
                                        .plots = options->plots,
                                        .report = merged->analysis};
    free(merged->tables);
    merged->tables = NULL;
    return dv_sweep_analysis_write(&analysis, folder, &merged->tables);
}

/* The most that a part was given, and what all were given together; nothing unless every part had a job that told. */
static void put_merged_job(dv_report *report, const dv_sweep_merged *merged) {
    dv_job most = {0};
    dv_job_usage usage = {.cpu_s = merged->resources.cpu_s,
                          .max_rss_bytes = merged->resources.max_rss_bytes,
                          .gpu = merged->resources.gpu};
    for (size_t i = 0; i < merged->times.n; i++) {
        const dv_run_time *const part = &merged->times.runs[i];
        if (part->n_cpus == 0) return;
        if (most.n_cpus < part->n_cpus) most.n_cpus = (size_t)part->n_cpus;
        if (most.memory_bytes < part->memory_bytes) most.memory_bytes = (size_t)part->memory_bytes;
        usage.allocated_cpu_s += part->allocated_cpu_s;
    }
    dv_report_job(report, &most, &usage);
}

/* What each part spent. */
static void put_parts(dv_report *report, const dv_sweep_merged *merged) {
    for (size_t i = 0; i < merged->times.n; i++) {
        const dv_run_time *const part = &merged->times.runs[i];
        dv_report_row(report, "of_parts");
        dv_report_row_count(report, "of_parts", "part", i + 1);
        if (part->job) dv_report_row_text(report, "of_parts", "job", part->job);
        dv_report_row_real(report, "of_parts", "wall_s", part->wall_s);
        dv_report_row_real(report, "of_parts", "cpu_s", part->cpu_s);
        dv_report_row_real(report, "of_parts", "cpu_efficiency", part->cpu_efficiency);
        dv_report_row_count(report, "of_parts", "max_rss_bytes", part->max_rss_bytes);
        dv_report_row_real(report, "of_parts", "memory_efficiency", part->memory_efficiency);
        if (part->gpu.n_gpus == 0) continue;
        dv_report_row_real(report, "of_parts", "gpu_s", part->gpu.gpu_s);
        dv_report_row_count(report, "of_parts", "gpu_memory_bytes", part->gpu.memory_bytes);
    }
}

static dv_status write_merged_resources(const dv_sweep_merged *merged, const char *folder) {
    dv_report *report;
    if (!merged->has_resources) return DV_OK;
    DV_TRY(dv_report_create("denseval resources v1", "sweep merge", &report));
    dv_report_resources(report, &merged->resources, NULL, NULL, 0);
    put_merged_job(report, merged);
    dv_report_count(report, "parts", merged->n_parts);
    put_parts(report, merged);
    const dv_status status = write_report(folder, "resources.json", report);
    dv_report_free(report);
    return status;
}

static dv_status write_merged(dv_sweep_merged *merged, const dv_sweep_merge_options *options, const char *folder) {
    DV_TRY(write_text(folder, DV_SWEEP_RESULTS, merged->json));
    DV_TRY(write_csv(folder, &merged->cells));
    if (merged->counts.n_cells) DV_TRY(write_counts(folder, &merged->counts));
    DV_TRY(write_merged_resources(merged, folder));
    return write_merged_analysis(merged, options, folder);
}

/* As the folder of a sweep is marked: with its pictures. */
static dv_status mark_folder(const char *path) {
    char *names;
    DV_TRY(dv_folder_list_files(path, &names));
    const dv_status status = dv_folder_write_mark(path, names);
    free(names);
    return status;
}

/* The text of results.json is that of these parts, or of others. */
static dv_status look_for_merged(dv_sweep_merged *merged, const dv_sweep_merge_options *options, const char *path) {
    char *text;
    DV_TRY(dv_sweep_done_text(path, &text));
    merged->finished = text && strcmp(text, merged->json) == 0;
    const bool other = text && !merged->finished;
    free(text);
    if (merged->finished) dv_log(DV_LOG_INFO, "%s: is finished already", path);
    if (!other || options->force) return DV_OK;
    return dv_fail(DV_E_USAGE, "%s: exists already, with another result than these parts have; --force replaces it",
                   path);
}

dv_status dv_sweep_merged_save(dv_sweep_merged *merged, const dv_sweep_merge_options *options, const char *path) {
    dv_atomic_folder *folder;
    if (options->unless_done) DV_TRY(look_for_merged(merged, options, path));
    if (merged->finished) return DV_OK;
    DV_TRY(dv_atomic_folder_begin(path, options->force, &folder));
    const dv_status status = write_merged(merged, options, dv_atomic_folder_temporary(folder));
    if (status != DV_OK) {
        dv_atomic_folder_abandon(folder);
        return status;
    }
    DV_TRY(dv_atomic_folder_commit(folder));
    return mark_folder(path);
}
