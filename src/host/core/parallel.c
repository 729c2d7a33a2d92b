#include "core/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

typedef struct pool_worker {
    dv_pool *pool;
    size_t number;
    pthread_t thread;
} pool_worker;

struct dv_pool {
    pthread_mutex_t lock; /* guards all that follows, but not while a task runs */
    pthread_cond_t work;  /* there is a task to take, or the pool stops */
    pthread_cond_t idle;  /* the last running task ended */
    size_t n_threads;     /* the caller of dv_pool_run counted */
    size_t n_started;     /* threads of ours that were really started */
    pool_worker *workers; /* [n_threads]; the first stands for the caller and has no thread; owned */
    bool stop, busy;
    dv_task task;
    void *context;
    size_t n_tasks, next, n_running;
    dv_status status; /* of the lowest task that failed so far; DV_OK: none failed */
    size_t failed_task;
    char message[DV_MESSAGE_SIZE];
};

static bool has_work(const dv_pool *pool) {
    return pool->status == DV_OK && pool->next < pool->n_tasks;
}

/* Tasks are taken in rising order and each one that is taken runs to its end. So every task below a failing one ran
 * too, and the lowest failure is the same however the threads were scheduled. Expects and returns with the lock held.
 */
static void run_one(dv_pool *pool, size_t worker) {
    const size_t task = pool->next++;
    pool->n_running++;
    pthread_mutex_unlock(&pool->lock);
    const dv_status status = pool->task(pool->context, task, worker);
    pthread_mutex_lock(&pool->lock);
    if (status != DV_OK && (pool->status == DV_OK || task < pool->failed_task)) {
        pool->status = status;
        pool->failed_task = task;
        memccpy(pool->message, dv_last_error(), '\0', sizeof pool->message);
    }
    if (--pool->n_running == 0 && !has_work(pool)) pthread_cond_signal(&pool->idle);
}

static void *work_until_stopped(void *argument) {
    const pool_worker *self = argument;
    dv_pool *pool = self->pool;
    pthread_mutex_lock(&pool->lock);
    while (!pool->stop)
        if (has_work(pool))
            run_one(pool, self->number);
        else
            pthread_cond_wait(&pool->work, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Signals to the process go to the threads of the program, whose handlers expect them; a fault stays where it happened.
 */
static void signals_left_to_the_program(sigset_t *set) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
    sigfillset(set);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(set, faults[i]);
}

static dv_status start_workers(dv_pool *pool) {
    sigset_t blocked, before;
    signals_left_to_the_program(&blocked);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    int error = 0;
    for (size_t i = 1; i < pool->n_threads && error == 0; i++) {
        pool->workers[i] = (pool_worker){.pool = pool, .number = i};
        error = pthread_create(&pool->workers[i].thread, NULL, work_until_stopped, &pool->workers[i]);
        if (error == 0) pool->n_started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == 0) return DV_OK;
    return dv_fail(DV_E_NOMEM, "thread %zu of %zu: cannot be started: %s", pool->n_started + 2, pool->n_threads,
                   dv_error_text(error));
}

dv_status dv_pool_create(size_t n_threads, dv_pool **out) {
    *out = NULL;
    dv_pool *pool = NULL;
    DV_TRY(dv_alloc(1, sizeof *pool, "thread pool", &pool));
    pthread_mutex_init(&pool->lock, NULL); /* these three cannot fail with default attributes */
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->idle, NULL);
    pool->n_threads = n_threads ? n_threads : 1;
    dv_status status = dv_alloc(pool->n_threads, sizeof *pool->workers, "threads of the pool", &pool->workers);
    if (status == DV_OK) status = start_workers(pool);
    if (status == DV_OK)
        *out = pool;
    else
        dv_pool_free(pool);
    return status;
}

void dv_pool_free(dv_pool *pool) {
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 1; i <= pool->n_started; i++) pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->idle);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    free(pool->workers);
    free(pool);
}

size_t dv_pool_threads(const dv_pool *pool) {
    return pool->n_threads;
}

dv_status dv_pool_run(dv_pool *pool, size_t n_tasks, dv_task task, void *context) {
    pthread_mutex_lock(&pool->lock);
    if (pool->busy) {
        pthread_mutex_unlock(&pool->lock);
        return dv_fail(DV_E_ARG, "thread pool: a second run began before the first one ended");
    }
    pool->busy = true;
    pool->task = task;
    pool->context = context;
    pool->n_tasks = n_tasks;
    pool->next = 0;
    pool->status = DV_OK;
    if (n_tasks > 1) pthread_cond_broadcast(&pool->work);
    while (has_work(pool)) run_one(pool, 0);
    while (pool->n_running > 0) pthread_cond_wait(&pool->idle, &pool->lock);
    const dv_status status = pool->status;
    if (status != DV_OK) dv_fail(status, "%s", pool->message);
    pool->n_tasks = 0;
    pool->next = 0;
    pool->busy = false;
    pthread_mutex_unlock(&pool->lock);
    return status;
}
