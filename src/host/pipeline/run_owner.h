/* run_owner.h: who is at work in a folder, in a small text for those who find it locked. */
#ifndef DV_PIPELINE_RUN_OWNER_H
#define DV_PIPELINE_RUN_OWNER_H

#include "denseval/status.h"

/* Writes host, process, start time and `job` (NULL: none) to a file. Fails with DV_E_IO. */
DV_MUST_USE dv_status dv_run_owner_write(const char *path, const char *job);

/* DV_E_INTERRUPTED: "in use by ..." with what the file says; "another process" where it says nothing. */
dv_status dv_run_owner_refuse(const char *path);

#endif
