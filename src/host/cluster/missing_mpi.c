/* missing_mpi.c: a build without MPI, in which every process is alone. */
#include "core/check.h"
#include "denseval/ranks.h"

bool dv_ranks_available(void) {
    return false;
}

dv_status dv_ranks_open(dv_ranks **out) {
    *out = NULL;
    return dv_fail(DV_E_BACKEND, "this build has no MPI, which ranks need: install libopenmpi-dev and build again");
}
