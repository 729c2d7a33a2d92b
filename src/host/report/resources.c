#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/cgroup.h"
#include "core/clock.h"
#include "denseval/report.h"

static double seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static double cpu_s(const struct rusage *usage) {
    return seconds(usage->ru_utime) + seconds(usage->ru_stime);
}

/* The second number of /proc/self/statm, in pages. */
size_t dv_resident_bytes(void) {
    unsigned long long n_pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return 0;
    if (fscanf(file, "%*u %llu", &n_pages) != 1) n_pages = 0;
    fclose(file);
    return (size_t)n_pages * (size_t)sysconf(_SC_PAGESIZE);
}

void dv_resources_start(dv_resources *resources, size_t n_threads) {
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    *resources = (dv_resources){.wall_s = -dv_steady_s(), .cpu_s = -cpu_s(&usage), .n_threads = n_threads};
}

void dv_resources_stop(dv_resources *resources) {
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    resources->wall_s += dv_steady_s();
    resources->cpu_s += cpu_s(&usage);
    resources->max_rss_bytes = (size_t)usage.ru_maxrss * 1024;
    resources->memory_limit_bytes = dv_memory_granted();
}
