#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/check.h"
#include "core/parallel.h"

enum { MAX_TASKS = 500, MAX_THREADS = 8 };

/* Threads that can still be started; -1: no limit. The linker puts this before the library's. */
static int n_startable = -1;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument) {
    if (n_startable == 0) return EAGAIN;
    if (n_startable > 0) n_startable--;
    return __real_pthread_create(thread, attributes, work, argument);
}

/* What the tasks of one run saw. */
typedef struct record {
    pthread_mutex_t lock; /* taken first in each task */
    size_t order[MAX_TASKS];
    size_t n_begun;
    int runs[MAX_TASKS];
    atomic_size_t busy[MAX_THREADS];
    size_t n_threads;
    const size_t *failing; /* tasks that fail, in any order */
    size_t n_failing;
    int slow_task; /* sleeps before it ends; -1: none */
} record;

static record new_record(size_t n_threads) {
    return (record){.lock = PTHREAD_MUTEX_INITIALIZER, .n_threads = n_threads, .slow_task = -1};
}

static void sleep_ms(long time_ms) {
    const struct timespec wait = {.tv_nsec = time_ms * 1000000};
    nanosleep(&wait, NULL);
}

static dv_status note(void *context, size_t task, size_t worker) {
    record *seen = context;
    if (worker >= seen->n_threads) return dv_fail(DV_E_INTERNAL, "worker %zu", worker);
    if (atomic_fetch_add(&seen->busy[worker], 1) != 0) return dv_fail(DV_E_INTERNAL, "worker %zu runs twice", worker);
    pthread_mutex_lock(&seen->lock);
    seen->order[seen->n_begun++] = task;
    seen->runs[task]++;
    pthread_mutex_unlock(&seen->lock);
    if (seen->slow_task == (int)task) sleep_ms(30);
    atomic_fetch_sub(&seen->busy[worker], 1);
    for (size_t i = 0; i < seen->n_failing; i++)
        if (seen->failing[i] == task) return dv_fail(DV_E_DATA, "task %zu, worker failed", task);
    return DV_OK;
}

static void every_task_runs_once_with_any_number_of_threads(void **state) {
    (void)state;
    for (size_t n_threads = 1; n_threads <= MAX_THREADS; n_threads++) {
        dv_pool *pool;
        assert_int_equal(dv_pool_create(n_threads, &pool), DV_OK);
        assert_int_equal(dv_pool_threads(pool), n_threads);
        const size_t sizes[] = {MAX_TASKS, 0, 1, 2, 7, MAX_TASKS};
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            record seen = new_record(n_threads);
            assert_int_equal(dv_pool_run(pool, sizes[s], note, &seen), DV_OK);
            assert_int_equal(seen.n_begun, sizes[s]);
            for (size_t i = 0; i < sizes[s]; i++) assert_int_equal(seen.runs[i], 1);
        }
        dv_pool_free(pool);
    }
}

static void one_thread_takes_the_tasks_in_order_as_worker_0_in_the_calling_thread(void **state) {
    (void)state;
    dv_pool *pool;
    assert_int_equal(dv_pool_create(1, &pool), DV_OK);
    record seen = new_record(1);
    assert_int_equal(dv_pool_run(pool, MAX_TASKS, note, &seen), DV_OK);
    for (size_t i = 0; i < MAX_TASKS; i++) assert_int_equal(seen.order[i], i);
    dv_pool_free(pool);
}

/* A task is taken before it is noted, so with n threads it is noted at most n - 1 places early. */
static void tasks_are_handed_out_in_rising_order(void **state) {
    (void)state;
    dv_pool *pool;
    assert_int_equal(dv_pool_create(4, &pool), DV_OK);
    record seen = new_record(4);
    assert_int_equal(dv_pool_run(pool, MAX_TASKS, note, &seen), DV_OK);
    size_t highest = 0;
    for (size_t i = 0; i < MAX_TASKS; i++) {
        if (seen.order[i] > highest) highest = seen.order[i];
        assert_true(highest < i + 4);
    }
    dv_pool_free(pool);
}

static void zero_threads_mean_one(void **state) {
    (void)state;
    dv_pool *pool;
    assert_int_equal(dv_pool_create(0, &pool), DV_OK);
    assert_int_equal(dv_pool_threads(pool), 1);
    record seen = new_record(1);
    assert_int_equal(dv_pool_run(pool, 3, note, &seen), DV_OK);
    assert_int_equal(seen.n_begun, 3);
    dv_pool_free(pool);
}

static void lowest_failing_task_is_reported_whatever_fails_first(void **state) {
    (void)state;
    const size_t failing[] = {40, 22, 21, 20, 23};
    for (size_t n_threads = 1; n_threads <= MAX_THREADS; n_threads++) {
        dv_pool *pool;
        assert_int_equal(dv_pool_create(n_threads, &pool), DV_OK);
        for (int repeat = 0; repeat < 20; repeat++) {
            record seen = new_record(n_threads);
            seen.failing = failing;
            seen.n_failing = 5;
            seen.slow_task = repeat == 0 ? 20 : -1; /* then 21 and 22 fail before it does */
            assert_int_equal(dv_pool_run(pool, 100, note, &seen), DV_E_DATA);
            assert_string_equal(dv_last_error(), "task 20, worker failed");
            for (size_t i = 0; i <= 20; i++) assert_int_equal(seen.runs[i], 1);
        }
        dv_pool_free(pool);
    }
}

static void no_task_starts_after_a_failure(void **state) {
    (void)state;
    const size_t failing[] = {3};
    dv_pool *pool;
    assert_int_equal(dv_pool_create(1, &pool), DV_OK);
    record seen = new_record(1);
    seen.failing = failing;
    seen.n_failing = 1;
    assert_int_equal(dv_pool_run(pool, 100, note, &seen), DV_E_DATA);
    assert_int_equal(seen.n_begun, 4);
    dv_pool_free(pool);
}

static void pool_is_good_for_another_run_after_a_failure(void **state) {
    (void)state;
    const size_t failing[] = {0};
    dv_pool *pool;
    assert_int_equal(dv_pool_create(3, &pool), DV_OK);
    record seen = new_record(3);
    seen.failing = failing;
    seen.n_failing = 1;
    assert_int_equal(dv_pool_run(pool, 50, note, &seen), DV_E_DATA);
    record again = new_record(3);
    assert_int_equal(dv_pool_run(pool, 50, note, &again), DV_OK);
    assert_int_equal(again.n_begun, 50);
    dv_pool_free(pool);
}

typedef struct meeting {
    pthread_barrier_t barrier;
    pthread_t caller;
    atomic_int n_elsewhere;
} meeting;

/* Each task waits for the others: only as many threads as tasks get past. Fails where the caller is not. */
static dv_status meet(void *context, size_t task, size_t worker) {
    meeting *place = context;
    pthread_barrier_wait(&place->barrier);
    if (pthread_equal(pthread_self(), place->caller)) return worker == 0 ? DV_OK : DV_E_INTERNAL;
    atomic_fetch_add(&place->n_elsewhere, 1);
    return dv_fail(DV_E_IO, "task %zu: said in a thread of the pool", task);
}

static void message_of_a_worker_travels_to_the_caller(void **state) {
    (void)state;
    dv_pool *pool;
    assert_int_equal(dv_pool_create(4, &pool), DV_OK);
    meeting place = {.caller = pthread_self()};
    pthread_barrier_init(&place.barrier, NULL, 4);
    dv_fail(DV_E_ARG, "older");
    assert_int_equal(dv_pool_run(pool, 4, meet, &place), DV_E_IO);
    assert_int_equal(atomic_load(&place.n_elsewhere), 3);
    assert_true(strcmp(dv_last_error(), "task 0: said in a thread of the pool") == 0 ||
                strcmp(dv_last_error(), "task 1: said in a thread of the pool") == 0);
    pthread_barrier_destroy(&place.barrier);
    dv_pool_free(pool);
}

static dv_status run_inside(void *context, size_t task, size_t worker) {
    (void)task;
    (void)worker;
    return dv_pool_run(context, 1, run_inside, context);
}

static void second_run_during_the_first_is_refused(void **state) {
    (void)state;
    dv_pool *pool;
    assert_int_equal(dv_pool_create(2, &pool), DV_OK);
    assert_int_equal(dv_pool_run(pool, 1, run_inside, pool), DV_E_ARG);
    assert_string_equal(dv_last_error(), "thread pool: a second run began before the first one ended");
    dv_pool_free(pool);
}

static dv_status check_mask(void *context, size_t task, size_t worker) {
    (void)task;
    (void)context;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    sleep_ms(5); /* so that each thread takes a task */
    if (sigismember(&blocked, SIGTERM) != (worker != 0) || sigismember(&blocked, SIGSEGV))
        return dv_fail(DV_E_INTERNAL, "worker %zu has the wrong mask", worker);
    return DV_OK;
}

static void signals_stay_with_the_threads_of_the_program(void **state) {
    (void)state;
    dv_pool *pool;
    assert_int_equal(dv_pool_create(4, &pool), DV_OK);
    assert_int_equal(dv_pool_run(pool, 12, check_mask, NULL), DV_OK);
    dv_pool_free(pool);
}

static void impossible_number_of_threads_is_refused(void **state) {
    (void)state;
    dv_pool *pool = (dv_pool *)(void *)state;
    assert_int_equal(dv_pool_create(SIZE_MAX, &pool), DV_E_NOMEM);
    assert_non_null(strstr(dv_last_error(), "threads of the pool"));
    assert_null(pool);
}

static void threads_that_were_started_are_ended_when_one_cannot_be(void **state) {
    (void)state;
    dv_pool *pool = NULL;
    n_startable = 2;
    assert_int_equal(dv_pool_create(5, &pool), DV_E_NOMEM);
    n_startable = -1;
    assert_string_equal(dv_last_error(), "thread 4 of 5: cannot be started: Resource temporarily unavailable");
    assert_null(pool);
}

static void freeing_no_pool_is_allowed(void **state) {
    (void)state;
    dv_pool_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once_with_any_number_of_threads),
        cmocka_unit_test(one_thread_takes_the_tasks_in_order_as_worker_0_in_the_calling_thread),
        cmocka_unit_test(tasks_are_handed_out_in_rising_order),
        cmocka_unit_test(zero_threads_mean_one),
        cmocka_unit_test(lowest_failing_task_is_reported_whatever_fails_first),
        cmocka_unit_test(no_task_starts_after_a_failure),
        cmocka_unit_test(pool_is_good_for_another_run_after_a_failure),
        cmocka_unit_test(message_of_a_worker_travels_to_the_caller),
        cmocka_unit_test(second_run_during_the_first_is_refused),
        cmocka_unit_test(signals_stay_with_the_threads_of_the_program),
        cmocka_unit_test(impossible_number_of_threads_is_refused),
        cmocka_unit_test(threads_that_were_started_are_ended_when_one_cannot_be),
        cmocka_unit_test(freeing_no_pool_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
