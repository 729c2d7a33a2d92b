/* bench_run.c: timing, threads and memory of a bench. */
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "app/bench.h"
#include "app/message.h"
#include "denseval/run.h"

enum { MESSAGE_SIZE = 512 };

double dv_bench_now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* p50 of an even number of runs is the mean of the two in the middle. */
static dv_bench_times summarise(double *seconds, size_t n) {
    qsort(seconds, n, sizeof *seconds, by_value);
    return (dv_bench_times){
        .p50_s = (seconds[(n - 1) / 2] + seconds[n / 2]) / 2, .best_s = seconds[0], .worst_s = seconds[n - 1]};
}

dv_status dv_bench_time(const dv_bench *bench, dv_status (*once)(void *user), void *user, dv_bench_times *times) {
    const dv_app_context *const context = bench->context;
    const size_t warm_up = bench->args->warm_up, n = warm_up + bench->args->runs;
    double *seconds;
    dv_status status = dv_bench_alloc(bench->args->runs, sizeof *seconds, "times", &seconds);
    for (size_t i = 0; status == DV_OK && i < n; i++) {
        if (dv_interrupted()) status = dv_app_fail(DV_E_INTERRUPTED, "bench %s: interrupted", bench->stage);
        const double start_s = dv_bench_now_s();
        if (status == DV_OK) status = once(user);
        if (i >= warm_up) seconds[i - warm_up] = dv_bench_now_s() - start_s;
        if (context->progress) context->progress(context->progress_user, bench->stage, i + 1, n);
    }
    if (status == DV_OK) *times = summarise(seconds, bench->args->runs);
    free(seconds);
    return status;
}

dv_status dv_bench_device_memory(dv_device *device, const void *host, size_t n_bytes, void **out) {
    *out = NULL;
    DV_TRY(device->ops->alloc(device, n_bytes, out));
    if (!host) return DV_OK;
    DV_TRY(device->ops->upload(device, *out, host, n_bytes));
    return device->ops->synchronise(device);
}

double dv_bench_resident_bytes(void) {
    unsigned long long pages = 0, resident = 0;
    (void)malloc_trim(0); /* what was freed is no longer anybody's */
    FILE *const file = fopen("/proc/self/statm", "r");
    const int n = file ? fscanf(file, "%llu %llu", &pages, &resident) : 0;
    if (file) (void)fclose(file); /* only read */
    return n == 2 ? (double)resident * (double)sysconf(_SC_PAGESIZE) : NAN;
}

dv_status dv_bench_alloc(size_t n, size_t size, const char *what, void *out) {
    void *const made = calloc(n ? n : 1, size);
    *(void **)out = made;
    return made ? DV_OK : dv_app_fail(DV_E_NOMEM, "no memory for %zu %s of %zu bytes", n, what, size);
}

typedef struct part_thread {
    dv_bench_part part;
    void *user;
    size_t number, n_parts;
    pthread_t thread;
    bool started;
    dv_status status;
    char message[MESSAGE_SIZE]; /* of the failure; a message belongs to its thread */
} part_thread;

static void *run_part(void *argument) {
    part_thread *const self = argument;
    self->status = self->part(self->user, self->number, self->n_parts);
    if (self->status != DV_OK) snprintf(self->message, sizeof self->message, "%s", dv_app_message());
    return NULL;
}

dv_status dv_bench_parallel(size_t n_parts, dv_bench_part part, void *user) {
    part_thread *threads;
    dv_status status = dv_bench_alloc(n_parts, sizeof *threads, "threads", &threads);
    if (status != DV_OK) return status;
    for (size_t i = 0; i < n_parts; i++) {
        threads[i] = (part_thread){.part = part, .user = user, .number = i, .n_parts = n_parts};
        threads[i].started = i > 0 && pthread_create(&threads[i].thread, NULL, run_part, &threads[i]) == 0;
    }
    for (size_t i = 0; i < n_parts; i++) /* this thread does the first part, and what no thread could be had for */
        if (!threads[i].started) run_part(&threads[i]);
    for (size_t i = 0; i < n_parts; i++)
        if (threads[i].started) pthread_join(threads[i].thread, NULL);
    for (size_t i = 0; status == DV_OK && i < n_parts; i++)
        if (threads[i].status != DV_OK) status = dv_app_fail(threads[i].status, "%s", threads[i].message);
    free(threads);
    return status;
}
