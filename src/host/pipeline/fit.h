/* fit.h: do a bank and a query set belong together? */
#ifndef DV_PIPELINE_FIT_H
#define DV_PIPELINE_FIT_H

#include <stdbool.h>

#include "denseval/bank.h"
#include "denseval/features.h"
#include "denseval/search.h"

/* DV_E_DATA, naming both values, when dims differ, k (>= 1, else DV_E_USAGE) is above the bank's rows or, without
 * force_mixed, the encoder or the preprocessing differ. What only one side states is a warning in the log. */
DV_MUST_USE dv_status dv_fit_search(const dv_bank_info *bank, const dv_feature_info *queries,
                                    const dv_search_options *options);

/* DV_E_DATA when the queries have no labels, or class counts or names differ. */
DV_MUST_USE dv_status dv_fit_classes(const dv_bank_info *bank, const dv_feature_info *queries);

#endif
