#include "metrics/absent.h"

#include "core/check.h"

dv_status dv_absent_check(dv_absent absent) {
    switch (absent) {
    case DV_ABSENT_SKIP:
    case DV_ABSENT_ZERO:
    case DV_ABSENT_ONE:
    case DV_ABSENT_TRUTH_ONLY:
        return DV_OK;
    }
    return dv_fail(DV_E_ARG, "absent-classes policy %d: there is no such policy", (int)absent);
}
