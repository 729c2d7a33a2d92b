#include "app/environment.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/diagnostics.h"
#include "app/message.h"
#include "app/slurm_job.h"
#include "denseval/device.h"
#include "denseval/number.h"

static const char CORE_VARIABLE[] = "OPENBLAS_CORETYPE";
static const char THREADS_VARIABLE[] = "OPENBLAS_NUM_THREADS";
static const char TASK_VARIABLE[] = "SLURM_CPUS_PER_TASK";
static const char MARK_VARIABLE[] = "DENSEVAL_BLAS_CHOSEN"; /* set before starting again, so that it happens once */

/* An empty variable counts as none. */
static const char *set_variable(const char *name) {
    const char *const value = getenv(name);
    return value && *value ? value : NULL;
}

void dv_environment_prepare(void) {
    const char *const synchronous = set_variable("DENSEVAL_CUDA_SYNC");
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
    setenv("NVIDIA_TF32_OVERRIDE", "0", 1); /* read by cuBLAS when it starts: FAISS on GPUs must round as f32 does */
    if (synchronous && strcmp(synchronous, "0") != 0) setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
}

/* A family whose kernels this processor surely has; NULL where the generic ones are all it can run. */
static const char *runnable_core(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
        return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
    return NULL;
}

/* The BLAS reads both variables when it is loaded, so the program starts itself again with them. Its own threads are
 * never used (each worker of ours calls it alone), and where memory is short they would hang the exit. */
void dv_environment_choose_blas(char *const *arguments) {
    if (getenv(MARK_VARIABLE)) return;
    const char *const threads = getenv(THREADS_VARIABLE);
    const bool generic = !getenv(CORE_VARIABLE) && strcmp(dv_blas_core(), "Prescott") == 0;
    const char *const core = generic ? runnable_core() : NULL;
    if (threads && strcmp(threads, "1") == 0 && !core) return;
    if (setenv(MARK_VARIABLE, "1", 1) != 0 || setenv(THREADS_VARIABLE, "1", 1) != 0) return;
    if (core && setenv(CORE_VARIABLE, core, 1) != 0) return;
    execv("/proc/self/exe", arguments);
    if (core) unsetenv(CORE_VARIABLE); /* no /proc: slower, but as right */
}

const char *dv_environment_kernel(void) {
    return set_variable("DENSEVAL_CPU");
}

/* How a process gets n_cpus, by what started it. text: char [size] */
static void tell_how(const dv_slurm_job *slurm, size_t n_cpus, char *text, size_t size) {
    if (set_variable("OMPI_COMM_WORLD_SIZE"))
        snprintf(text, size, "mpirun --map-by ppr:%zu:node:PE=%zu, or --bind-to none", slurm->n_processes, n_cpus);
    else
        snprintf(text, size, "srun --cpus-per-task %zu", n_cpus);
}

/* SYS-04: since Slurm 22.05 a step gets one CPU unless it asks for more, whatever its job has; mpirun binds to a core.
 */
static void warn_of_idle_cpus(const dv_thread_limits *limits, const dv_slurm_job *slurm) {
    const bool by_slurm = limits->slurm && limits->slurm < limits->affinity;
    const size_t usable = (by_slurm ? limits->slurm : limits->affinity) * slurm->n_processes;
    char how[128];
    if (limits->affinity == 0) return;
    if (limits->slurm > limits->affinity) {
        tell_how(slurm, limits->slurm, how, sizeof how);
        dv_warn("%s is %zu, but this process may run on %zu CPUs: give the count to the step as well (%s)",
                set_variable(TASK_VARIABLE) ? TASK_VARIABLE : "SLURM_CPUS_ON_NODE", limits->slurm, limits->affinity,
                how);
    } else if (slurm->job.n_cpus > usable) {
        tell_how(slurm, slurm->job.n_cpus / slurm->n_processes, how, sizeof how);
        dv_warn("the job has %zu CPUs on this node, of which this step may use %zu: ask for them in the step (%s)",
                slurm->job.n_cpus, usable, how);
    }
}

dv_status dv_environment_threads(size_t option, dv_thread_limits *limits) {
    dv_slurm_job slurm;
    char on_node[DV_NUMBER_SIZE] = "";
    const char *cpus = set_variable(TASK_VARIABLE);
    dv_slurm_job_read(set_variable, &slurm);
    if (!cpus && slurm.step_cpus) {
        snprintf(on_node, sizeof on_node, "%zu", slurm.step_cpus);
        cpus = on_node;
    }
    DV_TRY(dv_thread_limits_get(option, set_variable("OMP_NUM_THREADS"), cpus, limits));
    warn_of_idle_cpus(limits, &slurm);
    return DV_OK;
}

void dv_environment_job(dv_job *job) {
    dv_slurm_job slurm;
    dv_slurm_job_read(set_variable, &slurm);
    *job = slurm.job;
}

/* Is this a task of a Slurm step, or what a task's script started? */
static bool is_task(void) {
    const size_t task = dv_launch_number(set_variable("SLURM_TASK_PID"), INT_MAX);
    return task != 0 && (task == (size_t)getpid() || task == (size_t)getppid());
}

/* A batch script is no step. What mpirun started is asked first, since mpirun itself may use a step, and so may
 * starters that tell by PMI_SIZE, whose ranks are none of ours. */
dv_launch dv_environment_launch(void) {
    static const char *const starters[][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                              {"PMI_SIZE", "PMI_RANK"},
                                              {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};
    const bool by_mpirun = set_variable(starters[0][0]) != NULL, by_pmix = set_variable("PMIX_RANK") != NULL;
    dv_launch launch = {.index = dv_launch_number(set_variable("PMIX_RANK"), DV_LAUNCH_MOST)};
    for (size_t i = 0; launch.n == 0 && i < sizeof starters / sizeof *starters; i++) {
        launch.n = dv_launch_number(set_variable(starters[i][0]), DV_LAUNCH_MOST);
        if (launch.n && (by_mpirun || !by_pmix))
            launch.index = dv_launch_number(set_variable(starters[i][1]), DV_LAUNCH_MOST);
    }
    launch.has_ranks = (by_mpirun || by_pmix) && launch.n != 1;
    launch.has_others = launch.n > 1 && (by_mpirun || is_task());
    return launch;
}
