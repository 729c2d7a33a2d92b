#include "app/slurm_job.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "denseval/number.h"

enum { DECIMAL = 10, MOST_GPUS = 1 << 16 };
static const size_t MEGABYTE = 1 << 20; /* what Slurm counts memory in */
static const size_t MOST_RESTARTS = (size_t)1 << 31, MOST_MEGABYTES = (size_t)1 << 50;

size_t dv_launch_number(const char *text, size_t most) {
    uint64_t value = 0;
    return text && dv_parse_u64(text, &value) == DV_OK && value <= most ? (size_t)value : 0;
}

/* Reads digits and moves past them; false where there are none, or the number is above all counts. */
static bool take_number(const char **text, size_t *value) {
    char *end;
    if (**text < '0' || **text > '9') return false;
    *value = (size_t)strtoull(*text, &end, DECIMAL); /* more digits than fit are ULLONG_MAX */
    *text = end;
    return *value <= DV_LAUNCH_MOST;
}

size_t dv_slurm_list_at(const char *list, size_t node) {
    static const char times[] = "(x";
    if (!list) return 0;
    while (*list) {
        size_t value, n = 1;
        if (!take_number(&list, &value)) return 0;
        if (strncmp(list, times, sizeof times - 1) == 0) {
            list += sizeof times - 1;
            if (!take_number(&list, &n) || *list++ != ')') return 0;
        }
        if (node < n) return value;
        node -= n;
        if (*list && *list++ != ',') return 0;
    }
    return 0;
}

/* 0 where the product, too, is more than there can be. */
static size_t megabytes_of(const char *each, size_t n) {
    size_t product;
    if (__builtin_mul_overflow(dv_launch_number(each, MOST_MEGABYTES), n, &product)) return 0;
    return product <= MOST_MEGABYTES ? product : 0;
}

/* Bytes on this node; SLURM_MEM_PER_NODE 0 means all that the node has, which is not told. */
static size_t memory_of(dv_variable_reader read, const dv_job *job) {
    size_t megabytes = megabytes_of(read("SLURM_MEM_PER_NODE"), 1), bytes;
    if (megabytes == 0) megabytes = megabytes_of(read("SLURM_MEM_PER_CPU"), job->n_cpus);
    if (megabytes == 0) megabytes = megabytes_of(read("SLURM_MEM_PER_GPU"), job->n_gpus);
    return __builtin_mul_overflow(megabytes, MEGABYTE, &bytes) ? 0 : bytes;
}

static size_t node_of(dv_variable_reader read) {
    return dv_launch_number(read("SLURM_NODEID"), DV_LAUNCH_MOST);
}

/* mpirun starts its own below one step; else a step has its tasks, and a batch script is one process. */
static size_t processes_of(dv_variable_reader read) {
    size_t n = dv_launch_number(read("OMPI_COMM_WORLD_LOCAL_SIZE"), DV_LAUNCH_MOST);
    if (n == 0 && read("SLURM_STEP_ID") && !read("OMPI_COMM_WORLD_SIZE"))
        n = dv_slurm_list_at(read("SLURM_STEP_TASKS_PER_NODE"), node_of(read));
    return n ? n : 1;
}

void dv_slurm_job_read(dv_variable_reader read, dv_slurm_job *out) {
    *out = (dv_slurm_job){.n_processes = 1};
    dv_job *const job = &out->job;
    job->id = read("SLURM_JOB_ID");
    if (!job->id) return;
    job->array_id = read("SLURM_ARRAY_JOB_ID");
    job->array_task = read("SLURM_ARRAY_TASK_ID");
    job->node = read("SLURMD_NODENAME");
    job->n_restarts = dv_launch_number(read("SLURM_RESTART_COUNT"), MOST_RESTARTS);
    out->step_cpus = dv_launch_number(read("SLURM_CPUS_ON_NODE"), DV_LAUNCH_MOST);
    job->n_cpus = dv_slurm_list_at(read("SLURM_JOB_CPUS_PER_NODE"), node_of(read));
    if (job->n_cpus == 0) job->n_cpus = out->step_cpus;
    job->n_gpus = dv_launch_number(read("SLURM_GPUS_ON_NODE"), MOST_GPUS);
    job->memory_bytes = memory_of(read, job);
    out->n_processes = processes_of(read);
}
