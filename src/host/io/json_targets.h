/* json_targets.h: targets that were segmented in 3D (docs/FORMATS.md, "objects3d-targets v1"). */
#ifndef DV_IO_JSON_TARGETS_H
#define DV_IO_JSON_TARGETS_H

#include <stddef.h>

#include "denseval/objects.h"

typedef struct dv_targets {
    size_t height, width; /* of all masks; 0: the file does not say */
    size_t n;
    dv_object_target *targets; /* in the order of the file, owned */
} dv_targets;

/* Reads and checks the file: ids and views are names of folders and files, the reference view is one of the views and
 * not the only one. Fails as dv_json_load does. *targets: release with dv_targets_clear; zeroed on failure */
DV_MUST_USE dv_status dv_targets_read(const char *path, dv_targets *targets);
void dv_targets_clear(dv_targets *targets);

#endif
