#include "app/together.h"

#include <stdlib.h>
#include <string.h>

#include "app/diagnostics.h"
#include "app/environment.h"
#include "app/message.h"
#include "app/output.h"

/* Of this process; MPI allows no second start. */
static struct {
    dv_ranks *ranks;
    bool silent;
    dv_ranks_end end;
} state;

static void be_silent(void) {
    state.silent = true;
    dv_output_silence();
    dv_diagnostics_silence();
}

static dv_status check_arguments(size_t n_arguments, char *const *arguments) {
    size_t size = 0, at = 0;
    for (size_t i = 0; i < n_arguments; i++) size += strlen(arguments[i]) + 1;
    char *const joined = malloc(size + 1);
    if (!joined) return dv_app_fail(DV_E_NOMEM, "no memory for %zu arguments", n_arguments);
    for (size_t i = 0; i < n_arguments; i++) {
        memcpy(joined + at, arguments[i], strlen(arguments[i]) + 1);
        at += strlen(arguments[i]) + 1;
    }
    const dv_status status = dv_ranks_check_same(state.ranks, joined, size, "arguments");
    free(joined);
    return status;
}

/* Would the first of them say the same? */
static bool is_told_elsewhere(const dv_launch *launch) {
    return launch->index > 0 && launch->has_others;
}

/* Processes that know nothing of each other would all be rank 0. */
static dv_status refuse_copies(const dv_launch *launch) {
    return dv_app_fail(
        DV_E_USAGE,
        "this is one of %zu processes that were started together, but not as ranks: each would do all of "
        "the work and write the same files; start them by mpirun or srun --mpi=pmix, or give --alone "
        "where each has work of its own",
        launch->n);
}

static void leave(void) {
    dv_ranks_close(state.ranks);
    state.ranks = NULL;
}

dv_status dv_together_join(size_t n_arguments, char *const *arguments, dv_ranks **ranks) {
    *ranks = NULL;
    const dv_launch launch = dv_environment_launch();
    if (launch.n == 1 || (launch.n == 0 && !launch.has_ranks)) return DV_OK;
    if (is_told_elsewhere(&launch)) be_silent(); /* what starting fails with is the same on all */
    if (!launch.has_ranks) return refuse_copies(&launch);
    DV_TRY(dv_ranks_open(&state.ranks));
    if (launch.n > 1 && dv_ranks_count(state.ranks) == 1) { /* the starter is of another MPI */
        leave();
        return refuse_copies(&launch);
    }
    *ranks = state.ranks;
    if (dv_ranks_index(state.ranks) > 0 && !state.silent) be_silent();
    return check_arguments(n_arguments, arguments);
}

void dv_together_answer(void) {
    const dv_launch launch = dv_environment_launch();
    if (launch.has_ranks && is_told_elsewhere(&launch)) be_silent();
}

dv_status dv_together_settle(dv_status status, bool *speaks) {
    *speaks = !state.silent;
    if (!state.ranks) return status;
    state.end = dv_ranks_settle(state.ranks, status);
    *speaks = state.end.speaks;
    return state.end.status;
}

void dv_together_leave(int exit_code) {
    if (state.end.alone) dv_ranks_abort(state.ranks, exit_code);
    leave();
}
