/* parallel.h: a pool of threads of ours. OpenMP stays out of our code: race detectors understand pthreads. */
#ifndef DV_CORE_PARALLEL_H
#define DV_CORE_PARALLEL_H

#include <stddef.h>

#include "denseval/status.h"

typedef struct dv_pool dv_pool;

/* n_threads workers, the caller of dv_pool_run counted; 0 means 1. *out: the caller's until dv_pool_free. */
DV_MUST_USE dv_status dv_pool_create(size_t n_threads, dv_pool **out);
void dv_pool_free(dv_pool *pool);
size_t dv_pool_threads(const dv_pool *pool);

/* One task. `worker` is 0..n_threads-1, for scratch a worker. */
typedef dv_status (*dv_task)(void *context, size_t task, size_t worker);

/* Runs tasks 0..n_tasks-1, handed out in rising order, and waits for all. After a failure no new task starts; what
 * comes back is the status and message of the lowest task that failed, so errors repeat. One caller at a time a pool.
 */
DV_MUST_USE dv_status dv_pool_run(dv_pool *pool, size_t n_tasks, dv_task task, void *context);

#endif
