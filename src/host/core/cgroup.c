#include "core/cgroup.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/check.h"
#include "core/memory.h"

/* Is `name` an element of a comma list? */
static bool is_listed(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (; list; list = strchr(list, ','), list = list ? list + 1 : NULL)
        if (strncmp(list, name, length) == 0 && (list[length] == ',' || list[length] == '\0')) return true;
    return false;
}

/* This process's path in /proc/self/cgroup, lines "ID:CONTROLLERS:PATH", with no controllers for v2; NULL: not there.
 * Cuts the text up, and the path is a piece of it. */
static const char *find_group(char *self_cgroup, const char *controller, bool is_v2) {
    for (char *line; (line = strsep(&self_cgroup, "\n")) != NULL;) {
        strsep(&line, ":");
        const char *controllers = strsep(&line, ":");
        if (!line || *line != '/') continue;
        if (is_v2 ? *controllers == '\0' : is_listed(controllers, controller)) return line;
    }
    return NULL;
}

/* Mountinfo writes space, tab, newline and backslash as \ and three octal digits. */
static void unescape(char *text) {
    char *out = text;
    for (; *text; text++)
        if (text[0] == '\\' && strspn(text + 1, "01234567") >= 3) {
            *out++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0'));
            text += 3;
        } else {
            *out++ = *text;
        }
    *out = '\0';
}

/* Where the hierarchy is mounted and which of its groups is visible there. Cuts the text up, and both are pieces of it.
 * Lines: "ID PARENT DEVICE ROOT MOUNT OPTIONS [TAG...] - TYPE SOURCE SUPEROPTIONS". */
static bool find_mount(char *mountinfo, const char *controller, bool is_v2, char **root, char **mount) {
    for (char *line; (line = strsep(&mountinfo, "\n")) != NULL;) {
        for (int i = 0; i < 3; i++) strsep(&line, " ");
        *root = strsep(&line, " ");
        *mount = strsep(&line, " ");
        const char *tag = "";
        while (tag && strcmp(tag, "-") != 0) tag = strsep(&line, " ");
        const char *type = strsep(&line, " ");
        strsep(&line, " ");
        if (!type || !line) continue;
        if (is_v2 ? strcmp(type, "cgroup2") != 0 : strcmp(type, "cgroup") != 0 || !is_listed(line, controller))
            continue;
        unescape(*root);
        unescape(*mount);
        return true;
    }
    return false;
}

/* What of the group's path lies below the mount, which shows the hierarchy from `root` on. A group outside of that
 * (as in a container without its own name space) leaves the mount itself. */
static const char *below_mount(const char *group, const char *root) {
    size_t length = strlen(root);
    while (length > 0 && root[length - 1] == '/') length--;
    if (strncmp(group, root, length) != 0 || group[length] != '/') return "";
    group += length;
    return group[1] == '\0' || strstr(group, "/..") ? "" : group;
}

static dv_status join(const char *mount, const char *below, dv_cgroup_place *place) {
    if (asprintf(&place->path, "%s%s", mount, below) >= 0) {
        place->mount_bytes = strlen(mount);
        return DV_OK;
    }
    place->path = NULL; /* undefined after a failure */
    return dv_fail(DV_E_NOMEM, "no memory for the path of a cgroup");
}

static dv_status find(const char *self_cgroup, const char *mountinfo, const char *controller, dv_cgroup_place *place) {
    char *groups = NULL, *mounts = NULL, *root, *mount;
    dv_status status = dv_strdup(self_cgroup, &groups);
    if (status == DV_OK) status = dv_strdup(mountinfo, &mounts);
    if (status == DV_OK && find_mount(mounts, controller, place->is_v2, &root, &mount)) {
        const char *group = find_group(groups, controller, place->is_v2);
        if (group) status = join(mount, below_mount(group, root), place);
    }
    free(groups);
    free(mounts);
    return status;
}

dv_status dv_cgroup_find(const char *self_cgroup, const char *mountinfo, const char *controller,
                         dv_cgroup_place *place) {
    *place = (dv_cgroup_place){.is_v2 = false};
    DV_TRY(find(self_cgroup, mountinfo, controller, place));
    if (place->path) return DV_OK;
    place->is_v2 = true;
    return find(self_cgroup, mountinfo, controller, place);
}

/* CPUs of a quota; strtoll is good enough for a text of the kernel's, and what is no number is no quota. */
static size_t cpus_of(const char *quota_us, const char *period_us) {
    const long long quota = strtoll(quota_us, NULL, 10), period = strtoll(period_us, NULL, 10);
    if (quota <= 0 || period <= 0) return 0;
    const long long n_cpus = quota / period;
    return n_cpus < 1 ? 1 : (size_t)n_cpus;
}

size_t dv_cgroup_cpus_v1(const char *quota_us, const char *period_us) {
    return cpus_of(quota_us, period_us);
}

size_t dv_cgroup_cpus_v2(const char *cpu_max) {
    const char *period = strchr(cpu_max, ' ');
    return period ? cpus_of(cpu_max, period) : 0; /* "max" is no number */
}

/* The text of a file of the kernel's; NULL when it cannot be read, which means no quota. The caller's until free(). */
static char *read_text(const char *path) {
    FILE *file = fopen(path, "re");
    if (!file) return NULL;
    char *text = NULL;
    size_t room = 0;
    if (getdelim(&text, &room, '\0', file) < 0) { /* up to a NUL that never comes: the whole file */
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

static char *read_control(const char *folder, const char *name) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, name) < 0) return NULL;
    char *text = read_text(path);
    free(path);
    return text;
}

static size_t cpus_of_group(const char *folder, bool is_v2) {
    char *quota = read_control(folder, is_v2 ? "cpu.max" : "cpu.cfs_quota_us");
    char *period = is_v2 ? NULL : read_control(folder, "cpu.cfs_period_us");
    size_t n_cpus = 0;
    if (quota && is_v2)
        n_cpus = dv_cgroup_cpus_v2(quota);
    else if (quota && period)
        n_cpus = dv_cgroup_cpus_v1(quota, period);
    free(quota);
    free(period);
    return n_cpus;
}

size_t dv_cgroup_bytes(const char *limit) {
    enum { NO_LIMIT_BITS = 62 }; /* v1 writes the largest multiple of a page where there is none */
    const unsigned long long bytes = strtoull(limit, NULL, 10); /* "max" is no number */
    return bytes >> NO_LIMIT_BITS ? 0 : (size_t)bytes;
}

static size_t bytes_of_group(const char *folder, bool is_v2) {
    char *limit = read_control(folder, is_v2 ? "memory.max" : "memory.limit_in_bytes");
    const size_t n_bytes = limit ? dv_cgroup_bytes(limit) : 0;
    free(limit);
    return n_bytes;
}

/* The least that a group up to the mount allows, 0: all is allowed. Cuts place->path down to its mount, group by group.
 */
static size_t least(dv_cgroup_place *place, size_t (*of_group)(const char *folder, bool is_v2)) {
    size_t found = 0;
    for (;;) {
        const size_t n = of_group(place->path, place->is_v2);
        if (n && (found == 0 || n < found)) found = n;
        char *slash = strrchr(place->path, '/');
        if (!slash || (size_t)(slash - place->path) < place->mount_bytes) return found;
        *slash = '\0';
    }
}

static dv_status find_least(const char *self_cgroup_path, const char *mountinfo_path, const char *controller,
                            size_t (*of_group)(const char *folder, bool is_v2), size_t *found) {
    *found = 0;
    dv_status status = DV_OK;
    char *groups = read_text(self_cgroup_path), *mounts = read_text(mountinfo_path);
    if (groups && mounts) {
        dv_cgroup_place place;
        status = dv_cgroup_find(groups, mounts, controller, &place);
        if (status == DV_OK && place.path) *found = least(&place, of_group);
        free(place.path);
    }
    free(groups);
    free(mounts);
    return status;
}

dv_status dv_cgroup_cpus(const char *self_cgroup_path, const char *mountinfo_path, size_t *n_cpus) {
    return find_least(self_cgroup_path, mountinfo_path, "cpu", cpus_of_group, n_cpus);
}

dv_status dv_cgroup_memory(const char *self_cgroup_path, const char *mountinfo_path, size_t *n_bytes) {
    return find_least(self_cgroup_path, mountinfo_path, "memory", bytes_of_group, n_bytes);
}

size_t dv_memory_granted(void) {
    const long n_pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    const size_t physical = n_pages > 0 && page_bytes > 0 ? (size_t)n_pages * (size_t)page_bytes : 0;
    size_t granted = 0;
    if (dv_cgroup_memory("/proc/self/cgroup", "/proc/self/mountinfo", &granted) != DV_OK) return physical;
    return granted && (granted < physical || physical == 0) ? granted : physical;
}
