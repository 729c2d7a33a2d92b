#include "core/fault_list.h"

#include <stdio.h>

static void log_fault(const dv_fault_list *list, const char *what) {
    if (list->left_out)
        dv_log(DV_LOG_WARNING, "left out: %s", what);
    else
        dv_log(DV_LOG_ERROR, "%s", what);
}

void dv_fault_list_add(dv_fault_list *list, const char *what) {
    list->n++;
    if (list->n == 1) {
        snprintf(list->first, sizeof list->first, "%s", what);
        if (!list->left_out) return;
    }
    if (list->n == 2 && !list->left_out) log_fault(list, list->first);
    if (list->n <= DV_FAULTS_LISTED) log_fault(list, what);
}

void dv_fault_list_end(const dv_fault_list *list) {
    if (list->n <= DV_FAULTS_LISTED) return;
    dv_log(list->left_out ? DV_LOG_WARNING : DV_LOG_ERROR, "and %zu more like these", list->n - DV_FAULTS_LISTED);
}

dv_status dv_fault_list_judge(const dv_fault_list *list, dv_status status, const char *what) {
    dv_fault_list_end(list);
    if (list->n == 0 || list->left_out) return DV_OK;
    if (list->n == 1) return dv_fail(status, "%s", list->first);
    return dv_fail(status, "%zu %s, the first: %s", list->n, what, list->first);
}
