/* journal.h: what a long run has finished, block by block, in an append-only file that survives the end of the process
 * at any moment ("denseval journal v1", docs/FORMATS.md). */
#ifndef DV_PIPELINE_JOURNAL_H
#define DV_PIPELINE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

/* One finished block. Kind and key are the caller's. */
typedef struct dv_journal_record {
    uint32_t kind;
    uint64_t key;
    size_t n_bytes;
    const void *payload; /* [n_bytes], borrowed for the call */
} dv_journal_record;

/* Takes a record; a failure ends the reading and is passed on. */
typedef dv_status (*dv_journal_visit)(void *user, const dv_journal_record *record);

typedef struct dv_journal dv_journal;

/* What a journal belongs to, as lines "KEY: VALUE": a run goes on only where all of them are the same. */
typedef struct dv_journal_key {
    const char *settings; /* every option that shapes a result */
    const char *inputs;   /* the input files with their content hashes */
} dv_journal_key;

/* Makes a journal without records; it is complete and on the disk when it has its name. An existing one is DV_E_USAGE
 * unless `force`; also fails with DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_journal_create(const char *path, const dv_journal_key *key, bool force);

/* Opens a journal for going on: locks it and compares its key. The lock goes with the process, however it ends; on a
 * file system without locks there is none, which is logged.
 * *out   the caller's until dv_journal_close; to be read once before records are added
 * Fails with DV_E_MISSING; DV_E_INTERRUPTED (another process has the lock); DV_E_DATA: no journal, a damaged header,
 * another key (both hashes and the first line that differs are named); DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_journal_open(const char *path, const dv_journal_key *key, dv_journal **out);

/* Gives every whole record in order to `visit` (NULL: they are only checked), then cuts off what a write in progress
 * left behind the last one. Fails with DV_E_DATA naming the byte where a record before the last one is damaged, what
 * visit returns, DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_journal_read(dv_journal *journal, dv_journal_visit visit, void *user);

/* Adds a record; it is on the disk when the call returns. On failure (DV_E_IO, DV_E_NOMEM) the file ends with the
 * record before it. One thread at a time. */
DV_MUST_USE dv_status dv_journal_append(dv_journal *journal, const dv_journal_record *record);

/* Has it a lock? Not on a file system without any. */
bool dv_journal_is_locked(const dv_journal *journal);

size_t dv_journal_n_records(const dv_journal *journal); /* read and added */

/* Unlocks. NULL is allowed. */
void dv_journal_close(dv_journal *journal);

#endif
