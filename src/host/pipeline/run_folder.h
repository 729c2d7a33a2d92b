/* run_folder.h: the output folder of a run that can be continued.
 *
 * What stands in DIR at each moment, also after a kill there:
 *   begin    DIR appears at once with the mark of our results, `run.journal` and `run.owner` (who is at work). With
 *            force, the files of an older result of ours stay as they were beside these.
 *   running  the journal grows; results are made in `.staging`.
 *   commit   everything in `.staging` is synced, the mark lists the old and new files, then each new file takes its
 *            name, `results.json` last; older result files that the new result lacks go; the journal goes.
 * So a DIR with `run.journal` is unfinished whatever else is in it, and one without is complete. Files of others in DIR
 * are left alone. */
#ifndef DV_PIPELINE_RUN_FOLDER_H
#define DV_PIPELINE_RUN_FOLDER_H

#include <stdbool.h>

#include "denseval/status.h"
#include "pipeline/journal.h"
#include "pipeline/run_owner.h"

/* Pointers are borrowed for the call. */
typedef struct dv_run_spec {
    const char *path;       /* DIR; the folder that holds it exists */
    bool force;             /* replace an older result of ours, or the journal of another run */
    dv_journal_key key;     /* what makes it the same run */
    const char *job;        /* for people who find the folder in use, for example "Slurm job 77"; or NULL */
    dv_run_beat beat;       /* zeros: the usual one */
    dv_journal_visit visit; /* gets the records of an earlier start of this run */
    void *user;
} dv_run_spec;

typedef struct dv_run_folder dv_run_folder;

/* Makes or continues DIR. *out: the caller's until commit or abandon; NULL on failure.
 * Fails with DV_E_USAGE (DIR exists and has no journal, and force was not asked for or the folder is not ours),
 * DV_E_INTERRUPTED (another process is at work: host, process, job and start are named; see run_owner.h), DV_E_DATA
 * (journal damaged or of another run, see dv_journal_open), what visit returns, DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_run_folder_begin(const dv_run_spec *spec, dv_run_folder **out);

/* Does this run go on with an earlier one? */
bool dv_run_folder_continued(const dv_run_folder *folder);

/* Adds a finished block; see dv_journal_append. DV_E_INTERRUPTED where the folder was taken over. */
DV_MUST_USE dv_status dv_run_folder_append(dv_run_folder *folder, const dv_journal_record *record);

/* An empty folder within DIR for the result files (and folders), under the names that they will have in DIR. *path is
 * borrowed until commit or abandon. What an earlier call held is removed. */
DV_MUST_USE dv_status dv_run_folder_stage(dv_run_folder *folder, const char **path);

/* Puts what was staged in place, removes the journal, frees the handle in every case. On failure (DV_E_USAGE: a name is
 * taken by a file that is not ours; DV_E_IO, DV_E_NOMEM) the journal stays, so that the same run can go on. */
DV_MUST_USE dv_status dv_run_folder_commit(dv_run_folder *folder);

/* Ends the work without a result and frees the handle: the journal stays where it has records; else all that begin made
 * is removed. NULL is allowed. */
void dv_run_folder_abandon(dv_run_folder *folder);

/* What another process needs for dv_run_folder_undo. *claim: the caller's until free(); NULL where the run goes on with
 * an earlier one. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_run_folder_claim(const dv_run_folder *folder, char **claim);

/* What dv_run_folder_abandon does with a run without a block, where its own process gets no time to: never called once
 * that may have added one. A folder that is another's by now stays. */
void dv_run_folder_undo(const char *claim);

#endif
