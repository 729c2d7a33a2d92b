#include "io/name_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/folder.h"

dv_status dv_name_list_add(dv_names *list, const char *name) {
    if ((list->n & (list->n - 1)) == 0) { /* full: the room is the next power of two */
        char **const grown = reallocarray(list->names, list->n ? list->n * 2 : 1, sizeof *grown);
        if (!grown) return dv_fail(DV_E_NOMEM, "no memory for a list of %zu names", list->n + 1);
        list->names = grown;
    }
    DV_TRY(dv_strdup(name, &list->names[list->n]));
    list->n++;
    return DV_OK;
}

void dv_name_list_clear(dv_names *list) {
    for (size_t i = 0; i < list->n; i++) free(list->names[i]);
    free(list->names);
    *list = (dv_names){0};
}

dv_status dv_path_join(const char *folder, const char *name, char **path) {
    const size_t length = strlen(folder), size = length + strlen(name) + 2;
    const bool slash = length && folder[length - 1] != '/';
    DV_TRY(dv_alloc(size, 1, "a path", path));
    snprintf(*path, size, "%s%s%s", folder, slash ? "/" : "", name);
    return DV_OK;
}

static int compare_names(const void *a, const void *b) {
    return dv_natural_compare(*(char *const *)a, *(char *const *)b);
}

static bool is_folder(DIR *stream, const char *name) {
    struct stat facts;
    return fstatat(dirfd(stream), name, &facts, 0) == 0 && S_ISDIR(facts.st_mode);
}

static dv_status list_open(DIR *stream, const char *path, dv_names *list) {
    const size_t first = list->n;
    for (;;) {
        errno = 0; /* tells the end of the folder from a failure */
        const struct dirent *const entry = readdir(stream);
        if (!entry) break;
        if (entry->d_name[0] == '.' || !is_folder(stream, entry->d_name)) continue;
        DV_TRY(dv_name_list_add(list, entry->d_name));
    }
    if (errno != 0) return dv_fail(DV_E_IO, "%s: cannot list: %s", path, dv_error_text(errno));
    if (list->n > first) qsort(list->names + first, list->n - first, sizeof *list->names, compare_names);
    return DV_OK;
}

dv_status dv_subfolders(const char *path, dv_names *list) {
    DIR *const stream = opendir(path);
    if (!stream && errno == ENOENT) return dv_fail(DV_E_MISSING, "%s: no such folder", path);
    if (!stream && errno == ENOTDIR) return dv_fail(DV_E_DATA, "%s: not a folder", path);
    if (!stream) return dv_fail(DV_E_IO, "%s: cannot open: %s", path, dv_error_text(errno));
    const dv_status status = list_open(stream, path, list);
    closedir(stream);
    return status;
}
