#include "app/targets.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/message.h"

dv_status dv_target_check_new(const char *target, bool force) {
    if (force || access(target, F_OK) != 0) return DV_OK;
    return dv_app_fail(DV_E_USAGE, "%s: exists already, and --force was not given", target);
}

/* Is `inner` the path `outer`, or below it? Both are real paths. */
static bool is_within(const char *outer, const char *inner) {
    const size_t length = strcmp(outer, "/") == 0 ? 0 : strlen(outer);
    return strncmp(outer, inner, length) == 0 && (inner[length] == '/' || inner[length] == '\0');
}

dv_status dv_target_check_input(const char *option, const char *target, const char *input) {
    char *const real_target = input ? realpath(target, NULL) : NULL;
    char *const real_input = real_target ? realpath(input, NULL) : NULL;
    dv_status status = DV_OK;
    if (real_input && is_within(real_target, real_input))
        status = dv_app_fail(DV_E_USAGE, "%s %s: is or holds the input %s", option, target, input);
    free(real_target);
    free(real_input);
    return status;
}

dv_status dv_target_check_inputs(const char *option, const char *target, const dv_path_list *inputs) {
    for (size_t i = 0; i < inputs->n; i++) DV_TRY(dv_target_check_input(option, target, inputs->paths[i]));
    return DV_OK;
}
