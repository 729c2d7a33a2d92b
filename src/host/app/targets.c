#include "app/targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/message.h"

dv_status dv_target_check_new(const char *target, bool force) {
    if (force || access(target, F_OK) != 0) return DV_OK;
    return dv_app_fail(DV_E_USAGE, "%s: exists already; --force replaces it", target);
}

/* Is `inner` the path `outer`, or below it? Both are real paths. */
static bool is_within(const char *outer, const char *inner) {
    const size_t length = strcmp(outer, "/") == 0 ? 0 : strlen(outer);
    return strncmp(outer, inner, length) == 0 && (inner[length] == '/' || inner[length] == '\0');
}

/* The real path of something that need not be there, in a folder that is; NULL where that is not, or without memory.
 * The caller's until free() */
static char *real_path_of(const char *path) {
    char *const found = realpath(path, NULL), *const copy = found ? NULL : strdup(path), *made = NULL;
    if (!copy) return found;
    for (size_t n = strlen(copy); n > 1 && copy[n - 1] == '/'; n--) copy[n - 1] = '\0';
    char *const slash = strrchr(copy, '/');
    const char *const name = slash ? slash + 1 : copy;
    if (slash) *slash = '\0';
    char *const folder = realpath(!slash ? "." : *copy ? copy : "/", NULL);
    if (folder && asprintf(&made, "%s/%s", folder, name) < 0) made = NULL;
    free(folder);
    free(copy);
    return made;
}

dv_status dv_target_check_input(const char *option, const char *target, const char *input) {
    char *const real_target = target && input ? real_path_of(target) : NULL;
    char *const real_input = real_target ? realpath(input, NULL) : NULL;
    dv_status status = DV_OK;
    if (real_input && is_within(real_target, real_input))
        status = dv_app_fail(DV_E_USAGE, "%s %s: is or holds the input %s", option, target, input);
    else if (real_input && is_within(real_input, real_target))
        status = dv_app_fail(DV_E_USAGE, "%s %s: lies in the input %s, which would hold it from then on", option,
                             target, input);
    free(real_target);
    free(real_input);
    return status;
}

dv_status dv_target_check_other(const char *option, const char *target, const char *other_option, const char *other) {
    char *const real_target = target && other ? real_path_of(target) : NULL;
    char *const real_other = real_target ? real_path_of(other) : NULL;
    const bool same = real_other && strcmp(real_target, real_other) == 0;
    free(real_target);
    free(real_other);
    return same ? dv_app_fail(DV_E_USAGE, "%s %s: is what %s writes", option, target, other_option) : DV_OK;
}

dv_status dv_target_check_inputs(const char *option, const char *target, const dv_path_list *inputs) {
    for (size_t i = 0; i < inputs->n; i++) DV_TRY(dv_target_check_input(option, target, inputs->paths[i]));
    return DV_OK;
}
