/* together.h: this process as one of the ranks that mpirun or srun started: who speaks, and how all of them end. */
#ifndef DV_APP_TOGETHER_H
#define DV_APP_TOGETHER_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/ranks.h"

/* Joins the other ranks where there are any; those above 0 are silent from here on, but for a failure that is theirs
 * alone. Fails with DV_E_BACKEND where this build has no MPI, DV_E_USAGE where their arguments differ, and where this
 * is one of several copies of a process, which are no ranks. *ranks  NULL: this process is alone. Valid until
 * dv_together_leave */
DV_MUST_USE dv_status dv_together_join(size_t n_arguments, char *const *arguments, dv_ranks **ranks);

/* Before what all ranks would say alike without having joined (help, an unknown command): those above 0 are silent from
 * here on. */
void dv_together_answer(void);

/* What came of the run, for all ranks together. *speaks: a failure's message is to be printed here */
dv_status dv_together_settle(dv_status status, bool *speaks);

/* Leaves the others; where they are still at work after a failure, ends them and does not come back. */
void dv_together_leave(int exit_code);

#endif
