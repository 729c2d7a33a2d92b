/* run_results.h: puts the files of a finished run in place, one after the other, in an order that a kill cannot hurt.
 */
#ifndef DV_PIPELINE_RUN_RESULTS_H
#define DV_PIPELINE_RUN_RESULTS_H

#include <stdbool.h>

#include "denseval/status.h"

/* Moves all that is in `stage`, a folder within `folder`, to the same names in `folder`: synced before, results.json
 * last. The folder's mark lists old and new files before the first one moves, and the new ones after the last; files
 * that only the old mark lists are removed. A name taken by a file that is neither in the mark nor a PNG is DV_E_USAGE,
 * before anything moves; a kill leaves a state from which the same call goes on. Also fails with DV_E_IO, DV_E_NOMEM.
 */
DV_MUST_USE dv_status dv_run_results_place(const char *stage, const char *folder);

/* Does a mark's list name nothing but the files of a run in progress? */
bool dv_run_results_none(const char *names);

#endif
