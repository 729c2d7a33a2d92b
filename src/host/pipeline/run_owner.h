/* run_owner.h: who is at work in a folder: a small text for those who find it in use, and a sign of life.
 *
 * The lock of the journal is the kernel's. Where a file system hands locks from node to node that is enough; where each
 * node has locks of its own, or there are none, a process of another node gets the lock of a folder that is in use. So
 * the owner changes a counter in its file every few seconds, and whoever gets the lock but finds an owner that was
 * started under another kernel watches that counter first: if it changes, the owner is alive. No clocks are compared.
 * An owner that was stopped for longer than others watch finds, before it writes again, that the file is another's. */
#ifndef DV_PIPELINE_RUN_OWNER_H
#define DV_PIPELINE_RUN_OWNER_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/status.h"

typedef struct dv_run_owner dv_run_owner;

/* How often an owner gives a sign, and how long others wait for one: several times that. */
typedef struct dv_run_beat {
    double every_s, watch_s;
} dv_run_beat;
extern const dv_run_beat dv_run_beat_usual; /* of all runs but those of tests */

/* Writes host, process, start time and `job` (NULL or "": none) to a file in the place of what was there, and gives
 * signs of life from then on. *out: the caller's until dv_run_owner_release; NULL on failure. Fails with DV_E_IO,
 * DV_E_NOMEM. */
DV_MUST_USE dv_status dv_run_owner_claim(const char *path, const char *job, const dv_run_beat *beat,
                                         dv_run_owner **out);

/* DV_E_INTERRUPTED where the file is not this owner's any more: it was taken over, or removed. */
DV_MUST_USE dv_status dv_run_owner_check(const dv_run_owner *owner);

/* Ends the signs of life and removes the file, unless it is another's. NULL is allowed. */
void dv_run_owner_release(dv_run_owner *owner);

/* What tells this claim from all others: DV_OWNER_TOKEN_SIZE - 1 characters; borrowed. */
enum { DV_OWNER_TOKEN_SIZE = 33 };
const char *dv_run_owner_token(const dv_run_owner *owner);

/* Removes the file of the claim that has this token; false: it is not there, or another's. */
bool dv_run_owner_remove(const char *path, const char *token);

/* May a process that has the lock of the folder take it over? Without a file, and with one of this kernel where
 * `locked` (a kernel knows its own locks), at once. Else the file is watched: DV_E_INTERRUPTED as from
 * dv_run_owner_refuse once it changes, DV_OK, and a line in the log, where it stays as it is. Also fails with
 * DV_E_INTERRUPTED when asked to stop, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_run_owner_watch(const char *path, bool locked, const dv_run_beat *beat);

/* DV_E_INTERRUPTED: "in use by ..." with what the file says; "another process" where it says nothing. */
dv_status dv_run_owner_refuse(const char *path);

#endif
