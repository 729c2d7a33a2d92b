#include "denseval/peak.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/check.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "denseval/run.h"
#include "device/cpu/peak_loops.h"

enum { ROUNDS = 1000, WINDOWS = 7, READ_STEP = 512 };
static const double WINDOW_S = 0.03; /* of one measurement; the best of WINDOWS counts */
static const double READ_MOST_S = 1; /* of all passes over the memory */

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* What a window hands to its threads, and what they add up. */
typedef struct window {
    const dv_peak_kernel *kernel;
    double end_s;
    atomic_size_t n_rounds;
    atomic_uint used; /* results of the loops, so that these cannot be left out */
} window;

static dv_status run_loop(void *context, size_t task, size_t worker) {
    (void)task;
    (void)worker;
    window *const shared = context;
    size_t n_rounds = 0;
    uint32_t used = 0;
    while (now_s() < shared->end_s) {
        used ^= shared->kernel->loop(ROUNDS);
        n_rounds += ROUNDS;
    }
    atomic_fetch_add(&shared->n_rounds, n_rounds);
    atomic_fetch_xor(&shared->used, used);
    return DV_OK;
}

/* The first window also wakes the threads and lets the clock settle; the best one is none the worse for it. */
static dv_status measure_loop(dv_pool *pool, const dv_peak_kernel *kernel, double *ops_per_s) {
    *ops_per_s = 0;
    for (int i = 0; i < WINDOWS; i++) {
        if (dv_interrupted()) return dv_fail(DV_E_INTERRUPTED, "interrupted while the machine was measured");
        const double start_s = now_s();
        window shared = {.kernel = kernel, .end_s = start_s + WINDOW_S};
        DV_TRY(dv_pool_run(pool, dv_pool_threads(pool), run_loop, &shared));
        const double rate = (double)shared.n_rounds * kernel->ops_per_round / (now_s() - start_s);
        if (rate > *ops_per_s) *ops_per_s = rate;
    }
    return DV_OK;
}

static dv_status measure_best(dv_pool *pool, const dv_peak_kernel *kernels, double *ops_per_s, const char **name) {
    for (const dv_peak_kernel *kernel = kernels;; kernel++) {
        double rate;
        if (kernel->usable()) {
            DV_TRY(measure_loop(pool, kernel, &rate));
            if (rate > *ops_per_s) {
                *ops_per_s = rate;
                *name = kernel->name;
            }
        }
        if (kernel->usable == dv_peak_always) return DV_OK; /* the last row */
    }
}

/* Memory that each thread has a part of. */
typedef struct stretch {
    unsigned char *memory;
    size_t part_bytes;
    dv_peak_reader reader;
    _Atomic uint64_t used;
} stretch;

/* Written by the thread that will most likely read it; memory never written is all the same page. */
static dv_status fill_part(void *context, size_t task, size_t worker) {
    (void)worker;
    stretch *const shared = context;
    memset(shared->memory + task * shared->part_bytes, 1, shared->part_bytes);
    return DV_OK;
}

static dv_status read_part(void *context, size_t task, size_t worker) {
    (void)worker;
    stretch *const shared = context;
    atomic_fetch_xor(&shared->used, shared->reader(shared->memory + task * shared->part_bytes, shared->part_bytes));
    return DV_OK;
}

static dv_status measure_read(dv_pool *pool, size_t n_bytes, double *bytes_per_s) {
    const size_t n_parts = dv_pool_threads(pool);
    stretch shared = {.part_bytes = n_bytes / n_parts / READ_STEP * READ_STEP, .reader = dv_peak_best_reader()};
    if (shared.part_bytes == 0) return DV_OK;
    DV_TRY(dv_alloc(shared.part_bytes * n_parts, 1, "memory to be read", &shared.memory));
    dv_status status = dv_pool_run(pool, n_parts, fill_part, &shared);
    const double first_s = now_s();
    for (int i = 0; status == DV_OK && i < WINDOWS && now_s() - first_s < READ_MOST_S; i++) {
        const double start_s = now_s();
        status = dv_pool_run(pool, n_parts, read_part, &shared);
        const double rate = (double)(shared.part_bytes * n_parts) / (now_s() - start_s);
        if (rate > *bytes_per_s) *bytes_per_s = rate;
    }
    free(shared.memory);
    return status;
}

dv_status dv_peaks_measure(size_t n_threads, size_t read_bytes, dv_peaks *out) {
    *out = (dv_peaks){0};
    dv_peaks made = {0};
    dv_pool *pool;
    DV_TRY(dv_pool_create(n_threads, &pool));
    made.n_threads = dv_pool_threads(pool);
    dv_status status = measure_best(pool, dv_peak_int8, &made.int8_ops_per_s, &made.int8_kernel);
    if (status == DV_OK) status = measure_best(pool, dv_peak_fp32, &made.fp32_ops_per_s, &made.fp32_kernel);
    if (status == DV_OK) status = measure_read(pool, read_bytes, &made.read_bytes_per_s);
    dv_pool_free(pool);
    if (status == DV_OK) *out = made;
    return status;
}

size_t dv_peaks_read_bytes(void) {
    enum { LEAST = 256 << 20, MOST = 1 << 30 };
    const long cache_bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (cache_bytes <= LEAST / 2) return LEAST;
    return cache_bytes > MOST / 2 ? (size_t)MOST : 2 * (size_t)cache_bytes;
}
