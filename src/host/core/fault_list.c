#include "core/fault_list.h"

#include <stdio.h>

void dv_fault_list_add(dv_fault_list *list, const char *what) {
    list->n++;
    if (list->n == 1) {
        snprintf(list->first, sizeof list->first, "%s", what);
        return;
    }
    if (list->n == 2) dv_log(DV_LOG_ERROR, "%s", list->first);
    if (list->n <= DV_FAULTS_LISTED) dv_log(DV_LOG_ERROR, "%s", what);
}

void dv_fault_list_end(const dv_fault_list *list) {
    if (list->n > DV_FAULTS_LISTED) dv_log(DV_LOG_ERROR, "and %zu more like these", list->n - DV_FAULTS_LISTED);
}
