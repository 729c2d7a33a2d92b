#include "metrics/absent.h"

#include <math.h>

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

bool dv_absent_iou(dv_absent absent, uint64_t both, uint64_t either, uint64_t truth, double *iou) {
    if (either > 0) {
        *iou = (double)both / (double)either;
        return truth > 0 || absent != DV_ABSENT_TRUTH_ONLY;
    }
    const bool counts = absent == DV_ABSENT_ZERO || absent == DV_ABSENT_ONE;
    *iou = counts ? (absent == DV_ABSENT_ONE ? 1.0 : 0.0) : (double)NAN;
    return counts;
}
