/* journal.h: what a long run has finished, block by block, in an append-only file that survives the end of the process
 * at any moment ("denseval journal v1", docs/FORMATS.md). */
#ifndef DV_PIPELINE_JOURNAL_H
#define DV_PIPELINE_JOURNAL_H

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

/* A failure ends the reading and is passed on. */
typedef dv_status (*dv_journal_visit)(void *user, const dv_journal_record *record);

typedef struct dv_journal dv_journal;

/* What a journal belongs to, as lines "KEY: VALUE": a run goes on only where all of them are the same. */
typedef struct dv_journal_key {
    const char *settings; /* every option that shapes a result */
    const char *inputs;   /* the input files with their content hashes */
} dv_journal_key;

/* Makes a new journal, locked by this process and synced. An existing path is DV_E_USAGE; else fails with DV_E_IO,
 * DV_E_NOMEM, and then leaves no file. *out: the caller's until dv_journal_close. */
DV_MUST_USE dv_status dv_journal_create(const char *path, const dv_journal_key *key, dv_journal **out);

/* Opens a journal for going on: locks it, compares its key, gives every whole record in order to `visit`, and cuts off
 * what a write in progress left behind the last one. The lock goes with the process, however it ends; on a file system
 * without locks there is none, which is logged.
 * Fails with DV_E_MISSING; DV_E_INTERRUPTED (another process has the lock); DV_E_DATA: no journal, damaged before its
 * last record (byte offset), or of another key: both hashes and the first line that differs; what visit returns;
 * DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_journal_open(const char *path, const dv_journal_key *key, dv_journal_visit visit, void *user,
                                      dv_journal **out);

/* Adds a record; it is on the disk when the call returns. On failure (DV_E_IO, DV_E_NOMEM) the file ends with the
 * record before it. One thread at a time. */
DV_MUST_USE dv_status dv_journal_append(dv_journal *journal, const dv_journal_record *record);

size_t dv_journal_n_records(const dv_journal *journal); /* read and added */

/* Unlocks. NULL is allowed. */
void dv_journal_close(dv_journal *journal);

#endif
