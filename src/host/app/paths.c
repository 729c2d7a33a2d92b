#include "app/paths.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/message.h"

static bool exists(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0;
}

static dv_status append(dv_path_list *list, const char *path) {
    char **const grown = realloc(list->paths, (list->n + 1) * sizeof *grown);
    char *const copy = grown ? strdup(path) : NULL;
    if (grown) list->paths = grown;
    if (!copy) return dv_app_fail(DV_E_NOMEM, "no memory for a list of %zu paths", list->n + 1);
    list->paths[list->n++] = copy;
    return DV_OK;
}

/* Length of the digit run at `text` without its leading zeros; *text moves to its first counted digit. */
static size_t significant_digits(const char **text) {
    while (**text == '0' && isdigit((unsigned char)(*text)[1])) (*text)++;
    size_t n = 0;
    while (isdigit((unsigned char)(*text)[n])) n++;
    return n;
}

static int compare_natural(const char *a, const char *b) {
    const char *const whole_a = a, *const whole_b = b;
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            const size_t n_a = significant_digits(&a), n_b = significant_digits(&b);
            if (n_a != n_b) return n_a < n_b ? -1 : 1;
            const int order = memcmp(a, b, n_a);
            if (order) return order;
            a += n_a;
            b += n_b;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    if (*a || *b) return *a ? 1 : -1;
    return strcmp(whole_a, whole_b); /* equal but for leading zeros */
}

static int compare_paths(const void *a, const void *b) {
    return compare_natural(*(char *const *)a, *(char *const *)b);
}

static dv_status append_glob(dv_path_list *list, const char *pattern) {
    glob_t found = {0};
    dv_status status = DV_OK;
    const size_t first = list->n;
    errno = 0;
    const int outcome = glob(pattern, GLOB_ERR | GLOB_NOSORT, NULL, &found);
    if (outcome == GLOB_NOMATCH)
        status = dv_app_fail(DV_E_MISSING, "%s: no file matches", pattern);
    else if (outcome == GLOB_NOSPACE)
        status = dv_app_fail(DV_E_NOMEM, "%s: no memory for the files that match", pattern);
    else if (outcome != 0)
        status = dv_app_fail(DV_E_IO, "%s: %s", pattern, strerror(errno));
    for (size_t i = 0; status == DV_OK && i < found.gl_pathc; i++) status = append(list, found.gl_pathv[i]);
    if (status == DV_OK) qsort(list->paths + first, list->n - first, sizeof *list->paths, compare_paths);
    globfree(&found);
    return status;
}

static dv_status append_part(dv_path_list *list, const char *part) {
    if (strpbrk(part, "*?[") && !exists(part)) return append_glob(list, part);
    return append(list, part);
}

dv_status dv_path_list_add(dv_path_list *list, const char *text) {
    if (exists(text)) return append(list, text);
    char *const parts = strdup(text);
    if (!parts) return dv_app_fail(DV_E_NOMEM, "no memory for a list of paths");
    dv_status status = DV_OK;
    char *rest = parts;
    for (const char *part = strsep(&rest, ","); status == DV_OK && part; part = strsep(&rest, ","))
        status = *part ? append_part(list, part) : dv_app_fail(DV_E_USAGE, "'%s': a file name is empty", text);
    free(parts);
    return status;
}

const char *const *dv_path_list_items(const dv_path_list *list) {
    return (const char *const *)list->paths;
}

void dv_path_list_clear(dv_path_list *list) {
    for (size_t i = 0; i < list->n; i++) free(list->paths[i]);
    free(list->paths);
    *list = (dv_path_list){0};
}
