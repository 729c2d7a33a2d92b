/* class_names.h: whose names of the classes a result shows. */
#ifndef DV_REPORT_CLASS_NAMES_H
#define DV_REPORT_CLASS_NAMES_H

#include "denseval/report.h"

/* Those of the queries, else of the bank (where both have them they are the same), else NULL. */
static inline const char *const *dv_report_class_names(const dv_bank_info *bank, const dv_feature_info *queries) {
    return queries->class_names ? queries->class_names : bank->class_names;
}

#endif
