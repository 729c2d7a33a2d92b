#include "denseval/path_list.h"

#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/folder.h"

static bool exists(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0;
}

/* Takes over `path`, also on failure. */
static dv_status append(dv_path_list *list, char *path) {
    char **const grown = realloc(list->paths, (list->n + 1) * sizeof *grown);
    if (!grown) {
        free(path);
        return dv_fail(DV_E_NOMEM, "no memory for a list of %zu paths", list->n + 1);
    }
    list->paths = grown;
    list->paths[list->n++] = path;
    return DV_OK;
}

static int compare_paths(const void *a, const void *b) {
    return dv_natural_compare(*(char *const *)a, *(char *const *)b);
}

/* `pattern` is what is looked up, `shown` what messages say. */
static dv_status append_glob(dv_path_list *list, const char *pattern, const char *shown) {
    glob_t found = {0};
    dv_status status = DV_OK;
    const size_t first = list->n;
    errno = 0;
    const int outcome = glob(pattern, GLOB_ERR | GLOB_NOSORT, NULL, &found);
    if (outcome == GLOB_NOMATCH)
        status = dv_fail(DV_E_MISSING, "%s: no file matches", shown);
    else if (outcome == GLOB_NOSPACE)
        status = dv_fail(DV_E_NOMEM, "%s: no memory for the files that match", shown);
    else if (outcome != 0)
        status = dv_fail(DV_E_IO, "%s: %s", shown, dv_error_text(errno));
    for (size_t i = 0; status == DV_OK && i < found.gl_pathc; i++) {
        char *path = NULL;
        status = dv_strdup(found.gl_pathv[i], &path);
        if (status == DV_OK) status = append(list, path);
    }
    if (status == DV_OK) qsort(list->paths + first, list->n - first, sizeof *list->paths, compare_paths);
    globfree(&found);
    return status;
}

/* Joins a folder, as it is or with a backslash before each byte that a glob would read, and a name. */
static dv_status join(const char *folder, bool escaped, const char *name, char **path) {
    if (*name == '/' || *folder == '\0') return dv_strdup(name, path);
    size_t room;
    DV_TRY(dv_mul_size(strlen(folder), 2, "a path", &room));
    DV_TRY(dv_add_size(room, strlen(name) + 2, "a path", &room));
    DV_TRY(dv_alloc(room, 1, "a path", path));
    char *end = *path;
    for (const char *from = folder; *from; from++) {
        if (escaped && strchr("*?[\\", *from)) *end++ = '\\';
        *end++ = *from;
    }
    if (end[-1] != '/') *end++ = '/';
    memcpy(end, name, strlen(name) + 1);
    return DV_OK;
}

static dv_status append_part(dv_path_list *list, const char *folder, const char *part) {
    char *path = NULL, *pattern = NULL;
    DV_TRY(join(folder, false, part, &path));
    if (!strpbrk(part, "*?[") || exists(path)) return append(list, path);
    dv_status status = join(folder, true, part, &pattern);
    if (status == DV_OK) status = append_glob(list, pattern, path);
    free(pattern);
    free(path);
    return status;
}

dv_status dv_path_list_add_in(dv_path_list *list, const char *folder, const char *text) {
    char *whole = NULL;
    DV_TRY(join(folder, false, text, &whole));
    if (*text && exists(whole)) return append(list, whole);
    free(whole);
    char *parts = NULL;
    DV_TRY(dv_strdup(text, &parts));
    dv_status status = DV_OK;
    char *rest = parts;
    for (const char *part = strsep(&rest, ","); status == DV_OK && part; part = strsep(&rest, ","))
        status = *part ? append_part(list, folder, part) : dv_fail(DV_E_USAGE, "'%s': a file name is empty", text);
    free(parts);
    return status;
}

dv_status dv_path_list_add(dv_path_list *list, const char *text) {
    return dv_path_list_add_in(list, "", text);
}

const char *const *dv_path_list_items(const dv_path_list *list) {
    return (const char *const *)list->paths;
}

void dv_path_list_clear(dv_path_list *list) {
    for (size_t i = 0; i < list->n; i++) free(list->paths[i]);
    free(list->paths);
    *list = (dv_path_list){0};
}
