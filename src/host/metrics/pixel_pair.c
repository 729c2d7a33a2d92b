#include "metrics/pixel_pair.h"

#include "core/check.h"

dv_status dv_pixel_policy_check(const dv_pixel_policy *policy) {
    const dv_invalid_labels invalid = policy->invalid;
    if (invalid == DV_INVALID_ERROR || invalid == DV_INVALID_DROP || invalid == DV_INVALID_FALSE_POSITIVE) return DV_OK;
    return dv_fail(DV_E_ARG, "invalid-labels policy %d: there is no such policy", (int)invalid);
}

dv_status dv_pixel_refuse(const dv_pixel_policy *policy, size_t n_classes, uint16_t truth, uint16_t pred, size_t row,
                          size_t column) {
    if (truth >= n_classes && policy->invalid == DV_INVALID_ERROR)
        return dv_fail(DV_E_DATA, "row %zu column %zu, label %d: labels must be below %zu", row, column, truth,
                       n_classes);
    return dv_fail(DV_E_ARG, "row %zu column %zu, prediction %d: predictions must be below %zu", row, column, pred,
                   n_classes);
}
