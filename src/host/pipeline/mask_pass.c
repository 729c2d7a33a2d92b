#include "pipeline/mask_pass.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/fault_list.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "pipeline/mask_pass_frame.h"

enum { FRAMES_A_WORKER = 4 }; /* outcomes that wait for their turn: enough for frames of uneven cost */

typedef struct mask_run {
    const dv_mask_pass *pass;
    dv_mask_pass_result *result;
    dv_pool *pool;
    dv_mask_worker *workers; /* [threads of the pool] */
    size_t n_outcomes;
    dv_mask_outcome *outcomes; /* [n_outcomes], that of a job at job % n_outcomes */
    pthread_mutex_t lock;      /* guards these, and what outcomes are ready */
    pthread_cond_t moved;      /* next or stopped changed */
    size_t next;               /* the first job whose outcome was not taken */
    bool taking, stopped;      /* a thread is taking outcomes; a task failed */
    bool condemned;            /* the pass is going to fail: what is left is looked at, but not counted */
    /* Of the thread that is taking, as the result is. */
    dv_fault_list faults;
    size_t n_missing; /* faults */
    bool differs;
} mask_run;

static bool is_condemned(const mask_run *run) {
    return run->faults.n && !run->pass->skip_bad;
}

static void take_faults(mask_run *run, size_t job, const dv_mask_outcome *outcome) {
    for (size_t i = 0; i < outcome->n_faults; i++) {
        dv_fault_list_add(&run->faults, outcome->faults[i].message);
        run->n_missing += outcome->faults[i].status == DV_E_MISSING;
    }
    run->result->skipped[job] = true;
    run->result->n_skipped++;
}

/* By one thread at a time, in rising order of jobs. */
static dv_status take(mask_run *run, size_t job) {
    const dv_mask_job *const what = &run->pass->jobs[job];
    const dv_mask_outcome *const outcome = &run->outcomes[job % run->n_outcomes];
    dv_mask_pass_result *const result = run->result;
    dv_mask_set_chain_hash(run->pass->truth, what->truth_sequence, what->truth_frame, outcome->truth_hash,
                           result->truth_hash);
    dv_mask_set_chain_hash(run->pass->pred, what->pred_sequence, what->pred_frame, outcome->pred_hash,
                           result->pred_hash);
    if (outcome->n_faults) {
        take_faults(run, job, outcome);
        return DV_OK;
    }
    run->differs |= !outcome->identical;
    if (is_condemned(run)) return DV_OK;
    result->n_scored++;
    result->ignored_pixels += outcome->n_ignored;
    result->n_mixed += outcome->n_mixed;
    return run->pass->take(run->pass->user, job, &outcome->counts);
}

/* Waits until the outcome of a job has a place. The lowest job that is under way never waits, so there is no circle.
 * Returns whether to go on. */
static bool wait_for_place(mask_run *run, size_t job, bool *without_counts) {
    pthread_mutex_lock(&run->lock);
    while (!run->stopped && job - run->next >= run->n_outcomes) pthread_cond_wait(&run->moved, &run->lock);
    const bool goes_on = !run->stopped;
    *without_counts = run->condemned;
    pthread_mutex_unlock(&run->lock);
    return goes_on;
}

static void stop(mask_run *run) {
    pthread_mutex_lock(&run->lock);
    run->stopped = true;
    pthread_cond_broadcast(&run->moved);
    pthread_mutex_unlock(&run->lock);
}

/* Takes all outcomes whose turn it is, unless another thread is at it: that one then takes this one too. */
static dv_status hand_in(mask_run *run, size_t job) {
    dv_status status = DV_OK;
    pthread_mutex_lock(&run->lock);
    run->outcomes[job % run->n_outcomes].ready = true;
    if (!run->taking) {
        run->taking = true;
        while (status == DV_OK && !run->stopped && run->outcomes[run->next % run->n_outcomes].ready) {
            pthread_mutex_unlock(&run->lock);
            status = take(run, run->next);
            pthread_mutex_lock(&run->lock);
            run->outcomes[run->next % run->n_outcomes].ready = false;
            run->next++;
            run->condemned = is_condemned(run);
            pthread_cond_broadcast(&run->moved);
        }
        run->taking = false;
        if (status != DV_OK) run->stopped = true; /* before anyone else takes what follows */
    }
    pthread_mutex_unlock(&run->lock);
    return status;
}

static dv_status run_job(mask_run *run, size_t job, size_t worker) {
    bool without_counts;
    DV_TRY(dv_check_interrupted());
    if (!wait_for_place(run, job, &without_counts)) return DV_OK; /* another task failed */
    DV_TRY(dv_mask_frame_run(run->pass, &run->workers[worker], job, without_counts,
                             &run->outcomes[job % run->n_outcomes]));
    return hand_in(run, job);
}

static dv_status run_task(void *context, size_t job, size_t worker) {
    mask_run *const run = context;
    const dv_status status = run_job(run, job, worker);
    if (status != DV_OK) stop(run);
    if (worker == 0 && run->pass->progress) /* the caller's own thread */
        run->pass->progress(run->pass->progress_user, "frames", job + 1, run->pass->n_jobs);
    return status;
}

static dv_status allocate(mask_run *run) {
    const dv_mask_pass *const pass = run->pass;
    size_t n_threads = pass->n_threads ? pass->n_threads : 1;
    if (n_threads > pass->n_jobs) n_threads = pass->n_jobs ? pass->n_jobs : 1;
    run->n_outcomes = n_threads * FRAMES_A_WORKER;
    run->faults.left_out = pass->skip_bad;
    DV_TRY(dv_alloc(pass->n_jobs, sizeof *run->result->skipped, "frames left out", &run->result->skipped));
    DV_TRY(dv_alloc(n_threads, sizeof *run->workers, "workers on masks", &run->workers));
    DV_TRY(dv_alloc(run->n_outcomes, sizeof *run->outcomes, "counts of masks", &run->outcomes));
    DV_TRY(dv_pool_create(n_threads, &run->pool));
    for (size_t i = 0; i < n_threads; i++)
        DV_TRY(pass->device->ops->counter_open(pass->device, &pass->rules, &run->workers[i].counter));
    return DV_OK;
}

static void release(mask_run *run) {
    for (size_t i = 0; run->pool && i < dv_pool_threads(run->pool); i++) {
        run->pass->device->ops->counter_close(run->pass->device, run->workers[i].counter);
        dv_label_map_clear(&run->workers[i].truth);
        dv_label_map_clear(&run->workers[i].pred);
    }
    for (size_t i = 0; run->outcomes && i < run->n_outcomes; i++) dv_mask_counts_clear(&run->outcomes[i].counts);
    dv_pool_free(run->pool);
    free(run->workers);
    free(run->outcomes);
    pthread_cond_destroy(&run->moved);
    pthread_mutex_destroy(&run->lock);
}

/* What the faults come to, once all frames were looked at. */
static dv_status judge(const mask_run *run) {
    dv_fault_list_end(&run->faults);
    if (!is_condemned(run)) return DV_OK;
    const dv_status status = run->n_missing == run->faults.n ? DV_E_MISSING : DV_E_DATA;
    if (run->faults.n == 1) return dv_fail(status, "%s", run->faults.first);
    return dv_fail(status, "%zu of %zu frames are bad, the first: %s", run->result->n_skipped, run->pass->n_jobs,
                   run->faults.first);
}

static void sum_up(const mask_run *run) {
    for (size_t i = 0; i < dv_pool_threads(run->pool); i++) {
        run->result->read_s += run->workers[i].read_s;
        run->result->count_s += run->workers[i].count_s;
    }
    run->result->identical = run->result->n_scored > 0 && !run->differs;
}

dv_status dv_mask_pass_run(const dv_mask_pass *pass, dv_mask_pass_result *result) {
    memset(result, 0, sizeof *result);
    if (!pass->device->ops->counter_open)
        return dv_fail(DV_E_BACKEND, "device %s: cannot count masks", pass->device->ops->name);
    mask_run run = {.pass = pass, .result = result};
    pthread_mutex_init(&run.lock, NULL); /* these two cannot fail with default attributes */
    pthread_cond_init(&run.moved, NULL);
    dv_status status = allocate(&run);
    if (status == DV_OK) status = dv_pool_run(run.pool, pass->n_jobs, run_task, &run);
    if (status == DV_OK && pass->progress) pass->progress(pass->progress_user, "frames", pass->n_jobs, pass->n_jobs);
    if (status == DV_OK) status = judge(&run);
    if (status == DV_OK)
        sum_up(&run);
    else
        dv_mask_pass_result_clear(result);
    release(&run);
    return status;
}

void dv_mask_pass_result_clear(dv_mask_pass_result *result) {
    if (!result) return;
    free(result->skipped);
    memset(result, 0, sizeof *result);
}
