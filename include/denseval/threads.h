/* threads.h: how many threads this process may use. */
#ifndef DENSEVAL_THREADS_H
#define DENSEVAL_THREADS_H

#include <stddef.h>

#include "denseval/status.h"

DV_C_BEGIN

/* Every limit that is known; 0 where there is none. `allowed` is the least of them, at least 1. */
typedef struct dv_thread_limits {
    size_t option;   /* what the user asked for */
    size_t omp;      /* OMP_NUM_THREADS, its first number */
    size_t slurm;    /* SLURM_CPUS_PER_TASK, or what else Slurm says */
    size_t affinity; /* CPUs in this process's affinity mask */
    size_t cgroup;   /* CPU quota of the cgroup (v2 or v1), rounded down, at least 1 */
    size_t allowed;
} dv_thread_limits;

/* Gathers the limits. The environment is the caller's to read: the library never does.
 * option               0: none
 * omp_num_threads      text of OMP_NUM_THREADS, or NULL where it is not set
 * slurm_cpus_per_task  text of SLURM_CPUS_PER_TASK, where there is none of SLURM_CPUS_ON_NODE, or NULL
 * Text that is no positive number is DV_E_USAGE, naming the variable; a number above 2^20 is no limit. */
DV_MUST_USE dv_status dv_thread_limits_get(size_t option, const char *omp_num_threads, const char *slurm_cpus_per_task,
                                           dv_thread_limits *limits);

DV_C_END
#endif
