/* atomic_file.h: a result file is either absent or complete: written beside its target, synced, then renamed. */
#ifndef DV_CORE_ATOMIC_FILE_H
#define DV_CORE_ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "denseval/status.h"

/* A temporary name in the folder of its target. For libraries that write by path; dv_atomic_file_stream for the rest.
 */
typedef struct dv_atomic_file dv_atomic_file;

/* Reserves a temporary file (mode 0666 less umask) beside `path`. An existing path is DV_E_USAGE unless `force`; a
 * folder that is missing or not writable is DV_E_IO naming it. *out: the caller's until commit or abandon. */
DV_MUST_USE dv_status dv_atomic_file_begin(const char *path, bool force, dv_atomic_file **out);

/* The temporary path; borrowed. */
const char *dv_atomic_file_temporary(const dv_atomic_file *file);

/* A stream that writes to the temporary file; closed by commit or abandon. */
DV_MUST_USE dv_status dv_atomic_file_stream(dv_atomic_file *file, FILE **stream);

/* Flushes, syncs, closes, renames, syncs the folder. Frees the handle in every case; on failure nothing is left. What
 * somebody removed, or replaced, under the temporary name is DV_E_IO, and a replacement stays.
 * Without force, a target that appeared meanwhile is kept and DV_E_USAGE comes back. */
DV_MUST_USE dv_status dv_atomic_file_commit(dv_atomic_file *file);

/* Removes the temporary file and frees the handle. NULL is allowed. */
void dv_atomic_file_abandon(dv_atomic_file *file);

/* The same for a folder of files: made under a temporary name beside `path`, renamed when complete. An existing path is
 * DV_E_USAGE unless `force`, which removes the old folder at the commit, once the new one is complete; but only a
 * folder that is empty or was made so and still holds only what we put there (core/folder_content.h), else DV_E_USAGE.
 */
typedef struct dv_atomic_folder dv_atomic_folder;
DV_MUST_USE dv_status dv_atomic_folder_begin(const char *path, bool force, dv_atomic_folder **out);
const char *dv_atomic_folder_temporary(const dv_atomic_folder *folder);
DV_MUST_USE dv_status dv_atomic_folder_commit(dv_atomic_folder *folder);
void dv_atomic_folder_abandon(dv_atomic_folder *folder);

/* In `folder`, which must be there and is never made, makes every missing folder above the last component of `name`. */
DV_MUST_USE dv_status dv_make_parents(const char *folder, const char *name);

#endif
