/* mask_count_rules.h: whether rules of counting masks hold together, and the radii that follow from them. */
#ifndef DV_METRICS_MASK_COUNT_RULES_H
#define DV_METRICS_MASK_COUNT_RULES_H

#include "core/check.h"
#include "denseval/mask_counts.h"

/* Fails with DV_E_ARG: a bound out of range, too many radii. */
DV_MUST_USE dv_status dv_mask_rules_check(const dv_mask_rules *rules);

/* Sizes of a frame and its radii into counts; no radius where areas alone are counted. Fails with DV_E_ARG (sides). */
DV_MUST_USE dv_status dv_mask_rules_apply(const dv_mask_rules *rules, size_t height, size_t width,
                                          dv_mask_counts *counts);

#endif
