/* beside.h: files that lie in the folder of another one. */
#ifndef DV_REPORT_BESIDE_H
#define DV_REPORT_BESIDE_H

#include <stddef.h>

#include "denseval/status.h"

/* Bytes of the folder of a path, its last '/' included; 0: it has none. */
size_t dv_folder_bytes(const char *path);

/* The path of `name` in the folder of `path`. *beside: the caller's until free(); NULL on failure. DV_E_NOMEM. */
DV_MUST_USE dv_status dv_path_beside(const char *path, const char *name, char **beside);

#endif
