/* json_sweep_part.h: the results of one part of a sweep, as its folder holds them. */
#ifndef DV_REPORT_JSON_SWEEP_PART_H
#define DV_REPORT_JSON_SWEEP_PART_H

#include <jansson.h>

#include "denseval/sweep_merge.h"

typedef struct dv_sweep_part_file {
    char *results, *counts; /* paths; owned */
    json_t *root;           /* of results.json; owned */
    dv_sweep_part part;
} dv_sweep_part_file;

/* Reads results.json of a folder and checks its `part` and the number of its cells. Fails with DV_E_MISSING (no such
 * file, or an unfinished run), DV_E_DATA, DV_E_IO, DV_E_NOMEM; the message begins with the path. *out: release with
 * dv_sweep_part_file_clear, also on failure */
DV_MUST_USE dv_status dv_sweep_part_file_read(const char *folder, dv_sweep_part_file *out);
void dv_sweep_part_file_clear(dv_sweep_part_file *file);

/* DV_E_DATA where two parts are not of one sweep: what differs is named with both values and both files. */
DV_MUST_USE dv_status dv_sweep_part_file_compare(const dv_sweep_part_file *first, const dv_sweep_part_file *other);

#endif
