/* sweep_done.h: does a folder hold the finished result that a sweep is about to make? */
#ifndef DV_PIPELINE_SWEEP_DONE_H
#define DV_PIPELINE_SWEEP_DONE_H

#include <stdbool.h>

#include "pipeline/sweep_files.h"

typedef struct dv_sweep_done {
    bool whole; /* a finished run's results.json is there, and every file that the folder's mark lists */
    char *text; /* of that results.json; owned, NULL where it is not whole */
    char differs[DV_DIFFERS_SIZE]; /* what of it is of another run, for example "settings.k"; "": nothing */
} dv_sweep_done;

/* Looks at `out`, without a change to it. The values of cells are not looked at: settings, inputs with their hashes,
 * part and version make them. Fails with DV_E_IO, DV_E_NOMEM; what is no result of a sweep is not whole.
 * *done: release with dv_sweep_done_clear, also on failure */
DV_MUST_USE dv_status dv_sweep_done_find(const dv_sweep_source *source, const char *out, dv_sweep_done *done);

/* The text of results.json of a finished run, NULL where there is none. *text: the caller's until free(). Fails with
 * DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_sweep_done_text(const char *out, char **text);

void dv_sweep_done_clear(dv_sweep_done *done);

#endif
