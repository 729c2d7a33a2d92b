#include "report/beside.h"

#include <stdio.h>
#include <string.h>

#include "core/check.h"

size_t dv_folder_bytes(const char *path) {
    const char *const slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

dv_status dv_path_beside(const char *path, const char *name, char **beside) {
    if (asprintf(beside, "%.*s%s", (int)dv_folder_bytes(path), path, name) >= 0) return DV_OK;
    *beside = NULL; /* undefined after a failure */
    return dv_fail(DV_E_NOMEM, "no memory for a path");
}
