#include "core/affinity.h"

#include <sched.h>
#include <string.h>

void dv_affinity_read(uint64_t *mask, size_t n_words) {
    memset(mask, 0, n_words * sizeof *mask);
    cpu_set_t *set = CPU_ALLOC(64 * n_words);
    if (!set) return;
    const size_t size = CPU_ALLOC_SIZE(64 * n_words);
    if (sched_getaffinity(0, size, set) == 0)
        for (size_t cpu = 0; cpu < 64 * n_words; cpu++)
            if (CPU_ISSET_S(cpu, size, set)) mask[cpu / 64] |= (uint64_t)1 << cpu % 64;
    CPU_FREE(set);
}
