/* cgroup.h: the CPUs and the memory that a container or a batch system grants this process. */
#ifndef DV_CORE_CGROUP_H
#define DV_CORE_CGROUP_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/status.h"

/* The hierarchy that holds the limits of a controller, and this process's group in it. */
typedef struct dv_cgroup_place {
    bool is_v2;
    char *path;         /* folder of the group; owned, NULL: there is no such hierarchy */
    size_t mount_bytes; /* the part of `path` where the hierarchy is mounted: the walk upwards ends there */
} dv_cgroup_place;

/* Finds the place: v1 where its controller is mounted (only one hierarchy can have it), else v2.
 * controller   "cpu" or "memory"
 * self_cgroup  text of /proc/self/cgroup
 * mountinfo    text of /proc/self/mountinfo
 * *place       the caller's until free(place->path). Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_cgroup_find(const char *self_cgroup, const char *mountinfo, const char *controller,
                                     dv_cgroup_place *place);

/* CPUs of a quota, rounded down, at least 1; 0: no quota, or no text that makes sense.
 * cpu_max  text of cpu.max: "QUOTA PERIOD" or "max PERIOD", in microseconds */
size_t dv_cgroup_cpus_v2(const char *cpu_max);

/* The same of the texts of cpu.cfs_quota_us (-1: none) and cpu.cfs_period_us. */
size_t dv_cgroup_cpus_v1(const char *quota_us, const char *period_us);

/* The quota of the process that the two files tell of: the least from its group up to the mount, for a group bounds all
 * below it; 0 where there is none or none that can be read. The paths are those in /proc/self, except in tests. */
DV_MUST_USE dv_status dv_cgroup_cpus(const char *self_cgroup_path, const char *mountinfo_path, size_t *n_cpus);

/* Bytes of a text of memory.max or memory.limit_in_bytes; 0: no limit. */
size_t dv_cgroup_bytes(const char *limit);

/* The memory limit likewise; 0 where there is none or none that can be read. */
DV_MUST_USE dv_status dv_cgroup_memory(const char *self_cgroup_path, const char *mountinfo_path, size_t *n_bytes);

/* Bytes that this process may use: the least of the machine's memory and the limit of its cgroup; 0: not known. */
size_t dv_memory_granted(void);

#endif
