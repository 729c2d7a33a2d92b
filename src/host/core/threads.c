#include "denseval/threads.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>

#include "core/cgroup.h"
#include "core/check.h"
#include "core/memory.h"
#include "denseval/number.h"

enum { CPUS_AT_FIRST = 1024, CPUS_AT_MOST = 1 << 20 };

/* A positive number, the whole text or up to `mark`; NULL text, or more CPUs than there are: no limit. */
static dv_status read_variable(const char *name, const char *text, char mark, size_t *limit) {
    *limit = 0;
    if (!text) return DV_OK;
    char first[DV_NUMBER_SIZE] = "";
    const char *end = mark ? strchrnul(text, mark) : text + strlen(text);
    const size_t length = (size_t)(end - text);
    uint64_t value = 0;
    bool good = length < sizeof first; /* longer than any number */
    if (good) {
        memcpy(first, text, length);
        good = dv_parse_u64(first, &value) == DV_OK && value > 0 && value <= SIZE_MAX;
    }
    if (!good) return dv_fail(DV_E_USAGE, "%s: \"%.100s\": must be a number of threads, at least 1", name, text);
    if (value <= CPUS_AT_MOST) *limit = (size_t)value;
    return DV_OK;
}

/* CPUs in the affinity mask. The kernel refuses a set smaller than its own, whose size it does not tell: try. */
static dv_status count_affinity(size_t *n_cpus) {
    *n_cpus = 0;
    for (size_t room = CPUS_AT_FIRST; room <= CPUS_AT_MOST; room *= 2) {
        cpu_set_t *set = CPU_ALLOC(room);
        if (!set) return dv_fail(DV_E_NOMEM, "no memory for a set of %zu CPUs", room);
        const size_t size = CPU_ALLOC_SIZE(room);
        const int error = sched_getaffinity(0, size, set) == 0 ? 0 : errno;
        if (error == 0) *n_cpus = (size_t)CPU_COUNT_S(size, set);
        CPU_FREE(set);
        if (error != EINVAL) break;
    }
    return DV_OK;
}

static size_t least_limit(const dv_thread_limits *limits) {
    const size_t all[] = {limits->option, limits->omp, limits->slurm, limits->affinity, limits->cgroup};
    size_t least = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] && (least == 0 || all[i] < least)) least = all[i];
    return least ? least : 1;
}

dv_status dv_thread_limits_get(size_t option, const char *omp_num_threads, const char *slurm_cpus_per_task,
                               dv_thread_limits *limits) {
    dv_thread_limits found = {.option = option};
    DV_TRY(read_variable("OMP_NUM_THREADS", omp_num_threads, ',', &found.omp));
    DV_TRY(read_variable("SLURM_CPUS_PER_TASK", slurm_cpus_per_task, '\0', &found.slurm));
    DV_TRY(count_affinity(&found.affinity));
    DV_TRY(dv_cgroup_cpus("/proc/self/cgroup", "/proc/self/mountinfo", &found.cgroup));
    found.allowed = least_limit(&found);
    *limits = found;
    return DV_OK;
}
