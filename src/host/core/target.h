/* target.h: where a result goes, and the temporary name beside it: what atomic files and folders share. */
#ifndef DV_CORE_TARGET_H
#define DV_CORE_TARGET_H

#include <stdbool.h>
#include <sys/types.h>

#include "denseval/status.h"

typedef struct dv_target {
    char *path;      /* as given, without slashes at its end; owned */
    char *folder;    /* the folder that holds it; owned */
    char *temporary; /* the name beside it; owned, NULL before dv_target_reserve */
    int lock;        /* open on what was made under that name (core/left_over.h); -1: none */
    bool force;
} dv_target;

/* Checks the path. What exists there already is DV_E_USAGE unless `force`, and always when it is no `kind` (S_IFREG or
 * S_IFDIR; a symbolic link counts as a file: it is replaced, not followed). dv_target_clear frees it, also on failure.
 */
DV_MUST_USE dv_status dv_target_init(dv_target *target, const char *path, mode_t kind, bool force);

/* Calls `make` with fresh names beside the target until it makes one, and holds that; `make` returns an errno, 0 for
 * success. A folder that is missing or not writable is DV_E_IO. */
DV_MUST_USE dv_status dv_target_reserve(dv_target *target, int (*make)(const char *temporary));

/* Does the temporary name still mean what was made? Somebody may have removed it, and made another. True where this
 * cannot be told. */
bool dv_target_is_there(const dv_target *target);

/* DV_E_IO where it does not. */
DV_MUST_USE dv_status dv_target_check(const dv_target *target);

/* Renames the temporary name to the path where nothing stands yet; else DV_E_USAGE, and both stay as they were. */
DV_MUST_USE dv_status dv_target_rename_new(const dv_target *target);

/* Makes a rename in the target's folder last through a power failure. */
DV_MUST_USE dv_status dv_target_sync_folder(const dv_target *target);

/* Frees what `target` holds; touches no file. */
void dv_target_clear(dv_target *target);

/* Brings a file or folder to the disk; an errno, 0 also where the file system cannot sync such a thing. */
int dv_sync_path(const char *path);

/* Syncs each file and folder of a tree; an errno. */
int dv_sync_tree(const char *path);

/* Removes a tree, links not followed; an errno, and as much is removed as can be. */
int dv_remove_tree(const char *path);

#endif
