/* fault_list.h: many faults of one pass: the first ones are listed in full, the rest counted (R12). */
#ifndef DV_CORE_FAULT_LIST_H
#define DV_CORE_FAULT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/check.h"
#include "core/log.h"

enum { DV_FAULTS_LISTED = 20 };

/* Zeroed it is empty. One thread at a time. */
typedef struct dv_fault_list {
    bool left_out; /* the faulty things are left out, which is no failure: warnings instead of errors */
    size_t n;
    char first[DV_MESSAGE_SIZE]; /* the message of the first fault */
} dv_fault_list;

/* A fault of one of many things. */
typedef struct dv_kept_fault {
    uint64_t at; /* which thing */
    char what[DV_MESSAGE_SIZE];
} dv_kept_fault;

/* The faults of a part of a pass, for whoever joins them. */
typedef struct dv_kept_faults {
    bool left_out; /* as above */
    size_t n;
    dv_kept_fault *first; /* [DV_FAULTS_LISTED], filled as far as n goes, rising */
} dv_kept_faults;

/* Takes a fault in, and logs it if it is among those listed. The first error waits for the second: where it stays
 * alone, the message that the call fails with tells all. what  borrowed for the call; may be dv_last_error() */
void dv_fault_list_add(dv_fault_list *list, const char *what);

/* Logs how many were not listed. Once, after the last. */
void dv_fault_list_end(const dv_fault_list *list);

/* The same, as the last word on a pass: DV_OK without faults, or where they are left out; else fails with `status` and
 * the one fault, or "N WHAT, the first: ...". what: "frames are missing" */
DV_MUST_USE dv_status dv_fault_list_judge(const dv_fault_list *list, dv_status status, const char *what);

#endif
