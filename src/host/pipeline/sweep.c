#include "denseval/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/exchange.h"
#include "cluster/same.h"
#include "core/check.h"
#include "core/clock.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "pipeline/retriever.h"
#include "pipeline/run_folder.h"
#include "pipeline/sweep_cells.h"
#include "pipeline/sweep_done.h"
#include "pipeline/sweep_files.h"
#include "pipeline/sweep_objects.h"
#include "pipeline/sweep_pass.h"
#include "pipeline/sweep_plan.h"
#include "pipeline/sweep_state.h"

const char *const dv_sweep_stages[DV_SWEEP_STAGES] = {"bank", "search", "aggregate", "segment", "report"};

/* Everything that a sweep holds. */
typedef struct sweep_run {
    const dv_sweep_config *config;
    const dv_sweep_options *options;
    dv_sweep_plan *plans; /* [n_encoders] */
    dv_sweep_objects objects;
    int32_t *sources; /* i32 [n_sources], rising: bank bins of all difficulties */
    size_t n_sources;
    dv_tally_shape *shapes; /* [n_encoders] */
    dv_sweep_inputs inputs;
    dv_sweep_state state;
    dv_run_folder *folder;
    dv_pool *pool;
    size_t encoder; /* at work */
    /* Of this start: when it began, and what of it the records have. */
    dv_resources started;
    dv_sweep_spent told;
    double stage_s[DV_SWEEP_STAGES];
    dv_sweep_result *result;
} sweep_run;

static dv_status check_classes(const dv_feature_info *first, const dv_feature_info *other) {
    if (first->n_classes != other->n_classes)
        return dv_fail(DV_E_DATA, "%s: /class_names: %zu classes, %zu in %s: encoders must have the same",
                       other->paths[0], other->n_classes, first->n_classes, first->paths[0]);
    for (size_t c = 0; c < first->n_classes; c++)
        if (strcmp(first->class_names[c], other->class_names[c]) != 0)
            return dv_fail(DV_E_DATA,
                           "%s: /class_names: class %zu is \"%s\", \"%s\" in %s: encoders must have the same",
                           other->paths[0], c, other->class_names[c], first->class_names[c], first->paths[0]);
    return DV_OK;
}

static dv_status plan_encoders(sweep_run *run) {
    const size_t n = run->config->n_encoders;
    DV_TRY(dv_alloc(n, sizeof *run->plans, "the encoders of a sweep", &run->plans));
    for (size_t i = 0; i < n; i++) {
        DV_TRY(dv_check_interrupted());
        DV_TRY(dv_sweep_plan_open(run->config, run->options, i, &run->plans[i]));
        DV_TRY(check_classes(run->plans[0].info, run->plans[i].info));
    }
    for (size_t i = 0; i < n; i++) DV_TRY(dv_sweep_plan_fill(run->options, i, &run->plans[i]));
    return dv_sweep_objects_make(run->plans, n, &run->objects);
}

static int compare_bins(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static dv_status list_sources(sweep_run *run) {
    size_t n = 0;
    for (size_t i = 0; i < run->config->n_difficulties; i++) n += run->config->difficulties[i].n_bins;
    DV_TRY(dv_alloc(n, sizeof *run->sources, "the bank bins", &run->sources));
    n = 0;
    for (size_t i = 0; i < run->config->n_difficulties; i++)
        for (size_t j = 0; j < run->config->difficulties[i].n_bins; j++)
            run->sources[n++] = run->config->difficulties[i].bins[j];
    qsort(run->sources, n, sizeof *run->sources, compare_bins);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || run->sources[i] != run->sources[i - 1]) run->sources[run->n_sources++] = run->sources[i];
    return DV_OK;
}

static dv_status make_state(sweep_run *run) {
    const size_t n = run->config->n_encoders;
    DV_TRY(list_sources(run));
    DV_TRY(dv_alloc(n, sizeof *run->shapes, "the encoders of a sweep", &run->shapes));
    for (size_t i = 0; i < n; i++)
        run->shapes[i] = (dv_tally_shape){.n_configs = run->plans[i].n_configs,
                                          .n_bins = run->config->n_validation_bins,
                                          .n_classes = run->plans[i].info->n_classes,
                                          .n_objects = run->objects.n,
                                          .n_sources = run->n_sources};
    return dv_sweep_state_make(run->plans, run->shapes, n, &run->state);
}

/* What else shapes the result stands in front of the configuration. */
static dv_status settings_text(const sweep_run *run, char **text) {
    const dv_sweep_options *options = run->options;
    char *canonical;
    size_t first, n;
    *text = NULL;
    DV_TRY(dv_sweep_config_canonical(run->config, &canonical));
    dv_sweep_part_cells(run->config, options, &first, &n);
    const size_t size = strlen(canonical) + 256;
    const dv_status status = dv_alloc(size, 1, "the settings", text);
    if (status == DV_OK)
        snprintf(*text, size, "allow_empty: %d\nbootstrap: %zu\ncells: %zu to %zu\nplots: %d\nskip_bad: %d\n%s",
                 options->allow_empty, options->n_resamples, first, first + n - 1, (int)options->plots,
                 options->skip_bad, canonical);
    free(canonical);
    return status;
}

static dv_status check_settings(const sweep_run *run) {
    const char *const path = run->options->config_path;
    char *settings;
    DV_TRY(settings_text(run, &settings));
    const dv_status status = dv_ranks_same_text(run->options->ranks, settings, path ? path : "the configuration");
    free(settings);
    return status;
}

/* Of all encoders: images done, and those to be done. */
static void count_images(const sweep_run *run, size_t *done, size_t *total) {
    *done = *total = 0;
    for (size_t i = 0; i < run->config->n_encoders; i++) {
        *done += run->state.encoders[i].n_done;
        *total += run->plans[i].n_images;
    }
}

/* Is there anything to go on from? Every rank knows. */
static bool has_done_images(const sweep_run *run) {
    size_t n_done = 0, n_images = 0;
    if (run->state.encoders) count_images(run, &n_done, &n_images);
    return n_done > 0;
}

/* The first line of a run that goes on. */
static void tell_restart(const sweep_run *run, const char *out, const char *job) {
    size_t n_done, n_images;
    count_images(run, &n_done, &n_images);
    dv_log(DV_LOG_INFO, "%s: restart %llu, goes on with %zu of %zu images done%s%s", out,
           (unsigned long long)run->state.n_starts, n_done, n_images, *job ? "; " : "", job);
}

/* The result that a folder may hold is this one, or of another run. */
static dv_status judge_done(sweep_run *run, const char *out, dv_sweep_done *done) {
    if (!done->whole) return DV_OK;
    if (*done->differs && !run->options->force)
        return dv_fail(DV_E_USAGE, "%s: exists already, the result of another run (%s differs); --force replaces it",
                       out, done->differs);
    if (*done->differs || !run->options->unless_done) return DV_OK;
    dv_log(DV_LOG_INFO, "%s: is finished already", out);
    run->result->finished = true;
    run->result->finished_json = done->text;
    done->text = NULL;
    return DV_OK;
}

static dv_status look_for_result(sweep_run *run, const char *out) {
    const dv_sweep_source source = {run->config, run->options, &run->inputs};
    dv_sweep_done done;
    if (run->options->force && !run->options->unless_done) return DV_OK;
    dv_status status = dv_sweep_done_find(&source, out, &done);
    if (status == DV_OK) status = judge_done(run, out, &done);
    dv_sweep_done_clear(&done);
    return status;
}

static dv_status open_folder(sweep_run *run, const char *out) {
    char *settings = NULL, *files = NULL, job[DV_JOB_TEXT_SIZE] = "";
    if (run->options->job) dv_job_text(run->options->job, job);
    DV_TRY(dv_sweep_inputs_read(run->config, &run->inputs));
    DV_TRY(look_for_result(run, out));
    if (run->result->finished) return DV_OK;
    dv_status status = settings_text(run, &settings);
    if (status == DV_OK) status = dv_sweep_inputs_text(&run->inputs, &files);
    const dv_run_spec spec = {.path = out,
                              .force = run->options->force,
                              .key = {.settings = settings, .inputs = files},
                              .job = job,
                              .visit = dv_sweep_state_visit,
                              .user = &run->state};
    if (status == DV_OK) status = dv_run_folder_begin(&spec, &run->folder);
    free(settings);
    free(files);
    if (status == DV_OK && dv_run_folder_continued(run->folder)) tell_restart(run, out, job);
    return status;
}

/* Adds what was spent since the last call to *spent, which is zeroed first. */
static void take_spent(sweep_run *run, dv_sweep_spent *spent) {
    dv_resources now = run->started;
    dv_resources_stop(&now);
    *spent = (dv_sweep_spent){.wall_s = now.wall_s - run->told.wall_s,
                              .cpu_s = now.cpu_s - run->told.cpu_s,
                              .max_rss_bytes = now.max_rss_bytes,
                              .gpu = run->result->resources.gpu};
    spent->gpu.gpu_s -= run->told.gpu.gpu_s;
    for (size_t i = 0; i < DV_SWEEP_STAGES; i++) {
        spent->stage_s[i] = run->stage_s[i] - run->told.stage_s[i];
        run->told.stage_s[i] = run->stage_s[i];
    }
    run->told.wall_s = now.wall_s;
    run->told.cpu_s = now.cpu_s;
    run->told.gpu = run->result->resources.gpu;
}

static void show_progress(const sweep_run *run) {
    size_t done, total;
    if (!run->options->progress) return;
    count_images(run, &done, &total);
    run->options->progress(run->options->progress_user, "images", done, total);
}

/* Rank 0, or a process of its own. */
static bool is_first(const sweep_run *run) {
    return dv_ranks_index(run->options->ranks) == 0;
}

static dv_status banks_built(void *user, const uint64_t *n_rows) {
    sweep_run *run = user;
    if (run->state.encoders[run->encoder].bank_rows) return DV_OK; /* an earlier start has told it */
    return dv_sweep_state_banks(&run->state, run->encoder, n_rows);
}

static dv_status block_finished(void *user, size_t n_done) {
    sweep_run *run = user;
    dv_sweep_spent spent;
    if (!is_first(run)) { /* rank 0 keeps the counts */
        run->state.encoders[run->encoder].n_done = n_done;
        return DV_OK;
    }
    take_spent(run, &spent);
    DV_TRY(dv_sweep_state_block(&run->state, run->folder, run->encoder, n_done, &spent));
    show_progress(run);
    return DV_OK;
}

static dv_status run_pass(sweep_run *run) {
    const dv_sweep_listener listener = {.user = run, .banks = banks_built, .block = block_finished};
    dv_sweep_progress *progress = &run->state.encoders[run->encoder];
    const dv_sweep_plan *plan = &run->plans[run->encoder];
    DV_TRY(dv_sweep_state_tally(&run->state, run->encoder));
    if (progress->bank_rows && progress->n_done == plan->n_images) return DV_OK;
    const dv_sweep_pass pass = {.plan = plan,
                                .options = run->options,
                                .object_of = run->objects.of_image[run->encoder],
                                .sources = run->sources,
                                .n_sources = run->n_sources,
                                .n_done = progress->n_done,
                                .pool = run->pool,
                                .tally = &progress->tally,
                                .listener = &listener,
                                .stage_s = run->stage_s,
                                .account = &run->result->resources.gpu};
    return dv_sweep_pass_run(&pass);
}

static uint64_t count_scored(const sweep_run *run, const dv_tally *tally) {
    uint64_t n = 0;
    for (size_t bin = 0; bin < run->config->n_validation_bins; bin++) n += dv_tally_get(tally, 0, bin).n_images;
    return n;
}

static dv_status score_encoder(sweep_run *run) {
    dv_sweep_progress *progress = &run->state.encoders[run->encoder];
    const dv_sweep_plan *plan = &run->plans[run->encoder];
    if (plan->n_configs == 0) return DV_OK; /* all of its cells are in other parts */
    DV_TRY(run_pass(run));
    if (!is_first(run)) {
        dv_tally_clear(&progress->tally);
        return DV_OK;
    }
    run->result->n_skipped_images += plan->n_images - count_scored(run, &progress->tally);
    const dv_sweep_scores scores = {.options = run->options,
                                    .encoder = run->encoder,
                                    .plan = plan,
                                    .progress = progress,
                                    .sources = run->sources,
                                    .n_sources = run->n_sources};
    DV_TRY(dv_sweep_cells_add(&scores, &run->result->cells, &run->result->counts));
    dv_tally_clear(&progress->tally);
    return DV_OK;
}

static dv_status make_result(sweep_run *run) {
    const dv_feature_info *info = run->plans[0].info;
    dv_cells *cells = &run->result->cells;
    size_t first, n;
    dv_sweep_part_cells(run->config, run->options, &first, &n);
    cells->n_classes = info->n_classes;
    DV_TRY(dv_alloc(info->n_classes, sizeof *cells->class_names, "names of classes", &cells->class_names));
    for (size_t c = 0; c < info->n_classes; c++) DV_TRY(dv_strdup(info->class_names[c], &cells->class_names[c]));
    dv_object_counts *counts = &run->result->counts;
    DV_TRY(dv_object_counts_create(n, run->objects.n, info->n_classes, counts));
    for (size_t i = 0; i < run->objects.n; i++) DV_TRY(dv_strdup(run->objects.ids[i], &counts->object_ids[i]));
    return DV_OK;
}

/* Of all starts together. */
static void sum_resources(sweep_run *run) {
    dv_sweep_result *result = run->result;
    dv_sweep_spent all = run->state.spent, rest;
    dv_resources now = run->started;
    dv_resources_stop(&now);
    take_spent(run, &rest);
    dv_sweep_spent_add(&all, &rest);
    result->n_restarts = (size_t)run->state.n_starts - run->state.started;
    result->resources = (dv_resources){.memory_limit_bytes = now.memory_limit_bytes,
                                       .wall_s = all.wall_s,
                                       .cpu_s = all.cpu_s,
                                       .max_rss_bytes = (size_t)all.max_rss_bytes,
                                       .n_threads = run->started.n_threads,
                                       .gpu = all.gpu};
    memcpy(result->stage_s, all.stage_s, sizeof all.stage_s);
}

/* What this rank has spent on this start so far. */
static void put_spent(const sweep_run *run, dv_rank_spent *mine) {
    dv_resources now = run->started;
    dv_resources_stop(&now);
    mine->wall_s = now.wall_s;
    mine->cpu_s = now.cpu_s;
    mine->max_rss_bytes = now.max_rss_bytes;
    mine->gpu = run->result->resources.gpu;
}

/* What each rank spent on this start, before rank 0 writes it down. */
static dv_status take_accounts(sweep_run *run) {
    dv_ranks *ranks = run->options->ranks;
    const size_t n = dv_ranks_count(ranks);
    dv_rank_spent mine = {.n_threads = run->started.n_threads};
    const dv_job *job = run->options->job;
    if (n == 1) return DV_OK;
    put_spent(run, &mine);
    if (job) {
        mine.job_cpus = job->n_cpus;
        mine.job_memory_bytes = job->memory_bytes;
        mine.job_gpus = job->n_gpus;
    }
    DV_TRY(dv_alloc(n, sizeof *run->result->spent, "the accounts of ranks", &run->result->spent));
    run->result->n_ranks = n;
    return dv_ranks_spent(ranks, &mine, run->result->spent);
}

static dv_status write_result(sweep_run *run) {
    const dv_sweep_source source = {run->config, run->options, &run->inputs};
    const char *path;
    DV_TRY(dv_sweep_report(&source, &run->result->cells, &run->result->report));
    const double start_s = dv_steady_s();
    DV_TRY(dv_run_folder_stage(run->folder, &path));
    DV_TRY(dv_sweep_files_write(&source, path, run->result));
    run->stage_s[DV_STAGE_REPORT] += dv_steady_s() - start_s;
    if (run->result->spent) put_spent(run, run->result->spent); /* the others have ended; rank 0 wrote until now */
    sum_resources(run);
    DV_TRY(dv_sweep_resources_write(run->options, path, run->result));
    dv_run_folder *folder = run->folder;
    run->folder = NULL; /* the commit frees it in every case */
    return dv_run_folder_commit(folder);
}

/* Rank 0 has looked at the folder. */
static dv_status share_finished(sweep_run *run) {
    uint64_t finished = run->result->finished;
    if (!run->options->unless_done) return DV_OK;
    DV_TRY(dv_ranks_broadcast(run->options->ranks, 0, &finished, sizeof finished));
    run->result->finished = finished;
    return DV_OK;
}

/* A rank that ends the others takes the folder back, as long as no block is finished. */
static dv_status tell_folder(sweep_run *run) {
    char *claim = NULL;
    if (is_first(run)) DV_TRY(dv_run_folder_claim(run->folder, &claim));
    const dv_status status = dv_ranks_tell_begun(run->options->ranks, claim, dv_run_folder_undo);
    free(claim);
    return status;
}

static dv_status run_sweep(sweep_run *run, const char *out) {
    DV_TRY(check_settings(run));
    DV_TRY(plan_encoders(run));
    DV_TRY(make_state(run));
    DV_TRY(make_result(run));
    DV_TRY(dv_pool_create(run->options->n_threads, &run->pool));
    DV_TRY(dv_ranks_meet(run->options->ranks));
    DV_TRY(dv_ranks_follow(run->options->ranks, is_first(run) ? open_folder(run, out) : DV_OK));
    DV_TRY(share_finished(run));
    if (run->result->finished) return DV_OK;
    DV_TRY(tell_folder(run));
    DV_TRY(dv_sweep_state_share(run->options->ranks, &run->state));
    show_progress(run);
    for (run->encoder = 0; run->encoder < run->config->n_encoders; run->encoder++) DV_TRY(score_encoder(run));
    dv_ranks_forget(run->options->ranks);
    DV_TRY(take_accounts(run));
    return is_first(run) ? write_result(run) : DV_OK;
}

static void release(sweep_run *run) {
    dv_run_folder_abandon(run->folder);
    dv_sweep_state_clear(&run->state);
    dv_sweep_inputs_clear(&run->inputs);
    dv_sweep_objects_clear(&run->objects);
    for (size_t i = 0; run->plans && i < run->config->n_encoders; i++) dv_sweep_plan_clear(&run->plans[i]);
    dv_pool_free(run->pool);
    free(run->plans);
    free(run->sources);
    free(run->shapes);
}

dv_status dv_sweep_run(const dv_sweep_config *config, const dv_sweep_options *options, const char *out,
                       dv_sweep_result *result) {
    *result = (dv_sweep_result){0};
    sweep_run run = {.config = config, .options = options, .result = result};
    dv_resources_start(&run.started, options->n_threads ? options->n_threads : 1);
    dv_status status = run_sweep(&run, out);
    if (status == DV_E_INTERRUPTED && dv_interrupted() && has_done_images(&run))
        status = dv_fail(DV_E_INTERRUPTED, "%s: interrupted; the same command goes on from here", out);
    dv_ranks_hush(options->ranks, status);
    release(&run);
    if (status != DV_OK) dv_sweep_result_clear(result);
    return status;
}

void dv_sweep_result_clear(dv_sweep_result *result) {
    dv_cells_clear(&result->cells);
    dv_object_counts_clear(&result->counts);
    dv_report_free(result->report);
    free(result->tables);
    free(result->spent);
    free(result->finished_json);
    *result = (dv_sweep_result){0};
}
