#include <stdatomic.h>

#include "core/check.h"
#include "denseval/run.h"

_Static_assert(ATOMIC_BOOL_LOCK_FREE == 2, "a signal handler may only touch an atomic that takes no lock");
static atomic_bool interrupted; /* a request belongs to the whole process, as the signal does */

void dv_interrupt(void) {
    atomic_store(&interrupted, true);
}

bool dv_interrupted(void) {
    return atomic_load(&interrupted);
}

void dv_interrupt_clear(void) {
    atomic_store(&interrupted, false);
}

dv_status dv_check_interrupted(void) {
    return dv_interrupted() ? dv_fail(DV_E_INTERRUPTED, "interrupted; no result was written") : DV_OK;
}
